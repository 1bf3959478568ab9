//! How delays grow from retry to retry, before cap and jitter.

use alloc::boxed::Box;

use crate::ratio::Ratio;
use crate::time::Nanos;

/// The un-jittered delay as a function of the retry number n = 0, 1, 2, …
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Growth {
    /// No delay at all.
    None,
    /// Always `base`.
    Constant {
        /// The delay.
        base: Nanos,
    },
    /// base + step · n.
    Linear {
        /// The first delay.
        base: Nanos,
        /// What each further retry adds.
        step: Nanos,
    },
    /// base · factorⁿ.
    Exponential {
        /// The first delay.
        base: Nanos,
        /// At least 1.
        factor: Ratio,
    },
    /// base · (1, 1, 2, 3, 5, 8, …).
    Fibonacci {
        /// The first delay.
        base: Nanos,
    },
    /// Listed delays; the last one repeats.
    Schedule(Box<[Nanos]>),
    /// Decorrelated jitter (Brooker, "Exponential Backoff And Jitter", 2015):
    /// s₀ = base, s ← min(cap, U[base, 3s]). Random by itself; the drawn value is clipped.
    Decorrelated {
        /// The lower edge of every draw, and the state before the first.
        base: Nanos,
    },
    /// Polly's smooth decorrelated jitter: with x = n + U[0, 1) and g(x) = 2ˣ·tanh(√(4x)),
    /// the delay is (g(xₙ) − g(xₙ₋₁)) · base / 1.4, where g before the first retry is 0.
    SmoothDecorrelated {
        /// Scales all delays; the median of the first is close to it.
        base: Nanos,
    },
}

impl Growth {
    /// The first delay, for the kinds that grow from one.
    #[inline]
    pub fn base(&self) -> Option<Nanos> {
        match *self {
            Growth::None | Growth::Schedule(_) => None,
            Growth::Constant { base }
            | Growth::Linear { base, .. }
            | Growth::Exponential { base, .. }
            | Growth::Fibonacci { base }
            | Growth::Decorrelated { base }
            | Growth::SmoothDecorrelated { base } => Some(base),
        }
    }

    /// Whether the kind draws its own randomness, so that a jitter on top makes no sense.
    pub fn is_random(&self) -> bool {
        matches!(self, Growth::Decorrelated { .. } | Growth::SmoothDecorrelated { .. })
    }
}

/// base · factorⁿ, to the nearest nanosecond; "longer than anything" once it overflows.
#[inline]
pub(crate) fn exponential(base: Nanos, factor: Ratio, n: u32) -> Nanos {
    const TWO: Ratio = Ratio::from_percent(200);
    if factor == TWO {
        // The common case without floats. Beyond 2⁶³ only a zero base stays what it is.
        return match 1_u64.checked_shl(n) {
            Some(power) => base.saturating_mul(power),
            None => base.saturating_mul(u64::MAX),
        };
    }
    Nanos::from_f64(base.get() as f64 * libm::pow(factor.as_f64(), f64::from(n)))
}

/// base · Fₙ₊₁ with F₁ = F₂ = 1.
pub(crate) fn fibonacci(base: Nanos, n: u32) -> Nanos {
    // F₉₃ is the largest that fits in 64 bits, so a longer loop could not change the result.
    let (mut current, mut next) = (1_u64, 1_u64);
    for _ in 0..n.min(93) {
        (current, next) = (next, current.saturating_add(next));
    }
    base.saturating_mul(current)
}

/// Polly's delay for retry `n` with the uniform draws `u` of this retry and `u_before` of the one
/// before it, both in [0, 1).
pub(crate) fn smooth_decorrelated(base: Nanos, n: u32, u: f64, u_before: f64) -> Nanos {
    let before = if n == 0 { 0.0 } else { smooth_curve(f64::from(n - 1) + u_before) };
    Nanos::from_f64((smooth_curve(f64::from(n) + u) - before) * base.get() as f64 / SMOOTH_SCALE)
}

/// The least upper bound of [`smooth_decorrelated`] over both draws.
pub(crate) fn smooth_decorrelated_bound(base: Nanos, n: u32) -> Nanos {
    smooth_decorrelated(base, n, 1.0, 0.0)
}

const SMOOTH_SCALE: f64 = 1.4;

fn smooth_curve(x: f64) -> f64 {
    libm::exp2(x) * libm::tanh(libm::sqrt(4.0 * x))
}
