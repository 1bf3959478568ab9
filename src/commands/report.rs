//! `retrial report`: charts and the report again, from a results folder, without simulating.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args as ClapArgs;

use super::results_folder::{draw_trade_off, write_report};
use super::{Exit, output};
use crate::experiment::outline::Outline;
use crate::experiment::packaged;
use crate::study::kept::MANIFEST;
use crate::study::plan_file::PLAN_FILE;
use crate::study::read_back;
use crate::study::results::Results;
use crate::study::runner::{StudyError, pool};
use crate::study::tune::trade_off::TradeOff;

/// Flags of `retrial report`.
#[derive(Debug, ClapArgs)]
pub struct Args {
    /// The folder that `retrial run`, `retrial merge` or `retrial tune` wrote to
    results: PathBuf,
    /// Where to write the report and its charts [default: RESULTS]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Do not print what was written
    #[arg(long, short)]
    quiet: bool,
}

/// What a folder holds.
enum Held {
    Study(Box<(Outline, Results)>),
    Tuning(TradeOff),
}

/// Runs the command.
pub fn execute(args: &Args) -> Exit {
    let folder = &args.results;
    let held = refuse(folder).map_or_else(|| read(folder), Err);
    let held = match held {
        Ok(held) => held,
        Err(problem) => {
            eprintln!("error: {problem}");
            return Exit::BadInput;
        }
    };
    if let Held::Study(study) = &held
        && !args.quiet
        && study.1.cells.iter().all(|cell| cell.close_up.is_none())
    {
        eprintln!("note: there is no close-up in it: charts that show single runs are left out");
    }
    match write(&held, args.out.as_ref().unwrap_or(folder)) {
        Ok(_) if args.quiet => Exit::Done,
        Ok(paths) => {
            let lines = paths.iter().map(|path| format!("{}\n", path.display()));
            output::print(lines.collect::<String>())
        }
        Err(error) => {
            eprintln!("error: {error}");
            Exit::Failed
        }
    }
}

fn read(folder: &Path) -> Result<Held, String> {
    match TradeOff::is_at(folder) {
        true => TradeOff::read(folder).map(Held::Tuning),
        false => read_back::read(folder).map(|study| Held::Study(Box::new(study))),
    }
}

/// The report of a study on all cores, or the chart of a tuning.
fn write(held: &Held, out: &Path) -> Result<Vec<PathBuf>, StudyError> {
    fs::create_dir_all(out).map_err(|error| StudyError::Write(out.to_path_buf(), error))?;
    match held {
        Held::Study(study) => {
            let (outline, results) = &**study;
            pool(0)?.install(|| write_report(outline, results, out))
        }
        Held::Tuning(trade_off) => draw_trade_off(trade_off, out),
    }
}

/// Why there are no results at `path`, and what would be right; `None` if there may be some.
fn refuse(path: &Path) -> Option<String> {
    if path.join(MANIFEST).is_file() {
        return None;
    }
    let why = if path.is_file() {
        "it is a file"
    } else if !path.exists() {
        "there is no such folder"
    } else if path.join(PLAN_FILE).is_file() {
        return Some(format!(
            "{} is a part of a study: join all parts first, with `retrial merge {} … --out DIR`",
            path.display(),
            path.display()
        ));
    } else {
        return Some(format!(
            "{} is no results folder: it has no {MANIFEST}; give the folder that `retrial run` or \
             `retrial merge` wrote to",
            path.display()
        ));
    };
    let help = match instead(path) {
        Some(help) => help,
        None => "give the folder that `retrial run` or `retrial merge` wrote to".to_string(),
    };
    Some(format!("{} is no results folder: {why}; {help}", path.display()))
}

/// What to do about the name or the file of an experiment.
fn instead(path: &Path) -> Option<String> {
    let name = path.file_stem()?;
    let results = Path::new("results").join(name);
    if results.join(MANIFEST).is_file() {
        return Some(format!("did you mean {}?", results.display()));
    }
    let is_experiment = path.extension().is_some_and(|ending| ending == "toml")
        || packaged::find(&name.to_string_lossy()).is_some();
    is_experiment.then(|| {
        let (path, results) = (path.display(), results.display());
        format!("make one first: `retrial run {path}` writes to {results}")
    })
}
