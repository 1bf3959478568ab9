//! The Poisson distribution.

use crate::engine::stream::Stream;

/// Above this mean the transformed rejection applies; below it inversion is as fast.
const REJECTION_FROM: f64 = 10.0;

/// A Poisson distribution, with what its draws have in common.
#[derive(Clone, Copy, Debug)]
pub enum Poisson {
    /// Inversion: multiplies up the probabilities until they exceed a uniform number.
    Inversion {
        /// The mean.
        mean: f64,
        /// e^(−mean), the probability of zero.
        zero: f64,
    },
    /// Transformed rejection (Hörmann, "The transformed rejection method for generating Poisson
    /// random variables", 1993, algorithm PTRS): a draw costs the same for any mean.
    Rejection {
        /// The mean.
        mean: f64,
        /// Its logarithm.
        ln_mean: f64,
        /// The algorithm's b: the width of the hat.
        b: f64,
    },
}

impl Poisson {
    /// The distribution with this mean, which must be finite and not negative.
    pub fn new(mean: f64) -> Self {
        if mean < REJECTION_FROM {
            return Poisson::Inversion { mean, zero: libm::exp(-mean) };
        }
        let b = 0.931 + 2.53 * libm::sqrt(mean);
        Poisson::Rejection { mean, ln_mean: libm::log(mean), b }
    }

    /// A draw.
    pub fn sample(&self, stream: &mut Stream) -> u64 {
        match *self {
            // Mean zero: nothing is random, so nothing is drawn.
            Poisson::Inversion { zero: 1.0, .. } => 0,
            Poisson::Inversion { mean, zero } => invert(mean, zero, stream.next_open01()),
            Poisson::Rejection { mean, ln_mean, b } => reject(mean, ln_mean, b, stream),
        }
    }
}

fn invert(mean: f64, zero: f64, u: f64) -> u64 {
    let (mut count, mut probability, mut reached) = (0, zero, zero);
    // Rounding may leave the sum just below the largest u; far out the probabilities vanish.
    while u > reached && probability > 0.0 {
        count += 1;
        probability *= mean / count as f64;
        reached += probability;
    }
    count
}

fn reject(mean: f64, ln_mean: f64, b: f64, stream: &mut Stream) -> u64 {
    let a = -0.059 + 0.024_83 * b;
    let quick = 0.9277 - 3.6224 / (b - 2.0);
    loop {
        let u = stream.next_open01() - 0.5;
        let v = stream.next_open01();
        let us = 0.5 - u.abs();
        let k = libm::floor((2.0 * a / us + b) * u + mean + 0.43);
        if us >= 0.07 && v <= quick {
            return k as u64;
        }
        if k < 0.0 || (us < 0.013 && v > us) {
            continue;
        }
        let inverse_alpha = 1.1239 + 1.1328 / (b - 3.4);
        let left = libm::log(v * inverse_alpha / (a / (us * us) + b));
        if left <= k * ln_mean - mean - libm::lgamma(k + 1.0) {
            return k as u64;
        }
    }
}
