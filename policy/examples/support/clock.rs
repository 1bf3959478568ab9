//! [`Clock`]: the time that a driver tells the core.

use std::time;

use retrial_policy::Instant;

/// Counts from when it was made. Monotonic, so that no correction of the wall clock lengthens a
/// deadline; one for all calls that share a budget.
#[derive(Clone, Copy, Debug)]
pub struct Clock(time::Instant);

impl Clock {
    /// Begins to count.
    pub fn start() -> Clock {
        Clock(time::Instant::now())
    }

    /// The time now.
    pub fn now(self) -> Instant {
        // 584 years of nanoseconds fit.
        Instant::from_nanos(u64::try_from(self.0.elapsed().as_nanos()).unwrap_or(u64::MAX))
    }
}
