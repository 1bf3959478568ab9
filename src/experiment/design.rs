//! Designs of experiments: how points are spread over a space of several dimensions.

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// How points are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Design {
    /// Each independent of all others.
    Random,
    /// Owen-scrambled Sobol points: evenly spread in all dimensions together, and any first part
    /// of them is, too (best with a power of two).
    Sobol,
    /// One point in each of `count` slices of every dimension (McKay, Beckman and Conover,
    /// Technometrics 21, 1979).
    LatinHypercube,
}

/// The most points of a design, which is what a Sobol sequence of 32-bit floats can tell apart.
pub const MAX_POINTS: usize = 1 << 16;

/// The most dimensions of a design.
pub const MAX_DIMENSIONS: usize = sobol_burley::NUM_DIMENSIONS as usize;

impl Design {
    /// `count` points of the unit cube, each with `dimensions` coordinates in [0, 1). The same for
    /// the same arguments, everywhere. Points above [`MAX_POINTS`] and dimensions above
    /// [`MAX_DIMENSIONS`] are left out.
    pub fn points(self, count: usize, dimensions: usize, seed: u64) -> Vec<Vec<f64>> {
        let (count, dimensions) = (count.min(MAX_POINTS), dimensions.min(MAX_DIMENSIONS));
        let mut rng = Pcg64::seed_from_u64(seed);
        match self {
            Design::Random => {
                let point = |rng: &mut Pcg64| (0..dimensions).map(|_| rng.random()).collect();
                (0..count).map(|_| point(&mut rng)).collect()
            }
            Design::Sobol => {
                // The scrambling has a seed of 32 bits; both halves of ours count.
                let scramble = (seed ^ (seed >> 32)) as u32;
                let coordinate = |point: usize, dimension: usize| {
                    sobol_burley::sample(point as u32, dimension as u32, scramble).into()
                };
                let point = |index| (0..dimensions).map(|d| coordinate(index, d)).collect();
                (0..count).map(point).collect()
            }
            Design::LatinHypercube => {
                let mut points = vec![Vec::with_capacity(dimensions); count];
                let mut slices: Vec<usize> = (0..count).collect();
                for _ in 0..dimensions {
                    slices.shuffle(&mut rng);
                    for (point, slice) in points.iter_mut().zip(&slices) {
                        let within: f64 = rng.random();
                        point.push((*slice as f64 + within) / count as f64);
                    }
                }
                points
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Design; 3] = [Design::Random, Design::Sobol, Design::LatinHypercube];

    #[test]
    fn points_lie_in_the_cube_and_depend_on_the_seed_alone() {
        for design in ALL {
            let points = design.points(64, 5, 7);
            assert_eq!((points.len(), points[63].len()), (64, 5), "{design:?}");
            assert!(points.iter().flatten().all(|x| (0.0..1.0).contains(x)), "{design:?}");
            assert_eq!(points, design.points(64, 5, 7), "{design:?}");
            assert_ne!(points, design.points(64, 5, 8), "{design:?}");
        }
    }

    /// 16 Sobol points or a hypercube of 16 have one point in every sixteenth of each dimension;
    /// independent ones have that with probability 16! / 16^16, about one in a million.
    #[test]
    fn stratified_designs_fill_every_slice() {
        for (design, fills) in ALL.into_iter().zip([false, true, true]) {
            let points = design.points(16, 3, 1);
            for dimension in 0..3 {
                let mut slices: Vec<_> =
                    points.iter().map(|point| (point[dimension] * 16.0) as usize).collect();
                slices.sort_unstable();
                assert_eq!(slices == (0..16).collect::<Vec<_>>(), fills, "{design:?} {dimension}");
            }
        }
    }

    /// The first point of a design must not depend on how many follow.
    #[test]
    fn sobol_points_can_be_continued() {
        assert_eq!(Design::Sobol.points(8, 2, 3), Design::Sobol.points(32, 2, 3)[..8]);
    }
}
