//! `retrial merge`: the results of a study that several machines have run.

use std::fs;
use std::path::PathBuf;

use clap::Args as ClapArgs;

use super::Exit;
use super::conclusion::{ConclusionFlags, conclude};
use crate::study::merge::{Merged, merge};
use crate::study::runner::StudyError;

/// Flags of `retrial merge`.
#[derive(Debug, ClapArgs)]
pub struct Args {
    /// The folders that shards were written to
    #[arg(required = true)]
    parts: Vec<PathBuf>,
    /// Where to write results
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    #[command(flatten)]
    conclusion: ConclusionFlags,
}

/// Runs the command.
pub fn execute(args: &Args) -> Exit {
    let merged = match merge(&args.parts) {
        Ok(merged) => merged,
        Err(error) => {
            eprintln!("error: {error}");
            return Exit::BadInput;
        }
    };
    match write(args, &merged) {
        Ok(true) => Exit::Done,
        Ok(false) => Exit::ThresholdFailed,
        Err(error) => {
            eprintln!("error: {error}");
            Exit::Failed
        }
    }
}

/// Whether all thresholds hold.
fn write(args: &Args, Merged { outline, results }: &Merged) -> Result<bool, StudyError> {
    let out = &args.out;
    fs::create_dir_all(out).map_err(|error| StudyError::Write(out.clone(), error))?;
    conclude(outline, results, None, out, &args.conclusion, || {
        let runs = results.cells.len() as u64 * results.replications;
        let parts = match args.parts.len() {
            1 => "1 part".to_string(),
            parts => format!("{parts} parts"),
        };
        format!("{runs} runs from {parts}; {} in {}", args.conclusion.made(), out.display())
    })
}
