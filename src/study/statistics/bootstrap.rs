//! The interval of a mean from a skewed sample: the BCa bootstrap.
//!
//! Crates that offer it draw from generators of their own, or take their normal distribution from
//! the platform; draws that are a function of a key and the 40 lines below keep files the same
//! bytes for any number of threads.

use super::normal;
use crate::engine::stream::Stream;

/// How often a sample is taken again: Efron and Tibshirani recommend 1,000 at least for BCa.
pub const RESAMPLES: usize = 2_000;

/// The interval of the mean of `values` whose ends leave `tail` outside on each side: bias-corrected
/// and accelerated (Efron and Tibshirani, "An Introduction to the Bootstrap", 1993, section 14.3).
/// `None` where all values are equal.
pub fn bca(values: &[f64], tail: f64, draws: &mut Stream) -> Option<(f64, f64)> {
    let mut means = resampled_means(values, draws);
    ends(values, &mut means, tail)
}

/// The skewness of a sample, m₃ / m₂^1.5; `None` where all values are equal.
pub fn skewness(values: &[f64]) -> Option<f64> {
    let (squares, cubes) = deviations(values);
    let n = values.len() as f64;
    (squares > 0.0).then(|| cubes / n / libm::pow(squares / n, 1.5))
}

/// The sums of squared and of cubed deviations from the mean.
fn deviations(values: &[f64]) -> (f64, f64) {
    let mean = mean(values);
    values.iter().map(|value| value - mean).fold((0.0, 0.0), |(squares, cubes), deviation| {
        let square = deviation * deviation;
        (squares + square, cubes + square * deviation)
    })
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// The means of samples of the same size, drawn with replacement.
fn resampled_means(values: &[f64], draws: &mut Stream) -> Vec<f64> {
    let n = values.len() as u64;
    // A word holds two draws: with fewer than 2²⁰ values none is favoured by more than 2⁻¹².
    let pick = |bits: u64| values[((bits * n) >> 32) as usize];
    let mut one = || {
        let pairs = (0..values.len() / 2).map(|_| {
            let bits = draws.next_bits();
            pick(bits >> 32) + pick(bits & 0xffff_ffff)
        });
        let sum: f64 = pairs.sum();
        let odd = if values.len() % 2 == 1 { pick(draws.next_bits() >> 32) } else { 0.0 };
        (sum + odd) / n as f64
    };
    (0..RESAMPLES).map(|_| one()).collect()
}

/// The interval from the means of resamples, which it sorts.
fn ends(values: &[f64], means: &mut [f64], tail: f64) -> Option<(f64, f64)> {
    let (squares, cubes) = deviations(values);
    if squares <= 0.0 || means.is_empty() {
        return None;
    }
    let observed = mean(values);
    let count = means.len() as f64;
    // Ties count half. A share of 0 or 1 would be a bias without bound.
    let below: f64 = means.iter().map(|mean| side(*mean, observed)).sum();
    let bias = normal::quantile((below / count).clamp(0.5 / count, 1.0 - 0.5 / count));
    // The mean without value i deviates from its average by -(x_i - x̄) / (n - 1), so that the
    // jackknife's acceleration is that of the values themselves. It is below 1/6 in size.
    let acceleration = cubes / (6.0 * libm::pow(squares, 1.5));
    let level = |z: f64| {
        let z = bias + z;
        normal::cdf(bias + z / (1.0 - acceleration * z))
    };
    let z = normal::quantile(tail);
    means.sort_unstable_by(f64::total_cmp);
    Some((quantile(means, level(z)), quantile(means, level(-z))))
}

/// How far a mean counts as below the observed one.
fn side(mean: f64, observed: f64) -> f64 {
    match mean.partial_cmp(&observed) {
        Some(std::cmp::Ordering::Less) => 1.0,
        Some(std::cmp::Ordering::Equal) => 0.5,
        _ => 0.0,
    }
}

/// The quantile of sorted values, between two of them in proportion (Hyndman and Fan's type 7).
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let place = share * (sorted.len() - 1) as f64;
    let below = (place as usize).min(sorted.len() - 1);
    let above = (below + 1).min(sorted.len() - 1);
    sorted[below] + (place - below as f64) * (sorted[above] - sorted[below])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::stream::{Purpose, StreamKey};

    fn draws(number: u32) -> Stream {
        StreamKey::of_run(7, 0, Purpose::Resample, number).part(0)
    }

    /// All 5⁵ resamples of five numbers (eighths, so that sums are exact), in Python:
    ///
    /// ```text
    /// x = np.array([1, 2.125, 3.25, 5.5, 14.75])
    /// r = np.array([sum(c) for c in itertools.product(x, repeat=5)]) / 5
    /// m = x.mean(); z0 = norm.ppf(((r < m).sum() + (r <= m).sum()) / (2 * len(r)))
    /// d = np.array([m - np.delete(x, i).mean() for i in range(5)])
    /// a = (d ** 3).sum() / (6 * (d ** 2).sum() ** 1.5)
    /// for z in norm.ppf([0.025, 0.975]):
    ///     print(np.percentile(r, 100 * norm.cdf(z0 + (z0 + z) / (1 - a * (z0 + z)))))
    /// ```
    #[test]
    fn agrees_with_another_implementation_on_every_resample_of_five() {
        let values = [1.0, 2.125, 3.25, 5.5, 14.75];
        let mut means = Vec::new();
        for number in 0..5_usize.pow(5) {
            let digits = (0..5).map(|place| number / 5_usize.pow(place) % 5);
            means.push(digits.map(|digit| values[digit]).sum::<f64>() / 5.0);
        }
        let (low, high) = ends(&values, &mut means, 0.025).unwrap();
        assert!((low - 2.35).abs() < 1e-9 && (high - 12.225).abs() < 1e-9, "{low} {high}");
    }

    /// Source: scipy 1.17.1, `stats.bootstrap((x,), np.mean, method="BCa", n_resamples=1_000_000,
    /// rng=np.random.default_rng(1))` gives 1.045 to 3.240. Two thousand resamples scatter about
    /// that: of 40 keys the mean is that close.
    #[test]
    fn agrees_with_scipy_on_a_skewed_sample() {
        let values = [
            0.1, 0.2, 0.2, 0.3, 0.4, 0.5, 0.5, 0.6, 0.8, 0.9, 1.0, 1.1, 1.3, 1.5, 1.8, 2.2, 2.7,
            3.5, 5.1, 9.6,
        ];
        assert!((skewness(&values).unwrap() - 2.445_872).abs() < 1e-6);
        let intervals = (0..40).map(|number| bca(&values, 0.025, &mut draws(number)).unwrap());
        let (low, high) = intervals.fold((0.0, 0.0), |(l, h), (low, high)| (l + low, h + high));
        let (low, high) = (low / 40.0, high / 40.0);
        assert!((low - 1.045).abs() < 0.01 && (high - 3.240).abs() < 0.03, "{low} {high}");
    }

    #[test]
    fn equal_values_have_no_interval() {
        assert_eq!(bca(&[3.0; 20], 0.025, &mut draws(0)), None);
        assert_eq!(skewness(&[3.0; 20]), None);
    }
}
