//! What is wanted: a combined objective to make small, and constraints to keep.

use std::cmp::Ordering;

use super::trial::Sample;
use crate::experiment::condition::Comparison;
use crate::study::statistics::estimate::{Estimate, Estimator};

/// What is wanted of a candidate. Columns are those of a [`Sample`].
#[derive(Clone, Debug)]
pub struct Goal {
    /// One an experiment.
    pub objectives: Vec<Objective>,
    /// How several experiments' objectives become one.
    pub combination: Combination,
    /// What must hold.
    pub constraints: Vec<Constraint>,
}

/// A metric to make small.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Objective {
    /// Its column.
    pub column: usize,
    /// What it is divided by: what today's policy reaches.
    pub scale: f64,
}

/// How the objectives of several experiments become one.
#[derive(Clone, Debug, PartialEq)]
pub enum Combination {
    /// The worst experiment counts.
    Worst,
    /// The mean, by these weights, one an experiment.
    Weighted(Vec<f64>),
}

/// A bound on the mean of a column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Constraint {
    /// The column.
    pub column: usize,
    /// Which side of the bound is right.
    pub comparison: Comparison,
    /// The bound.
    pub bound: f64,
    /// Whether it bounds what the objective is set against in the Pareto front.
    pub is_on_cost: bool,
}

/// How well a candidate does on its samples.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    /// The combined objective; `None` if some replication has none.
    pub objective: Option<Estimate>,
    /// How far constraints are broken in all, each relative to its bound, at the ends of their
    /// intervals that are least in their favour; 0 if they hold, infinite where there is no
    /// estimate.
    pub violation: f64,
}

impl Standing {
    /// Whether all constraints hold and there is an objective.
    pub fn is_feasible(&self) -> bool {
        self.violation == 0.0 && self.objective.is_some()
    }

    /// Which is better, the better first: what keeps the constraints by its objective, and what
    /// breaks them by how little.
    pub fn order(&self, other: &Standing) -> Ordering {
        let mean = |standing: &Standing| {
            standing.objective.and_then(|objective| objective.mean).unwrap_or(f64::INFINITY)
        };
        let by_objective = || mean(self).total_cmp(&mean(other));
        match (self.is_feasible(), other.is_feasible()) {
            (true, true) => by_objective(),
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
            (false, false) => self.violation.total_cmp(&other.violation).then_with(by_objective),
        }
    }
}

impl Goal {
    /// The goal with each objective relative to its mean in `today`, the samples of a policy. One
    /// that has no mean, or the mean 0, stays as it is measured.
    #[must_use]
    pub fn relative_to(&self, today: &[Sample]) -> Goal {
        let scale = |column: usize| {
            let values = today.iter().filter_map(|sample| sample[column]);
            let mean = Estimator::default().estimate(values).mean;
            mean.filter(|mean| *mean != 0.0).map_or(1.0, f64::abs)
        };
        let objectives = self.objectives.iter();
        let objectives = objectives.map(|o| Objective { column: o.column, scale: scale(o.column) });
        Goal { objectives: objectives.collect(), ..self.clone() }
    }

    /// How a candidate with these samples does. Constraints are judged at `margin` times half the
    /// interval from the mean: 1 is the end of the interval itself.
    pub fn standing(&self, samples: &[Sample], margin: f64) -> Standing {
        let mut estimator = Estimator::default();
        let objective = self.series(samples);
        let objective = objective.map(|series| estimator.estimate(series.into_iter()));
        let violations = self.constraints.iter().map(|constraint| {
            let value = constraint.judged(samples, margin, &mut estimator);
            value.map_or(f64::INFINITY, |value| constraint.violation(value))
        });
        Standing { objective, violation: violations.sum() }
    }

    /// The objective of each experiment by replication; `None` if some replication lacks one.
    pub fn each(&self, samples: &[Sample]) -> Option<Vec<Vec<f64>>> {
        let ratios = |objective: &Objective| {
            let values =
                samples.iter().map(|sample| Some(sample[objective.column]? / objective.scale));
            values.collect()
        };
        self.objectives.iter().map(ratios).collect()
    }

