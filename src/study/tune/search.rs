//! The search: points spread over the cube, halved again and again while the rest get more
//! replications, then ever smaller boxes around the best.
//!
//! Successive halving (Karnin, Koren and Somekh, "Almost optimal exploration in multi-armed
//! bandits", ICML 2013) spends on each round about the same, so that replications go where the
//! decision is. All candidates meet the same replications.

use std::collections::BTreeSet;
use std::ops::Range;

use super::goal::{Goal, Standing};
use super::trial::{Sample, Trial};
use crate::experiment::design::Design;

/// Replications of the first round of halving.
pub const FIRST: u64 = 4;

/// Replications of the last: after three doublings.
pub const FULL: u64 = FIRST << 3;

/// Constraints are judged so many half intervals away from the mean while searching. The best of
/// many candidates at a bound is there by luck in part; with a margin it holds on fresh seeds, too.
const MARGIN: f64 = 1.5;

/// Candidates of the first round per candidate of the last.
const START_PER_FINALIST: usize = 8;

/// The fewest candidates to start from.
const FEWEST: usize = 8;

/// Candidates of a box around the best.
const BOX: usize = 12;

/// Half the width of the first box, as a share of the cube.
const FIRST_BOX: f64 = 0.3;

/// Where no candidate of a box is better, the next box is smaller by this factor.
const SHRINK: f64 = 0.7;

/// Boxes narrower than this differ by less than values are rounded to.
const LAST_BOX: f64 = 0.004;

/// The probability that a box keeps the choice of the best.
const KEEP: f64 = 0.6;

/// Points that may be skipped in a row before the space counts as exhausted.
const PATIENCE: usize = 4;

/// A candidate and what is known of it.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The point of the cube.
    pub point: Vec<f64>,
    /// Its samples, from replication 0 on.
    pub samples: Vec<Sample>,
    /// How it does on them.
    pub standing: Standing,
}

/// Everything the search has tried.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// All candidates in the order of trying.
    pub candidates: Vec<Candidate>,
    /// Those with [`FULL`] replications, the best first.
    pub ranking: Vec<usize>,
    /// Points that make no valid policy.
    pub invalid: usize,
}

/// The replications of candidates that the least search needs.
pub fn least_effort() -> u64 {
    halving_effort(FEWEST)
}

/// Replications of all rounds of halving from so many candidates.
fn halving_effort(start: usize) -> u64 {
    // The first round, and as many candidates again as are left, each as often again.
    let start = start as u64;
    start * FIRST + start / 2 * FIRST + start / 4 * 2 * FIRST + start / 8 * 4 * FIRST
}

/// Replications of a box.
fn box_effort() -> u64 {
    let size = BOX as u64;
    size * (FULL / 4) + size / 3 * (FULL / 4) + size / 6 * (FULL / 2)
}

/// Searches with at most `effort` replications of candidates (at least [`least_effort`]).
///
/// # Errors
///
/// The trial fails.
pub fn search<T: Trial>(
    trial: &mut T,
    goal: &Goal,
    effort: u64,
    seed: u64,
) -> Result<Found, T::Error> {
    let mut searcher = Searcher { trial, goal, seen: BTreeSet::new(), found: Found::default() };
    let dimensions = searcher.trial.choices().len();
    let mut start = FEWEST;
    while halving_effort(2 * start) <= effort / 2 {
        start *= 2;
    }
    let points = Design::Sobol.points(start * PATIENCE, dimensions, seed);
    let group = searcher.admit(points, start);
    searcher.halve(group, START_PER_FINALIST, FIRST)?;
    searcher.rank();

    let mut left = effort.saturating_sub(halving_effort(start));
    let mut half_width = FIRST_BOX;
    let mut round = 0;
    while left >= box_effort() && half_width >= LAST_BOX && dimensions > 0 {
        let Some(best) = searcher.found.ranking.first().copied() else { break };
        round += 1;
        let design = Design::Sobol.points(BOX * PATIENCE, dimensions, seed.wrapping_add(round));
        let points = searcher.around(best, half_width, design);
        let group = searcher.admit(points, BOX);
        left -= box_effort();
        if group.is_empty() {
            half_width *= SHRINK;
            continue;
        }
        searcher.halve(group, BOX / 2, FULL / 4)?;
        searcher.rank();
        if searcher.found.ranking.first() == Some(&best) {
            half_width *= SHRINK;
        }
    }
    Ok(searcher.found)
}

