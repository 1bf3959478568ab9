//! Refuses to run for ever at one instant.

use retrial_policy::Instant;

/// Events at one instant before a run is given up.
const MAX_EVENTS_AT_ONE_INSTANT: u64 = 1_000_000;

/// Events that each slot may have at one instant, where there are so many slots that a herd on a
/// network without spread is not an endless cycle yet.
const MAX_EVENTS_PER_SLOT: u64 = 16;

/// Counts events at the current instant.
#[derive(Debug, Default)]
pub struct StormGuard {
    now: Instant,
    events: u64,
    /// Slots when the instant began: an endless cycle may make new ones all the time.
    slots: usize,
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
    /// Counts one event at `now`, when there are so many slots.
    ///
    /// # Errors
    ///
    /// There were more than a million at this instant, and more than any herd makes.
    #[inline]
    pub fn count(&mut self, now: Instant, slots: usize) -> Result<(), EndlessInstant> {
        if now != self.now {
            self.now = now;
            self.events = 0;
            self.slots = slots;
        }
        self.events += 1;
        if self.events > MAX_EVENTS_AT_ONE_INSTANT
            && self.events > MAX_EVENTS_PER_SLOT * self.slots as u64
        {
            return Err(EndlessInstant { at: now, events: self.events });
        }
        Ok(())
    }
}
