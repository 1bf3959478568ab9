//! The standard exponential distribution.

use std::sync::LazyLock;

use super::ziggurat::{Point, Ziggurat};
use crate::engine::stream::Stream;

/// Density e⁻ˣ; the tail beyond x has area e⁻ˣ. The tail's start is that of the published tables.
static LAYERS: LazyLock<Ziggurat> = LazyLock::new(|| {
    const TAIL: f64 = 7.697_117_470_131_05;
    Ziggurat::new(TAIL, libm::exp(-TAIL), |x| libm::exp(-x), |y| -libm::log(y))
});

/// A draw with mean 1.
#[inline]
pub fn standard_exponential(stream: &mut Stream) -> f64 {
    match LAYERS.point(stream.next_bits()) {
        Point::Inside(x) => x,
        point => beside(point, stream),
    }
}

/// The one draw in fifty that is not inside for certain.
#[cold]
fn beside(mut point: Point, stream: &mut Stream) -> f64 {
    loop {
        match point {
            Point::Inside(x) => return x,
            // Without memory: the excess over the tail's start is exponential again.
            Point::Tail => return LAYERS.tail() - libm::log(stream.next_open01()),
            Point::Edge { x, floor, height } => {
                if floor + height * stream.next_open01() < libm::exp(-x) {
                    return x;
                }
            }
        }
        point = LAYERS.point(stream.next_bits());
    }
}
