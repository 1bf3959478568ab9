//! Gates: metrics that may not have become worse.
//!
//! A gate fails where the interval shows it: its end that is most in favour of the new side is
//! still worse by more than the slack, and the difference stands after Holm's correction. A doubt
//! is no failure. Where no test can be made, of one run each or of a few that all differ alike, the
//! value decides, as it does for thresholds. What the new side does not have at all is a failure.

use super::comparison::{Change, Comparison};
use super::kept::CellName;
use super::statistics::holm::SIGNIFICANT;
use crate::experiment::gate::Gate;
use crate::measure::metric::Better;

/// What became of a gate at one policy and point.
#[derive(Clone, Debug, PartialEq)]
pub struct Gated {
    /// The gate.
    pub gate: Gate,
    /// The new side's policy and point; the old one's where the new side does not have it.
    pub cell: CellName,
    /// What was found.
    pub outcome: Outcome,
}

/// What a gate found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Outcome {
    /// At least so much worse, in the metric's unit, below zero if better; and so much is allowed.
    AtLeast {
        /// By how much the new side is worse at least.
        worse: f64,
        /// The slack.
        allowed: f64,
        /// The p-value of the difference after Holm's correction, if it could be tested.
        p_holm: Option<f64>,
    },
    /// The new side has no estimate where the old one has, or not even the policy and point.
    Lost,
    /// The old side has none to compare with.
    NothingBefore,
}

impl Outcome {
    /// Whether the metric may be as it is.
    pub fn passes(self) -> bool {
        match self {
            Outcome::AtLeast { worse, allowed, p_holm } => {
                worse <= allowed || p_holm.is_some_and(|p| p >= SIGNIFICANT)
            }
            Outcome::Lost => false,
            Outcome::NothingBefore => true,
        }
    }
}

/// Judges the gates at every policy and point.
pub fn judge(comparison: &Comparison, gates: &[Gate]) -> Vec<Gated> {
    let at_all = gates.iter().flat_map(|gate| {
        let on_both = comparison.cells.iter().map(|cell| {
            let change = cell.changes.iter().find(|change| change.metric == gate.metric);
            let outcome = change.map_or(Outcome::NothingBefore, |change| outcome(*gate, change));
            Gated { gate: *gate, cell: cell.new.clone(), outcome }
        });
        let lost = comparison.only_old.iter().map(|cell| Gated {
            gate: *gate,
            cell: cell.clone(),
            outcome: Outcome::Lost,
        });
        on_both.chain(lost)
    });
    at_all.collect()
}

fn outcome(gate: Gate, change: &Change) -> Outcome {
    let Some(old) = change.old.mean else { return Outcome::NothingBefore };
    if change.new.mean.is_none() {
        return Outcome::Lost;
    }
    let (low, high) = match (change.difference.ci95, change.difference.mean) {
        (Some(interval), _) => interval,
        // One run on each side has no interval: it is judged by its value, as thresholds are.
        (None, Some(mean)) if change.old.n == 1 && change.new.n == 1 => (mean, mean),
        // One value where there were many is no estimate.
        (None, _) if change.old.n > 1 => return Outcome::Lost,
        (None, _) => return Outcome::NothingBefore,
    };
    let worse = match gate.metric().better {
        Better::Higher => -high,
        Better::Lower | Better::Neither => low,
    };
    Outcome::AtLeast { worse, allowed: gate.slack.amount(old), p_holm: change.p_holm }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::comparison::Verdict;
    use crate::study::statistics::estimate::Estimate;

    fn estimate(mean: Option<f64>, half: Option<f64>, n: u64) -> Estimate {
        let ci95 = mean.zip(half).map(|(mean, half)| (mean - half, mean + half));
        Estimate { mean, ci95, n }
    }

    /// What a gate makes of means with so many runs each and a difference.
    fn found(
        gate: &str,
        old: (Option<f64>, u64),
        new: (Option<f64>, u64),
        half: Option<f64>,
    ) -> Outcome {
        let gate = Gate::parse(gate).unwrap();
        let difference = new.0.zip(old.0).map(|(new, old)| new - old);
        let change = Change {
            metric: gate.metric,
            old: estimate(old.0, None, old.1),
            new: estimate(new.0, None, new.1),
            difference: estimate(difference, half, old.1.min(new.1)),
            relative: None,
            correlation: None,
            p: None,
            p_holm: None,
            verdict: Verdict::NoDifference,
        };
        outcome(gate, &change)
    }

    #[test]
    fn the_end_in_favour_of_the_new_one_is_held_against_the_slack() {
        let half = Some(0.25);
        for (gate, old, new, worse, allowed, passes) in [
            // From 2 to 2.5 ± 0.25: worse by 0.25 at least.
            ("amplification", 2.0, 2.5, 0.25, 0.0, false),
            ("amplification=10%", 2.0, 2.5, 0.25, 0.2, false),
            ("amplification=0.25", 2.0, 2.5, 0.25, 0.25, true),
            // A doubt is no failure.
            ("amplification", 2.0, 2.125, -0.125, 0.0, true),
            ("goodput_per_s", 2.0, 1.5, 0.25, 0.0, false),
            ("goodput_per_s", 2.0, 2.5, -0.75, 0.0, true),
        ] {
            let outcome = found(gate, (Some(old), 30), (Some(new), 30), half);
            assert_eq!(
                outcome,
                Outcome::AtLeast { worse, allowed, p_holm: None },
                "{gate} {old} {new}"
            );
            assert_eq!(outcome.passes(), passes, "{gate} {old} {new}");
        }
    }

    #[test]
    fn an_estimate_that_is_gone_fails_and_a_new_one_passes() {
        let gate = "recovery_ms=1e9";
        assert_eq!(found(gate, (Some(1.0), 30), (None, 0), None), Outcome::Lost);
        assert_eq!(found(gate, (Some(1.0), 30), (Some(1.0), 1), None), Outcome::Lost);
        assert_eq!(found(gate, (None, 0), (Some(1.0), 30), None), Outcome::NothingBefore);
        assert!(!Outcome::Lost.passes() && Outcome::NothingBefore.passes());
        let single = found("recovery_ms", (Some(1.0), 1), (Some(3.0), 1), None);
        assert_eq!(single, Outcome::AtLeast { worse: 2.0, allowed: 0.0, p_holm: None });
    }

    #[test]
    fn what_does_not_stand_after_the_correction_fails_nothing() {
        let passes = |p_holm| Outcome::AtLeast { worse: 2.0, allowed: 1.0, p_holm }.passes();
        assert!(passes(Some(0.05)) && !passes(Some(0.049)) && !passes(None));
    }
}
