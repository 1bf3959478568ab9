//! `retrial report`: charts and the report again, from a results folder, without simulating.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args as ClapArgs;

use super::results_folder::write_report;
use super::{Exit, output};
use crate::experiment::outline::Outline;
use crate::experiment::packaged;
use crate::study::kept::MANIFEST;
use crate::study::plan_file::PLAN_FILE;
use crate::study::read_back::read;
use crate::study::results::Results;
use crate::study::runner::StudyError;

/// Flags of `retrial report`.
#[derive(Debug, ClapArgs)]
pub struct Args {
    /// The folder that `retrial run` or `retrial merge` wrote to
    results: PathBuf,
    /// Where to write the report and its charts [default: RESULTS]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Do not print what was written
    #[arg(long, short)]
    quiet: bool,
}

/// Runs the command.
pub fn execute(args: &Args) -> Exit {
    let folder = &args.results;
    let read = refuse(folder).map_or_else(|| read(folder), Err);
    let (outline, results) = match read {
        Ok(study) => study,
        Err(problem) => {
            eprintln!("error: {problem}");
            return Exit::BadInput;
        }
    };
    let out = args.out.as_ref().unwrap_or(folder);
    match write(&outline, &results, out) {
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

fn write(outline: &Outline, results: &Results, out: &Path) -> Result<Vec<PathBuf>, StudyError> {
    fs::create_dir_all(out).map_err(|error| StudyError::Write(out.to_path_buf(), error))?;
    write_report(outline, results, out)
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
