//! The difference between two policies that met the same world, replication by replication.

use super::estimate::{Estimate, Estimator};
use super::student_t::two_sided_p;

/// What pairs of runs say about a difference.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Paired {
    /// The mean of `after - before` over the pairs, with its 95 % interval.
    pub difference: Estimate,
    /// How probable so large a difference would be if there were none (Student's t over the
    /// pairs); `None` with fewer than two, and with fewer than five that all differ alike.
    pub p: Option<f64>,
    /// Pearson's correlation of the two, which is what pairing gains; `None` if either is constant.
    pub correlation: Option<f64>,
}

/// Fewer values than this that vary not at all do not show that they never would: four pairs that
/// all differ in one direction come by chance once in eight times (sign test).
pub(super) const FEWEST_CONSTANT: usize = 5;

/// Compares the values of two policies by pairs: those of replications that both have. Their
/// order is that of the replications.
pub fn paired(after: &[f64], before: &[f64], estimator: &mut Estimator) -> Paired {
    let difference = estimator.difference(after, before);
    let p = match (difference.mean, difference.half_width()) {
        (Some(mean), Some(half)) if half > 0.0 => {
            let df = difference.n - 1;
            Some(two_sided_p(mean / (half / estimator.quantile(df)), df))
        }
        // Every pair differs by the same amount: nothing, or something without any doubt if there
        // are enough of them.
        (Some(0.0), Some(_)) => Some(1.0),
        (Some(_), Some(_)) if difference.n >= FEWEST_CONSTANT as u64 => Some(0.0),
        _ => None,
    };
    Paired { difference, p, correlation: correlation(after, before) }
}

/// Pearson's correlation.
fn correlation(a: &[f64], b: &[f64]) -> Option<f64> {
    let n = a.len().min(b.len());
    let mean = |values: &[f64]| values[..n].iter().sum::<f64>() / n as f64;
    let (mean_a, mean_b) = (mean(a), mean(b));
    let deviations = || a.iter().zip(b).map(|(a, b)| (a - mean_a, b - mean_b));
    let squares = |pick: fn((f64, f64)) -> f64| deviations().map(pick).map(|d| d * d).sum::<f64>();
    let scale = libm::sqrt(squares(|d| d.0) * squares(|d| d.1));
    let together: f64 = deviations().map(|(a, b)| a * b).sum();
    (scale > 0.0).then(|| (together / scale).clamp(-1.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Source: Student, "The probable error of a mean", Biometrika 6 (1908), the sleep of ten
    /// patients under two drugs: t = 4.0621 with 9 degrees of freedom, p = 0.002833; their
    /// correlation is 0.7952 (both printed by R's `t.test` and `cor` on its `sleep` data).
    #[test]
    fn the_first_paired_data_there_were() {
        let first = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0];
        let second = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4];
        let paired = paired(&second, &first, &mut Estimator::default());
        assert!((paired.difference.mean.unwrap() - 1.58).abs() < 1e-12);
        let (low, high) = paired.difference.ci95.unwrap();
        assert!((low - 0.700_114).abs() < 1e-5 && (high - 2.459_886).abs() < 1e-5, "{low} {high}");
        assert!((paired.p.unwrap() - 0.002_833).abs() < 1e-6, "{:?}", paired.p);
        assert!((paired.correlation.unwrap() - 0.795_2).abs() < 1e-4, "{:?}", paired.correlation);
    }

    #[test]
    fn enough_constant_differences_leave_no_doubt() {
        let mut estimator = Estimator::default();
        let same = paired(&[1.0, 2.0], &[1.0, 2.0], &mut estimator);
        assert_eq!(same.p, Some(1.0));
        let (after, before) = ([2.0, 3.0, 4.0, 5.0, 6.0], [1.0, 2.0, 3.0, 4.0, 5.0]);
        let shifted = paired(&after, &before, &mut estimator);
        assert_eq!((shifted.p, shifted.correlation), (Some(0.0), Some(1.0)));
        let few = paired(&after[..4], &before[..4], &mut estimator);
        assert_eq!((few.p, few.difference.ci95), (None, Some((1.0, 1.0))));
        let constant = paired(&[1.0, 1.0], &[1.0, 2.0], &mut estimator);
        assert_eq!(constant.correlation, None);
        assert_eq!(paired(&[1.0], &[1.0], &mut estimator).p, None);
    }
}
