//! Finalists and today's policy on replications that the search has not seen.

use std::ops::Range;

use super::contender::{Contender, contenders};
use super::goal::{Combination, Goal};
use super::search::Found;
use super::simulated::Simulated;
use super::trial::Sample;
use crate::experiment::cell::Cell;
use crate::experiment::node::Node;
use crate::study::runner::StudyError;
use crate::study::statistics::estimate::Estimator;
use crate::study::statistics::holm::{SIGNIFICANT, adjusted};
use crate::study::statistics::paired::{Paired, paired};

/// The first replication of the confirmation: no search and no `run` gets so far.
pub const FRESH: u64 = 1_000_000;

/// Finalists that are confirmed together.
pub const BATCH: usize = 5;

/// So many batches at most are tried until one holds a policy that keeps the constraints.
pub const BATCHES: usize = 2;

/// Fresh replications, so many.
pub fn fresh(replications: u64) -> Range<u64> {
    FRESH..FRESH + replications
}

/// What the confirmation gave.
#[derive(Clone, Debug)]
pub struct Confirmed {
    /// The goal, relative to what today's policy reached on the fresh replications.
    pub goal: Goal,
    /// Today's policy.
    pub today: Contender,
    /// The finalists, as the search has ordered them.
    pub finalists: Vec<Contender>,
    /// Which of them is recommended: the first that keeps the constraints here, too. If none does,
    /// the one that breaks them least.
    pub winner: usize,
    /// What the objective of each other finalist is above the winner's, replication by replication.
    pub differences: Vec<(usize, Difference)>,
}

/// A paired difference and its p-value among all that are looked at together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    /// The pairs.
    pub paired: Paired,
    /// Corrected after Holm; `None` where there is none.
    pub p: Option<f64>,
}

impl Difference {
    /// Whether a difference is shown at 5 %.
    pub fn is_shown(&self) -> bool {
        self.p.is_some_and(|p| p < SIGNIFICANT)
    }
}

impl Confirmed {
    /// The recommended policy.
    pub fn winner(&self) -> &Contender {
        &self.finalists[self.winner]
    }

    /// The next best that keeps the constraints, or else the next.
    pub fn runner_up(&self) -> Option<&Contender> {
        let others = || self.finalists.iter().enumerate().filter(|(i, _)| *i != self.winner);
        let feasible = others().find(|(_, contender)| contender.standing.is_feasible());
        feasible.or_else(|| others().next()).map(|(_, contender)| contender)
    }
}

/// Confirms the best of what was found in so many fresh replications; `None` if nothing was.
///
/// # Errors
///
/// A unit can't be written.
pub fn confirm(
    trial: &mut Simulated<'_>,
    goal: &Goal,
    found: &Found,
    today: (&Node, &[Cell]),
    replications: u64,
) -> Result<Option<Confirmed>, StudyError> {
    let today = vec![(None, today.0.clone(), today.1.to_vec())];
    let Some(mut today) = contenders(trial, goal, today, replications)?.pop() else {
        return Ok(None);
    };
    let goal = goal.relative_to(&today.samples);
    today.judge(&goal, &trial.columns);
    let mut finalists: Vec<Contender> = Vec::new();
    for batch in found.ranking.chunks(BATCH).take(BATCHES) {
        let policies = batch.iter().filter_map(|index| {
            let policy = trial.policy(&found.candidates[*index].point)?;
            let cells = trial.cells(&policy).ok()?;
            Some((Some(*index), policy, cells))
        });
        let policies = policies.collect();
        finalists.extend(contenders(trial, &goal, policies, replications)?);
        if finalists.iter().any(|finalist| finalist.standing.is_feasible()) {
            break;
        }
    }
    let first = finalists.iter().position(|finalist| finalist.standing.is_feasible());
    let least = || {
        let by_standing =
            |a: &usize, b: &usize| finalists[*a].standing.order(&finalists[*b].standing);
        (0..finalists.len()).min_by(by_standing)
    };
    let Some(winner) = first.or_else(least) else { return Ok(None) };
    let indices: Vec<usize> = (0..finalists.len()).filter(|index| *index != winner).collect();
    let others: Vec<_> = indices.iter().map(|index| &finalists[*index].samples[..]).collect();
    let differences = differences(&goal, &finalists[winner].samples, &others);
    let differences = indices.into_iter().zip(differences).collect();
    Ok(Some(Confirmed { goal, today, finalists, winner, differences }))
}

