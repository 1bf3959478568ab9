//! The difference between two means whose runs have nothing to do with each other.

use super::estimate::{Estimate, Estimator, constant};
use super::paired::FEWEST_CONSTANT;
use super::student_t::two_sided_p;

/// What two independent samples say about a difference.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Welch {
    /// The mean of `after` less that of `before`, with its 95 % interval; `n` counts both samples.
    pub difference: Estimate,
    /// How probable so large a difference would be if there were none; `None` with fewer than two
    /// values on either side, and with fewer than five where both are constant and differ.
    pub p: Option<f64>,
}

/// Compares two samples that may vary differently (Welch, "The generalization of 'Student's'
/// problem when several different population variances are involved", Biometrika 34, 1947). The
/// degrees of freedom are rounded down, which makes the interval wider rather than narrower.
pub fn welch(after: &[f64], before: &[f64], estimator: &mut Estimator) -> Welch {
    let n = (after.len() + before.len()) as u64;
    let (new, old) = (Sample::of(after), Sample::of(before));
    let (Some(new), Some(old)) = (new, old) else {
        return Welch { difference: Estimate { mean: None, ci95: None, n }, p: None };
    };
    let mean = new.mean - old.mean;
    let (Some(a), Some(b)) = (new.square_error, old.square_error) else {
        return Welch { difference: Estimate { mean: Some(mean), ci95: None, n }, p: None };
    };
    let error = libm::sqrt(a + b);
    if error == 0.0 {
        let few = after.len().min(before.len()) < FEWEST_CONSTANT;
        let p = match mean == 0.0 {
            true => Some(1.0),
            false => (!few).then_some(0.0),
        };
        return Welch { difference: Estimate { mean: Some(mean), ci95: Some((mean, mean)), n }, p };
    }
    let df = (a + b) * (a + b) / (a * a / (new.n - 1.0) + b * b / (old.n - 1.0));
    // Never below the smaller sample's own.
    let df = (df as u64).max(1);
    let half = estimator.quantile(df) * error;
    let ci95 = Some((mean - half, mean + half));
    Welch {
        difference: Estimate { mean: Some(mean), ci95, n },
        p: Some(two_sided_p(mean / error, df)),
    }
}

struct Sample {
    n: f64,
    mean: f64,
    /// The squared standard error of the mean; `None` with one value.
    square_error: Option<f64>,
}

impl Sample {
    fn of(values: &[f64]) -> Option<Self> {
        let n = values.len() as f64;
        if let Some(mean) = constant(values.iter().copied()) {
            // A sum would round, and make a difference of the roundings.
            return Some(Sample { n, mean, square_error: (values.len() > 1).then_some(0.0) });
        }
        let mean = (!values.is_empty()).then(|| values.iter().sum::<f64>() / n)?;
        let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
        let square_error = (values.len() > 1).then(|| squares / (n - 1.0) / n);
        Some(Sample { n, mean, square_error })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Source: R's `t.test(extra ~ group, data = sleep)`, Student's sleep data as if the two groups
    /// were other people: t = -1.8608, df = 17.776, p = 0.07939, interval -3.3654832 to 0.2054832.
    /// With 17 degrees of freedom in place of 17.776: t(17) = 2.109816 against 2.102828.
    #[test]
    fn students_sleep_as_if_unpaired() {
        let first = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0];
        let second = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4];
        let welch = welch(&first, &second, &mut Estimator::default());
        assert!((welch.difference.mean.unwrap() + 1.58).abs() < 1e-12);
        let half = welch.difference.half_width().unwrap();
        assert!((half - 1.785_483_2 * 2.109_816 / 2.102_828).abs() < 1e-3, "{half}");
        let p = welch.p.unwrap();
        assert!(p > 0.07939 && p < 0.0805, "{p}");
    }

    #[test]
    fn too_few_values_and_constant_ones() {
        let mut estimator = Estimator::default();
        assert_eq!(welch(&[], &[1.0], &mut estimator).difference.mean, None);
        let single = welch(&[3.0], &[1.0, 2.0], &mut estimator);
        assert_eq!((single.difference.mean, single.difference.ci95), (Some(1.5), None));
        let constant = welch(&[2.0; 5], &[1.0; 5], &mut estimator);
        assert_eq!((constant.p, constant.difference.ci95), (Some(0.0), Some((1.0, 1.0))));
        let few = welch(&[2.0; 5], &[1.0; 4], &mut estimator);
        assert_eq!((few.p, few.difference.ci95), (None, Some((1.0, 1.0))));
    }

    /// The sums of 3 and of 10 times 0.1, divided again, are two numbers.
    #[test]
    fn roundings_make_no_difference() {
        let (few, many) = ([0.1; 3], [0.1; 10]);
        assert_ne!(few.iter().sum::<f64>() / 3.0, many.iter().sum::<f64>() / 10.0);
        let welch = welch(&many, &few, &mut Estimator::default());
        assert_eq!((welch.difference.mean, welch.p), (Some(0.0), Some(1.0)));
    }
}
