//! `retrial run`: simulate, compare, write.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use annotate_snippets::Level;
use clap::{Args as ClapArgs, ValueEnum};

use super::progress::{Bar, keep_what_is_finished};
use super::{Exit, output};
use crate::experiment::load::{Change, Wanted, load};
use crate::experiment::plan::Plan;
use crate::report::charts::Styles;
use crate::report::draw::{CHARTS, drawings};
use crate::report::table::{Style, comparison};
use crate::report::verdict::verdict;
use crate::report::{against, layers, signals, thresholds};
use crate::study::files::{data_files, summary_csv, to_json};
use crate::study::layers::layers_csv;
use crate::study::requests::requests_csv;
use crate::study::results::Results;
use crate::study::runner::{self, Options, StudyError};
use crate::study::telemetry::telemetry_csv;
use crate::study::threshold::{Judgement, judge};
use crate::study::whole_file::write_whole;

/// The largest seed that an experiment file can hold: TOML's whole numbers are signed.
pub(super) const MAX_SEED: u64 = i64::MAX as u64;

/// Flags of `retrial run`.
#[derive(Debug, ClapArgs)]
pub struct Args {
    /// A path, or the name of a packaged experiment [default: thundering-herd]
    experiment: Option<String>,
    /// Where to write results [default: results/EXPERIMENT]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Where all random numbers come from
    #[arg(long, value_parser = clap::value_parser!(u64).range(..=MAX_SEED))]
    seed: Option<u64>,
    /// Runs of each policy at each point
    #[arg(long)]
    replications: Option<u32>,
    /// Threads [default: all cores]
    #[arg(long, default_value_t = 0, hide_default_value = true, value_parser = clap::value_parser!(u16).range(0..=1024))]
    threads: u16,
    /// Change any key of the experiment, such as workload.clients=50
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
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
    let plan = match load(&args.wanted()).and_then(|loaded| Plan::new(&loaded)) {
        Ok(plan) => plan,
        Err(report) => {
            anstream::eprintln!("{}", report.render(Level::ERROR, true));
            return Exit::BadInput;
        }
    };
    if !args.quiet {
        for warning in &plan.warnings {
            anstream::eprintln!("{}\n", warning.render(Level::WARNING, true));
        }
        for note in &plan.notes {
            eprintln!("note: {note}");
        }
    }
    let out = args.out.clone().unwrap_or_else(|| Path::new("results").join(&plan.name));
    match run(args, &plan, &out) {
        Ok(true) => Exit::Done,
        Ok(false) => Exit::ThresholdFailed,
        Err(error) => {
            eprintln!("error: {error}");
            Exit::Failed
        }
    }
}

impl Args {
    fn wanted(&self) -> Wanted {
        let sets = self.set.iter().map(|text| Change { flag: "--set", text: text.clone() });
        let seed = self.seed.map(|n| Change { flag: "--seed", text: format!("seed={n}") });
        let replications = self
            .replications
            .map(|n| Change { flag: "--replications", text: format!("replications={n}") });
        Wanted {
            experiment: self.experiment.clone(),
            changes: sets.chain(seed).chain(replications).collect(),
            against: self.against.clone(),
        }
    }
}

/// Whether all thresholds hold.
fn run(args: &Args, plan: &Plan, out: &Path) -> Result<bool, StudyError> {
    let started = Instant::now();
    let bar = Bar::new(args.quiet);
    let options = Options { threads: args.threads.into(), units: out.join("units") };
    keep_what_is_finished(&bar, out, args.quiet);
    let units = runner::run(plan, &options, &bar)?;
    bar.finish();
    let results = Results::new(plan, units);

    let judgements = judge(plan, &results);
    let all_hold = judgements.iter().all(|judgement| judgement.holds);

    write_data(plan, &results, out)?;
    write_where_due(out.join("layers.csv"), layers_csv(&results))?;
    write_where_due(out.join("telemetry.csv"), telemetry_csv(&results))?;
    write_requests(plan, out, args)?;
    draw(&results, &out.join("charts"), args.no_charts)?;
    document(args.format, plan, &results, &judgements)
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

/// Writes a file that exists only where there is something to tell.
fn write_where_due(path: PathBuf, bytes: io::Result<Option<Vec<u8>>>) -> Result<(), StudyError> {
    match bytes {
        Ok(bytes) => write_or_remove(path, bytes),
        Err(error) => Err(StudyError::Write(path, error)),
    }
}

/// Writes requests.csv where it was asked for.
fn write_requests(plan: &Plan, out: &Path, args: &Args) -> Result<(), StudyError> {
    let wanted = args.requests.then(|| requests_csv(plan, args.threads.into())).transpose()?;
    write_or_remove(out.join("requests.csv"), wanted)
}

/// Writes a file that not every run has, or removes the one that an earlier run has left.
fn write_or_remove(path: PathBuf, bytes: Option<Vec<u8>>) -> Result<(), StudyError> {
    let done = match bytes {
        Some(bytes) => write_whole(&path, &bytes),
        None => match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        },
    };
    done.map_err(|error| StudyError::Write(path, error))
}

fn write_data(plan: &Plan, results: &Results, out: &Path) -> Result<(), StudyError> {
    let files =
        data_files(plan, results).map_err(|error| StudyError::Write(out.to_path_buf(), error))?;
    for (name, bytes) in files {
        let path = out.join(name);
        write_whole(&path, &bytes).map_err(|error| StudyError::Write(path, error))?;
    }
    Ok(())
}

/// Draws the charts, and removes those that an earlier run has left and this one does not draw:
/// a folder never shows a mixture.
fn draw(results: &Results, folder: &Path, no_charts: bool) -> Result<(), StudyError> {
    let write_error = |path: &Path, error| StudyError::Write(path.to_path_buf(), error);
    let drawings = if no_charts { Vec::new() } else { drawings(results) };
    if !drawings.is_empty() {
        fs::create_dir_all(folder).map_err(|error| write_error(folder, error))?;
    }
    let styles = Styles::new(&results.policies);
    for name in CHARTS {
        let [svg, png] = ["svg", "png"].map(|ending| folder.join(format!("{name}.{ending}")));
        let Some(drawing) = drawings.iter().find(|drawing| drawing.name == name) else {
            // Mostly there is nothing to remove.
            let _ = (fs::remove_file(svg), fs::remove_file(png));
            continue;
        };
        let chart = &drawing.chart;
        for (path, bytes) in
            [(svg, chart.to_svg(&styles).map(String::into_bytes)), (png, chart.to_png(&styles))]
        {
            let bytes = bytes.map_err(|error| write_error(&path, io::Error::other(error)))?;
            write_whole(&path, &bytes).map_err(|error| write_error(&path, error))?;
        }
    }
    Ok(())
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
