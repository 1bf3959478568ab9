//! Refuses to run for ever at one instant.

use retrial_policy::Instant;

/// Events at one instant before a run is given up.
const MAX_EVENTS_AT_ONE_INSTANT: u64 = 1_000_000;

/// Events that each slot may have at one instant, where there are so many slots that a herd on a
/// network without spread is not an endless cycle yet.
const MAX_EVENTS_PER_SLOT: u64 = 16;

/// Counts events at the current instant.
#[derive(Debug)]
pub struct StormGuard {
    now: Instant,
    events: u64,
    most: u64,
}

/// A run that takes no time: some cycle of retries has neither delay nor bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EndlessInstant {
    /// Where time stands still.
    pub at: Instant,
    /// How many events were counted there.
    pub events: u64,
}

impl StormGuard {
    /// For a run with so many slots.
    pub fn new(slots: usize) -> Self {
        let most = MAX_EVENTS_AT_ONE_INSTANT.max(MAX_EVENTS_PER_SLOT * slots as u64);
        StormGuard { now: Instant::from_nanos(0), events: 0, most }
    }

    /// Counts one event at `now`.
    ///
    /// # Errors
    ///
    /// There were more than a million at this instant.
    #[inline]
    pub fn count(&mut self, now: Instant) -> Result<(), EndlessInstant> {
        if now != self.now {
            self.now = now;
            self.events = 0;
        }
        self.events += 1;
        if self.events > self.most {
            return Err(EndlessInstant { at: now, events: self.events });
        }
        Ok(())
    }
}
