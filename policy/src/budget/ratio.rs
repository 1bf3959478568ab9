//! Retries as a share of requests within a window.
//!
//! Each request (or each success) deposits a fraction of a retry, a retry withdraws a whole one,
//! and both are forgotten after `ttl`. On top there is a reserve, so that a client with little
//! traffic may retry at all: so many retries a second, over the window.
//!
//! Source: Finagle's `RetryBudget`, and tower's `TpsBudget` after it. They count in whole tokens
//! a retry, so that a ratio of 0.6 becomes 1.0 in tower, and catch up slice by slice after an idle
//! month. This one counts billionths of a retry, and clears each slice once.

use alloc::format;
use alloc::string::String;

use super::slices::Slices;
use super::{Budget, Passage, Permit, Settlement};
use crate::class::Class;
use crate::config_error::ConfigError;
use crate::ratio::Ratio;
use crate::time::{Instant, Nanos};

/// A whole retry.
const RETRY: u64 = Ratio::ONE.parts_per_billion();

/// What pays for retries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DepositOn {
    /// Every logical request as it begins, as in Finagle.
    #[default]
    Request,
    /// Every attempt that succeeds, as in reqwest: in an outage only the reserve is left.
    Success,
}

/// The parameters of a windowed ratio.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WindowedRatioSpec {
    /// Retries for each deposit.
    pub ratio: Ratio,
    /// How long deposits and withdrawals count.
    pub ttl: Nanos,
    /// Retries a second that need no deposit.
    pub min_per_sec: Ratio,
    /// What makes a deposit.
    pub deposit_on: DepositOn,
}

impl WindowedRatioSpec {
    /// Finagle's: 20 % of requests, and 10 a second, over ten seconds.
    pub const DEFAULT: WindowedRatioSpec = WindowedRatioSpec {
        ratio: Ratio::from_percent(20),
        ttl: Nanos::from_secs(10),
        min_per_sec: Ratio::from_percent(1_000),
        deposit_on: DepositOn::Request,
    };
    /// The most that makes sense: ten retries for each request.
    const MOST: Ratio = Ratio::from_percent(1_000);

    pub(crate) fn validate(&self, index: usize) -> Result<(), ConfigError> {
        let error = |key: &str, problem: String| {
            Err(ConfigError::new(format!("budget.{index}.{key}"), problem))
        };
        if self.ratio > Self::MOST {
            return error("ratio", "must be from 0 to 10 retries for each request".into());
        }
        if self.ttl < Nanos::from_millis(1) {
            return error("ttl", "must be at least 1ms".into());
        }
        if self.ratio == Ratio::ZERO && self.reserve() < RETRY {
            let problem =
                "is 0 and `min_per_sec` times `ttl` is below 1: no retry could ever happen";
            return error("ratio", problem.into());
        }
        Ok(())
    }

    /// What needs no deposit within one window, in billionths of a retry.
    fn reserve(&self) -> u64 {
        let parts = u128::from(self.min_per_sec.parts_per_billion()) * u128::from(self.ttl.get())
            / u128::from(Nanos::from_secs(1).get());
        u64::try_from(parts).unwrap_or(u64::MAX)
    }
}

/// A windowed ratio.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WindowedRatio {
    deposit: u64,
    reserve: u64,
    deposit_on: DepositOn,
    slices: Slices<Slice>,
}

/// What happened within one slice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Slice {
    deposits: u32,
    withdrawals: u32,
}

impl WindowedRatio {
    /// With its reserve and no deposits.
    pub fn open(spec: WindowedRatioSpec) -> Self {
        WindowedRatio {
            deposit: spec.ratio.parts_per_billion(),
            reserve: spec.reserve(),
            deposit_on: spec.deposit_on,
            slices: Slices::over(spec.ttl),
        }
    }

    /// What is left at `now`, in billionths of a retry.
    pub fn balance(&mut self, now: Instant) -> u64 {
        self.slices.current(now);
        let (deposits, withdrawals) = self.slices.iter().fold((0_u64, 0_u64), |sum, slice| {
            (sum.0 + u64::from(slice.deposits), sum.1 + u64::from(slice.withdrawals))
        });
        let paid = u128::from(deposits) * u128::from(self.deposit) + u128::from(self.reserve);
        // Deposits may be forgotten before the withdrawals that they paid for.
        let left = paid.saturating_sub(u128::from(withdrawals) * u128::from(RETRY));
        u64::try_from(left).unwrap_or(u64::MAX)
    }

    fn deposit(&mut self, now: Instant) {
        let slice = self.slices.current(now);
        slice.deposits = slice.deposits.saturating_add(1);
    }
}

impl Budget for WindowedRatio {
    fn on_request(&mut self, now: Instant) {
        match self.deposit_on {
            DepositOn::Request => self.deposit(now),
            DepositOn::Success => {}
        }
    }

    fn try_withdraw(&mut self, class: Class, _draw: u64, now: Instant) -> Option<Permit> {
        if self.balance(now) < RETRY {
            return None;
        }
        let slice = self.slices.current(now);
        slice.withdrawals = slice.withdrawals.saturating_add(1);
        Some(Permit { class })
    }

    /// Takes the youngest withdrawal back. A permit does not say when it was taken; if that is
    /// longer ago than the window, and another was taken since, this one returns a little early.
    fn restore(&mut self, _permit: Permit, now: Instant) {
        self.slices.current(now);
        if let Some(slice) = self.slices.newest_first().find(|slice| slice.withdrawals > 0) {
            slice.withdrawals -= 1;
        }
    }

    fn settle(&mut self, _passage: Passage, how: Settlement, now: Instant) {
        match (how, self.deposit_on) {
            (Settlement::Succeeded, DepositOn::Success) => self.deposit(now),
            (Settlement::Succeeded, DepositOn::Request)
            | (Settlement::Failed(_) | Settlement::Paused | Settlement::Cancelled, _) => {}
        }
    }
}
