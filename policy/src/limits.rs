//! The bounds of one logical request: attempts and time.

use core::num::NonZeroU32;

use crate::config_error::ConfigError;
use crate::time::{Instant, Nanos};

/// Bounds of one logical request; first try, retries and fallbacks count together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Attempts at most, the first included. `None` is unlimited.
    pub max_attempts: Option<NonZeroU32>,
    /// Total latency, waits included. `None` is unlimited.
    pub deadline: Option<Nanos>,
    /// Latency of one attempt. `None` is unlimited.
    pub attempt_timeout: Option<Nanos>,
}

impl Default for Limits {
    /// Five attempts, no bound on time.
    fn default() -> Self {
        Limits { max_attempts: NonZeroU32::new(5), deadline: None, attempt_timeout: None }
    }
}

impl Limits {
    pub(crate) fn validate(&self) -> Result<(), ConfigError> {
        if self.deadline == Some(Nanos::ZERO) {
            return Err(ConfigError::new(
                "limits.deadline",
                "must be above zero, or \"unlimited\"",
            ));
        }
        if self.attempt_timeout == Some(Nanos::ZERO) {
            let problem = "must be above zero, or \"unlimited\"";
            return Err(ConfigError::new("limits.attempt_timeout", problem));
        }
        Ok(())
    }

    /// The instant at which a call started at `start` is over.
    #[inline]
    pub(crate) fn deadline_from(&self, start: Instant) -> Instant {
        self.deadline.map_or(Instant::MAX, |deadline| start.saturating_add(deadline))
    }

    /// Attempts left after `made`; `None` is unlimited.
    #[inline]
    pub(crate) fn attempts_left(&self, made: u32) -> Option<u32> {
        self.max_attempts.map(|max| max.get().saturating_sub(made))
    }
}
