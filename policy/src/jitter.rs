//! Jitter: how a delay d is spread so that clients don't return in step.

use crate::mix::scale;
use crate::ratio::Ratio;
use crate::time::Nanos;

/// The distribution of a delay around its un-jittered value d. U is uniform, both ends included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Jitter {
    /// d itself.
    #[default]
    None,
    /// U[0, d].
    Full,
    /// d/2 + U[0, d/2].
    Equal,
    /// d · U[1 − r, 1 + r].
    Proportional(Ratio),
    /// d · U[1 − r, 1].
    Shrink(Ratio),
    /// d · U[1, 1 + r].
    Stretch(Ratio),
    /// d + U[0, add].
    Add(Nanos),
    /// Exponentially distributed with mean d.
    Exponential,
}

/// The largest value of −ln(u) over the 53-bit uniforms u in (0, 1].
const MAX_EXPONENTIAL: f64 = 53.0 * core::f64::consts::LN_2;

impl Jitter {
    /// The smallest and the largest value that [`Jitter::apply`] can give for `delay`.
    #[inline]
    pub fn range(self, delay: Nanos) -> (Nanos, Nanos) {
        match self {
            Jitter::None => (delay, delay),
            Jitter::Full => (Nanos::ZERO, delay),
            Jitter::Equal => (Nanos::new(delay.get() / 2), delay),
            Jitter::Proportional(r) => {
                (delay.saturating_sub(r.of(delay)), delay.saturating_add(r.of(delay)))
            }
            Jitter::Shrink(r) => (delay.saturating_sub(r.of(delay)), delay),
            Jitter::Stretch(r) => (delay, delay.saturating_add(r.of(delay))),
            Jitter::Add(add) => (delay, delay.saturating_add(add)),
            Jitter::Exponential => {
                (Nanos::ZERO, Nanos::from_f64(delay.get() as f64 * MAX_EXPONENTIAL))
            }
        }
    }

    /// The jittered delay for 64 random `bits`.
    ///
    /// A uniform draw is one multiplication in integer nanoseconds: exact on every platform, and
    /// an empty range is simply its one point.
    #[inline]
    pub fn apply(self, delay: Nanos, bits: u64) -> Nanos {
        if let Jitter::Exponential = self {
            let u = ((bits >> 11) + 1) as f64 / (1_u64 << 53) as f64;
            return Nanos::from_f64(delay.get() as f64 * -libm::log(u));
        }
        let (low, high) = self.range(delay);
        Nanos::new(low.get() + scale(bits, high.get() - low.get()))
    }

    /// Whether every delay comes out as it went in.
    #[inline]
    pub fn is_none(self) -> bool {
        self == Jitter::None
    }
}
