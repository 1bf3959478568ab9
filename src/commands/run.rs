//! `retrial run`: simulate, compare, write.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::{Args as ClapArgs, ValueEnum};

use super::experiment_argument::ExperimentArgument;
use super::progress::{Bar, keep_what_is_finished};
use super::results_folder::{self, write_or_remove};
use super::{Exit, output, percentile_files};
use crate::experiment::plan::Plan;
use crate::report::dry_run::in_words;
use crate::report::table::{Style, comparison};
use crate::report::verdict::verdict;
use crate::report::{against, layers, signals, thresholds};
use crate::study::dry_run;
use crate::study::files::{summary_csv, to_json};
use crate::study::requests::requests_csv;
use crate::study::results::Results;
use crate::study::runner::{self, Options, StudyError};
use crate::study::threshold::{Judgement, judge};

/// Flags of `retrial run`.
#[derive(Debug, ClapArgs)]
pub struct Args {
    #[command(flatten)]
    experiment: ExperimentArgument,
    /// Where to write results [default: results/EXPERIMENT]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// What to print
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
    /// Compare the others with this policy: the name of one in the experiment, a policy
    /// file, or a preset
    #[arg(long, value_name = "POLICY")]
    against: Option<String>,
    /// Write requests.csv, too: what became of each request of replication 0
    #[arg(long)]
    requests: bool,
    /// Write percentiles/, too: the latencies of each policy at each point in replication 0, as
    /// HdrHistogram percentile files
    #[arg(long)]
    hgrm: bool,
    /// Say how many runs it would be, what is kept of them and about how long the rest would take;
    /// write nothing
    #[arg(long)]
    dry_run: bool,
    /// Draw no charts
    #[arg(long)]
    no_charts: bool,
    /// Print results only: no progress, no remarks
    #[arg(long, short)]
    quiet: bool,
}

/// What goes to stdout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A comparison for people
    Table,
    /// The numbers of summary.csv as one JSON document
    Json,
    /// summary.csv
    Csv,
    /// A comparison for a pull request
    Markdown,
}

impl Format {
    /// Whether stdout must hold nothing but the numbers.
    fn is_for_programs(self) -> bool {
        match self {
            Format::Json | Format::Csv => true,
            Format::Table | Format::Markdown => false,
        }
    }
}

/// Runs the command.
pub fn execute(args: &Args) -> Exit {
    if args.dry_run && !matches!(args.format, Format::Table | Format::Json) {
        eprintln!("error: --dry-run prints a table or JSON: leave out --format, or take json");
        return Exit::BadInput;
    }
    let Some(plan) = args.experiment.plan(args.against.as_deref(), args.quiet) else {
        return Exit::BadInput;
    };
    let out = args.out.clone().unwrap_or_else(|| Path::new("results").join(&plan.name));
    let done = if args.dry_run { preview(args, &plan, &out) } else { run(args, &plan, &out) };
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
    let dry_run = dry_run::dry_run(plan, out.join("units"), args.experiment.threads())?;
    let document = match args.format {
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
    let bar = Bar::new(args.quiet);
    let options = Options { threads: args.experiment.threads(), units: out.join("units") };
    keep_what_is_finished(&bar, out, args.quiet);
    let units = runner::run(plan, &options, &bar)?;
    bar.finish();
    let results = Results::new(plan, units);

    let judgements = judge(plan, &results);
    let all_hold = judgements.iter().all(|judgement| judgement.holds);

    let pool = runner::pool(args.experiment.threads())?;
    pool.install(|| results_folder::write(plan, &results, out, !args.no_charts))?;
    write_requests(plan, out, args)?;
    percentile_files::write(&results, out, args.hgrm)?;
    pool.install(|| document(args.format, plan, &results, &judgements))
        .and_then(|document| output::write(&document))
        .map_err(|error| StudyError::Write("the standard output".into(), error))?;
    if !args.quiet && args.format == Format::Table {
        let runs = plan.cells.len() as u64 * plan.replications;
        let seconds = started.elapsed().as_secs_f64();
        eprintln!("\n{runs} runs in {seconds:.1} s; results and charts in {}", out.display());
    }
    if !all_hold && args.format.is_for_programs() {
        for line in thresholds::lines(&results, &judgements) {
            eprintln!("{line}");
        }
    }
    Ok(all_hold)
}

/// Writes requests.csv where it was asked for.
fn write_requests(plan: &Plan, out: &Path, args: &Args) -> Result<(), StudyError> {
    let wanted =
        args.requests.then(|| requests_csv(plan, args.experiment.threads())).transpose()?;
    write_or_remove(out.join("requests.csv"), wanted)
}

/// What goes to stdout.
fn document(
    format: Format,
    plan: &Plan,
    results: &Results,
    judgements: &[Judgement],
) -> io::Result<Vec<u8>> {
    let mut out = Vec::new();
    let last = results.points.len().saturating_sub(1);
    match format {
        Format::Json => {
            serde_json::to_writer_pretty(&mut out, &to_json(results))?;
            writeln!(out)?;
        }
        Format::Csv => out = summary_csv(results)?,
        Format::Table => {
            writeln!(out, "{}", heading(plan, results, last))?;
            writeln!(out, "\n{}", comparison(results, last, Style::Terminal))?;
            writeln!(out, "\n{}", verdict(results, last))?;
            remarks(&mut out, plan, results, judgements, "")?;
        }
        Format::Markdown => {
            writeln!(out, "### {}", heading(plan, results, last))?;
            writeln!(out, "\n{}", comparison(results, last, Style::Markdown))?;
            writeln!(out, "\n{}", verdict(results, last))?;
            remarks(&mut out, plan, results, judgements, "- ")?;
        }
    }
    Ok(out)
}

/// What alerts would have said, how layers multiplied, what today's policy would gain, and what became of the thresholds.
fn remarks(
    out: &mut impl Write,
    plan: &Plan,
    results: &Results,
    judgements: &[Judgement],
    bullet: &str,
) -> io::Result<()> {
    let last = results.points.len().saturating_sub(1);
    let changes = plan.against.map_or_else(Vec::new, |today| against::lines(results, today, last));
    let layers = layers::lines(results, last);
    for lines in
        [signals::lines(results, last), layers, changes, thresholds::lines(results, judgements)]
    {
        if !lines.is_empty() {
            writeln!(out)?;
        }
        for line in lines {
            writeln!(out, "{bullet}{line}")?;
        }
    }
    Ok(())
}

fn heading(plan: &Plan, results: &Results, point: usize) -> String {
    let mut parts = vec![plan.name.clone()];
    if plan.title != plan.name {
        parts.push(plan.title.clone());
    }
    let mut heading = parts.join(": ");
    let place = results.describe_point(point);
    if !place.is_empty() {
        heading.push_str(&format!("\n{place}"));
        if plan.points.len() > 1 {
            heading.push_str(&format!(", the last of {} points", plan.points.len()));
        }
        heading.push_str("; ");
    } else {
        heading.push('\n');
    }
    let means = "mean ± half the 95 % interval";
    heading.push_str(&format!("{} replications, seed {}, {means}", plan.replications, plan.seed));
    heading
}
