//! A whole tuning: from loaded experiments to a recommended policy and what is known of it.

use std::fmt;
use std::path::PathBuf;

use super::confirm::{Confirmed, confirm};
use super::effort::{DEFAULT_PER_EXPERIMENT, Effort, LEAST_PER_EXPERIMENT};
use super::estimable::fault;
use super::front::{Cost, Trade, trades};
use super::goal::{Combination, Constraint, Goal, Objective};
use super::robustness::{Varied, robustness};
use super::search::{FULL, Found, search};
use super::sensitivity::{KeySensitivity, sensitivity, values};
use super::simulated::{Simulated, Stage};
use crate::experiment::condition::Condition;
use crate::experiment::deserialize::from_node;
use crate::experiment::diagnostic::{Diagnostic, Report};
use crate::experiment::guesses::{Guess, guesses};
use crate::experiment::key_path::place_of;
use crate::experiment::load::Loaded;
use crate::experiment::node::Node;
use crate::experiment::plan::MAX_RUNS;
use crate::experiment::schema::{ExperimentFile, Tune};
use crate::experiment::space::Space;
use crate::measure::metric::{self, Id};
use crate::study::runner::{Progress, StudyError};

/// How to tune.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Runs at most; `None` takes a number that suits most spaces.
    pub runs: Option<u64>,
    /// How the objectives of several experiments become one.
    pub combination: Combination,
    /// Threads; 0 for all cores.
    pub threads: usize,
    /// The folder of unit files.
    pub units: PathBuf,
}

/// An experiment of a tuning.
#[derive(Clone, Debug)]
pub struct Experiment {
    /// Its name.
    pub name: String,
    /// Its seed.
    pub seed: u64,
    /// The metric to make small, as its place in [`metric::ALL`].
    pub minimise: usize,
    /// What must hold.
    pub conditions: Vec<Condition>,
    /// It as it was run: one line, with all changes and what policy files hold.
    pub effective: String,
}

/// What a tuning found.
#[derive(Clone, Debug)]
pub struct Tuning {
    /// The experiments, the first of which has the space.
    pub experiments: Vec<Experiment>,
    /// The name of the policy that was tuned.
    pub policy: String,
    /// What today's policy is called.
    pub against: String,
    /// The keys that were chosen.
    pub space: Space,
    /// How objectives became one.
    pub combination: Combination,
    /// Of each column of a sample, its experiment and metric.
    pub columns: Vec<(usize, usize)>,
    /// All candidates; objectives are relative to today's policy on the replications of the search.
    pub found: Found,
    /// What the objective is set against.
    pub cost: Cost,
    /// Objective and cost of the better known candidates and today's policy.
    pub trades: Vec<Trade>,
    /// The finalists on fresh replications.
    pub confirmed: Confirmed,
    /// Each key varied alone.
    pub sensitivity: Vec<KeySensitivity>,
    /// Each guess varied.
    pub robustness: Vec<Varied>,
    /// How many guesses the experiments mark.
    pub guesses: usize,
    /// Runs at most.
    pub budget: u64,
    /// Replications of the confirmation at most.
    pub replications: u64,
    /// How the runs were dealt.
    pub effort: Effort,
    /// Runs that results were taken from.
    pub runs: u64,
}

/// Why nothing was found.
#[derive(Debug)]
pub enum TuneError {
    /// The input is at fault.
    Input(Report),
    /// It is, and there is no place to show.
    Unusable(String),
    /// Something failed while running.
    Study(StudyError),
    /// No point of the space is a valid policy.
    NoValidPoint(usize),
}

impl fmt::Display for TuneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TuneError::Input(report) => report.fmt(f),
            TuneError::Unusable(message) => f.write_str(message),
            TuneError::Study(error) => error.fmt(f),
            TuneError::NoValidPoint(tried) => {
                write!(f, "none of the {tried} points that were tried makes a valid policy")
            }
        }
    }
}

impl std::error::Error for TuneError {}

impl From<StudyError> for TuneError {
    fn from(error: StudyError) -> Self {
        TuneError::Study(error)
    }
}

