//! `retrial compare`: two policies, or two results folders, metric by metric.

use std::io;
use std::path::{Path, PathBuf};

use clap::{Args as ClapArgs, ValueEnum};

use super::experiment_argument::{ExperimentFlags, remark, show};
use super::input::fault;
use super::progress::{Bar, keep_what_is_finished};
use super::results_folder::{self, Pictures};
use super::{Exit, output};
use crate::experiment::diagnostic::{Diagnostic, Report};
use crate::experiment::gate::Gate;
use crate::experiment::load::Loaded;
use crate::experiment::packaged;
use crate::experiment::plan::Plan;
use crate::experiment::source::Sources;
use crate::report::comparison::{csv, gate_lines, json, markdown, text};
use crate::report::stopping;
use crate::study::close_up;
use crate::study::comparison::Comparison;
use crate::study::gate::{self, Gated};
use crate::study::kept::Kept;
use crate::study::results::Results;
use crate::study::runner::{self, Options, StudyError, pool};

/// Flags of `retrial compare`.
#[derive(Debug, ClapArgs)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The old one: a results folder, or a policy: the name of one in the experiment, a policy
    /// file, a preset, or EXPERIMENT:NAME
    a: String,
    /// The new one, of the same kind
    b: String,
    /// The experiment that both policies go through: a path, or the name of a packaged one
    /// [default: thundering-herd]
    #[arg(long, visible_alias = "on")]
    experiment: Option<String>,
    #[command(flatten)]
    flags: ExperimentFlags,
    /// Where to keep runs and write results [default: results/compare-EXPERIMENT]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Exit with 5 if this metric has become worse by more than SLACK: a number in its unit, or
    /// a share of the old mean such as 2%. In place of the experiment's [gate]
    #[arg(long, value_name = "METRIC[=SLACK]")]
    gate: Vec<String>,
    /// What to print
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
    /// The same as --format markdown
    #[arg(long, conflicts_with = "format")]
    markdown: bool,
    /// Show every metric, not only those that matter most
    #[arg(long)]
    all: bool,
    /// Print results only: no progress, no remarks
    #[arg(long, short)]
    quiet: bool,
}

const EXAMPLES: &str = "\
Examples:
  retrial compare no-jitter full-jitter
  retrial compare openai-python policies/mine.toml --on metastable --gate success_ratio
  retrial compare results/main results/branch --markdown --gate amplification=2%";

/// What goes to stdout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// What matters, for people
    Table,
    /// Every metric as one JSON document
    Json,
    /// Every metric, a row each
    Csv,
    /// A comment for a pull request
    Markdown,
}

/// Why there is no comparison.
enum Failure {
    Input(Report),
    Study(StudyError),
}

impl From<Report> for Failure {
    fn from(report: Report) -> Self {
        Failure::Input(report)
    }
}

/// Runs the command.
pub fn execute(args: &Args) -> Exit {
    match compare(args) {
        Ok((comparison, gated)) => print(args, &comparison, &gated),
        Err(Failure::Input(report)) => {
            show(&report);
            Exit::BadInput
        }
        Err(Failure::Study(error)) => {
            eprintln!("error: {error}");
            Exit::Failed
        }
    }
}

fn compare(args: &Args) -> Result<(Comparison, Vec<Gated>), Failure> {
    let asked: Vec<Gate> = args.gate.iter().map(|text| gate_of(text)).collect::<Result<_, _>>()?;
    let [a, b] = [Path::new(&args.a), Path::new(&args.b)];
    // A folder of results on either side means two of them, one of which may be missing.
    let are_folders = (a.is_dir() && b.is_dir()) || Kept::is_at(a) || Kept::is_at(b);
    let (comparison, own) = match are_folders {
        true => studies(args, a, b)?,
        false => policies(args)?,
    };
    if comparison.cells.is_empty() {
        let message = format!("`{}` and `{}` have no policy and point in common", args.a, args.b);
        return Err(fault(message).into());
    }
    let gates = if asked.is_empty() { own } else { asked };
    let gated = gate::judge(&comparison, &gates);
    Ok((comparison, gated))
}

fn gate_of(text: &str) -> Result<Gate, Report> {
    Gate::parse(text).map_err(|problem| {
        let diagnostic = Diagnostic::new(format!("--gate {text}: {}", problem.message));
        let diagnostic = match problem.help {
            Some(help) => diagnostic.help(help),
            None => diagnostic,
        };
        diagnostic.report(&Sources::default())
    })
}

type Found = (Comparison, Vec<Gate>);

