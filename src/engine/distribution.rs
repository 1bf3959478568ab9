//! Distributions of durations.

use retrial_policy::Nanos;
use retrial_policy::mix::scale;

use super::sample::{standard_exponential, standard_normal};
use super::stream::Stream;

/// The law of a duration. Parameters in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Distribution {
    /// Always the same.
    Constant(Nanos),
    /// Exponential with this mean.
    Exponential {
        /// The mean.
        mean: f64,
    },
    /// The absolute value of a normal: folded at 0, as the AWS study does.
    Normal {
        /// The mean before folding.
        mean: f64,
        /// The standard deviation before folding.
        sd: f64,
    },
    /// Log-normal: median · e^(sigma·Z).
    LogNormal {
        /// The median.
        median: f64,
        /// The standard deviation of the logarithm.
        sigma: f64,
    },
    /// Uniform between two ends, both included.
    Uniform {
        /// The lower end.
        min: Nanos,
        /// The upper end.
        max: Nanos,
    },
}

/// The 99 % quantile of the standard normal.
const Z99: f64 = 2.326_347_874_040_841;

impl Distribution {
    /// No time at all.
    pub const ZERO: Distribution = Distribution::Constant(Nanos::ZERO);

    /// The log-normal with this median and 99 % quantile.
    pub fn lognormal(median: Nanos, p99: Nanos) -> Self {
        let median = median.get() as f64;
        Distribution::LogNormal { median, sigma: libm::log(p99.get() as f64 / median) / Z99 }
    }

    /// stub
    pub fn gamma(mean: f64, _cv: f64) -> Self {
        Distribution::Exponential { mean }
    }
    /// stub
    pub fn weibull(mean: f64, _cv: f64) -> Self {
        Distribution::Exponential { mean }
    }

    /// A draw from `stream`.
    #[inline(always)]
    pub fn sample(&self, stream: &mut Stream) -> Nanos {
        match *self {
            Distribution::Constant(value) => value,
            Distribution::Exponential { mean } => nanos(mean * standard_exponential(stream)),
            Distribution::Normal { mean, sd } => nanos((mean + sd * standard_normal(stream)).abs()),
            Distribution::LogNormal { median, sigma } => {
                nanos(median * libm::exp(sigma * standard_normal(stream)))
            }
            Distribution::Uniform { min, max } => {
                Nanos::new(min.get() + scale(stream.next_bits(), max.get() - min.get()))
            }
        }
    }

    /// Whether every draw is zero.
    pub fn is_zero(&self) -> bool {
        match *self {
            Distribution::Constant(value) => value == Nanos::ZERO,
            Distribution::Uniform { max, .. } => max == Nanos::ZERO,
            Distribution::Exponential { mean } => mean == 0.0,
            Distribution::Normal { mean, sd } => mean == 0.0 && sd == 0.0,
            Distribution::LogNormal { median, .. } => median == 0.0,
        }
    }
}

/// The nearest whole nanosecond to a non-negative `value`; saturates.
///
/// In [2⁵², 2⁵³) floats are the whole numbers, so adding 2⁵² rounds, and the low bits are the
/// result: a third of the instructions of a checked conversion.
#[inline(always)]
fn nanos(value: f64) -> Nanos {
    const TWO_TO_52: f64 = (1_u64 << 52) as f64;
    if value < TWO_TO_52 {
        Nanos::new((value + TWO_TO_52).to_bits() - TWO_TO_52.to_bits())
    } else {
        Nanos::new(value as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_round_to_the_nearest_nanosecond() {
        for (value, expected) in [
            (0.0, 0),
            (0.49, 0),
            (0.51, 1),
            (10e6 - 0.4, 10_000_000),
            (4_503_599_627_370_495.0, (1 << 52) - 1),
            (4_503_599_627_370_496.0, 1 << 52),
            (1e18, 1_000_000_000_000_000_000),
            (1e300, u64::MAX),
            (f64::INFINITY, u64::MAX),
        ] {
            assert_eq!(nanos(value), Nanos::new(expected), "{value}");
        }
    }
}
