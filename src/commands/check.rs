//! `retrial check`: run again, and hold the results against a baseline and the thresholds.

mod accept;
mod outputs;

use std::path::{Path, PathBuf};

use clap::{Args as ClapArgs, ValueEnum};

use super::Exit;
use super::experiment_argument::{remark, show};
use super::input::fault;
use super::progress::{Bar, keep_what_is_finished, leave_nothing};
use super::results_folder::{self, Pictures};
use crate::experiment::changed_keys::ChangedKey;
use crate::experiment::condition::Threshold;
use crate::experiment::diagnostic::{Diagnostic, Report};
use crate::experiment::load::{Loaded, Wanted, load};
use crate::experiment::node::Node;
use crate::experiment::plan::Plan;
use crate::experiment::source::Sources;
use crate::report::check::Checked;
use crate::report::stopping;
use crate::study::baseline::Exactness;
use crate::study::baseline::divergence::divergence;
use crate::study::close_up;
use crate::study::kept::Kept;
use crate::study::results::Results;
use crate::study::runner::{self, Options, StudyError, pool};
use crate::study::threshold::{Judgement, judge};

/// Flags of `retrial check`.
#[derive(Debug, ClapArgs)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Paths, or names of packaged experiments
    #[arg(required = true, value_name = "EXPERIMENT")]
    experiments: Vec<String>,
    /// The baseline's folder; of several experiments the folder of theirs, DIR/EXPERIMENT
    /// [default: results/baselines/EXPERIMENT]
    #[arg(long, value_name = "DIR")]
    baseline: Option<PathBuf>,
    /// Accept the results: they become the baseline
    #[arg(long, requires = "note")]
    bless: bool,
    /// Why they are accepted: kept in the baseline's notes.md
    #[arg(long, value_name = "WHY", requires = "bless", value_parser = reason)]
    note: Option<String>,
    /// Where to keep runs and results, so that the command can go on where it was interrupted; of
    /// several experiments DIR/EXPERIMENT [default: nothing is kept]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Threads [default: all cores]
    #[arg(long, default_value_t = 0, hide_default_value = true, value_parser = clap::value_parser!(u16).range(0..=1024))]
    threads: u16,
    /// What to print
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
    /// Write a JUnit report, too: a test for each policy and point, and for each threshold
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Write a summary in Markdown, too; added to the file if it is that of GITHUB_STEP_SUMMARY
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
    /// Print results only: no progress, no remarks
    #[arg(long, short)]
    quiet: bool,
}

const EXAMPLES: &str = "\
Examples:
  retrial check thundering-herd metastable
  retrial check retry.toml --bless --note \"the first baseline\"
  retrial check retry.toml --junit junit.xml --markdown \"$GITHUB_STEP_SUMMARY\"

Experiments are run as their files are, with no key changed: there is no --set here.

Exit codes: 4 if results differ from the baseline, else 3 if a threshold does not hold. With
GITHUB_ACTIONS=true what failed is also told as annotations.";

/// What goes to stdout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people
    Table,
    /// One JSON document
    Json,
}

/// Why nothing was checked.
enum Failure {
    Input(Report),
    Study(StudyError),
}

/// A note says something.
fn reason(text: &str) -> Result<String, String> {
    match text.trim() {
        "" => Err("say why the results are accepted".to_string()),
        reason => Ok(reason.to_string()),
    }
}

impl From<Report> for Failure {
    fn from(report: Report) -> Self {
        Failure::Input(report)
    }
}

impl From<StudyError> for Failure {
    fn from(error: StudyError) -> Self {
        Failure::Study(error)
    }
}

/// An experiment to check.
struct Job {
    /// As it was given.
    experiment: String,
    loaded: Loaded,
    plan: Plan,
    folder: PathBuf,
    /// `None` if there is none yet and the results become it.
    baseline: Option<Kept>,
}

/// Runs the command.
pub fn execute(args: &Args) -> Exit {
    let all = match check(args) {
        Ok(all) => all,
        Err(Failure::Input(report)) => {
            show(&report);
            return Exit::BadInput;
        }
        Err(Failure::Study(error)) => {
            eprintln!("error: {error}");
            return Exit::Failed;
        }
    };
    match outputs::write(args, &all) {
        Exit::Done if all.iter().any(Checked::differs) => Exit::Differs,
        Exit::Done if all.iter().any(Checked::fails) => Exit::ThresholdFailed,
        exit => exit,
    }
}

/// Everything that may be wrong with the input is found before anything is run.
fn check(args: &Args) -> Result<Vec<Checked>, Failure> {
    let jobs: Vec<Job> =
        args.experiments.iter().map(|name| args.job(name)).collect::<Result<_, Report>>()?;
    for (index, job) in jobs.iter().enumerate() {
        if let Some(other) = jobs[..index].iter().find(|other| other.plan.name == job.plan.name) {
            let (first, second, name) = (&other.experiment, &job.experiment, &job.plan.name);
            let message = format!("`{first}` and `{second}` are both called `{name}`");
            let help = "their baselines would share a folder: rename one, or check it by itself \
                        with --baseline";
            return Err(Diagnostic::new(message).help(help).report(&Sources::default()).into());
        }
    }
    let temporary = match args.out {
        Some(_) => None,
        None => {
            let made = tempfile::tempdir();
            Some(made.map_err(|error| StudyError::Write(std::env::temp_dir(), error))?)
        }
    };
    if !args.quiet {
        jobs.iter().for_each(|job| remark(&job.plan));
    }
    let bar = Bar::new(args.quiet);
    match (&args.out, &temporary) {
        (Some(out), _) => keep_what_is_finished(&bar, out, args.quiet),
        (None, Some(folder)) => leave_nothing(&bar, folder.path()),
        (None, None) => {}
    }
    let all = jobs.iter().enumerate().map(|(index, job)| {
        let out = match &temporary {
            Some(folder) => folder.path().join(index.to_string()),
            None => args.of_experiment(args.out.as_deref(), &job.plan.name),
        };
        run(args, job, &bar, &out)
    });
    all.collect()
}

