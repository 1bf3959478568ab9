//! Thresholds: conditions on metrics, judged where the interval is least in their favour.
//!
//! A bound at the very limit of a rate, such as `recovered_ratio >= 1`, is none that a sample can
//! show: the interval of 30 recoveries out of 30 begins at 0.9. It means "without exception", and is
//! judged on the runs themselves.

use super::estimates::{Shortage, shortage};
use super::results::{CellResults, Results};
use super::statistics::estimate::Estimate;
use super::unit::Run;
use crate::experiment::condition::{Comparison, Condition, Threshold};
use crate::experiment::outline::Outline;

/// One condition at one point.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// Index of the policy.
    pub policy: usize,
    /// Index of the point.
    pub point: usize,
    /// The condition.
    pub condition: Condition,
    /// It is told if it does not hold, and nothing follows.
    pub only_warns: bool,
    /// What was held against its bound. `None` if there is nothing to judge.
    pub judged: Option<f64>,
    /// Where that comes from.
    pub basis: Basis,
    /// The replications that gave a value.
    pub n: u64,
    /// All replications of the cell.
    pub replications: u64,
    /// Whether it holds. What can't be estimated does not.
    pub holds: bool,
}

/// What a threshold was judged on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Basis {
    /// The end of the 95 % interval that is least in its favour.
    Interval,
    /// The value of the only replication.
    OnlyRun,
    /// The run least in its favour: its bound is the limit of a rate.
    EveryRun,
    /// Nothing: the metric has no estimate.
    Nothing,
    /// Nothing: its runs have too few requests for such a quantile.
    TooFew(Shortage),
}

impl Judgement {
    /// Whether the study fails by it.
    pub fn fails(&self) -> bool {
        !self.holds && !self.only_warns
    }
}

/// Judges every threshold at every point.
pub fn judge(outline: &Outline, results: &Results) -> Vec<Judgement> {
    let mut judgements = Vec::new();
    for (policy, threshold) in &outline.thresholds {
        let cells = results.cells.iter().filter(|cell| cell.policy == *policy);
        judgements.extend(cells.map(|cell| judge_cell(cell, *threshold)));
    }
    judgements
}

fn judge_cell(cell: &CellResults, threshold: Threshold) -> Judgement {
    let Threshold { condition, only_warns } = threshold;
    let estimate = &cell.estimates[condition.metric];
    let (judged, basis) = judged(condition, &cell.runs, estimate);
    let holds = judged.is_some_and(|value| condition.comparison.holds(value, condition.bound));
    let (policy, point, n) = (cell.policy, cell.point, estimate.n);
    let replications = cell.replications();
    Judgement { policy, point, condition, only_warns, judged, basis, n, replications, holds }
}

/// What of `runs`, whose metric has this `estimate`, is held against the bound, and where it comes
/// from.
pub(crate) fn judged(
    condition: Condition,
    runs: &[Run],
    estimate: &Estimate,
) -> (Option<f64>, Basis) {
    let values = runs.iter().filter_map(|run| run.metrics.values()[condition.metric]);
    match shortage(runs, &condition.metric()) {
        Some(shortage) => (None, Basis::TooFew(shortage)),
        None if is_without_exception(condition) => worst(condition, values),
        None => least_favourable(condition, estimate, runs.len() as u64),
    }
}

/// Whether the bound is as far as a rate can go.
fn is_without_exception(condition: Condition) -> bool {
    condition.metric().kind.is_rate()
        && match condition.comparison {
            Comparison::AtMost | Comparison::Below => condition.bound <= 0.0,
            Comparison::AtLeast | Comparison::Above => condition.bound >= 1.0,
        }
}

fn worst(condition: Condition, values: impl Iterator<Item = f64>) -> (Option<f64>, Basis) {
    let worst = if condition.comparison.is_upper_bound() {
        values.reduce(f64::max)
    } else {
        values.reduce(f64::min)
    };
    (worst, worst.map_or(Basis::Nothing, |_| Basis::EveryRun))
}

fn least_favourable(
    condition: Condition,
    estimate: &Estimate,
    replications: u64,
) -> (Option<f64>, Basis) {
    match estimate.ci95 {
        Some((_, high)) if condition.comparison.is_upper_bound() => (Some(high), Basis::Interval),
        Some((low, _)) => (Some(low), Basis::Interval),
        // One value among replications that mostly gave none is no estimate.
        None => match estimate.mean {
            Some(mean) if replications == 1 => (Some(mean), Basis::OnlyRun),
            _ => (None, Basis::Nothing),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged_by_interval(
        condition: &str,
        ci95: Option<(f64, f64)>,
        mean: Option<f64>,
    ) -> (Option<f64>, bool) {
        let condition = Condition::parse(condition).unwrap();
        let replications = if ci95.is_some() { 2 } else { 1 };
        let estimate = Estimate { mean, ci95, n: replications };
        let (judged, _) = least_favourable(condition, &estimate, replications);
        let holds = judged.is_some_and(|value| condition.comparison.holds(value, condition.bound));
        (judged, holds)
    }

    #[test]
    fn the_bound_of_the_interval_decides() {
        let interval = Some((1.4, 1.6));
        assert_eq!(
            judged_by_interval("amplification <= 1.5", interval, Some(1.5)),
            (Some(1.6), false)
        );
        assert_eq!(
            judged_by_interval("amplification <= 1.6", interval, Some(1.5)),
            (Some(1.6), true)
        );
        assert_eq!(
            judged_by_interval("amplification < 1.6", interval, Some(1.5)),
            (Some(1.6), false)
        );
        assert_eq!(
            judged_by_interval("amplification >= 1.5", interval, Some(1.5)),
            (Some(1.4), false)
        );
        assert_eq!(
            judged_by_interval("amplification > 1.3", interval, Some(1.5)),
            (Some(1.4), true)
        );
    }

    #[test]
    fn one_replication_is_judged_by_its_value_and_none_fails() {
        assert_eq!(judged_by_interval("amplification <= 1.5", None, Some(1.5)), (Some(1.5), true));
        assert_eq!(judged_by_interval("recovery_ms <= 1.5", None, None), (None, false));
    }

    #[test]
    fn the_limit_of_a_rate_means_without_exception() {
        for (text, expected) in [
            ("recovered_ratio >= 1", true),
            ("success_ratio >= 1.0", true),
            ("blocking_ratio <= 0", true),
            ("recovered_ratio >= 0.99", false),
            ("success_ratio <= 1", false),
            ("amplification >= 1", false),
            ("duplicates <= 0", false),
        ] {
            assert_eq!(is_without_exception(Condition::parse(text).unwrap()), expected, "{text}");
        }
    }

    #[test]
    fn one_exception_is_one_too_many() {
        let condition = Condition::parse("recovered_ratio >= 1").unwrap();
        assert_eq!(worst(condition, [1.0, 0.0, 1.0].into_iter()), (Some(0.0), Basis::EveryRun));
        assert_eq!(worst(condition, std::iter::empty()), (None, Basis::Nothing));
        let condition = Condition::parse("blocking_ratio <= 0").unwrap();
        assert_eq!(worst(condition, [0.0, 0.1].into_iter()), (Some(0.1), Basis::EveryRun));
    }
}
