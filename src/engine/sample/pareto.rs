//! The Pareto distribution.

use crate::engine::stream::Stream;

/// A draw with this shape, which must be above zero, and least value 1: the inverse of its tail
/// x^(−shape).
pub fn standard_pareto(shape: f64, stream: &mut Stream) -> f64 {
    libm::pow(stream.next_open01(), -1.0 / shape)
}
