//! Refuses to run for ever at one instant.

use retrial_policy::Instant;

/// Events at one instant before a run is given up.
pub const MAX_EVENTS_AT_ONE_INSTANT: u32 = 1_000_000;

/// Counts events at the current instant.
#[derive(Debug, Default)]
pub struct StormGuard {
    now: Instant,
    events: u32,
}

/// A run that takes no time: some cycle of retries has neither delay nor bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EndlessInstant {
    /// Where time stands still.
    pub at: Instant,
}

impl StormGuard {
    /// Counts one event at `now`.
    ///
    /// # Errors
    ///
    /// There were a million at this instant.
    #[inline]
    pub fn count(&mut self, now: Instant) -> Result<(), EndlessInstant> {
        if now != self.now {
            self.now = now;
            self.events = 0;
        }
        self.events += 1;
        if self.events > MAX_EVENTS_AT_ONE_INSTANT {
            return Err(EndlessInstant { at: now });
        }
        Ok(())
    }
}
