//! Makes the runs of a plan that are not there yet, on all cores.

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::path::PathBuf;

use rayon::prelude::*;

use super::planned_cell::PlannedCell;
use super::rounds::Rounds;
use super::unit::{Store, Unit, UnitResults, split_cell};
use crate::engine::storm_guard::EndlessInstant;
use crate::experiment::cell::Cell;
use crate::experiment::plan::Plan;
use crate::model::run_id::RunId;

/// Why a study could not be finished.
#[derive(Debug)]
pub enum StudyError {
    /// A file or folder could not be written.
    Write(PathBuf, io::Error),
    /// The threads could not be started.
    Threads(rayon::ThreadPoolBuildError),
    /// A run came to stand still.
    Endless {
        /// The policy on trial.
        policy: String,
        /// The run.
        run: RunId,
        /// Where.
        instant: EndlessInstant,
    },
}

impl fmt::Display for StudyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StudyError::Write(path, error) => write!(f, "can't write {}: {error}", path.display()),
            StudyError::Threads(error) => write!(f, "can't start the threads: {error}"),
            StudyError::Endless { policy, run, instant } => write!(
                f,
                "policy `{policy}`, replication {}: {} events at {} ms without time passing; give \
                 its retries a delay or a limit",
                run.replication,
                instant.events,
                instant.at.as_nanos() as f64 / 1e6
            ),
        }
    }
}

impl std::error::Error for StudyError {}

/// How to carry a study out.
#[derive(Clone, Debug)]
pub struct Options {
    /// Threads; 0 for all cores.
    pub threads: usize,
    /// The folder of unit files.
    pub units: PathBuf,
}

/// Told about progress, from any thread.
pub trait Progress: Sync {
    /// There are so many runs, of which so many were there already.
    fn begin(&self, runs: u64, kept: u64);
    /// A run was made.
    fn ran(&self);
}

/// Makes all runs of `plan` and gives the results of its units, in the order of the cells and of
/// their replications. Where `stop` decides how many there are, it is asked in rounds: the runs of
/// all points first, then more of those that it does not find exact enough.
///
/// # Errors
///
/// Something can't be written, or a run stands still. What is finished is kept either way.
pub fn run(
    plan: &Plan,
    options: &Options,
    progress: &dyn Progress,
) -> Result<Vec<(Unit, UnitResults)>, StudyError> {
    let store = open(options)?;
    let cells = PlannedCell::all(plan);
    let mut rounds = Rounds::of(plan);
    let mut done = BTreeMap::new();
    let units = loop {
        let indices = 0..cells.len();
        let units =
            indices.flat_map(|cell| split_cell(cell, rounds.replications(cells[cell].point)));
        let units: Vec<_> = units.map(|unit| (unit, store.path(&cells[unit.cell], unit))).collect();
        let read = |path: &PathBuf| done.remove(path).unwrap_or_else(|| store.read(path));
        let jobs = Jobs::new(&store, largest(&units), read);
        let made = jobs.finish(plan, options, progress, |results| results)?;
        done.extend(made);
        let runs = |unit: &Unit, path: &PathBuf| results(&done, *unit, path).runs;
        if !pool(options.threads)?.install(|| rounds.ask_for_more(plan, &units, runs)) {
            break units;
        }
    };
    let wanted = units.iter().map(|(_, path)| path).collect();
    store.retain(&wanted).map_err(|error| StudyError::Write(options.units.clone(), error))?;
    Ok(units.iter().map(|(unit, path)| (*unit, results(&done, *unit, path))).collect())
}

/// Each file once, as far as the unit goes that needs most of it. Cells with the same content share
/// their files: a swept key that one policy does not have leaves that policy the same at every
/// point.
fn largest(units: &[(Unit, PathBuf)]) -> impl Iterator<Item = (PathBuf, Unit)> {
    let mut largest: BTreeMap<&PathBuf, Unit> = BTreeMap::new();
    for (unit, path) in units {
        let most = largest.entry(path).or_insert(*unit);
        if unit.count > most.count {
            *most = *unit;
        }
    }
    largest.into_iter().map(|(path, unit)| (path.clone(), unit))
}