/// Tunes the policy that the first experiment names in all of them.
///
/// # Errors
///
/// An experiment says not what to search for, sweeps something, or can't be run with the policy as
/// it is; `settings` do not fit; a unit can't be written.
pub fn tune(
    all: &[Loaded],
    settings: &Settings,
    progress: &dyn Progress,
) -> Result<Tuning, TuneError> {
    let mut stages = Vec::new();
    let mut experiments = Vec::new();
    let mut guessed: Vec<(usize, Guess)> = Vec::new();
    let mut slot = None;
    for (index, loaded) in all.iter().enumerate() {
        let (tune, seed) = wanted(loaded).map_err(|d| input(loaded, d))?;
        let slot = slot.get_or_insert_with(|| tune.policy.clone());
        stages.push(Stage::of(loaded, slot, seed).map_err(TuneError::Input)?);
        let parsed = tune.subject_to.iter().filter_map(|text| Condition::parse(text).ok());
        experiments.push(Experiment {
            name: loaded.name.clone(),
            seed,
            // A metric that does not exist was refused when the file was checked.
            minimise: metric::by_name(&tune.minimise).unwrap_or(Id::Attempts as usize),
            conditions: parsed.collect(),
            effective: loaded.root.to_inline(),
        });
        let source = loaded.root.place.source;
        let found = guesses(&loaded.root, &loaded.sources.get(source).text, source);
        guessed.extend(found.into_iter().map(|guess| (index, guess)));
    }
    let (Some(first), Some(slot)) = (all.first(), slot) else {
        return Err(TuneError::Unusable("no experiment was given".to_string()));
    };
    let count = all.len() as u64;
    check_weights(&settings.combination, all.len())?;
    let runs = settings.runs.unwrap_or(DEFAULT_PER_EXPERIMENT * count);
    if runs < LEAST_PER_EXPERIMENT * count {
        let least = LEAST_PER_EXPERIMENT * count;
        let message = format!("--budget {runs} is too small: a tuning takes at least {least} runs");
        return Err(TuneError::Unusable(message));
    }
    if runs > MAX_RUNS {
        let message = format!("--budget {runs} is too large: at most {MAX_RUNS} runs are possible");
        return Err(TuneError::Unusable(message));
    }
    let space = space(first).map_err(|d| input(first, d))?;
    let start = entry(first, &slot);
    let against = first.against.clone().unwrap_or_else(|| slot.clone());
    let today = entry(first, &against);

    let (columns, goal, cost) = layout(&experiments, settings.combination.clone());
    let threads = (settings.units.clone(), settings.threads);
    let mut trial = Simulated::new(stages, (start, space), columns.clone(), threads, progress)?;
    let today_cells = trial.cells(&today).map_err(|d| input(first, d))?;
    let replications = replications(first).map_err(|d| input(first, d))?;
    let beside = values(&trial.space);
    let effort = Effort::deal(runs, count, beside, guessed.len() as u64, replications);

    progress.begin(runs, 0);
    let rows = trial.rows(&[(&today_cells, 0..FULL)])?;
    let today_samples = trial.samples(&rows[0]);
    if let Some(fault) = fault(&experiments, &rows[0], &format!("`{against}`"), false) {
        return Err(TuneError::Unusable(fault));
    }
    let goal = goal.relative_to(&today_samples);
    let found = search(&mut trial, &goal, effort.search, experiments[0].seed)?;
    let trades = trades(&goal, &cost, &found, &today_samples);
    let today = (&today, &today_cells[..]);
    let confirmed = confirm(&mut trial, &goal, &found, today, effort.confirm)?;
    let confirmed = confirmed.ok_or(TuneError::NoValidPoint(found.invalid))?;
    if confirmed.finalists.iter().all(|finalist| finalist.standing.objective.is_none()) {
        let rows = &confirmed.winner().rows;
        if let Some(fault) = fault(&experiments, rows, "any finalist", true) {
            return Err(TuneError::Unusable(fault));
        }
    }
    let centre = confirmed.winner().candidate.map(|index| found.candidates[index].point.clone());
    let centre = centre.unwrap_or_default();
    let sensitivity = sensitivity(&mut trial, &confirmed, &centre, effort.sensitivity)?;
    let robustness = robustness(&mut trial, &confirmed, &guessed, effort.guesses)?;
    Ok(Tuning {
        experiments,
        policy: slot,
        against,
        space: trial.space.clone(),
        combination: settings.combination.clone(),
        columns,
        found,
        cost,
        trades,
        confirmed,
        sensitivity,
        robustness,
        guesses: guessed.len(),
        budget: runs,
        replications,
        effort,
        runs: trial.runs(),
    })
}

