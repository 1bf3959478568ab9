//! The retry quota of the AWS SDKs' standard mode.
//!
//! Each retry costs tokens, by the kind of failure that asked for it. A success pays back what the
//! retry that led to it cost, and that one only: a request that failed twice has still spent the
//! first cost. A success at the first try pays a single token, so that a healthy client fills up
//! again after an outage. In the SDK for Rust the cost to be paid back is kept per client and not
//! per request, and requests in flight at once collect each other's; here each call has its own.
//!
//! Source: the SDKs' specification of standard mode, versions 2.0 (cost 5, or 10 after a timeout)
//! and 2.1 (cost 14, or 5 after throttling), both with 500 tokens.

use alloc::format;
use alloc::string::String;

use super::{Budget, Passage, Permit, Settlement};
use crate::class::Class;
use crate::config_error::ConfigError;
use crate::ratio::Ratio;
use crate::time::Instant;

/// The parameters of a retry quota, in whole tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AwsQuotaSpec {
    /// The most it holds, and what it starts with.
    pub capacity: u32,
    /// What a retry costs.
    pub retry_cost: u32,
    /// What a retry costs after [`Class::Throttled`].
    pub throttling_cost: u32,
    /// What a retry costs after [`Class::OutcomeUnknown`]: a timeout, or a broken connection.
    pub timeout_cost: u32,
    /// What a success pays that needed no retry.
    pub first_try_refund: u32,
}

impl AwsQuotaSpec {
    /// Standard mode as it was until 2025.
    pub const V2_0: AwsQuotaSpec = AwsQuotaSpec {
        capacity: 500,
        retry_cost: 5,
        throttling_cost: 5,
        timeout_cost: 10,
        first_try_refund: 1,
    };
    /// Standard mode as it is: throttling is cheap, because the server is alive.
    pub const V2_1: AwsQuotaSpec =
        AwsQuotaSpec { retry_cost: 14, throttling_cost: 5, timeout_cost: 14, ..AwsQuotaSpec::V2_0 };

    pub(crate) fn validate(&self, index: usize) -> Result<(), ConfigError> {
        let error = |key: &str, problem: String| {
            Err(ConfigError::new(format!("budget.{index}.{key}"), problem))
        };
        let costs = [
            ("retry_cost", self.retry_cost),
            ("throttling_cost", self.throttling_cost),
            ("timeout_cost", self.timeout_cost),
        ];
        for (key, cost) in costs {
            if cost == 0 {
                return error(key, "must be at least 1: a free retry is no budget".into());
            }
            if cost > self.capacity {
                let problem = format!(
                    "the capacity ({}) is below {key} ({cost}): no such retry could ever happen",
                    self.capacity
                );
                return error("capacity", problem);
            }
        }
        Ok(())
    }

    fn cost(&self, class: Class) -> u32 {
        match class {
            Class::Throttled => self.throttling_cost,
            Class::OutcomeUnknown => self.timeout_cost,
            Class::Ok
            | Class::Transient
            | Class::Exhausted
            | Class::InvalidRequest
            | Class::Auth
            | Class::TooLarge
            | Class::Content
            | Class::Conflict
            | Class::Unknown => self.retry_cost,
        }
    }
}

/// A retry quota.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AwsQuota {
    spec: AwsQuotaSpec,
    balance: u32,
}

impl AwsQuota {
    /// A full quota.
    pub fn full(spec: AwsQuotaSpec) -> Self {
        AwsQuota { spec, balance: spec.capacity }
    }

    /// The tokens in it: what the next withdrawal sees.
    pub fn balance(&self) -> u32 {
        self.balance
    }

    fn deposit(&mut self, tokens: u32) {
        self.balance = self.balance.saturating_add(tokens).min(self.spec.capacity);
    }
}

impl Budget for AwsQuota {
    fn try_withdraw(&mut self, class: Class, _draw: u64, _now: Instant) -> Option<Permit> {
        self.balance = self.balance.checked_sub(self.spec.cost(class))?;
        Some(Permit { class })
    }

    fn restore(&mut self, permit: Permit, _now: Instant) {
        self.deposit(self.spec.cost(permit.class));
    }

    fn settle(&mut self, passage: Passage, how: Settlement, _now: Instant) {
        match (how, passage.permit) {
            (Settlement::Succeeded, Some(permit)) => self.deposit(self.spec.cost(permit.class)),
            (Settlement::Succeeded, None) => self.deposit(self.spec.first_try_refund),
            (Settlement::Failed(_) | Settlement::Paused | Settlement::Cancelled, _) => {}
        }
    }

    fn level(&self) -> Option<Ratio> {
        let cheapest = self.spec.retry_cost.min(self.spec.throttling_cost);
        let left = if self.balance < cheapest { 0 } else { self.balance };
        Some(Ratio::share(left.into(), self.spec.capacity.into()))
    }
}
