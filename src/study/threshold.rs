//! Thresholds: conditions on metrics, judged where the interval is least in their favour.

use super::results::Results;
use super::statistics::estimate::Estimate;
use crate::experiment::condition::Condition;
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
    /// What was held against its bound: an end of the 95 % interval, or the value itself where
    /// there is one replication only. `None` if the metric has no such estimate.
    pub judged: Option<f64>,
    /// The replications that gave a value.
    pub n: u64,
    /// Whether it holds. What can't be estimated does not.
    pub holds: bool,
}

/// Judges every threshold at every point.
pub fn judge(outline: &Outline, results: &Results) -> Vec<Judgement> {
    let mut judgements = Vec::new();
    for (policy, condition) in &outline.thresholds {
        let cells = results.cells.iter().filter(|cell| cell.policy == *policy);
        judgements.extend(cells.map(|cell| {
            let estimate = &cell.estimates[condition.metric];
            let judged = least_favourable(*condition, estimate, results.replications);
            let holds =
                judged.is_some_and(|value| condition.comparison.holds(value, condition.bound));
            let (policy, point, condition) = (*policy, cell.point, *condition);
            Judgement { policy, point, condition, judged, n: estimate.n, holds }
        }));
    }
    judgements
}

fn least_favourable(condition: Condition, estimate: &Estimate, replications: u64) -> Option<f64> {
    match estimate.ci95 {
        Some((_, high)) if condition.comparison.is_upper_bound() => Some(high),
        Some((low, _)) => Some(low),
        // One value among replications that mostly gave none is no estimate.
        None => estimate.mean.filter(|_| replications == 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(condition: &str, ci95: Option<(f64, f64)>, mean: Option<f64>) -> (Option<f64>, bool) {
        let condition = Condition::parse(condition).unwrap();
        let replications = if ci95.is_some() { 2 } else { 1 };
        let estimate = Estimate { mean, ci95, n: replications };
        let judged = least_favourable(condition, &estimate, replications);
        let holds = judged.is_some_and(|value| condition.comparison.holds(value, condition.bound));
        (judged, holds)
    }

    #[test]
    fn the_bound_of_the_interval_decides() {
        let interval = Some((1.4, 1.6));
        assert_eq!(judged("amplification <= 1.5", interval, Some(1.5)), (Some(1.6), false));
        assert_eq!(judged("amplification <= 1.6", interval, Some(1.5)), (Some(1.6), true));
        assert_eq!(judged("amplification < 1.6", interval, Some(1.5)), (Some(1.6), false));
        assert_eq!(judged("amplification >= 1.5", interval, Some(1.5)), (Some(1.4), false));
        assert_eq!(judged("amplification > 1.3", interval, Some(1.5)), (Some(1.4), true));
    }

    #[test]
    fn one_replication_is_judged_by_its_value_and_none_fails() {
        assert_eq!(judged("amplification <= 1.5", None, Some(1.5)), (Some(1.5), true));
        assert_eq!(judged("recovery_ms <= 1.5", None, None), (None, false));
    }
}