/// Two results folders; the gates are those of the new one's experiment.
fn studies(args: &Args, a: &Path, b: &Path) -> Result<Found, Failure> {
    let own = [("--experiment", args.experiment.is_some()), ("--out", args.out.is_some())];
    let own = own.into_iter().find(|(_, given)| *given).map(|(flag, _)| flag);
    if let Some(flag) = own.or(args.flags.change()) {
        let message = format!("{flag} goes without results folders: nothing is run of them");
        return Err(fault(message).into());
    }
    let read = |folder: &Path| Kept::read(folder).map_err(fault);
    let (old, new) = (read(a)?, read(b)?);
    let pool = pool(args.flags.threads()).map_err(Failure::Study)?;
    let compared = pool.install(|| Comparison::of_studies((&args.a, &old), (&args.b, &new)));
    Ok((compared, Gate::all(&new.manifest.root())))
}

/// Two policies of one experiment; the gates are the experiment's.
fn policies(args: &Args) -> Result<Found, Failure> {
    let (experiment, a, b) = args.policies();
    let loaded = args.flags.load_two(experiment, [a, b])?;
    let plan = Plan::new(&loaded)?;
    let [old, new] = &loaded.chosen[..] else { return Err(fault("two policies are due").into()) };
    if old == new {
        return Err(fault(format!("`{a}` and `{b}` are the same policy")).into());
    }
    if !args.quiet {
        remark(&plan);
    }
    let plan = plan.of_policies(&loaded.chosen);
    let kept = run(args, &loaded, &plan)?;
    let pool = pool(args.flags.threads()).map_err(Failure::Study)?;
    let compared = pool.install(|| Comparison::of_policies(&kept, old, new));
    Ok((compared, Gate::all(&loaded.root)))
}

fn run(args: &Args, loaded: &Loaded, plan: &Plan) -> Result<Kept, Failure> {
    let default = || Path::new("results").join(format!("compare-{}", loaded.name));
    let out = args.out.clone().unwrap_or_else(default);
    let run = || -> Result<Results, StudyError> {
        let bar = Bar::new(args.quiet);
        keep_what_is_finished(&bar, &out, args.quiet);
        let options = Options { threads: args.flags.threads(), units: out.join("units") };
        let units = runner::run(plan, &options, &bar)?;
        bar.finish();
        let close_ups = close_up::make(plan, &options, |_| true)?;
        pool(options.threads)?.install(|| {
            let results = Results::new(plan, units).with_close_ups(close_ups);
            results_folder::write(plan, &results, &out, Pictures::None)?;
            Ok(results)
        })
    };
    let results = run().map_err(Failure::Study)?;
    if !args.quiet
        && let Some(line) = stopping::note(plan, &results)
    {
        eprintln!("note: {line}");
    }
    Kept::of(plan, &results).map_err(|problem| Failure::Input(fault(problem)))
}

impl Args {
    /// The experiment, and the policies within it. `EXPERIMENT:NAME` on both sides names the
    /// experiment too, if no flag does.
    fn policies(&self) -> (&str, &str, &str) {
        let (a, b) = (self.a.as_str(), self.b.as_str());
        match (&self.experiment, a.rsplit_once(':'), b.rsplit_once(':')) {
            (Some(experiment), _, _) => (experiment, a, b),
            (None, Some((first, a)), Some((second, b))) if first == second => (first, a, b),
            (None, _, _) => (packaged::DEFAULT, a, b),
        }
    }
}

fn print(args: &Args, comparison: &Comparison, gated: &[Gated]) -> Exit {
    let regressed = gated.iter().any(|gated| !gated.outcome.passes());
    let format = if args.markdown { Format::Markdown } else { args.format };
    let document: io::Result<Vec<u8>> = match format {
        Format::Table => Ok(text(comparison, gated, args.all).into_bytes()),
        Format::Markdown => Ok(markdown(comparison, gated).into_bytes()),
        Format::Csv => csv(comparison),
        Format::Json => serde_json::to_vec_pretty(&json(comparison, gated))
            .map(|mut bytes| {
                bytes.push(b'\n');
                bytes
            })
            .map_err(io::Error::from),
    };
    if let Err(error) = document.and_then(|document| output::write(&document)) {
        eprintln!("error: can't write to the standard output: {error}");
        return Exit::Failed;
    }
    if !regressed {
        return Exit::Done;
    }
    if matches!(format, Format::Json | Format::Csv) {
        for line in gate_lines(comparison, gated).iter().filter(|line| !line.starts_with("ok")) {
            eprintln!("{line}");
        }
    }
    Exit::Regressed
}
