//! `retrial run`: simulate, compare, write.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args as ClapArgs;

use super::conclusion::{ConclusionFlags, Format, add, conclude};
use super::experiment_argument::ExperimentArgument;
use super::progress::{Bar, keep_what_is_finished};
use super::shard_argument::ShardArgument;
use super::{Exit, output};
use crate::experiment::plan::Plan;
use crate::experiment::suggest;
use crate::measure::metric;
use crate::report::confirm as confirmation;
use crate::report::dry_run::in_words;
use crate::study::close_up;
use crate::study::confirm::{Screening, confirm};
use crate::study::dry_run;
use crate::study::merge::UNITS;
use crate::study::requests::requests_csv;
use crate::study::results::{CellResults, Results};
use crate::study::runner::{self, Options, StudyError, pool};
use crate::study::shard::{self, Shard};

/// Flags of `retrial run`.
#[derive(Debug, ClapArgs)]
pub struct Args {
    #[command(flatten)]
    experiment: ExperimentArgument,
    /// Where to write results [default: results/EXPERIMENT]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Compare the others with this policy: the name of one in the experiment, a policy
    /// file, or a preset
    #[arg(long, value_name = "POLICY")]
    against: Option<String>,
    /// Run the best policies and points by a metric again, on fresh replications: attempts:3
    #[arg(long, value_name = "METRIC[:K]", value_parser = screening, conflicts_with = "shard")]
    confirm: Option<Screening>,
    /// Write requests.csv, too: what became of each request of replication 0
    #[arg(long)]
    requests: bool,
    /// Say how many runs it would be, what is kept of them and about how long the rest would take;
    /// write nothing
    #[arg(long, conflicts_with = "confirm")]
    dry_run: bool,
    /// Make shard I of N only, for `retrial merge`; auto/N takes I from the array job of Slurm,
    /// Kubernetes or AWS Batch that this is one task of
    #[arg(long, value_name = "I/N", conflicts_with_all = ["requests", "hgrm", "dry_run"])]
    shard: Option<ShardArgument>,
    #[command(flatten)]
    conclusion: ConclusionFlags,
}

/// Runs the command.
pub fn execute(args: &Args) -> Exit {
    let quiet = args.conclusion.quiet;
    let shard = match args.shard.map(|shard| shard.resolve(|name| std::env::var(name).ok())) {
        None => None,
        Some(Ok(shard)) => Some(shard),
        Some(Err(problem)) => {
            eprintln!("error: {problem}");
            return Exit::BadInput;
        }
    };
    if args.dry_run && !matches!(args.conclusion.format, Format::Table | Format::Json) {
        eprintln!("error: --dry-run prints a table or JSON: leave out --format, or take json");
        return Exit::BadInput;
    }
    let Some(plan) = args.experiment.plan(args.against.as_deref(), quiet) else {
        return Exit::BadInput;
    };
    if shard.is_some() && plan.stop.is_some() {
        eprintln!(
            "error: `stop` goes without --shard: how often a point is run depends on all its runs; \
             give the number with `replications`"
        );
        return Exit::BadInput;
    }
    let out = args.out.clone().unwrap_or_else(|| Path::new("results").join(&plan.name));
    let done = match shard {
        None if args.dry_run => preview(args, &plan, &out),
        None => run(args, &plan, &out),
        Some(shard) => run_shard(args, &plan, shard, &out).map(|()| true),
    };
    match done {
        Ok(true) => Exit::Done,
        Ok(false) => Exit::ThresholdFailed,
        Err(error) => {
            eprintln!("error: {error}");
            Exit::Failed
        }
    }
}

/// Says what a run would take.
fn preview(args: &Args, plan: &Plan, out: &Path) -> Result<bool, StudyError> {
    let dry_run = dry_run::dry_run(plan, out.join(UNITS), args.experiment.threads())?;
    let document = match args.conclusion.format {
        Format::Json => serde_json::to_string_pretty(&dry_run).map_err(io::Error::from),
        Format::Table | Format::Csv | Format::Markdown => Ok(in_words(&dry_run)),
    };
    document
        .and_then(|document| output::write(format!("{document}\n").as_bytes()))
        .map_err(|error| StudyError::Write("the standard output".into(), error))?;
    Ok(true)
}

/// Whether all thresholds hold.
fn run(args: &Args, plan: &Plan, out: &Path) -> Result<bool, StudyError> {
    let started = Instant::now();
    let bar = Bar::new(args.conclusion.quiet);
    keep_what_is_finished(&bar, out, args.conclusion.quiet);
    let options = options(args, out);
    let units = runner::run(plan, &options, &bar)?;
    bar.finish();
    let pool = pool(options.threads)?;
    let close_ups = close_up::make(plan, &options, |_| true)?;
    let results = pool.install(|| Results::new(plan, units)).with_close_ups(close_ups);
    let requests = args.requests.then(|| requests_csv(plan, options.threads)).transpose()?;
    let remark = || {
        let runs: u64 = results.cells.iter().map(CellResults::replications).sum();
        let seconds = started.elapsed().as_secs_f64();
        let made = args.conclusion.made();
        format!("{runs} runs in {seconds:.1} s; {made} in {}", out.display())
    };
    let all_hold =
        pool.install(|| conclude(plan, &results, requests, out, &args.conclusion, remark))?;
    if let Some(screening) = args.confirm {
        let confirmed = confirm(plan, &results, screening, options.threads)?;
        add(&confirmation::lines(&results, screening, &confirmed), &args.conclusion)?;
    }
    Ok(all_hold)
}

/// Makes the unit files of a shard, and says how to go on.
fn run_shard(args: &Args, plan: &Plan, shard: Shard, out: &Path) -> Result<(), StudyError> {
    let started = Instant::now();
    let bar = Bar::new(args.conclusion.quiet);
    keep_what_is_finished(&bar, out, args.conclusion.quiet);
    let done = shard::run(plan, shard, out, &options(args, out), &bar)?;
    bar.finish();
    if !args.conclusion.quiet {
        let shard::Done { units, of_units, runs, kept } = done;
        let (seconds, out) = (started.elapsed().as_secs_f64(), out.display());
        let kept = match kept {
            0 => String::new(),
            kept => format!(", {kept} of them kept from before"),
        };
        eprintln!(
            "shard {shard}: {units} of {of_units} units, {runs} runs{kept}, in {seconds:.1} s"
        );
        eprintln!("when all shards are there: retrial merge {out} … --out DIR");
    }
    Ok(())
}

fn options(args: &Args, out: &Path) -> Options {
    Options { threads: args.experiment.threads(), units: out.join(UNITS) }
}

/// What `--confirm` names.
fn screening(text: &str) -> Result<Screening, String> {
    let (name, best) = text.split_once(':').unwrap_or((text, "3"));
    let metric = metric::by_name(name).ok_or_else(|| {
        let near = suggest::nearest(name, metric::ALL.iter().map(|metric| metric.name));
        let help = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
        format!("no metric is called `{name}`{help}")
    })?;
    match best.parse() {
        Ok(best) if best > 0 => Ok(Screening { metric, best }),
        _ => Err(format!("`{best}` is not how many of the best to confirm: a whole number from 1")),
    }
}
