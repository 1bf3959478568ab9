//! The Pareto front: what less of the objective costs.

use super::goal::{Goal, Standing};
use super::search::{FULL, Found};
use super::trial::Sample;
use crate::measure::metric::Better;
use crate::study::statistics::estimate::{Estimate, Estimator};

/// What the objective is set against.
#[derive(Clone, Debug)]
pub struct Cost {
    /// The metric's name.
    pub metric: &'static str,
    /// Which way it is better.
    pub better: Better,
    /// Its columns, one an experiment.
    pub columns: Vec<usize>,
}

/// A policy by objective and cost.
#[derive(Clone, Debug)]
pub struct Trade {
    /// Its number among the candidates; `None` is today's policy.
    pub candidate: Option<usize>,
    /// The combined objective.
    pub objective: Estimate,
    /// The cost, in the experiment where it is worst.
    pub cost: Estimate,
    /// Whether all constraints hold.
    pub is_feasible: bool,
    /// Whether no other policy is better in one and not worse in the other, of those that keep all
    /// constraints but those on the cost.
    pub is_on_front: bool,
    /// Replications.
    pub replications: u64,
}

impl Cost {
    /// The cost of a policy in the experiment where it is worst on average.
    pub fn of(&self, samples: &[Sample]) -> Estimate {
        let mut estimator = Estimator::default();
        let estimates = self
            .columns
            .iter()
            .map(|column| estimator.estimate(samples.iter().filter_map(|sample| sample[*column])));
        let all: Vec<Estimate> = estimates.collect();
        let worst = all.iter().reduce(|worst, next| {
            let is_worse = match (worst.mean, next.mean) {
                (Some(worst), Some(next)) => self.is_better(worst, next),
                (None, _) => true,
                (Some(_), None) => false,
            };
            if is_worse { next } else { worst }
        });
        worst.copied().unwrap_or(Estimate { mean: None, ci95: None, n: 0 })
    }

    fn is_better(&self, a: f64, b: f64) -> bool {
        match self.better {
            Better::Lower | Better::Neither => a < b,
            Better::Higher => a > b,
        }
    }
}

/// Today's policy and all candidates with at least half of the replications, the front marked.
/// Candidates without an estimate of both are left out.
pub fn trades(goal: &Goal, cost: &Cost, found: &Found, today: &[Sample]) -> Vec<Trade> {
    // What breaks another constraint is no way to a lower cost.
    let mut others = goal.clone();
    others.constraints.retain(|constraint| !constraint.is_on_cost);
    let known = found.candidates.iter().enumerate().map(|(index, c)| (Some(index), &c.samples[..]));
    let known = known.filter(|(_, samples)| samples.len() as u64 >= FULL / 2);
    let mut trades: Vec<(Trade, bool)> = std::iter::once((None, today))
        .chain(known)
        .filter_map(|(candidate, samples)| {
            let Standing { objective, .. } = goal.standing(samples, 1.0);
            let (objective, cost) = (objective?, cost.of(samples));
            cost.mean?;
            let is_feasible = goal.standing(samples, 1.0).is_feasible();
            let competes = others.standing(samples, 1.0).is_feasible();
            let replications = samples.len() as u64;
            let is_on_front = false;
            let trade =
                Trade { candidate, objective, cost, is_feasible, is_on_front, replications };
            Some((trade, competes))
        })
        .collect();
    let places: Vec<Option<(f64, f64)>> = trades
        .iter()
        .map(|(trade, competes)| {
            competes.then_some(())?;
            Some((trade.objective.mean?, trade.cost.mean?))
        })
        .collect();
    for (index, (trade, _)) in trades.iter_mut().enumerate() {
        let Some(own) = places[index] else { continue };
        let beats = |other: &(f64, f64)| {
            let no_worse = other.0 <= own.0 && !cost.is_better(own.1, other.1);
            no_worse && (other.0 < own.0 || cost.is_better(other.1, own.1))
        };
        trade.is_on_front = !places.iter().flatten().any(beats);
    }
    trades.into_iter().map(|(trade, _)| trade).collect()
}
