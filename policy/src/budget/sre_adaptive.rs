//! Adaptive throttling: retries are refused by chance, the more the less a route accepts.
//!
//! Over a window, `requests` counts the attempts sent and `accepts` those that the route dealt
//! with, well or not. A retry is refused with probability
//! max(0, (requests − k·accepts) / (requests + padding)), compared as whole numbers with the call's
//! own draw.
//!
//! Source: "Handling Overload" in Beyer et al., *Site Reliability Engineering*, 2016, where k is 2,
//! the window two minutes, and the padding 1. Requests count as they are sent, as there: counted
//! as they end, a route that answers nothing looks well until the first timeouts. A refused retry
//! is not sent and does not count.

use alloc::format;
use alloc::string::String;

use super::slices::Slices;
use super::{Admission, Budget, Draw, Passage, Permit, Settlement};
use crate::class::Class;
use crate::config_error::ConfigError;
use crate::ratio::Ratio;
use crate::time::{Instant, Nanos};

const ONE: u128 = Ratio::ONE.parts_per_billion() as u128;

/// The parameters of adaptive throttling.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SreAdaptiveSpec {
    /// Requests for each accepted one that are sent before anything is refused.
    pub k: Ratio,
    /// How long attempts count.
    pub window: Nanos,
    /// What keeps the probability below 1, in requests.
    pub padding: Ratio,
}

impl SreAdaptiveSpec {
    /// As published.
    pub const DEFAULT: SreAdaptiveSpec = SreAdaptiveSpec {
        k: Ratio::from_percent(200),
        window: Nanos::from_secs(120),
        padding: Ratio::ONE,
    };

    pub(crate) fn validate(&self, index: usize) -> Result<(), ConfigError> {
        let error = |key: &str, problem: &str| {
            Err(ConfigError::new(format!("budget.{index}.{key}"), String::from(problem)))
        };
        if self.k < Ratio::ONE {
            return error("k", "must be at least 1: below it a healthy route is refused retries");
        }
        if self.window < Nanos::from_millis(1) {
            return error("window", "must be at least 1ms");
        }
        if self.padding == Ratio::ZERO {
            return error("padding", "must be above 0: a route that is down could never be tried");
        }
        Ok(())
    }
}

/// Adaptive throttling.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SreAdaptive {
    k: u64,
    padding: u64,
    slices: Slices<Slice>,
}

/// What happened within one slice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Slice {
    requests: u32,
    accepts: u32,
}

impl SreAdaptive {
    /// With no memory.
    pub fn open(spec: SreAdaptiveSpec) -> Self {
        SreAdaptive {
            k: spec.k.parts_per_billion(),
            padding: spec.padding.parts_per_billion(),
            slices: Slices::over(spec.window),
        }
    }

    /// Attempts sent, and attempts accepted, within the window that ends at `now`.
    pub fn counts(&mut self, now: Instant) -> (u64, u64) {
        self.slices.current(now);
        self.slices.iter().fold((0, 0), |sum, slice| {
            (sum.0 + u64::from(slice.requests), sum.1 + u64::from(slice.accepts))
        })
    }

    /// The probability of a refusal as a fraction, in billionths both.
    fn refusal(&mut self, now: Instant) -> (u128, u128) {
        let (requests, accepts) = self.counts(now);
        let requests = u128::from(requests) * ONE;
        let expected = u128::from(accepts) * u128::from(self.k);
        (requests.saturating_sub(expected), requests + u128::from(self.padding))
    }

    fn forget_one(&mut self, now: Instant) {
        self.slices.current(now);
        if let Some(slice) = self.slices.newest_first().find(|slice| slice.requests > 0) {
            slice.requests -= 1;
        }
    }
}

impl Budget for SreAdaptive {
    fn admit(&mut self, _passage: Passage, _draw: Draw, now: Instant) -> Admission {
        let slice = self.slices.current(now);
        slice.requests = slice.requests.saturating_add(1);
        Admission::AT_ONCE
    }

    fn recall(&mut self, _passage: Passage, now: Instant) {
        self.forget_one(now);
    }

    fn try_withdraw(&mut self, class: Class, draw: u64, now: Instant) -> Option<Permit> {
        let (part, whole) = self.refusal(now);
        // draw / 2⁶⁴ < part / whole. Ten u32 counts in billionths stay below 2⁶⁶: three bits less,
        // and the products fit.
        let refused = u128::from(draw) * (whole >> 3) < (part >> 3) << 64;
        (!refused).then_some(Permit { class })
    }

    fn restore(&mut self, _permit: Permit, _now: Instant) {}

    fn settle(&mut self, _passage: Passage, how: Settlement, now: Instant) {
        let accepted = match how {
            Settlement::Succeeded | Settlement::Paused => true,
            Settlement::Failed(class) => !class.concerns_availability(),
            // Nobody will know.
            Settlement::Cancelled => return self.forget_one(now),
        };
        if accepted {
            let slice = self.slices.current(now);
            slice.accepts = slice.accepts.saturating_add(1);
        }
    }
}
