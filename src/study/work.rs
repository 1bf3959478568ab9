//! Units to make, each once, and what is kept of it from before.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::path::PathBuf;

use rayon::prelude::*;

use super::unit::{Store, Unit, UnitResults};
use crate::experiment::plan::Plan;

/// Units that have a file each.
#[derive(Debug)]
pub struct Work {
    /// One job a file, in the order of the files' names.
    pub jobs: Vec<Job>,
}

/// A unit to make, and what is kept of it from before.
#[derive(Debug)]
pub struct Job {
    /// Its file.
    pub path: PathBuf,
    /// The unit; of those that share the file the first that needs most of it.
    pub unit: Unit,
    /// What is kept.
    pub kept: UnitResults,
}

impl Work {
    /// The work of making `units`, with what `store` keeps of them. Units with the same content
    /// share a file: a swept key that one policy does not have leaves that policy the same at every
    /// point. Reads on the threads of the pool it is called in.
    pub fn of<'a>(units: impl IntoIterator<Item = &'a (Unit, PathBuf)>, store: &Store) -> Work {
        let mut largest: BTreeMap<&PathBuf, Unit> = BTreeMap::new();
        for (unit, path) in units {
            let most = largest.entry(path).or_insert(*unit);
            if unit.count > most.count {
                *most = *unit;
            }
        }
        let jobs = largest.into_par_iter().map(|(path, unit)| Job {
            path: path.clone(),
            unit,
            kept: store.read(path),
        });
        Work { jobs: jobs.collect() }
    }

    /// Runs that are wanted.
    pub fn runs(&self) -> u64 {
        self.jobs.iter().map(|job| job.unit.count).sum()
    }

    /// Runs that are kept and wanted.
    pub fn kept(&self) -> u64 {
        self.jobs.iter().map(Job::kept).sum()
    }

    /// The jobs, those that take longest first, so that no core is left alone with one of them at
    /// the end.
    pub fn largest_first(self, plan: &Plan) -> Vec<Job> {
        let mut jobs = self.jobs;
        // Whole requests are exact enough, and have an order.
        jobs.sort_by_cached_key(|job| Reverse(job.size(plan) as u64));
        jobs
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
