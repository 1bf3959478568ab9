//! Retries in flight as a share of requests in flight.
//!
//! A retry is allowed while fewer than the larger of `budget_percent` of all logical requests in
//! flight (rounded down) and `min_retry_concurrency` are under way. Nothing decays and no clock is
//! read: what ends makes room.
//!
//! Source: Envoy's retry budget. There the share is taken of *attempts* in flight, which shrinks
//! as requests that all failed at once turn into waiting retries; a logical request counts here
//! from its begin to its end, so that it does not. Whether a retry that waits counts as under way
//! differs between Envoy's code paths, hence the key.

use alloc::format;

use super::{Admission, Budget, Draw, Passage, Permit, Settlement};
use crate::class::Class;
use crate::config_error::ConfigError;
use crate::ratio::Ratio;
use crate::time::Instant;

/// The parameters of a concurrency share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConcurrentSpec {
    /// Retries under way at most, as a percentage of requests in flight.
    pub budget_percent: Ratio,
    /// Retries that may always be under way.
    pub min_retry_concurrency: u32,
    /// A retry is under way from its decision on, its wait included; if not, from its start.
    pub count_waiting: bool,
}

impl ConcurrentSpec {
    /// Envoy's: 20 %, and three at least.
    pub const DEFAULT: ConcurrentSpec = ConcurrentSpec {
        budget_percent: Ratio::from_percent(2_000),
        min_retry_concurrency: 3,
        count_waiting: true,
    };
    const ALL: Ratio = Ratio::from_percent(10_000);

    pub(crate) fn validate(&self, index: usize) -> Result<(), ConfigError> {
        if self.budget_percent > Self::ALL {
            let problem = "must be from 0 to 100";
            return Err(ConfigError::new(format!("budget.{index}.budget_percent"), problem));
        }
        if self.budget_percent == Ratio::ZERO && self.min_retry_concurrency == 0 {
            let problem = "must be at least 1 where `budget_percent` is 0: no retry could ever \
                           happen";
            return Err(ConfigError::new(format!("budget.{index}.min_retry_concurrency"), problem));
        }
        Ok(())
    }
}

/// A concurrency share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Concurrent {
    budget_percent: u64,
    min: u32,
    /// Logical requests in flight.
    requests: u32,
    /// Retries sent and not over.
    sent: u32,
    /// Retries granted and not sent.
    waiting: u32,
    count_waiting: bool,
}

impl Concurrent {
    /// With nothing in flight.
    pub fn open(spec: ConcurrentSpec) -> Self {
        Concurrent {
            budget_percent: spec.budget_percent.parts_per_billion(),
            min: spec.min_retry_concurrency,
            requests: 0,
            sent: 0,
            waiting: 0,
            count_waiting: spec.count_waiting,
        }
    }

    /// Retries that may be under way now.
    pub fn allowed(&self) -> u32 {
        const HUNDRED: u128 = 100 * Ratio::ONE.parts_per_billion() as u128;
        let share = u128::from(self.requests) * u128::from(self.budget_percent) / HUNDRED;
        u32::try_from(share).unwrap_or(u32::MAX).max(self.min)
    }

    /// Retries under way now.
    pub fn under_way(&self) -> u32 {
        if self.count_waiting { self.sent.saturating_add(self.waiting) } else { self.sent }
    }
}

impl Budget for Concurrent {
    fn on_request(&mut self, _now: Instant) {
        self.requests = self.requests.saturating_add(1);
    }

    fn on_request_end(&mut self, _now: Instant) {
        self.requests = self.requests.saturating_sub(1);
    }

    fn admit(&mut self, passage: Passage, _draw: Draw, _now: Instant) -> Admission {
        if passage.permit.is_some() {
            self.waiting = self.waiting.saturating_sub(1);
            self.sent = self.sent.saturating_add(1);
        }
        Admission::AT_ONCE
    }

    fn recall(&mut self, passage: Passage, _now: Instant) {
        if passage.permit.is_some() {
            self.sent = self.sent.saturating_sub(1);
            self.waiting = self.waiting.saturating_add(1);
        }
    }

    fn try_withdraw(&mut self, class: Class, _draw: u64, _now: Instant) -> Option<Permit> {
        if self.under_way() >= self.allowed() {
            return None;
        }
        self.waiting = self.waiting.saturating_add(1);
        Some(Permit { class })
    }

    fn restore(&mut self, _permit: Permit, _now: Instant) {
        self.waiting = self.waiting.saturating_sub(1);
    }

    fn settle(&mut self, passage: Passage, _how: Settlement, _now: Instant) {
        if passage.permit.is_some() {
            self.sent = self.sent.saturating_sub(1);
        }
    }

    fn level(&self) -> Option<Ratio> {
        let allowed = self.allowed();
        let left = allowed.saturating_sub(self.under_way());
        Some(Ratio::share(left.into(), allowed.into()))
    }
}
