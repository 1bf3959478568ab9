//! Progress of a study on the terminal, and what Ctrl-C leaves.

use std::io::{self, IsTerminal};
use std::path::Path;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::Exit;
use crate::study::runner::Progress;

/// Progress on stderr, only on a terminal.
pub struct Bar(ProgressBar);

impl Bar {
    /// A bar for a study; hidden if `quiet`.
    pub fn new(quiet: bool) -> Self {
        let shown = !quiet && io::stderr().is_terminal();
        let target =
            if shown { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(None, target);
        let style = "{bar:30} {pos}/{len} runs, {per_sec}, {eta} left  {msg}";
        // A template that does not parse leaves the default bar.
        if let Ok(style) = ProgressStyle::with_template(style) {
            bar.set_style(style);
        }
        Bar(bar)
    }

    /// Takes the bar off the terminal.
    pub fn finish(&self) {
        self.0.finish_and_clear();
    }
}

impl Progress for Bar {
    fn begin(&self, runs: u64, kept: u64) {
        self.0.set_length(runs);
        self.0.set_position(kept);
        self.0.reset_eta();
    }

    fn ran(&self) {
        self.0.inc(1);
    }

    fn leads(&self, what: &str) {
        self.0.set_message(what.to_string());
    }
}

/// On Ctrl-C: a temporary folder is removed.
pub fn leave_nothing(bar: &Bar, folder: &Path) {
    let (bar, folder) = (bar.0.clone(), folder.to_path_buf());
    // Without a handler Ctrl-C ends the program all the same, and the system clears the folder.
    let _ = ctrlc::set_handler(move || {
        bar.finish_and_clear();
        let _ = std::fs::remove_dir_all(&folder);
        std::process::exit(Exit::Interrupted as i32);
    });
}

/// On Ctrl-C: units that are finished are whole files already, so there is nothing to save.
pub fn keep_what_is_finished(bar: &Bar, out: &Path, quiet: bool) {
    let (bar, out) = (bar.0.clone(), out.to_path_buf());
    // Without a handler Ctrl-C ends the program all the same, only without a word.
    let _ = ctrlc::set_handler(move || {
        bar.finish_and_clear();
        if !quiet {
            let kept = out.display();
            eprintln!("interrupted; finished runs are kept in {kept}, the same command goes on");
        }
        std::process::exit(Exit::Interrupted as i32);
    });
}
