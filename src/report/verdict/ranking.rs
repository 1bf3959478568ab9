//! Policies in the order of one metric, and which of them were shown to differ from the best.

use std::cmp::Ordering;

use crate::measure::metric::{self, Better, Id};
use crate::study::results::{CellResults, Results};
use crate::study::statistics::estimate::Estimator;
use crate::study::statistics::holm::{SIGNIFICANT, adjusted};
use crate::study::statistics::paired::paired;

/// The policies at one point by one metric.
pub(super) struct Ranking<'a> {
    metric: Id,
    /// The best.
    pub best: &'a CellResults,
    /// The worst.
    pub worst: &'a CellResults,
    /// All others, each with whether it was shown to differ from the best.
    others: Vec<(&'a CellResults, bool)>,
}

impl<'a> Ranking<'a> {
    /// `None` if no policy, or only one, has an estimate.
    pub fn new(cells: &[&'a CellResults], id: Id) -> Option<Self> {
        let mut ranked: Vec<_> = cells
            .iter()
            .filter_map(|cell| cell.estimate(id).mean.map(|mean| (mean, *cell)))
            .collect();
        // Stable: among equals the order of the file decides.
        ranked.sort_by(|(a, _), (b, _)| in_favour(id, *a, *b));
        let ranked: Vec<_> = ranked.into_iter().map(|(_, cell)| cell).collect();
        let (best, others) = ranked.split_first()?;
        let differs = others.iter().copied().zip(differ(best, others, id));
        Some(Ranking { metric: id, best, worst: others.last()?, others: differs.collect() })
    }

    /// The best policy, and those for which no difference from it was shown.
    pub fn leaders(&self, results: &Results) -> Vec<String> {
        let equal = self.others.iter().filter(|(_, differs)| !differs).map(|(cell, _)| cell);
        std::iter::once(&self.best).chain(equal).map(|cell| name(results, cell)).collect()
    }

    /// The others that were shown to differ from the best.
    pub fn beaten(&self, results: &Results) -> Vec<String> {
        let beaten = self.others.iter().filter(|(_, differs)| *differs);
        beaten.map(|(cell, _)| name(results, cell)).collect()
    }

    /// Whether `cell` has at most `times` as much as the best.
    pub fn is_within(&self, cell: &CellResults, times: f64) -> bool {
        let id = self.metric;
        let means = cell.estimate(id).mean.zip(self.best.estimate(id).mean);
        self.leads(cell) || means.is_some_and(|(own, best)| own <= times * best)
    }

    /// Whether no difference from the best was shown for `cell`, or it is the best.
    pub fn leads(&self, cell: &CellResults) -> bool {
        !self.others.iter().any(|(other, differs)| *differs && other.policy == cell.policy)
    }

    /// "`a` makes", or "`a` and `b` (no difference shown) make".
    pub fn subject(&self, results: &Results, one: &str, many: &str) -> String {
        match &self.leaders(results)[..] {
            [only] => format!("{only} {one}"),
            [first, second] => format!("{first} and {second} (no difference shown) {many}"),
            [first, rest @ ..] => {
                format!("{first} and {} more (no difference shown) {many}", rest.len())
            }
            [] => many.to_string(),
        }
    }

    /// How many times the best the worst has.
    pub fn worst_to_best(&self, id: Id) -> Option<f64> {
        Some(self.worst.estimate(id).mean? / self.best.estimate(id).mean?)
    }
}

/// The better of two values first.
fn in_favour(id: Id, a: f64, b: f64) -> Ordering {
    match metric::ALL[id as usize].better {
        Better::Higher => b.total_cmp(&a),
        Better::Lower | Better::Neither => a.total_cmp(&b),
    }
}

/// For each of `others`, whether it was shown to differ from `cell`: pair by pair of runs, with
/// Holm's correction for as many comparisons.
fn differ(cell: &CellResults, others: &[&CellResults], id: Id) -> Vec<bool> {
    let mut estimator = Estimator::default();
    let p = others.iter().map(|other| {
        let (own, its) = cell.pairs(other, id);
        // Without a pair nothing is shown.
        paired(&own, &its, &mut estimator).p.unwrap_or(1.0)
    });
    adjusted(&p.collect::<Vec<_>>()).into_iter().map(|p| p < SIGNIFICANT).collect()
}

/// Those of `cells` that were shown to do worse than `cell`.
pub(super) fn worse_than(
    results: &Results,
    cell: &CellResults,
    cells: &[&CellResults],
    id: Id,
) -> Vec<String> {
    let others: Vec<_> =
        cells.iter().copied().filter(|other| other.policy != cell.policy).collect();
    let mean = |cell: &CellResults| cell.estimate(id).mean;
    let worse = others.iter().zip(differ(cell, &others, id)).filter(|(other, differs)| {
        let means = mean(cell).zip(mean(other));
        *differs && means.is_some_and(|(own, its)| in_favour(id, own, its).is_lt())
    });
    worse.map(|(other, _)| name(results, other)).collect()
}

/// A policy as texts call it.
pub(super) fn name(results: &Results, cell: &CellResults) -> String {
    format!("`{}`", results.policies[cell.policy])
}
