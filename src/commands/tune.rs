//! `retrial tune`: search a space of policies, confirm the best, write it.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::{Args as ClapArgs, ValueEnum};

use super::experiment_argument::{ExperimentFlags, remark, show};
use super::progress::{Bar, keep_what_is_finished};
use super::results_folder::draw_trade_off;
use super::{Exit, output};
use crate::experiment::load::Loaded;
use crate::experiment::plan::Plan;
use crate::report::tuning::{recommended, report};
use crate::study::runner::StudyError;
use crate::study::tune::files::{candidates_csv, pareto_csv, to_json};
use crate::study::tune::goal::Combination;
use crate::study::tune::manifest::manifest_json;
use crate::study::tune::tuning::{Settings, TuneError, Tuning, tune};
use crate::study::whole_file::write_whole;

/// Flags of `retrial tune`.
#[derive(Debug, ClapArgs)]
#[command(
    mut_arg("stop", |flag| flag.hide(true).value_parser(no_precision)),
    mut_arg("params", |flag| flag.hide(true).value_parser(no_sweep)),
    mut_arg("sample", |flag| flag.hide(true).value_parser(no_sweep)),
    mut_arg("max_runs", |flag| flag.hide(true).value_parser(no_limit)),
)]
pub struct Args {
    /// Paths or names of packaged experiments; the first names the policy and the space
    #[arg(required = true, value_name = "EXPERIMENT")]
    experiments: Vec<String>,
    #[command(flatten)]
    flags: ExperimentFlags,
    /// Today's policy: the name of one in the first experiment, a policy file, or a preset
    /// [default: the policy to tune, as it is in the file]
    #[arg(long, value_name = "POLICY")]
    against: Option<String>,
    /// How several experiments count together
    #[arg(long, value_enum, default_value_t = Combine::Worst, conflicts_with = "weights")]
    combine: Combine,
    /// What each experiment counts in the mean, in their order, such as 1,2,1
    #[arg(long, value_name = "WEIGHTS", value_delimiter = ',', value_parser = weight)]
    weights: Vec<f64>,
    /// Runs at most [default: 3500 an experiment]
    #[arg(long, value_name = "RUNS")]
    budget: Option<u64>,
    /// Where to write results [default: results/tune-EXPERIMENT]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// What to print
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
    /// Draw no chart
    #[arg(long)]
    no_charts: bool,
    /// Print results only: no progress, no remarks
    #[arg(long, short)]
    quiet: bool,
}

/// How several experiments count together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Combine {
    /// By the one that does worst against today's policy
    Worst,
    /// By their mean
    Mean,
}

/// What goes to stdout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A report for people
    Table,
    /// The same as one JSON document
    Json,
}

fn weight(text: &str) -> Result<f64, String> {
    let weight: f64 = text.trim().parse().map_err(|_| "not a number".to_string())?;
    match weight > 0.0 && weight.is_finite() {
        true => Ok(weight),
        false => Err("a weight is above zero".to_string()),
    }
}

// Flags of other commands that would have no effect here.

fn no_precision(_: &str) -> Result<String, String> {
    Err("a tuning deals its replications itself: use --budget and --replications".to_string())
}

fn no_sweep(_: &str) -> Result<String, String> {
    Err("a tuning is for one point: use --set, or [tune.space] for keys to choose".to_string())
}

fn no_limit(_: &str) -> Result<u64, String> {
    Err("a tuning is bounded by --budget".to_string())
}

/// Runs the command.
pub fn execute(args: &Args) -> Exit {
    let Some(loaded) = load(args) else { return Exit::BadInput };
    let names: Vec<_> = loaded.iter().map(|loaded| loaded.name.as_str()).collect();
    let folder = format!("tune-{}", names.join("+"));
    let out = args.out.clone().unwrap_or_else(|| Path::new("results").join(folder));
    match run(args, &loaded, &out) {
        Ok(true) => Exit::Done,
        Ok(false) => Exit::ThresholdFailed,
        Err(TuneError::Input(fault)) => {
            show(&fault);
            Exit::BadInput
        }
        Err(error @ (TuneError::Unusable(_) | TuneError::NoValidPoint(_))) => {
            eprintln!("error: {error}");
            Exit::BadInput
        }
        Err(error @ TuneError::Study(_)) => {
            eprintln!("error: {error}");
            Exit::Failed
        }
    }
}

/// Loads and checks the experiments; `None` if there is a fault, which stderr then tells.
fn load(args: &Args) -> Option<Vec<Loaded>> {
    let mut all = Vec::new();
    for (index, experiment) in args.experiments.iter().enumerate() {
        // Today's policy is one of the first experiment, or comes from outside.
        let against = args.against.as_deref().filter(|_| index == 0);
        let loaded =
            args.flags.load(Some(experiment), against).map_err(|fault| show(&fault)).ok()?;
        let plan = Plan::new(&loaded).map_err(|fault| show(&fault)).ok()?;
        if !args.quiet {
            remark(&plan);
        }
        all.push(loaded);
    }
    Some(all)
}

/// Whether the recommended policy keeps the constraints.
fn run(args: &Args, loaded: &[Loaded], out: &Path) -> Result<bool, TuneError> {
    let started = Instant::now();
    let combination = match args.combine {
        _ if !args.weights.is_empty() => Combination::Weighted(args.weights.clone()),
        Combine::Mean => Combination::Weighted(vec![1.0; loaded.len()]),
        Combine::Worst => Combination::Worst,
    };
    let settings = Settings {
        runs: args.budget,
        combination,
        threads: args.flags.threads(),
        units: out.join("units"),
    };
    let bar = Bar::new(args.quiet);
    keep_what_is_finished(&bar, out, args.quiet);
    let tuning = tune(loaded, &settings, &bar)?;
    bar.finish();
    write(args, &tuning, out)?;
    let document = match args.format {
        Format::Table => report(&tuning),
        Format::Json => format!("{:#}\n", to_json(&tuning)),
    };
    output::write(document.as_bytes())
        .map_err(|error| StudyError::Write("the standard output".into(), error))?;
    if !args.quiet && args.format == Format::Table {
        let seconds = started.elapsed().as_secs_f64();
        let file = out.join("recommended.toml");
        eprintln!("\n{} runs in {seconds:.1} s; the policy is in {}", tuning.runs, file.display());
    }
    Ok(tuning.confirmed.winner().standing.is_feasible())
}

/// Writes the files of a tuning; the policy comes last, so that it never stands beside files of an
/// earlier one.
fn write(args: &Args, tuning: &Tuning, out: &Path) -> Result<(), StudyError> {
    if args.no_charts {
        // Mostly there is nothing to remove.
        for ending in ["svg", "png"] {
            let _ = fs::remove_file(out.join("charts").join(format!("pareto.{ending}")));
        }
    } else {
        draw_trade_off(&tuning.trade_off(), out)?;
    }
    for (name, bytes) in [
        ("candidates.csv", candidates_csv(tuning)),
        ("pareto.csv", pareto_csv(tuning)),
        ("manifest.json", manifest_json(tuning)),
        ("recommended.toml", Ok(recommended(tuning).into_bytes())),
    ] {
        let path = out.join(name);
        let written = bytes.and_then(|bytes| write_whole(&path, &bytes));
        written.map_err(|error| StudyError::Write(path, error))?;
    }
    Ok(())
}
