//! Distributions and shares that are none.

use retrial_policy::Nanos;

use super::problem::{Check, problem};
use crate::experiment::schema::{DistributionForm, Law};

/// A year: sums of delays stay far from the end of a clock of 584 years.
const LONGEST: Nanos = Nanos::from_secs(365 * 86_400);

pub(super) fn possible_share(key: &str, share: f64) -> Check {
    if (0.0..=1.0).contains(&share) {
        return Ok(());
    }
    problem(key, format!("a share lies between 0 and 1, not at {share}"))
}

pub(super) fn possible_distribution(key: &str, form: &DistributionForm) -> Check {
    if form.durations().into_iter().any(|duration| duration > LONGEST) {
        return problem(key, format!("nothing takes longer than {LONGEST} here"));
    }
    let DistributionForm::Law(law) = form else { return Ok(()) };
    match law {
        Law::Lognormal(law) if law.median == Nanos::ZERO => {
            problem(format!("{key}.lognormal.median"), "the median must be above zero")
        }
        Law::Lognormal(law) if law.p99 < law.median => problem(
            format!("{key}.lognormal.p99"),
            format!("the 99 % quantile ({}) is below the median ({})", law.p99, law.median),
        ),
        Law::Uniform(law) if law.max < law.min => problem(
            format!("{key}.uniform.max"),
            format!("the upper end ({}) is below the lower end ({})", law.max, law.min),
        ),
        Law::Gamma(law) | Law::Weibull(law) if law.cv.is_nan() || law.cv <= 0.0 => {
            problem(key, "the coefficient of variation must be above zero")
        }
        Law::Pareto(law) if law.shape.is_nan() || law.shape <= 0.0 => {
            problem(format!("{key}.pareto.shape"), "the shape must be above zero")
        }
        _ => Ok(()),
    }
}
