//! Student's t quantiles, the same on every platform.
//!
//! Statistics crates take logarithms from the platform, whose last digits differ; these reach a
//! result file, so they go through `libm`. A test compares them with `statrs`.

/// The two-sided 95 % quantile of Student's t with `df` degrees of freedom: t with
/// P(|T| > t) = 0.05.
pub fn quantile_95(df: u64) -> f64 {
    let df = df as f64;
    // The tail shrinks as t grows, so halving an interval that holds the root always converges;
    // 12.706 (df = 1) is the largest value there is.
    let (mut low, mut high) = (1.9, 13.0);
    for _ in 0..80 {
        let middle = 0.5 * (low + high);
        if two_sided_tail(middle, df) > 0.05 {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

/// P(|T| > |t|) with `df` degrees of freedom: the p-value of a two-sided test.
pub fn two_sided_p(t: f64, df: u64) -> f64 {
    two_sided_tail(t, df as f64)
}

/// P(|T| > t) = I(df / (df + t²); df / 2, 1 / 2) (Abramowitz and Stegun, 26.7.1).
fn two_sided_tail(t: f64, df: f64) -> f64 {
    regularised_beta(df / (df + t * t), 0.5 * df, 0.5)
}

/// The regularised incomplete beta function, by its continued fraction (Abramowitz and Stegun,
/// 26.5.8), evaluated on the side where it converges fast.
fn regularised_beta(x: f64, a: f64, b: f64) -> f64 {
    let front = libm::exp(
        libm::lgamma(a + b) - libm::lgamma(a) - libm::lgamma(b)
            + a * libm::log(x)
            + b * libm::log1p(-x),
    );
    if x < (a + 1.0) / (a + b + 2.0) {
        front * beta_fraction(x, a, b) / a
    } else {
        1.0 - front * beta_fraction(1.0 - x, b, a) / b
    }
}

/// Lentz's method for the continued fraction of the incomplete beta function.
fn beta_fraction(x: f64, a: f64, b: f64) -> f64 {
    let tiny = |value: f64| if value.abs() < 1e-300 { 1e-300 } else { value };
    let mut c = 1.0;
    let mut d = 1.0 / tiny(1.0 - (a + b) * x / (a + 1.0));
    let mut fraction = d;
    for m in 1..10_000 {
        let m = f64::from(m);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        for coefficient in [even, odd] {
            d = 1.0 / tiny(1.0 + coefficient * d);
            c = tiny(1.0 + coefficient / c);
            fraction *= c * d;
        }
        if (c * d - 1.0).abs() < 1e-15 {
            break;
        }
    }
    fraction
}

#[cfg(test)]
mod tests {
    use super::*;
    use statrs::distribution::{ContinuousCDF, StudentsT};

    /// Source: any printed table, such as NIST/SEMATECH e-Handbook 1.3.6.7.2.
    #[test]
    fn agrees_with_the_printed_table() {
        for (df, t) in [
            (1, 12.706),
            (2, 4.303),
            (3, 3.182),
            (4, 2.776),
            (9, 2.262),
            (29, 2.045),
            (60, 2.000),
            (100, 1.984),
            (1_000_000, 1.960),
        ] {
            assert!((quantile_95(df) - t).abs() < 5e-4, "df {df}: {}", quantile_95(df));
        }
    }

    #[test]
    fn agrees_with_an_independent_implementation() {
        for df in (1..50).chain([99, 399, 999, 10_000]) {
            let reference = StudentsT::new(0.0, 1.0, df as f64).unwrap().inverse_cdf(0.975);
            let own = quantile_95(df);
            assert!((own / reference - 1.0).abs() < 1e-9, "df {df}: {own} {reference}");
        }
    }
}
