//! How fast a client really sends.

use crate::ratio::Ratio;
use crate::time::{Instant, Nanos};

const ONE: u128 = Ratio::ONE.parts_per_billion() as u128;

/// Counts sends by intervals of time and smooths the rate: with weight `smooth` that of the last
/// interval, with the rest what it was before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RateClock {
    interval: u64,
    smooth: u64,
    /// The number of the interval under way since the clock's epoch.
    under_way: u64,
    count: u32,
    /// In billionths of a send a second.
    rate: u64,
}

impl RateClock {
    pub(super) fn new(interval: Nanos, smooth: Ratio) -> Self {
        RateClock {
            interval: interval.get().max(1),
            smooth: smooth.parts_per_billion(),
            under_way: 0,
            count: 0,
            rate: 0,
        }
    }

    /// Begins to count at `now`.
    pub(super) fn start(&mut self, now: Instant) {
        self.under_way = now.as_nanos() / self.interval;
    }

    pub(super) fn rate(&self) -> u64 {
        self.rate
    }

    /// One more; gives the rate.
    pub(super) fn record(&mut self, now: Instant) -> u64 {
        self.count = self.count.saturating_add(1);
        let under_way = now.as_nanos() / self.interval;
        if under_way > self.under_way {
            let passed = u128::from(under_way - self.under_way) * u128::from(self.interval);
            // Billionths a second and nanoseconds: 10⁹ twice.
            let last = u128::from(self.count) * ONE * ONE / passed;
            let smooth = u128::from(self.smooth).min(ONE);
            let rate = (last * smooth + u128::from(self.rate) * (ONE - smooth)) / ONE;
            self.rate = u64::try_from(rate).unwrap_or(u64::MAX);
            self.count = 0;
            self.under_way = under_way;
        }
        self.rate
    }
}
