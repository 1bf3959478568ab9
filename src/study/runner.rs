//! Makes the runs of a plan that are not there yet, on all cores.

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::path::PathBuf;

use rayon::prelude::*;

use super::unit::{Store, Unit, UnitResults, split};
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
    /// What is best so far, in words.
    fn leads(&self, _what: &str) {}
}

/// Makes all runs of `plan` and gives the results of its units, in the order of [`split`].
///
/// # Errors
///
/// Something can't be written, or a run stands still. What is finished is kept either way.
pub fn run(
    plan: &Plan,
    options: &Options,
    progress: &dyn Progress,
) -> Result<Vec<(Unit, UnitResults)>, StudyError> {
    let store = Store::open(options.units.clone())
        .map_err(|error| StudyError::Write(options.units.clone(), error))?;
    let units = split(plan.cells.len(), plan.replications);
    let paths: Vec<_> =
        units.iter().map(|unit| store.path(&plan.cells[unit.cell], *unit)).collect();
    // Units with the same content share a file: a swept key that one policy does not have leaves
    // that policy the same at every point. Each is made once, by the first that needs it.
    let mut first_with = BTreeMap::new();
    for (index, path) in paths.iter().enumerate() {
        first_with.entry(path).or_insert(index);
    }
    let mut jobs: Vec<_> = first_with
        .iter()
        .map(|(path, index)| Job { path, unit: units[*index], kept: store.read(path) })
        .collect();
    let (runs, kept) = jobs.iter().fold((0, 0), |(runs, kept), job| {
        (runs + job.unit.count, kept + job.unit.count.min(job.kept.runs.len() as u64))
    });
    progress.begin(runs, kept);

    // The largest first, so that no core is left alone with one at the end.
    jobs.sort_by_key(|job| std::cmp::Reverse(plan.cells[job.unit.cell].scenario.clients()));
    let done: BTreeMap<&PathBuf, UnitResults> = pool(options.threads)?.install(|| {
        let results = jobs.into_par_iter().with_max_len(1).map(|job| {
            let path = job.path;
            Ok((path, job.finish(plan, &store, progress)?))
        });
        results.collect::<Result<_, StudyError>>()
    })?;
    let wanted = done.keys().copied().collect();
    store.retain(&wanted).map_err(|error| StudyError::Write(options.units.clone(), error))?;
    Ok(units.iter().zip(&paths).map(|(unit, path)| (*unit, done[path].clone())).collect())
}

/// So many threads, 0 for all cores.
pub(super) fn pool(threads: usize) -> Result<rayon::ThreadPool, StudyError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.map_err(StudyError::Threads)
}

/// A unit to make, and what is kept of it from before.
struct Job<'a> {
    path: &'a PathBuf,
    unit: Unit,
    kept: UnitResults,
}

impl Job<'_> {
    fn finish(
        self,
        plan: &Plan,
        store: &Store,
        progress: &dyn Progress,
    ) -> Result<UnitResults, StudyError> {
        let Job { path, unit, kept: mut results } = self;
        if (results.runs.len() as u64) < unit.count {
            complete(plan, &plan.cells[unit.cell], unit, &mut results, progress)?;
            store.write(path, &results).map_err(|error| StudyError::Write(path.clone(), error))?;
        }
        // More replications may be kept than are wanted now.
        results.runs.truncate(unit.count as usize);
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