struct Searcher<'a, T: Trial> {
    trial: &'a mut T,
    goal: &'a Goal,
    /// Points that were met before, by their bits.
    seen: BTreeSet<Vec<u64>>,
    found: Found,
}

impl<T: Trial> Searcher<'_, T> {
    /// Makes candidates of the first `count` points that are new and valid.
    fn admit(&mut self, points: Vec<Vec<f64>>, count: usize) -> Vec<usize> {
        let mut group = Vec::new();
        for point in points {
            if group.len() == count {
                break;
            }
            let point = self.trial.snap(&point);
            let bits = point.iter().map(|share| share.to_bits()).collect();
            if !self.seen.insert(bits) {
                continue;
            }
            if !self.trial.is_valid(&point) {
                self.found.invalid += 1;
                continue;
            }
            group.push(self.found.candidates.len());
            let standing = Standing { objective: None, violation: f64::INFINITY };
            self.found.candidates.push(Candidate { point, samples: Vec::new(), standing });
        }
        group
    }

    /// Points of a box around a candidate.
    fn around(&self, best: usize, half_width: f64, design: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
        let centre = &self.found.candidates[best].point;
        let choices = self.trial.choices();
        let place = |point: Vec<f64>| {
            let coordinates = point.into_iter().zip(centre).zip(&choices);
            coordinates
                .map(|((share, centre), choices)| match choices {
                    // A share below `KEEP` keeps the choice, the rest of them is dealt to all.
                    Some(_) if share < KEEP => *centre,
                    Some(_) => (share - KEEP) / (1.0 - KEEP),
                    None => (centre + half_width * (2.0 * share - 1.0)).clamp(0.0, 1.0),
                })
                .collect()
        };
        design.into_iter().map(place).collect()
    }

    /// Gives the candidates of a group `replications` in all, then again twice as many to the
    /// better half, until the best have [`FULL`]. `per_finalist` of them compete for each place at
    /// the end.
    fn halve(
        &mut self,
        mut group: Vec<usize>,
        per_finalist: usize,
        mut replications: u64,
    ) -> Result<(), T::Error> {
        let finalists = (group.len() / per_finalist).max(1);
        loop {
            self.extend(&group, replications)?;
            group.sort_by(|a, b| self.standing(*a).order(self.standing(*b)).then(a.cmp(b)));
            if let Some(best) = group.first() {
                let Candidate { point, standing, .. } = &self.found.candidates[*best];
                self.trial.leads(point, standing);
            }
            if replications >= FULL {
                return Ok(());
            }
            replications *= 2;
            // From a box of 12, 4 and then 2 go on; from a start of 64, 32, 16 and 8.
            let kept = match replications >= FULL {
                true => finalists,
                false if per_finalist == START_PER_FINALIST => group.len() / 2,
                false => group.len() / 3,
            };
            group.truncate(kept.max(finalists));
        }
    }

    fn standing(&self, candidate: usize) -> &Standing {
        &self.found.candidates[candidate].standing
    }

    /// Gives the candidates of a group so many replications in all.
    fn extend(&mut self, group: &[usize], replications: u64) -> Result<(), T::Error> {
        let candidates = &self.found.candidates;
        let jobs: Vec<(&[f64], Range<u64>)> = group
            .iter()
            .map(|index| {
                let candidate = &candidates[*index];
                let made = candidate.samples.len() as u64;
                (&candidate.point[..], made.min(replications)..replications)
            })
            .collect();
        let samples = self.trial.sample(&jobs)?;
        for (index, samples) in group.iter().zip(samples) {
            let candidate = &mut self.found.candidates[*index];
            candidate.samples.extend(samples);
            // As far from the mean as it would be with all replications: the wide intervals of the
            // first rounds would leave nothing but candidates far from every bound.
            let share = candidate.samples.len() as f64 / FULL as f64;
            let margin = MARGIN * libm::sqrt(share.min(1.0));
            candidate.standing = self.goal.standing(&candidate.samples, margin);
        }
        Ok(())
    }

    /// Orders the candidates that have all replications.
    fn rank(&mut self) {
        let candidates = &self.found.candidates;
        let full = |index: &usize| candidates[*index].samples.len() as u64 >= FULL;
        let mut ranking: Vec<usize> = (0..candidates.len()).filter(full).collect();
        ranking.sort_by(|a, b| candidates[*a].standing.order(&candidates[*b].standing));
        self.found.ranking = ranking;
    }
}

#[cfg(test)]
mod tests;
