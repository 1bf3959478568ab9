//! The standard normal distribution.

use std::sync::LazyLock;

use super::ziggurat::{Point, Ziggurat};
use crate::engine::stream::Stream;

/// Half the bell, e^(−x²/2) on x ≥ 0; its tail beyond x has area √(π/2)·erfc(x/√2). The tail's
/// start is that of the published tables.
static LAYERS: LazyLock<Ziggurat> = LazyLock::new(|| {
    const TAIL: f64 = 3.654_152_885_361_009;
    let tail_area = libm::sqrt(std::f64::consts::FRAC_PI_2)
        * libm::erfc(TAIL * std::f64::consts::FRAC_1_SQRT_2);
    Ziggurat::new(TAIL, tail_area, bell, |y| libm::sqrt(-2.0 * libm::log(y)))
});

fn bell(x: f64) -> f64 {
    libm::exp(-0.5 * x * x)
}

/// A draw with mean 0 and standard deviation 1.
#[inline(always)]
pub fn standard_normal(stream: &mut Stream) -> f64 {
    let bits = stream.next_bits();
    match LAYERS.point(bits) {
        Point::Inside(x) => signed(x, bits),
        point => beside(point, bits, stream),
    }
}

/// Bit 8 is the sign: the layer takes the bits below, the point those above. It is set without a
/// branch, which would be mispredicted every other time.
#[inline]
fn signed(x: f64, bits: u64) -> f64 {
    f64::from_bits(x.to_bits() | ((bits & 0x100) << 55))
}

/// The one draw in a hundred that is not inside for certain.
#[cold]
fn beside(mut point: Point, mut bits: u64, stream: &mut Stream) -> f64 {
    loop {
        match point {
            Point::Inside(x) => return signed(x, bits),
            Point::Tail => return signed(tail(stream), bits),
            Point::Edge { x, floor, height } => {
                if floor + height * stream.next_open01() < bell(x) {
                    return signed(x, bits);
                }
            }
        }
        bits = stream.next_bits();
        point = LAYERS.point(bits);
    }
}

/// Beyond the last rectangle (Marsaglia, "Generating a variable from the tail of the normal
/// distribution", 1964).
fn tail(stream: &mut Stream) -> f64 {
    let start = LAYERS.tail();
    loop {
        let x = -libm::log(stream.next_open01()) / start;
        let y = -libm::log(stream.next_open01());
        if 2.0 * y > x * x {
            return start + x;
        }
    }
}
