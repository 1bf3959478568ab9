//! [`UnixTime`]: a point on the calendar.

use std::time::{SystemTime, UNIX_EPOCH};

use crate::time::Nanos;

/// A point on the calendar: nanoseconds since 1970, UTC, without leap seconds.
///
/// Replies name such points, so whoever wants them understood has to say when the reply came. It is
/// no [`Instant`](crate::Instant): those count from wherever the driver likes, on a clock that
/// never jumps. 128 bits, because a `u64` ends in the year 2554, and a date beyond that has to be
/// seen as too far away, not as 528 years.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UnixTime(u128);

impl UnixTime {
    /// The point `n` seconds after the epoch.
    pub const fn from_secs(n: u64) -> Self {
        UnixTime(n as u128 * 1_000_000_000)
    }

    /// The point `n` milliseconds after the epoch.
    pub const fn from_millis(n: u64) -> Self {
        UnixTime(n as u128 * 1_000_000)
    }

    /// The point `n` nanoseconds after the epoch.
    pub const fn from_nanos(n: u128) -> Self {
        UnixTime(n)
    }

    /// Nanoseconds since the epoch.
    pub const fn as_nanos(self) -> u128 {
        self.0
    }

    /// The span from `earlier` to here, at most [`Nanos::MAX`]; zero if `earlier` is later.
    pub fn saturating_since(self, earlier: UnixTime) -> Nanos {
        Nanos::new(u64::try_from(self.0.saturating_sub(earlier.0)).unwrap_or(u64::MAX))
    }
}

impl From<SystemTime> for UnixTime {
    /// A time before 1970 becomes the epoch: such a clock is not set.
    fn from(time: SystemTime) -> Self {
        UnixTime(time.duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos())
    }
}

#[cfg(test)]
mod tests {
    use core::time::Duration;

    use super::*;

    #[test]
    fn spans_saturate_at_both_ends() {
        let (early, late) = (UnixTime::from_secs(10), UnixTime::from_millis(10_250));
        assert_eq!(late.saturating_since(early), Nanos::from_millis(250));
        assert_eq!(early.saturating_since(late), Nanos::ZERO);
        assert_eq!(UnixTime::from_nanos(u128::MAX).saturating_since(late), Nanos::MAX);
    }

    #[test]
    fn system_times_convert() {
        let time = UNIX_EPOCH + Duration::from_nanos(1_000_000_007);
        assert_eq!(UnixTime::from(time).as_nanos(), 1_000_000_007);
        assert_eq!(UnixTime::from(UNIX_EPOCH - Duration::from_secs(1)), UnixTime::from_secs(0));
    }
}
