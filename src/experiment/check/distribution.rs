//! Distributions and shares that are none.

use super::problem::{Check, problem};
use crate::experiment::schema::{Form, Law, Unit};

/// Coefficients of variation whose gammas and Weibulls can be told from a constant, and drawn.
pub(super) const CV: std::ops::RangeInclusive<f64> = 0.01..=100.0;

/// Says that a coefficient of variation is none of [`CV`].
pub(super) fn cv_out_of_range(cv: f64) -> String {
    format!(
        "a coefficient of variation lies between {} and {} here, not at {cv}",
        CV.start(),
        CV.end()
    )
}

pub(super) fn possible_share(key: &str, share: f64) -> Check {
    if (0.0..=1.0).contains(&share) {
        return Ok(());
    }
    problem(key, format!("a share lies between 0 and 1, not at {share}"))
}

pub(super) fn possible_distribution<U: Unit>(key: &str, form: &Form<U>) -> Check {
    if form.values().into_iter().any(|value| value > U::LARGEST) {
        return problem(key, U::too_large());
    }
    let Form::Law(law) = form else { return Ok(()) };
    let key = |parameter: &str| format!("{key}.{}.{parameter}", law.name());
    match law {
        Law::Lognormal(law) if law.median.number() == 0.0 => {
            problem(key("median"), "the median must be above zero")
        }
        Law::Lognormal(law) if law.p99 < law.median => problem(
            key("p99"),
            format!("the 99 % quantile ({}) is below the median ({})", law.p99, law.median),
        ),
        Law::Uniform(law) if law.max < law.min => problem(
            key("max"),
            format!("the upper end ({}) is below the lower end ({})", law.max, law.min),
        ),
        Law::Gamma(law) | Law::Weibull(law) if !CV.contains(&law.cv) => {
            problem(key("cv"), cv_out_of_range(law.cv))
        }
        Law::Pareto(law) if law.min.number() == 0.0 => {
            problem(key("min"), "the least value must be above zero")
        }
        Law::Pareto(law) if law.shape.is_nan() || law.shape <= 0.0 => {
            problem(key("shape"), "the shape must be above zero")
        }
        _ => Ok(()),
    }
}
