//! The search on noisy functions whose best point is known.

use std::convert::Infallible;
use std::ops::Range;

use super::*;
use crate::experiment::condition::Comparison;
use crate::study::tune::goal::{Combination, Constraint, Objective};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// A function of the cube with noise, the same in a replication for all points.
struct Noisy<F> {
    of: F,
    choices: Vec<Option<usize>>,
    noise: f64,
    /// Replications of points asked for.
    spent: u64,
}

impl<F: Fn(&[f64]) -> Option<Vec<f64>>> Trial for Noisy<F> {
    type Error = Infallible;

    fn choices(&self) -> Vec<Option<usize>> {
        self.choices.clone()
    }

    fn snap(&self, point: &[f64]) -> Vec<f64> {
        let pairs = point.iter().zip(&self.choices);
        let snapped = pairs.map(|(share, choices)| match choices {
            Some(n) => ((share * *n as f64).floor().min(*n as f64 - 1.0) + 0.5) / *n as f64,
            None => *share,
        });
        snapped.collect()
    }

    fn is_valid(&self, point: &[f64]) -> bool {
        (self.of)(point).is_some()
    }

    fn sample(&mut self, points: &[(&[f64], Range<u64>)]) -> Result<Vec<Vec<Sample>>, Infallible> {
        let mut all = Vec::new();
        for (point, replications) in points {
            self.spent += replications.end - replications.start;
            let values = (self.of)(point).unwrap();
            let sample = |replication: u64| {
                let mut shared = Pcg64::seed_from_u64(replication);
                // Most of the noise is the replication's, some the point's own.
                let own =
                    point.iter().map(|share| share.to_bits()).fold(replication, u64::wrapping_add);
                let mut own = Pcg64::seed_from_u64(own.wrapping_mul(0x9E37_79B9_7F4A_7C15));
                let mut noise = || {
                    let shared: f64 = shared.random();
                    let own: f64 = own.random();
                    self.noise * (shared + 0.5 * own - 0.75)
                };
                values.iter().map(|value| Some(value + noise())).collect()
            };
            all.push(replications.clone().map(sample).collect());
        }
        Ok(all)
    }
}

fn goal(constraints: Vec<Constraint>) -> Goal {
    let objectives = vec![Objective { column: 0, scale: 1.0 }];
    Goal { objectives, combination: Combination::Worst, constraints }
}

fn best(found: &Found) -> &Candidate {
    &found.candidates[found.ranking[0]]
}

/// A bowl (x - 0.7)² + (y - 0.7)², of which x + y ≤ 1 leaves the half below the diagonal: the best
/// point is (0.5, 0.5), with 0.08. The noise has a standard deviation of 0.03.
#[test]
fn a_bowl_with_a_binding_constraint() {
    for seed in 1..=5 {
        let mut trial = Noisy {
            of: |p: &[f64]| Some(vec![(p[0] - 0.7).powi(2) + (p[1] - 0.7).powi(2), p[0] + p[1]]),
            choices: vec![None, None],
            noise: 0.1,
            spent: 0,
        };
        let bound =
            Constraint { column: 1, comparison: Comparison::AtMost, bound: 1.0, is_on_cost: false };
        let effort = 2000;
        let Ok(found) = search(&mut trial, &goal(vec![bound]), effort, seed);
        let Candidate { point, standing, .. } = best(&found);
        assert!(standing.is_feasible(), "seed {seed}: {standing:?}");
        let distance = ((point[0] - 0.5).powi(2) + (point[1] - 0.5).powi(2)).sqrt();
        assert!(distance < 0.08, "seed {seed}: {point:?}");
        assert!(point[0] + point[1] <= 1.0, "seed {seed}: {point:?}");
        assert!(trial.spent <= effort, "{}", trial.spent);
    }
}

/// Branin's function in [-5, 10] × [0, 15], scaled to about 1, has three lowest points: (-π, 12.275),
/// (π, 2.275) and (9.42478, 2.475), each 0.397887 (Dixon and Szegő, 1978). The third dimension
/// chooses what is added: nothing in the second of its four places.
#[test]
fn branin_with_a_choice() {
    let (pi, minima) = (
        std::f64::consts::PI,
        [(-std::f64::consts::PI, 12.275), (std::f64::consts::PI, 2.275), (9.424_78, 2.475)],
    );
    let place = |p: &[f64]| (15.0 * p[0] - 5.0, 15.0 * p[1]);
    for seed in 1..=5 {
        let mut trial = Noisy {
            of: |p: &[f64]| {
                let (x, y) = place(p);
                let bend = y - 5.1 / (4.0 * pi * pi) * x * x + 5.0 / pi * x - 6.0;
                let branin = bend * bend + 10.0 * (1.0 - 1.0 / (8.0 * pi)) * x.cos() + 10.0;
                let added = [20.0, 0.0, 10.0, 40.0][(p[2] * 4.0) as usize];
                // A corner of the space makes no valid point.
                (p[0] + p[1] < 1.9).then(|| vec![branin + added])
            },
            choices: vec![None, None, Some(4)],
            noise: 1.0,
            spent: 0,
        };
        let Ok(found) = search(&mut trial, &goal(Vec::new()), 3000, seed);
        let point = &best(&found).point;
        assert_eq!((point[2] * 4.0) as usize, 1, "seed {seed}");
        let (x, y) = place(point);
        let near = minima.iter().map(|(a, b)| ((x - a).powi(2) + (y - b).powi(2)).sqrt());
        let near = near.fold(f64::INFINITY, f64::min);
        assert!(near < 0.5, "seed {seed}: ({x}, {y}) is {near} away");
    }
}

/// Where nothing keeps the constraint, what breaks it least is found: x ≥ 2 at x = 1.
#[test]
fn constraints_that_cannot_be_met_leave_the_least_violation() {
    let mut trial = Noisy {
        of: |p: &[f64]| Some(vec![p[0], p[0]]),
        choices: vec![None],
        noise: 0.01,
        spent: 0,
    };
    let bound =
        Constraint { column: 1, comparison: Comparison::AtLeast, bound: 2.0, is_on_cost: false };
    let Ok(found) = search(&mut trial, &goal(vec![bound]), 1500, 1);
    assert!(!best(&found).standing.is_feasible());
    assert!(best(&found).point[0] > 0.97, "{:?}", best(&found).point);
}

/// Two choices are all there is, and every point of the second is invalid.
#[test]
fn a_space_with_few_points_is_tried_out() {
    let mut trial = Noisy {
        of: |p: &[f64]| (p[0] < 0.5).then(|| vec![p[0]]),
        choices: vec![Some(2)],
        noise: 0.0,
        spent: 0,
    };
    let Ok(found) = search(&mut trial, &goal(Vec::new()), 1000, 1);
    assert_eq!((found.candidates.len(), found.invalid, found.ranking.len()), (1, 1, 1));
}

#[test]
fn a_search_is_the_same_each_time_and_differs_by_seed() {
    let run = |seed| {
        let mut trial = Noisy {
            of: |p: &[f64]| Some(vec![p[0] + p[1]]),
            choices: vec![None, Some(3)],
            noise: 0.1,
            spent: 0,
        };
        let Ok(found) = search(&mut trial, &goal(Vec::new()), 600, seed);
        found.candidates.into_iter().map(|candidate| candidate.point).collect::<Vec<_>>()
    };
    assert_eq!(run(1), run(1));
    assert_ne!(run(1), run(2));
}
