//! Distributions of durations and of counts.

use std::sync::Arc;

use retrial_policy::Nanos;
use retrial_policy::mix::scale;

use super::sample::{
    one_of, standard_exponential, standard_gamma, standard_normal, standard_pareto,
    standard_weibull, weibull_mean, weibull_shape,
};
use super::stream::Stream;

/// The law of a duration, with parameters in nanoseconds, or of a count, such as that of a
/// request's tokens, with parameters in ones.
#[derive(Clone, Debug, PartialEq)]
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
    /// Gamma.
    Gamma {
        /// The shape: 1 ÷ the squared coefficient of variation.
        shape: f64,
        /// The scale: mean ÷ shape.
        scale: f64,
    },
    /// Weibull: P(X > x) = e^(−(x ÷ scale)^shape).
    Weibull {
        /// The shape.
        shape: f64,
        /// The scale.
        scale: f64,
    },
    /// Pareto: P(X > x) = (min ÷ x)^shape.
    Pareto {
        /// The least value.
        min: f64,
        /// The shape: moments of this order and above are infinite.
        shape: f64,
    },
    /// One of these values, each with the same probability.
    Empirical(Arc<[u64]>),
}

/// The 99 % quantile of the standard normal.
const Z99: f64 = 2.326_347_874_040_841;

impl Distribution {
    /// No time at all.
    pub const ZERO: Distribution = Distribution::Constant(Nanos::ZERO);

    /// The log-normal with this median and 99 % quantile.
    pub fn lognormal(median: Nanos, p99: Nanos) -> Self {
        Self::lognormal_f64(median.get() as f64, p99.get() as f64)
    }

    /// The log-normal with this median, above zero, and 99 % quantile, not below it.
    pub fn lognormal_f64(median: f64, p99: f64) -> Self {
        Distribution::LogNormal { median, sigma: libm::log(p99 / median) / Z99 }
    }

    /// The gamma with this mean and coefficient of variation (standard deviation ÷ mean), above
    /// zero.
    pub fn gamma(mean: f64, cv: f64) -> Self {
        Distribution::Gamma { shape: 1.0 / (cv * cv), scale: mean * (cv * cv) }
    }

    /// The Weibull with this mean and coefficient of variation (standard deviation ÷ mean), from
    /// 0.01 to 100.
    pub fn weibull(mean: f64, cv: f64) -> Self {
        let shape = weibull_shape(cv);
        Distribution::Weibull { shape, scale: mean / weibull_mean(shape) }
    }

    /// A duration drawn from `stream`.
    #[inline(always)]
    pub fn sample(&self, stream: &mut Stream) -> Nanos {
        Nanos::new(self.sample_count(stream))
    }

    /// A count drawn from `stream`: the nearest whole number.
    #[inline(always)]
    pub fn sample_count(&self, stream: &mut Stream) -> u64 {
        match *self {
            Distribution::Constant(value) => value.get(),
            Distribution::Exponential { mean } => whole(mean * standard_exponential(stream)),
            Distribution::Normal { mean, sd } => whole((mean + sd * standard_normal(stream)).abs()),
            Distribution::LogNormal { median, sigma } => {
                whole(median * libm::exp(sigma * standard_normal(stream)))
            }
            Distribution::Uniform { min, max } => {
                min.get() + scale(stream.next_bits(), max.get() - min.get())
            }
            // Out of line, and called cold: registers are for the laws above.
            Distribution::Gamma { .. }
            | Distribution::Weibull { .. }
            | Distribution::Pareto { .. }
            | Distribution::Empirical(_) => self.sample_out_of_line(stream),
        }
    }

    #[cold]
    #[inline(never)]
    fn sample_out_of_line(&self, stream: &mut Stream) -> u64 {
        match self {
            Distribution::Gamma { shape, scale } => whole(scale * standard_gamma(*shape, stream)),
            Distribution::Weibull { shape, scale } => {
                whole(scale * standard_weibull(*shape, stream))
            }
            Distribution::Pareto { min, shape } => whole(min * standard_pareto(*shape, stream)),
            Distribution::Empirical(values) => one_of(values, stream),
            inlined => inlined.sample_count(stream),
        }
    }

