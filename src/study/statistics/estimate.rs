//! From the replications of a cell to a mean with its 95 % interval.

use std::collections::BTreeMap;

use super::student_t::quantile_95;

/// A mean over replications.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The mean; `None` if no replication gave a value.
    pub mean: Option<f64>,
    /// The 95 % interval, by the method that [`super::interval`] chooses; `None` with fewer than two
    /// values.
    pub ci95: Option<(f64, f64)>,
    /// How many replications gave a value.
    pub n: u64,
}

impl Estimate {
    /// Half the width of the interval.
    pub fn half_width(&self) -> Option<f64> {
        self.ci95.map(|(low, high)| 0.5 * (high - low))
    }
}

/// Makes estimates; remembers the quantiles it has needed.
#[derive(Debug, Default)]
pub struct Estimator {
    quantiles: BTreeMap<u64, f64>,
}

impl Estimator {
    /// The estimate from `values`, in their order, with Student's t.
    pub fn estimate(&mut self, values: impl Iterator<Item = f64> + Clone) -> Estimate {
        let n = values.clone().count();
        if n == 0 {
            return Estimate { mean: None, ci95: None, n: 0 };
        }
        let count = n as f64;
        if let Some(constant) = constant(values.clone()) {
            // A sum would round, and make an interval of the roundings.
            let ci95 = (n > 1).then_some((constant, constant));
            return Estimate { mean: Some(constant), ci95, n: n as u64 };
        }
        let mean = values.clone().sum::<f64>() / count;
        let ci95 = (n > 1).then(|| {
            let squares: f64 = values.map(|value| (value - mean) * (value - mean)).sum();
            let standard_error = libm::sqrt(squares / (count - 1.0) / count);
            let t = self.quantile(n as u64 - 1);
            (mean - t * standard_error, mean + t * standard_error)
        });
        Estimate { mean: Some(mean), ci95, n: n as u64 }
    }

    /// The two-sided 95 % quantile of Student's t.
    pub(super) fn quantile(&mut self, df: u64) -> f64 {
        *self.quantiles.entry(df).or_insert_with(|| quantile_95(df))
    }

    /// The estimate of the mean of `a − b` over pairs.
    pub fn difference(&mut self, a: &[f64], b: &[f64]) -> Estimate {
        self.estimate(a.iter().zip(b).map(|(a, b)| a - b))
    }
}

/// The one value there is, however often.
pub(super) fn constant(mut values: impl Iterator<Item = f64>) -> Option<f64> {
    let first = values.next()?;
    values.all(|value| value == first).then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 1, 2, 3, 4: mean 2.5, s = √(5/3), t(3) = 3.182446, half-width t·s/2 = 2.054260.
    #[test]
    fn interval_of_a_hand_computed_case() {
        let estimate = Estimator::default().estimate([1.0, 2.0, 3.0, 4.0].into_iter());
        assert_eq!((estimate.mean, estimate.n), (Some(2.5), 4));
        let half_width = estimate.half_width().unwrap();
        assert!((half_width - 2.054_260).abs() < 1e-6, "{half_width}");
    }

    #[test]
    fn one_value_has_a_mean_and_no_interval_and_none_has_neither() {
        let mut estimator = Estimator::default();
        let one = estimator.estimate([7.0].into_iter());
        assert_eq!(one, Estimate { mean: Some(7.0), ci95: None, n: 1 });
        let none = estimator.estimate(std::iter::empty());
        assert_eq!(none, Estimate { mean: None, ci95: None, n: 0 });
    }

    #[test]
    fn equal_values_have_an_interval_of_no_width() {
        for value in [5.0, 0.1] {
            let estimate = Estimator::default().estimate([value; 10].into_iter());
            assert_eq!((estimate.mean, estimate.ci95), (Some(value), Some((value, value))));
        }
    }
}
