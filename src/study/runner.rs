//! Makes the runs of a plan that are not there yet, on all cores.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::io;
use std::path::PathBuf;

use rayon::prelude::*;

use super::estimates::{draws, of_metric};
use super::statistics::estimate::Estimator;
use super::stopping::is_exact;
use super::unit::{Run, Store, Unit, UnitResults, split_cell};
use crate::engine::storm_guard::EndlessInstant;
use crate::experiment::cell::Cell;
use crate::experiment::plan::Plan;
use crate::experiment::stop::Stop;
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
    let write_error = |error| StudyError::Write(options.units.clone(), error);
    let store = Store::open(options.units.clone()).map_err(write_error)?;
    let pool = pool(options.threads)?;
    let mut round = Round { plan, store: &store, progress, done: BTreeMap::new() };
    let mut replications = vec![plan.replications; plan.points.len()];
    let mut open = vec![plan.stop.is_some(); plan.points.len()];
    let units = loop {
        let of_point = |cell: &Cell| replications[cell.point_index];
        let cells = plan.cells.iter().enumerate();
        let units = cells.flat_map(|(index, cell)| split_cell(index, of_point(cell)));
        let units: Vec<_> =
            units.map(|unit| (unit, store.path(&plan.cells[unit.cell], unit))).collect();
        pool.install(|| round.make(&units))?;
        let Some(stop) = &plan.stop else { break units };
        pool.install(|| round.close_exact(stop, &units, &mut open));
        let more = open.iter().zip(&mut replications).filter(|(open, n)| **open && **n < stop.max);
        let raised = more.map(|(_, n)| *n = stop.next_look(*n)).count();
        if raised == 0 {
            break units;
        }
    };
    let wanted = units.iter().map(|(_, path)| path).collect();
    store.retain(&wanted).map_err(write_error)?;
    Ok(units.iter().map(|(unit, path)| (*unit, round.results(*unit, path))).collect())
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

/// Rounds of runs, and what they have given so far.
struct Round<'a> {
    plan: &'a Plan,
    store: &'a Store,
    progress: &'a dyn Progress,
    /// By file: units with the same content share one. A swept key that one policy does not have
    /// leaves that policy the same at every point.
    done: BTreeMap<PathBuf, UnitResults>,
}

impl Round<'_> {
    /// Makes what is missing of `units`. Each file is made once, as far as the unit goes that needs
    /// most of it.
    fn make(&mut self, units: &[(Unit, PathBuf)]) -> Result<(), StudyError> {
        let mut largest: BTreeMap<&PathBuf, Unit> = BTreeMap::new();
        for (unit, path) in units {
            let most = largest.entry(path).or_insert(*unit);
            if unit.count > most.count {
                *most = *unit;
            }
        }
        let mut jobs: Vec<_> = largest
            .into_iter()
            .map(|(path, unit)| {
                let kept = self.done.remove(path).unwrap_or_else(|| self.store.read(path));
                Job { path, unit, kept }
            })
            .collect();
        let (runs, kept) = jobs.iter().fold((0, 0), |(runs, kept), job| {
            (runs + job.unit.count, kept + job.unit.count.min(job.kept.runs.len() as u64))
        });
        self.progress.begin(runs, kept);
        // The largest first, so that no core is left alone with one at the end.
        jobs.sort_by_key(|job| {
            std::cmp::Reverse(self.plan.cells[job.unit.cell].scenario.clients())
        });
        let (plan, store, progress) = (self.plan, self.store, self.progress);
        let results = jobs.into_par_iter().with_max_len(1).map(|job| {
            let path = job.path.clone();
            Ok((path, job.finish(plan, store, progress)?))
        });
        let results: BTreeMap<_, _> = results.collect::<Result<_, StudyError>>()?;
        self.done.extend(results);
        Ok(())
    }

    /// The results of a unit. More replications may be kept than are wanted of it.
    fn results(&self, unit: Unit, path: &PathBuf) -> UnitResults {
        let mut results = self.done.get(path).cloned().unwrap_or_default();
        results.runs.truncate(unit.count as usize);
        results
    }

    /// Closes the points among `open` at which all policies are exact enough.
    fn close_exact(&self, stop: &Stop, units: &[(Unit, PathBuf)], open: &mut [bool]) {
        let by_cell: Vec<_> = units.chunk_by(|(a, _), (b, _)| a.cell == b.cell).collect();
        let inexact = by_cell.into_par_iter().filter_map(|units| {
            let cell = &self.plan.cells[units.first()?.0.cell];
            let runs = || units.iter().flat_map(|(unit, path)| self.results(*unit, path).runs);
            let is_open = open[cell.point_index];
            (is_open && !self.is_exact(stop, cell, &runs().collect::<Vec<_>>()))
                .then_some(cell.point_index)
        });
        let inexact: BTreeSet<_> = inexact.collect();
        for (point, open) in open.iter_mut().enumerate() {
            *open = inexact.contains(&point);
        }
    }

    fn is_exact(&self, stop: &Stop, cell: &Cell, runs: &[Run]) -> bool {
        let draws = draws(self.plan, cell.policy_index, cell.point_index);
        let mut estimator = Estimator::default();
        is_exact(stop, |column| of_metric(runs, column, draws, &mut estimator))
    }
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
        let measurements = measure(plan, cell, replication, replication == 0)?;
        results.push(measurements);
        progress.ran();
    }
    Ok(())
}

/// One replication of a cell.
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