/// The results of a unit. More replications may be kept than are wanted of it.
fn results(done: &BTreeMap<PathBuf, UnitResults>, unit: Unit, path: &PathBuf) -> UnitResults {
    let mut results = done.get(path).cloned().unwrap_or_default();
    results.runs.truncate(unit.count as usize);
    results
}

/// The folder of unit files.
///
/// # Errors
///
/// It can't be made.
pub(super) fn open(options: &Options) -> Result<Store, StudyError> {
    Store::open(options.units.clone())
        .map_err(|error| StudyError::Write(options.units.clone(), error))
}

/// So many threads, 0 for all cores.
///
/// # Errors
///
/// They can't be started.
pub fn pool(threads: usize) -> Result<rayon::ThreadPool, StudyError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.map_err(StudyError::Threads)
}

/// Units to make.
pub(super) struct Jobs<'a> {
    store: &'a Store,
    jobs: Vec<Job>,
    /// How many runs they are.
    pub runs: u64,
    /// How many of those are kept from before.
    pub kept: u64,
}

impl<'a> Jobs<'a> {
    /// Looks at what is kept of these units, each by its file.
    pub fn new(
        store: &'a Store,
        units: impl Iterator<Item = (PathBuf, Unit)>,
        mut kept: impl FnMut(&PathBuf) -> UnitResults,
    ) -> Self {
        let jobs = units.map(|(path, unit)| {
            let kept = kept(&path);
            Job { path, unit, kept }
        });
        let jobs: Vec<_> = jobs.collect();
        let runs = jobs.iter().map(|job| job.unit.count).sum();
        let kept = jobs.iter().map(|job| job.unit.count.min(job.kept.runs.len() as u64)).sum();
        Jobs { store, jobs, runs, kept }
    }

    /// Makes what is missing, and gives what `keep` makes of each unit's results.
    ///
    /// # Errors
    ///
    /// As [`run`].
    pub fn finish<T: Send>(
        self,
        plan: &Plan,
        options: &Options,
        progress: &dyn Progress,
        keep: impl Fn(UnitResults) -> T + Sync,
    ) -> Result<BTreeMap<PathBuf, T>, StudyError> {
        let Jobs { store, mut jobs, runs, kept } = self;
        progress.begin(runs, kept);
        // The largest first, so that no core is left alone with one at the end.
        jobs.sort_by_key(|job| std::cmp::Reverse(plan.cells[job.unit.cell].scenario.clients()));
        pool(options.threads)?.install(|| {
            let results = jobs.into_par_iter().with_max_len(1).map(|job| {
                let path = job.path.clone();
                Ok((path, keep(job.finish(plan, store, progress)?)))
            });
            results.collect()
        })
    }
}

/// A unit to make, and what is kept of it from before.
struct Job {
    path: PathBuf,
    unit: Unit,
    kept: UnitResults,
}

impl Job {
    fn finish(
        self,
        plan: &Plan,
        store: &Store,
        progress: &dyn Progress,
    ) -> Result<UnitResults, StudyError> {
        let Job { path, unit, kept: mut results } = self;
        if (results.runs.len() as u64) < unit.count {
            complete(plan, &plan.cells[unit.cell], unit, &mut results, progress)?;
            store.write(&path, &results).map_err(|error| StudyError::Write(path.clone(), error))?;
        }
        Ok(results)
    }
}

/// Makes the runs of `unit` that `results` lacks.
fn complete(
    plan: &Plan,
    cell: &Cell,
    unit: Unit,
    results: &mut UnitResults,
    progress: &dyn Progress,
) -> Result<(), StudyError> {
    let made = results.runs.len() as u64;
    for replication in unit.first + made..unit.first + unit.count {
        let run = RunId { seed: plan.seed, replication };
        let measured = cell.measure(run, replication == 0);
        let measurements = measured.map_err(|instant| StudyError::Endless {
            policy: plan.policies[cell.policy_index].clone(),
            run,
            instant,
        })?;
        results.push(measurements);
        progress.ran();
    }
    Ok(())
}
