//! Time as integer nanoseconds: [`Nanos`], a span, and [`Instant`], a point.
//!
//! One `u64` each, so that state stays small and arithmetic is the same on every platform.
//! `core::time::Duration` splits seconds from nanoseconds, and jitter computed on the two parts
//! separately has gone wrong in a released library (tower 0.5.3 loses all jitter at a base of
//! exactly 1 s). All arithmetic saturates: an overflowing delay means "longer than anything".

use core::fmt;
use core::time::Duration;

/// A span of time in nanoseconds, up to 584 years.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Nanos(u64);

impl Nanos {
    /// No time at all.
    pub const ZERO: Nanos = Nanos(0);
    /// The longest span; stands for "without bound".
    pub const MAX: Nanos = Nanos(u64::MAX);

    /// A span of `n` nanoseconds.
    pub const fn new(n: u64) -> Self {
        Nanos(n)
    }

    /// A span of `n` milliseconds.
    pub const fn from_millis(n: u64) -> Self {
        Nanos(n.saturating_mul(1_000_000))
    }

    /// A span of `n` seconds.
    pub const fn from_secs(n: u64) -> Self {
        Nanos(n.saturating_mul(1_000_000_000))
    }

    /// The number of nanoseconds.
    pub const fn get(self) -> u64 {
        self.0
    }

    /// In milliseconds, for display and result files.
    pub fn as_millis_f64(self) -> f64 {
        self.0 as f64 / 1e6
    }

    /// The sum, at most [`Nanos::MAX`].
    pub const fn saturating_add(self, other: Nanos) -> Nanos {
        Nanos(self.0.saturating_add(other.0))
    }

    /// The difference, at least zero.
    pub const fn saturating_sub(self, other: Nanos) -> Nanos {
        Nanos(self.0.saturating_sub(other.0))
    }

    /// The product, at most [`Nanos::MAX`].
    pub const fn saturating_mul(self, n: u64) -> Nanos {
        Nanos(self.0.saturating_mul(n))
    }

    /// `value` nanoseconds rounded to the nearest whole one. Saturates at both ends; NaN, which
    /// only an overflow can produce in a growth formula, counts as "longer than anything".
    pub(crate) fn from_f64(value: f64) -> Nanos {
        if value.is_nan() {
            Nanos::MAX
        } else {
            // `as` saturates, so infinity becomes the longest span.
            Nanos(libm::round(value) as u64)
        }
    }
}

impl From<Duration> for Nanos {
    fn from(duration: Duration) -> Self {
        Nanos(u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX))
    }
}

impl From<Nanos> for Duration {
    fn from(nanos: Nanos) -> Self {
        Duration::from_nanos(nanos.0)
    }
}

impl fmt::Display for Nanos {
    /// Prints as the standard library prints a duration: `200ms`, `1.5s`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Nanos::MAX {
            f.write_str("unlimited")
        } else {
            fmt::Debug::fmt(&Duration::from(*self), f)
        }
    }
}

/// A point in time: nanoseconds since an epoch that the driver picks, on a monotonic clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Instant(u64);

impl Instant {
    /// The latest instant; stands for "never".
    pub const MAX: Instant = Instant(u64::MAX);

    /// The instant `n` nanoseconds after the epoch.
    pub const fn from_nanos(n: u64) -> Self {
        Instant(n)
    }

    /// Nanoseconds since the epoch.
    pub const fn as_nanos(self) -> u64 {
        self.0
    }

    /// The instant `span` later, at most [`Instant::MAX`].
    pub const fn saturating_add(self, span: Nanos) -> Instant {
        Instant(self.0.saturating_add(span.0))
    }

    /// The span from `earlier` to here; zero if `earlier` is later.
    pub const fn saturating_since(self, earlier: Instant) -> Nanos {
        Nanos(self.0.saturating_sub(earlier.0))
    }
}