    /// The mean; infinite where it has none.
    pub fn mean(&self) -> f64 {
        match self {
            Distribution::Constant(value) => value.get() as f64,
            Distribution::Exponential { mean } => *mean,
            Distribution::Normal { mean, sd: 0.0 } => mean.abs(),
            // Leone, Nelson and Nottingham, Technometrics 3 (1961): the folded normal.
            Distribution::Normal { mean, sd } => {
                let z = mean / sd;
                let density = libm::exp(-z * z / 2.0) * (2.0 / std::f64::consts::PI).sqrt();
                sd * density + mean * libm::erf(z * std::f64::consts::FRAC_1_SQRT_2)
            }
            Distribution::LogNormal { median, sigma } => median * libm::exp(sigma * sigma / 2.0),
            Distribution::Uniform { min, max } => (min.get() as f64).midpoint(max.get() as f64),
            Distribution::Gamma { shape, scale } => shape * scale,
            Distribution::Weibull { shape, scale } => scale * weibull_mean(*shape),
            Distribution::Pareto { min, shape } if *shape > 1.0 => min * shape / (shape - 1.0),
            Distribution::Pareto { .. } => f64::INFINITY,
            Distribution::Empirical(values) => {
                values.iter().map(|value| *value as f64).sum::<f64>() / values.len() as f64
            }
        }
    }

    /// Whether every draw is zero.
    pub fn is_zero(&self) -> bool {
        match self {
            Distribution::Constant(value) => *value == Nanos::ZERO,
            Distribution::Uniform { max, .. } => *max == Nanos::ZERO,
            Distribution::Exponential { mean } => *mean == 0.0,
            Distribution::Normal { mean, sd } => *mean == 0.0 && *sd == 0.0,
            Distribution::LogNormal { median, .. } => *median == 0.0,
            Distribution::Gamma { scale, .. } | Distribution::Weibull { scale, .. } => {
                *scale == 0.0
            }
            Distribution::Pareto { min, .. } => *min == 0.0,
            Distribution::Empirical(values) => values.iter().all(|value| *value == 0),
        }
    }
}

/// The nearest whole number to a non-negative `value`; saturates.
///
/// In [2⁵², 2⁵³) floats are the whole numbers, so adding 2⁵² rounds, and the low bits are the
/// result: a third of the instructions of a checked conversion.
#[inline(always)]
fn whole(value: f64) -> u64 {
    const TWO_TO_52: f64 = (1_u64 << 52) as f64;
    if value < TWO_TO_52 {
        (value + TWO_TO_52).to_bits() - TWO_TO_52.to_bits()
    } else {
        value as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_round_to_the_nearest_whole_number() {
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
            assert_eq!(whole(value), expected, "{value}");
        }
    }

    #[test]
    fn a_law_is_zero_if_all_its_draws_are() {
        for (zero, above) in [
            (Distribution::gamma(0.0, 2.0), Distribution::gamma(1.0, 2.0)),
            (Distribution::weibull(0.0, 2.0), Distribution::weibull(1.0, 2.0)),
            (
                Distribution::Pareto { min: 0.0, shape: 2.0 },
                Distribution::Pareto { min: 1.0, shape: 2.0 },
            ),
            (Distribution::Empirical([0, 0].into()), Distribution::Empirical([0, 1].into())),
        ] {
            assert!(zero.is_zero() && !above.is_zero(), "{zero:?}, {above:?}");
        }
    }

    /// E|Z| = √(2/π), and e^(σ²/2) with σ = ln(p99 ÷ median) ÷ z99, are textbook values.
    #[test]
    fn means_are_those_of_the_laws() {
        let half_normal = (2.0 / std::f64::consts::PI).sqrt();
        for (law, mean) in [
            (Distribution::Constant(Nanos::new(7)), 7.0),
            (Distribution::Exponential { mean: 3.0 }, 3.0),
            (Distribution::Normal { mean: 0.0, sd: 5.0 }, 5.0 * half_normal),
            (Distribution::Normal { mean: 100.0, sd: 1.0 }, 100.0),
            (Distribution::Normal { mean: -4.0, sd: 0.0 }, 4.0),
            (Distribution::LogNormal { median: 2.0, sigma: 1.0 }, 2.0 * 0.5_f64.exp()),
            (Distribution::Uniform { min: Nanos::new(10), max: Nanos::new(20) }, 15.0),
            (Distribution::gamma(6.0, 0.5), 6.0),
            (Distribution::weibull(6.0, 2.0), 6.0),
            (Distribution::Pareto { min: 2.0, shape: 3.0 }, 3.0),
            (Distribution::Empirical([1, 2, 6].into()), 3.0),
        ] {
            assert!((law.mean() / mean - 1.0).abs() < 1e-9, "{law:?}: {}", law.mean());
        }
        assert_eq!(Distribution::Pareto { min: 2.0, shape: 1.0 }.mean(), f64::INFINITY);
    }
}
