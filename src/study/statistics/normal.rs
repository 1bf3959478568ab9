//! The standard normal distribution, the same on every platform.
//!
//! As with Student's t, statistics crates leave the error function to the platform or to tables of
//! their own, and these figures reach a result file: `libm` has it. A test compares with `statrs`.

/// P(Z <= z).
pub fn cdf(z: f64) -> f64 {
    0.5 * libm::erfc(-z * std::f64::consts::FRAC_1_SQRT_2)
}

/// The z with P(Z <= z) = `p`, between -9 and 9: beyond, `p` is 0 or 1 to 18 digits.
pub fn quantile(p: f64) -> f64 {
    let (mut low, mut high) = (-9.0, 9.0);
    for _ in 0..64 {
        let middle = 0.5 * (low + high);
        if cdf(middle) < p {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use statrs::distribution::{ContinuousCDF, Normal};

    #[test]
    fn agrees_with_an_independent_implementation() {
        let reference = Normal::standard();
        for z in [-6.0, -2.5, -1.0, 0.0, 0.3, 1.96, 4.0] {
            assert!((cdf(z) - reference.cdf(z)).abs() < 1e-10, "{z}: {}", cdf(z));
        }
        for p in [1e-6, 0.00025, 0.025, 0.3, 0.5, 0.9, 0.975, 0.99999] {
            let (own, reference) = (quantile(p), reference.inverse_cdf(p));
            assert!((own - reference).abs() < 1e-9, "{p}: {own} {reference}");
        }
    }

    /// Source: any printed table: 1.959964 leaves 2.5 % above it.
    #[test]
    fn the_figure_that_everybody_knows() {
        assert!((quantile(0.975) - 1.959_964).abs() < 1e-6);
    }
}
