//! Whether runs are what a baseline says: the same fingerprint and the same counts, run by run.
//!
//! Other metrics are computed from what happened. Where they differ and the fingerprint does not,
//! the same things happened and a definition has changed: that is told, not judged.

pub mod decisions;
pub mod divergence;

use std::collections::{BTreeMap, BTreeSet};

use super::kept::{CellName, Kept, KeptRun};
use crate::measure::metric::{self, is_count};

/// How far runs are what a baseline says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Exactness {
    /// Every policy at every point on either side, the baseline's first.
    pub cells: Vec<CellExactness>,
    /// Metrics that differ in runs that are the same, and in how many.
    pub redefined: BTreeMap<&'static str, usize>,
    /// Metrics that the baseline does not have.
    pub unknown: Vec<&'static str>,
}

/// How far the runs of a policy at a point are what the baseline says.
#[derive(Clone, Debug, PartialEq)]
pub struct CellExactness {
    /// Which.
    pub cell: CellName,
    /// Replications that both have.
    pub runs: usize,
    /// Replications that differ.
    pub differing: Vec<Differing>,
    /// Replications that only the baseline has.
    pub missing: usize,
    /// Replications that the baseline does not have.
    pub added: usize,
}

/// A run that is not what the baseline says.
#[derive(Clone, Debug, PartialEq)]
pub struct Differing {
    /// Which replication.
    pub replication: u64,
    /// Its fingerprint in the baseline.
    pub old: String,
    /// Its fingerprint now.
    pub new: String,
    /// The counts that differ, by place in [`metric::ALL`], old and new.
    pub counts: Vec<(usize, Option<f64>, Option<f64>)>,
}

impl CellExactness {
    /// Whether all runs are what the baseline says.
    pub fn holds(&self) -> bool {
        self.differing.is_empty() && self.missing == 0 && self.added == 0
    }
}

impl Exactness {
    /// Compares runs with those of a baseline.
    pub fn of(baseline: &Kept, now: &Kept) -> Self {
        let mut exactness = Exactness {
            unknown: (0..metric::ALL.len())
                .filter(|metric| !baseline.has_metric[*metric])
                .map(|metric| metric::ALL[metric].name)
                .collect(),
            ..Exactness::default()
        };
        let (old, new) = (baseline.cells(), now.cells());
        let runs_of = |cells: &[(&CellName, Vec<&KeptRun>)]| -> BTreeMap<CellName, Vec<KeptRun>> {
            let owned = cells.iter().map(|(cell, runs)| {
                ((*cell).clone(), runs.iter().map(|run| (*run).clone()).collect())
            });
            owned.collect()
        };
        let (old_runs, new_runs) = (runs_of(&old), runs_of(&new));
        let mut seen = BTreeSet::new();
        for cell in old.iter().chain(&new).map(|(cell, _)| *cell).filter(|cell| seen.insert(*cell))
        {
            let runs =
                |of: &BTreeMap<CellName, Vec<KeptRun>>| of.get(cell).cloned().unwrap_or_default();
            let found = exactness.cell(cell, &runs(&old_runs), &runs(&new_runs), baseline);
            exactness.cells.push(found);
        }
        exactness
    }

    /// Whether everything is what the baseline says.
    pub fn holds(&self) -> bool {
        self.cells.iter().all(CellExactness::holds)
    }

    /// Runs of both sides.
    pub fn runs(&self) -> usize {
        self.cells.iter().map(|cell| cell.runs).sum()
    }

    fn cell(
        &mut self,
        cell: &CellName,
        old: &[KeptRun],
        new: &[KeptRun],
        baseline: &Kept,
    ) -> CellExactness {
        let by_replication: BTreeMap<_, _> = new.iter().map(|run| (run.replication, run)).collect();
        let pairs = old.iter().filter_map(|a| Some((a, *by_replication.get(&a.replication)?)));
        let pairs: Vec<_> = pairs.collect();
        let mut differing = Vec::new();
        for (old, new) in &pairs {
            let differs = |metric: &usize| {
                baseline.has_metric[*metric] && old.metrics[*metric] != new.metrics[*metric]
            };
            let changed = (0..metric::ALL.len()).filter(differs);
            let (counts, computed): (Vec<_>, Vec<_>) =
                changed.partition(|metric| is_count(*metric));
            if old.fingerprint == new.fingerprint && counts.is_empty() {
                for metric in computed {
                    *self.redefined.entry(metric::ALL[metric].name).or_default() += 1;
                }
                continue;
            }
            let values = |metric: usize| (metric, old.metrics[metric], new.metrics[metric]);
            differing.push(Differing {
                replication: old.replication,
                old: old.fingerprint.clone(),
                new: new.fingerprint.clone(),
                counts: counts.into_iter().map(values).collect(),
            });
        }
        CellExactness {
            cell: cell.clone(),
            runs: pairs.len(),
            differing,
            missing: old.len() - pairs.len(),
            added: new.len() - pairs.len(),
        }
    }
}
