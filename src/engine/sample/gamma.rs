//! The gamma distribution.

use super::standard_normal;
use crate::engine::stream::Stream;

/// A draw with this shape, which must be above zero, and scale 1: its mean is the shape.
///
/// Marsaglia and Tsang, "A Simple Method for Generating Gamma Variables", 2000: a cubed normal is
/// almost a gamma, and at least 95 in 100 are accepted. Below shape 1, where the density has no
/// bound, a gamma of shape + 1 times U^(1 / shape) has the law (their section 6).
pub fn standard_gamma(shape: f64, stream: &mut Stream) -> f64 {
    if shape >= 1.0 {
        return at_least_one(shape, stream);
    }
    let above = at_least_one(shape + 1.0, stream);
    above * libm::pow(stream.next_open01(), 1.0 / shape)
}

fn at_least_one(shape: f64, stream: &mut Stream) -> f64 {
    let d = shape - 1.0 / 3.0;
    let c = 1.0 / libm::sqrt(9.0 * d);
    loop {
        let x = standard_normal(stream);
        let root = 1.0 + c * x;
        if root <= 0.0 {
            continue;
        }
        let v = root * root * root;
        let u = stream.next_open01();
        let squared = x * x;
        // The squeeze: most draws need no logarithm.
        if u < 1.0 - 0.0331 * squared * squared
            || libm::log(u) < 0.5 * squared + d * (1.0 - v + libm::log(v))
        {
            return d * v;
        }
    }
}