impl Args {
    fn job(&self, experiment: &str) -> Result<Job, Report> {
        let wanted = Wanted { experiment: Some(experiment.to_string()), ..Wanted::default() };
        let loaded = load(&wanted)?;
        let plan = Plan::new(&loaded)?;
        let folder = match &self.baseline {
            Some(_) => self.of_experiment(self.baseline.as_deref(), &plan.name),
            None => Path::new("results/baselines").join(&plan.name),
        };
        let baseline = match Kept::is_at(&folder) {
            true => Some(Kept::read(&folder).map_err(fault)?),
            false if self.bless => None,
            false => {
                let message = format!("there is no baseline in {}", folder.display());
                let help = format!(
                    "make one of today's results: retrial check {experiment} --bless --note \"why\""
                );
                return Err(Diagnostic::new(message).help(help).report(&Sources::default()));
            }
        };
        Ok(Job { experiment: experiment.to_string(), loaded, plan, folder, baseline })
    }

    /// The folder of one of the experiments.
    fn of_experiment(&self, folder: Option<&Path>, name: &str) -> PathBuf {
        let folder = folder.unwrap_or(Path::new(""));
        match &self.experiments[..] {
            [_] => folder.to_path_buf(),
            _ => folder.join(name),
        }
    }
}

fn run(args: &Args, job: &Job, bar: &Bar, out: &Path) -> Result<Checked, Failure> {
    let plan = &job.plan;
    let options = Options { threads: args.threads.into(), units: out.join("units") };
    let units = runner::run(plan, &options, bar)?;
    bar.finish();
    // What is judged needs none, and in a baseline they would be too large.
    let is_written = args.out.is_some();
    let close_ups = close_up::make(plan, &options, |_| is_written)?;
    let results = pool(options.threads)?.install(|| Results::new(plan, units));
    pool(options.threads)?.install(|| judged(args, job, out, results.with_close_ups(close_ups)))
}

/// What the runs of an experiment show, on the threads of the pool it is called in.
fn judged(args: &Args, job: &Job, out: &Path, results: Results) -> Result<Checked, Failure> {
    let Job { loaded, plan, folder, baseline, .. } = job;
    if !args.quiet
        && let Some(line) = stopping::note(plan, &results)
    {
        eprintln!("note: {line}");
    }
    if args.out.is_some() {
        results_folder::write(plan, &results, out, Pictures::None)?;
    }
    let now = Kept::of(plan, &results).map_err(fault)?;
    let exactness = Exactness::of(baseline.as_ref().unwrap_or(&now), &now);
    let mut changed = Vec::new();
    let mut parting = None;
    if let Some(kept) = baseline.as_ref().filter(|_| !exactness.holds()) {
        changed = changes(kept, loaded, plan);
        if !args.bless {
            parting = divergence(loaded, plan, (folder, kept), &exactness)?;
        }
    }
    if let (true, Some(note)) = (args.bless, &args.note) {
        accept::accept(job, &results, note)?;
    }
    let located = judge(plan, &results).into_iter().map(|judgement| {
        let key = threshold_key(loaded, &plan.policies[judgement.policy], &judgement);
        let location = key.and_then(|key| loaded.location(&key));
        (judgement, location)
    });
    Ok(Checked {
        experiment: job.experiment.clone(),
        baseline: folder.clone(),
        old_fingerprint: baseline.as_ref().map(|kept| kept.manifest.fingerprint.clone()),
        judgements: located.collect(),
        policies: plan
            .policies
            .iter()
            .map(|policy| loaded.location(&format!("policies.{policy:?}")))
            .collect(),
        results,
        exactness,
        changed,
        divergence: parting,
        accepted: args.bless,
    })
}

/// What differs between the baseline's experiment and this one.
fn changes(kept: &Kept, loaded: &Loaded, plan: &Plan) -> Vec<ChangedKey> {
    let mut changed = kept.manifest.changes(&loaded.root, &plan.files);
    let (old, new) = (kept.manifest.replications, plan.replications);
    if old != new {
        let (old, new) = (Some(old.to_string()), Some(new.to_string()));
        changed.push(ChangedKey { key: "replications".to_string(), old, new });
    }
    changed
}

/// The key of a policy's threshold.
fn threshold_key(loaded: &Loaded, policy: &str, judgement: &Judgement) -> Option<String> {
    let Judgement { condition, only_warns, .. } = *judgement;
    let (_, list) = loaded.root.entries("thresholds").find(|(name, _)| *name == policy)?;
    let threshold = Threshold { condition, only_warns };
    let is_it =
        |item: &Node| item.as_str().is_some_and(|text| Threshold::parse(text) == Ok(threshold));
    let index = list.items().iter().position(is_it)?;
    Some(format!("thresholds.{policy:?}.{index}"))
}
