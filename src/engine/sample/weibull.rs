//! The Weibull distribution.

use crate::engine::stream::Stream;

/// A draw with this shape, which must be above zero, and scale 1: the inverse of its distribution
/// function 1 − e^(−xᵏ).
pub fn standard_weibull(shape: f64, stream: &mut Stream) -> f64 {
    libm::pow(-libm::log(stream.next_open01()), 1.0 / shape)
}

/// The mean for this shape and scale 1: Γ(1 + 1 / shape).
pub fn weibull_mean(shape: f64) -> f64 {
    libm::exp(libm::lgamma(1.0 + 1.0 / shape))
}

/// The shape k at which standard deviation ÷ mean is `cv`: Γ(1 + 2/k) ÷ Γ(1 + 1/k)² = 1 + cv².
///
/// For any `cv` from 0.01 (k = 128) to 100 (k = 0.15), to about 12 digits.
pub fn weibull_shape(cv: f64) -> f64 {
    // In logarithms, since the gamma function itself overflows for small shapes; and in 1/k, for
    // which the left side rises from 0.
    let wanted = libm::log1p(cv * cv);
    let reached =
        |inverse: f64| libm::lgamma(1.0 + 2.0 * inverse) - 2.0 * libm::lgamma(1.0 + inverse);
    let (mut low, mut high) = (0.0, 64.0);
    loop {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            return 1.0 / high;
        }
        if reached(middle) < wanted {
            low = middle;
        } else {
            high = middle;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Shape 1 is the exponential, shape 2 Rayleigh's distribution, shape ½ has
    /// Γ(5) / Γ(3)² − 1 = 5, shape ⅓ has Γ(7) / Γ(4)² − 1 = 19.
    #[test]
    fn the_shape_is_that_of_the_coefficient_of_variation() {
        let rayleigh = (4.0 / std::f64::consts::PI - 1.0).sqrt();
        let third = 1.0 / 3.0;
        for (cv, shape) in
            [(1.0, 1.0), (rayleigh, 2.0), (5_f64.sqrt(), 0.5), (19_f64.sqrt(), third)]
        {
            let solved = weibull_shape(cv);
            assert!((solved / shape - 1.0).abs() < 1e-12, "cv {cv}: {solved}, not {shape}");
        }
    }

    #[test]
    fn any_coefficient_of_variation_is_reached() {
        for step in -200..=200 {
            let cv = 10_f64.powf(f64::from(step) / 100.0);
            let inverse = 1.0 / weibull_shape(cv);
            let squared =
                libm::expm1(libm::lgamma(1.0 + 2.0 * inverse) - 2.0 * libm::lgamma(1.0 + inverse));
            assert!((squared.sqrt() / cv - 1.0).abs() < 1e-10, "cv {cv}: {}", squared.sqrt());
        }
    }
}
