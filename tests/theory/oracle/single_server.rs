//! One server with a general law of service, or of arrivals.

use statrs::distribution::{ContinuousCDF, Normal};

/// Pollaczek-Khinchine: the mean number waiting in M/G/1 whose service has this mean and second
/// moment (Kleinrock, Queueing Systems 1, section 5.6).
pub fn pollaczek_khinchine(lambda: f64, mean: f64, second_moment: f64) -> f64 {
    lambda * lambda * second_moment / (2.0 * (1.0 - lambda * mean))
}

/// The mean number waiting in D/M/1: the transform of its gaps is e^(−s/λ).
pub fn regular_arrivals(lambda: f64) -> f64 {
    renewal_arrivals(lambda, |s| (-s / lambda).exp())
}

/// The mean number waiting where gaps are gamma with this coefficient of variation: the transform
/// is (1 + s·cv²/λ)^(−1/cv²).
pub fn gamma_arrivals(lambda: f64, cv: f64) -> f64 {
    let square = cv * cv;
    renewal_arrivals(lambda, |s| (1.0 + s * square / lambda).powf(-1.0 / square))
}

/// The mean number waiting in G/M/1: σ is the root below 1 of σ = A*(1 − σ), with A* the transform
/// of the gaps; a request waits for σ/(1 − σ) (Kleinrock, section 6.4).
fn renewal_arrivals(lambda: f64, transform: impl Fn(f64) -> f64) -> f64 {
    let sigma = (0..10_000).fold(0.0_f64, |sigma, _| transform(1.0 - sigma));
    lambda * sigma / (1.0 - sigma)
}

/// A log-normal law of mean 1.
#[derive(Clone, Copy, Debug)]
pub struct LogNormal {
    /// Half of the draws are below.
    pub median: f64,
    /// 99 % of the draws are below.
    pub p99: f64,
    /// E[S²].
    pub second_moment: f64,
}

impl LogNormal {
    /// With this standard deviation of the logarithm.
    pub fn of_mean_1(sigma: f64) -> Self {
        let z99 = Normal::new(0.0, 1.0).unwrap().inverse_cdf(0.99);
        let median = (-0.5 * sigma * sigma).exp();
        LogNormal {
            median,
            p99: median * (z99 * sigma).exp(),
            second_moment: (sigma * sigma).exp(),
        }
    }
}

/// With exponential service both are M/M/1; M/D/1 waits half as long.
#[test]
fn known_cases() {
    use super::assert_printed;
    let rho = 0.8;
    let exponential = rho * rho / (1.0 - rho);
    assert_printed("M/M/1", pollaczek_khinchine(rho, 1.0, 2.0), exponential);
    assert_printed("M/D/1", pollaczek_khinchine(rho, 1.0, 1.0), 0.5 * exponential);
    // σ = e^(−2(1 − σ)) at λ = 1/2 is 0.2031878700 (the extinction probability of a Poisson
    // branching process of mean 2, a table value).
    let sigma = 0.203_187_870_0;
    assert_printed("gamma with cv 1", gamma_arrivals(rho, 1.0), exponential);
    assert_printed("D/M/1", regular_arrivals(0.5), 0.5 * sigma / (1.0 - sigma));
}
