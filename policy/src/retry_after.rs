//! What the server asks for, and how far the policy obeys.

use crate::config_error::ConfigError;
use crate::ratio::Ratio;
use crate::time::Nanos;

/// A wait that the server asked for.
///
/// A number too large for the clock is [`Nanos::MAX`]: "too long", never "absent".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Hint(pub Nanos);

/// How a hint and the policy's own backoff combine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RetryAfterMode {
    /// The hint alone.
    #[default]
    Replace,
    /// The longer of the two.
    Floor,
    /// The longer of the two, but at most this much above the own backoff.
    Clamp(Nanos),
    /// The own backoff alone.
    Ignore,
}

/// What to do with a hint above the cap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OverCap {
    /// Stop: a shorter wait would only be refused again.
    #[default]
    Stop,
    /// Take a qualified fallback, else stop.
    Fallback,
    /// Wait for the cap instead. Earlier than asked: only to reproduce other libraries.
    Clip,
    /// Pretend there was no hint. Only to reproduce other libraries.
    OwnBackoff,
}

/// How hints are obeyed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RetryAfter {
    /// How hint and backoff combine.
    pub mode: RetryAfterMode,
    /// The longest wait accepted.
    pub cap: Nanos,
    /// What to do with a longer one.
    pub over_cap: OverCap,
    /// Spread on top: the wait is multiplied by U[1, 1 + r], so that clients that got the same
    /// hint don't return in step, and none returns earlier than asked.
    pub jitter_ratio: Ratio,
    /// Spread on top as a fixed time: U[0, add] more.
    pub add: Nanos,
}

impl Default for RetryAfter {
    /// Replace, up to a minute, else stop; 10 % spread.
    fn default() -> Self {
        RetryAfter {
            mode: RetryAfterMode::Replace,
            cap: Nanos::from_secs(60),
            over_cap: OverCap::Stop,
            jitter_ratio: Ratio::from_percent(10),
            add: Nanos::ZERO,
        }
    }
}

impl RetryAfter {
    pub(crate) fn validate(&self) -> Result<(), ConfigError> {
        if self.jitter_ratio > Ratio::from_percent(1000) {
            return Err(ConfigError::new("retry_after.jitter_ratio", "must be at most 10"));
        }
        Ok(())
    }

    /// The wait for an accepted `hint` beside the `own` backoff, before the spread, and whether
    /// the hint decided it.
    #[inline]
    pub(crate) fn combine(&self, hint: Nanos, own: Nanos) -> (Nanos, bool) {
        match self.mode {
            RetryAfterMode::Replace => (hint, true),
            RetryAfterMode::Floor => (hint.max(own), hint >= own),
            RetryAfterMode::Clamp(above) => {
                (hint.max(own).min(own.saturating_add(above)), hint > own)
            }
            RetryAfterMode::Ignore => (own, false),
        }
    }
}