fn input(loaded: &Loaded, diagnostic: Diagnostic) -> TuneError {
    TuneError::Input(diagnostic.report(&loaded.sources))
}

/// What an experiment says to search for, and its seed.
fn wanted(loaded: &Loaded) -> Result<(Tune, u64), Diagnostic> {
    let file: ExperimentFile = from_node(&loaded.root)?;
    let seed = file.seed;
    file.tune.map(|tune| (tune, seed)).ok_or_else(|| {
        let message = format!("`{}` does not say what to tune", loaded.name);
        let help = "add [tune] with the policy, what to minimise and what it is subject to, and \
                    [tune.space] with the keys to choose";
        Diagnostic::new(message).help(help)
    })
}

fn replications(loaded: &Loaded) -> Result<u64, Diagnostic> {
    let file: ExperimentFile = from_node(&loaded.root)?;
    Ok(file.replications.into())
}

/// The space of the first experiment, which has to have one.
fn space(loaded: &Loaded) -> Result<Space, Diagnostic> {
    let space = Space::of(&loaded.root)?;
    if space.dimensions.is_empty() {
        let place = place_of(&loaded.root, "tune");
        let help = "add [tune.space], such as \"backoff.base\" = { from = \"20ms\", to = \"5s\", \
                    scale = \"log\" }";
        return Err(Diagnostic::new("there is no key to choose").at(place).help(help));
    }
    Ok(space)
}

/// The policy called `name`.
fn entry(loaded: &Loaded, name: &str) -> Node {
    let found = loaded.root.entries("policies").find(|(policy, _)| *policy == name);
    // A name that does not exist was refused when the experiment was loaded.
    found.map_or_else(|| loaded.root.clone(), |(_, node)| node.clone())
}

fn check_weights(combination: &Combination, experiments: usize) -> Result<(), TuneError> {
    match combination {
        Combination::Weighted(weights) if weights.len() != experiments => {
            let message = format!(
                "--weights has {} numbers for {experiments} experiments: give one each",
                weights.len()
            );
            Err(TuneError::Unusable(message))
        }
        _ => Ok(()),
    }
}

/// The columns of a sample, and what is wanted of them: first each experiment's objective, then
/// each one's cost, then the constraints.
fn layout(
    experiments: &[Experiment],
    combination: Combination,
) -> (Vec<(usize, usize)>, Goal, Cost) {
    let first = experiments.iter().find_map(|experiment| experiment.conditions.first());
    let cost = first.map_or(Id::Amplification as usize, |condition| condition.metric);
    let count = experiments.len();
    let mut columns: Vec<(usize, usize)> =
        experiments.iter().enumerate().map(|(index, e)| (index, e.minimise)).collect();
    columns.extend((0..count).map(|index| (index, cost)));
    let mut constraints = Vec::new();
    for (index, experiment) in experiments.iter().enumerate() {
        for condition in &experiment.conditions {
            constraints.push(Constraint {
                column: columns.len(),
                comparison: condition.comparison,
                bound: condition.bound,
                is_on_cost: condition.metric == cost,
            });
            columns.push((index, condition.metric));
        }
    }
    let objectives = (0..count).map(|column| Objective { column, scale: 1.0 }).collect();
    let goal = Goal { objectives, combination, constraints };
    let metric = metric::ALL[cost];
    let cost =
        Cost { metric: metric.name, better: metric.better, columns: (count..2 * count).collect() };
    (columns, goal, cost)
}
