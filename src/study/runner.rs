//! Makes the runs of a plan that are not there yet, on all cores.

use std::fmt;
use std::io;
use std::path::PathBuf;

use rayon::prelude::*;

use super::unit::{Store, Unit, UnitResults, split};
use crate::engine::storm_guard::{EndlessInstant, MAX_EVENTS_AT_ONE_INSTANT};
use crate::experiment::plan::{Cell, Plan};
use crate::measure::recorder::measure;
use crate::model::scenario::RunId;
use crate::model::subject::PolicyOnTrial;

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
                "policy `{policy}`, replication {}: more than {MAX_EVENTS_AT_ONE_INSTANT} events \
                 at {} ms without time passing; give its retries a delay or a limit",
                run.replication,
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
    let kept: Vec<_> = paths.iter().map(|path| store.read(path)).collect();
    let kept_runs = units.iter().zip(&kept).map(|(unit, r)| unit.count.min(r.runs.len() as u64));
    progress.begin(plan.cells.len() as u64 * plan.replications, kept_runs.sum());

    let mut jobs: Vec<_> = units.iter().zip(&paths).zip(kept).enumerate().collect();
    // The largest first, so that no core is left alone with one at the end.
    jobs.sort_by_key(|(index, ((unit, _), _))| {
        (std::cmp::Reverse(plan.cells[unit.cell].scenario.clients), *index)
    });
    let pool = rayon::ThreadPoolBuilder::new().num_threads(options.threads).build();
    let pool = pool.map_err(StudyError::Threads)?;
    let mut done: Vec<(usize, UnitResults)> = pool.install(|| {
        let results = jobs.into_par_iter().with_max_len(1).map(|(index, ((unit, path), kept))| {
            let cell = &plan.cells[unit.cell];
            let mut results = kept;
            let missing = unit.count.saturating_sub(results.runs.len() as u64);
            if missing > 0 {
                complete(plan, cell, *unit, &mut results, progress)?;
                store
                    .write(path, &results)
                    .map_err(|error| StudyError::Write(path.clone(), error))?;
            }
            results.runs.truncate(unit.count as usize);
            Ok((index, results))
        });
        results.collect::<Result<_, StudyError>>()
    })?;
    store.retain(&paths).map_err(|error| StudyError::Write(options.units.clone(), error))?;
    done.sort_by_key(|(index, _)| *index);
    Ok(units.into_iter().zip(done.into_iter().map(|(_, results)| results)).collect())
}

/// Makes the runs of `unit` that `results` lacks.
fn complete(
    plan: &Plan,
    cell: &Cell,
    unit: Unit,
    results: &mut UnitResults,
    progress: &dyn Progress,
) -> Result<(), StudyError> {
    let subject = PolicyOnTrial { policy: &cell.policy, classifier: &cell.classifier };
    let made = results.runs.len() as u64;
    for replication in unit.first + made..unit.first + unit.count {
        let run = RunId { seed: plan.seed, replication };
        let measured = measure(&cell.scenario, &subject, run, replication == 0);
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