    /// The combined objective by replication; `None` if some replication lacks a part of it. Under
    /// [`Combination::Worst`] it is that of the experiment that is worst on average: a mean of
    /// worst replications would judge the worlds, not the policy.
    pub fn series(&self, samples: &[Sample]) -> Option<Vec<f64>> {
        let ratios = self.each(samples)?;
        match &self.combination {
            Combination::Worst => {
                let sum = |series: &Vec<f64>| series.iter().sum::<f64>();
                ratios.into_iter().reduce(
                    |worst, next| {
                        if sum(&next) > sum(&worst) { next } else { worst }
                    },
                )
            }
            Combination::Weighted(weights) => {
                let total: f64 = weights.iter().sum();
                let mean = |replication: usize| {
                    let parts =
                        ratios.iter().zip(weights).map(|(series, w)| w * series[replication]);
                    parts.sum::<f64>() / total
                };
                Some((0..samples.len()).map(mean).collect())
            }
        }
    }
}

impl Constraint {
    /// What is held against the bound: the end of the interval that is least in its favour.
    fn judged(&self, samples: &[Sample], margin: f64, estimator: &mut Estimator) -> Option<f64> {
        let values = samples.iter().filter_map(|sample| sample[self.column]);
        let estimate = estimator.estimate(values);
        let reach = margin * estimate.half_width()?;
        let mean = estimate.mean?;
        Some(if self.comparison.is_upper_bound() { mean + reach } else { mean - reach })
    }

    /// How far `value` is beyond the bound, relative to it; 0 if it is not.
    pub(super) fn violation(&self, value: f64) -> f64 {
        if self.comparison.holds(value, self.bound) {
            return 0.0;
        }
        let scale = if self.bound == 0.0 { 1.0 } else { self.bound.abs() };
        // A value at a bound that it must not reach is not beyond it, yet it breaks it.
        ((value - self.bound).abs() / scale).max(f64::MIN_POSITIVE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn goal(combination: Combination) -> Goal {
        Goal {
            objectives: vec![
                Objective { column: 0, scale: 10.0 },
                Objective { column: 1, scale: 100.0 },
            ],
            combination,
            constraints: vec![Constraint {
                column: 2,
                comparison: Comparison::AtLeast,
                bound: 0.9,
                is_on_cost: false,
            }],
        }
    }

    /// Ratios 1 and 3 (mean 2) against 2.5 and 2.5.
    fn samples(constrained: [f64; 2]) -> Vec<Sample> {
        vec![
            vec![Some(10.0), Some(250.0), Some(constrained[0])],
            vec![Some(30.0), Some(250.0), Some(constrained[1])],
        ]
    }

    #[test]
    fn experiments_are_combined_by_the_worst_or_by_weights() {
        let series = |combination| goal(combination).series(&samples([1.0, 1.0])).unwrap();
        assert_eq!(series(Combination::Worst), [2.5, 2.5]);
        assert_eq!(series(Combination::Weighted(vec![1.0, 1.0])), [1.75, 2.75]);
        assert_eq!(series(Combination::Weighted(vec![3.0, 0.0])), [1.0, 3.0]);
        let mut samples = samples([1.0, 1.0]);
        samples[1][0] = None;
        assert_eq!(goal(Combination::Worst).series(&samples), None);
    }

    /// Two values 0.92 and 0.94: s/√2 = 0.01, t(1) = 12.7062, so the lower end is 0.93 - 0.127062.
    #[test]
    fn constraints_are_judged_at_the_unfavourable_end() {
        let goal = goal(Combination::Worst);
        let standing = goal.standing(&samples([0.92, 0.94]), 1.0);
        let expected = (0.9 - (0.93 - 0.127_062)) / 0.9;
        assert!((standing.violation - expected).abs() < 1e-6, "{standing:?}");
        assert!(goal.standing(&samples([0.92, 0.94]), 0.0).is_feasible());
        let none = vec![vec![Some(1.0), Some(1.0), None]; 2];
        assert_eq!(goal.standing(&none, 1.0).violation, f64::INFINITY);
    }

    #[test]
    fn feasible_candidates_lead_and_the_others_go_by_what_they_break() {
        let standing = |mean, violation| Standing {
            objective: Some(Estimate { mean: Some(mean), ci95: None, n: 1 }),
            violation,
        };
        let mut all =
            [standing(1.0, 0.2), standing(9.0, 0.1), standing(5.0, 0.0), standing(4.0, 0.0)];
        all.sort_by(Standing::order);
        let means = all.map(|standing| standing.objective.unwrap().mean.unwrap());
        assert_eq!(means, [4.0, 5.0, 9.0, 1.0]);
    }
}
