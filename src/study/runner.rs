//! Makes the runs of a plan that are not there yet, on all cores.

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::path::PathBuf;

use rayon::prelude::*;

use super::close_up;
use super::planned_cell::PlannedCell;
use super::rounds::Rounds;
use super::unit::{Store, Unit, UnitResults};
use super::work::{Job, Work};
use crate::engine::storm_guard::EndlessInstant;
use crate::experiment::cell::Cell;
use crate::experiment::plan::Plan;
use crate::measure::recorder::Measurements;
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
    /// What is best so far, in words.
    fn leads(&self, _what: &str) {}
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
    let pool = pool(options.threads)?;
    let cells = PlannedCell::all(plan);
    let mut rounds = Rounds::of(plan);
    let mut done = BTreeMap::new();
    let units = loop {
        let units = rounds.units(&cells, &store);
        let work = pool.install(|| Work::of(&units, &store));
        done.extend(pool.install(|| make(work, plan, &store, progress, |results| results))?);
        let runs = |unit: &Unit, path: &PathBuf| {
            let runs = done.get(path).map_or(&[][..], |results| &results.runs);
            &runs[..runs.len().min(unit.count as usize)]
        };
        if !pool.install(|| rounds.ask_for_more(plan, &units, runs)) {
            break units;
        }
    };
    let close_ups = close_up::paths(&cells, plan.shown_point(), &store);
    let wanted = done.keys().cloned().chain(close_ups).collect();
    store.retain(&wanted).map_err(|error| StudyError::Write(options.units.clone(), error))?;
    Ok(by_unit(units, done))
}

/// The results of each unit; those that several share are copied for all but the last of them. Of a
/// file that holds more replications than a unit has, the unit gets its own.
fn by_unit(
    units: Vec<(Unit, PathBuf)>,
    mut done: BTreeMap<PathBuf, UnitResults>,
) -> Vec<(Unit, UnitResults)> {
    let mut uses: BTreeMap<&PathBuf, u64> = BTreeMap::new();
    units.iter().for_each(|(_, path)| *uses.entry(path).or_default() += 1);
    let results = units.iter().filter_map(|(unit, path)| {
        let left = uses.get_mut(path)?;
        *left -= 1;
        let results = if *left == 0 { done.remove(path) } else { done.get(path).cloned() };
        let mut results = results?;
        results.runs.truncate(unit.count as usize);
        Some((*unit, results))
    });
    results.collect()
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

/// Makes what is missing of `work` on the threads of the pool it is called in, and gives what `keep`
/// makes of the results of each file.
///
/// # Errors
///
/// As [`run`].
pub(super) fn make<T: Send>(
    work: Work,
    plan: &Plan,
    store: &Store,
    progress: &dyn Progress,
    keep: impl Fn(UnitResults) -> T + Sync,
) -> Result<BTreeMap<PathBuf, T>, StudyError> {
    progress.begin(work.runs(), work.kept());
    // Each thread takes the next one of the queue; splitting it in halves would give the small ones
    // of the second half to some thread first.
    let results = work.largest_first(plan).into_iter().par_bridge().map(|job| {
        let path = job.path.clone();
        Ok((path, keep(finish(job, plan, store, progress)?)))
    });
    results.collect()
}

/// Makes what is missing of a unit, and keeps it.
fn finish(
    job: Job,
    plan: &Plan,
    store: &Store,
    progress: &dyn Progress,
) -> Result<UnitResults, StudyError> {
    let missing = job.missing();
    let Job { path, unit, kept: mut results } = job;
    if missing > 0 {
        complete(plan, &plan.cells[unit.cell], unit, &mut results, progress)?;
        store.write(&path, &results).map_err(|error| StudyError::Write(path, error))?;
    }
    Ok(results)
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
        results.push(measure(plan, cell, replication, replication == 0)?);
        progress.ran();
    }
    Ok(())
}

/// Makes one run.
pub(super) fn measure(
    plan: &Plan,
    cell: &Cell,
    replication: u64,
    with_series: bool,
) -> Result<Measurements, StudyError> {
    let run = RunId { seed: plan.seed, replication };
    cell.measure(run, with_series).map_err(|instant| StudyError::Endless {
        policy: plan.policies[cell.policy_index].clone(),
        run,
        instant,
    })
}
