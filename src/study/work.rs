//! What a plan asks for: its units, which of them are one and the same, and what is kept of each.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::path::PathBuf;

use rayon::prelude::*;

use super::unit::{Store, Unit, UnitResults, split};
use crate::experiment::plan::Plan;

/// The units of a plan, and the jobs that make them.
#[derive(Debug)]
pub struct Work {
    /// All units, in the order of [`split`], each with the index of its job.
    pub units: Vec<(Unit, usize)>,
    /// One for each different unit. Units with the same content share a file: a swept key that one
    /// policy does not have leaves that policy the same at every point.
    pub jobs: Vec<Job>,
}

/// A unit to make, and what is kept of it from before.
#[derive(Debug)]
pub struct Job {
    /// Its file.
    pub path: PathBuf,
    /// The unit; the first of those that share the file.
    pub unit: Unit,
    /// What is kept.
    pub kept: UnitResults,
}

impl Work {
    /// The work of `plan`, with what `store` keeps of it.
    pub fn of(plan: &Plan, store: &Store) -> Work {
        let units = split(plan.cells.len(), plan.replications);
        let paths = units.iter().map(|unit| store.path(&plan.cells[unit.cell], *unit));
        let mut job_of = BTreeMap::new();
        let mut firsts = Vec::new();
        let units = units.iter().zip(paths).map(|(unit, path)| {
            let job = *job_of.entry(path).or_insert_with_key(|path| {
                firsts.push((*unit, path.clone()));
                firsts.len() - 1
            });
            (*unit, job)
        });
        let units = units.collect();
        let jobs = firsts.into_par_iter().map(|(unit, path)| {
            let kept = store.read(&path);
            Job { path, unit, kept }
        });
        Work { units, jobs: jobs.collect() }
    }

    /// The indices of all jobs, those that take longest first, so that no core is left alone with
    /// one of them at the end.
    pub fn largest_first(&self, plan: &Plan) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.jobs.len()).collect();
        // Whole requests are exact enough, and have an order.
        order.sort_by_cached_key(|index| Reverse(self.jobs[*index].size(plan) as u64));
        order
    }
}

impl Job {
    /// Replications that are kept and wanted.
    pub fn kept(&self) -> u64 {
        self.unit.count.min(self.kept.runs.len() as u64)
    }

    /// Replications to make.
    pub fn missing(&self) -> u64 {
        self.unit.count - self.kept()
    }

    /// Requests to simulate, about.
    pub fn size(&self, plan: &Plan) -> f64 {
        self.missing() as f64 * plan.cells[self.unit.cell].scenario.expected_requests()
    }
}