/// What the objective of each of `others` is above that of `base`, pair by pair of replications.
pub fn differences(goal: &Goal, base: &[Sample], others: &[&[Sample]]) -> Vec<Difference> {
    let mut estimator = Estimator::default();
    let base = goal.series(base).unwrap_or_default();
    let pairs: Vec<Paired> =
        others.iter().map(|other| difference(goal, &base, other, &mut estimator)).collect();
    let tested: Vec<usize> = (0..pairs.len()).filter(|index| pairs[*index].p.is_some()).collect();
    let p: Vec<f64> = tested.iter().filter_map(|index| pairs[*index].p).collect();
    let mut differences: Vec<_> =
        pairs.into_iter().map(|paired| Difference { paired, p: None }).collect();
    for (index, p) in tested.into_iter().zip(adjusted(&p)) {
        differences[index].p = Some(p);
    }
    differences
}

/// What the objective of a policy is above `base`, the series of another.
///
/// If the worst experiment counts, whoever is worse in any experiment than the other is in its worst
/// is worse, and that is clearest where both are paired: p is then corrected for the number of
/// experiments (Bonferroni), and the difference is the one in that experiment. Whoever is better has
/// to be so in every experiment: the largest p counts.
fn difference(goal: &Goal, base: &[f64], other: &[Sample], estimator: &mut Estimator) -> Paired {
    let own = paired(&goal.series(other).unwrap_or_default(), base, estimator);
    if goal.combination != Combination::Worst {
        return own;
    }
    let each = goal.each(other).unwrap_or_default();
    let each: Vec<_> = each.iter().map(|series| paired(series, base, estimator)).collect();
    let worse = each.iter().filter(|pair| pair.difference.mean.is_some_and(|mean| mean > 0.0));
    let by_p = |a: &f64, b: &f64| a.total_cmp(b);
    let clearest = worse.filter_map(|pair| Some((pair.p?, pair))).min_by(|a, b| by_p(&a.0, &b.0));
    match clearest {
        Some((p, pair)) => Paired { p: Some((p * each.len() as f64).min(1.0)), ..*pair },
        None => Paired { p: each.iter().filter_map(|pair| pair.p).max_by(by_p), ..own },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::tune::goal::Objective;

    /// In the first experiment the other is 0.2 worse without any doubt; in the second, where it is
    /// worst, noise of ± 5 hides everything.
    #[test]
    fn the_clearest_experiment_shows_that_another_is_worse() {
        let objectives = [0, 1].map(|column| Objective { column, scale: 1.0 }).to_vec();
        let combination = Combination::Worst;
        let goal = Goal { objectives, combination, constraints: Vec::new() };
        let noise = [-5.0, 5.0, -5.0, 5.0, -5.0, 5.0];
        let base: Vec<Sample> = noise.iter().map(|n| vec![Some(1.0), Some(0.5 + n)]).collect();
        let other: Vec<Sample> = noise.iter().map(|n| vec![Some(1.2), Some(1.5 + n)]).collect();
        let found = differences(&goal, &base, &[&other]);
        assert!(found[0].is_shown(), "{found:?}");
        assert!((found[0].paired.difference.mean.unwrap() - 0.2).abs() < 1e-12, "{found:?}");
        assert!(!differences(&goal, &base, &[&base])[0].is_shown());
    }

    /// The differences 0.52 and 1.48, twice each: t = 1 / (0.48 / √3) = 3.61, p = 0.037, which two
    /// experiments make 0.073. In the first the other is better.
    #[test]
    fn the_worst_of_several_experiments_is_corrected_like_any() {
        let objectives = [0, 1].map(|column| Objective { column, scale: 1.0 }).to_vec();
        let combination = Combination::Worst;
        let goal = Goal { objectives, combination, constraints: Vec::new() };
        let base = vec![vec![Some(0.0), Some(1.0)]; 4];
        let noise = [-0.48, 0.48, -0.48, 0.48];
        let other: Vec<Sample> = noise.iter().map(|n| vec![Some(0.0), Some(2.0 + n)]).collect();
        let found = differences(&goal, &base, &[&other]);
        assert!((found[0].p.unwrap() - 2.0 * 0.036_5).abs() < 1e-3, "{found:?}");
    }
}
