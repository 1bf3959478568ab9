//! gRPC's retry throttling.
//!
//! A failed attempt takes one token, a success adds a fraction of one, and nothing is retried
//! while at most half of the tokens are left. The failure that asks has been counted by then.
//! It starts full, so that the first half of the tokens is a stock of retries.
//!
//! Source: gRPC proposal A6, "Throttling Retry Attempts and Hedged RPCs". Counted in thousandths,
//! as the proposal has it; implementations that add floats end up at 4.9999999999999964 for 5 and
//! take the threshold late.

use alloc::format;

use super::{Budget, Passage, Permit, Settlement};
use crate::class::Class;
use crate::config_error::ConfigError;
use crate::ratio::Ratio;
use crate::time::Instant;

/// A token in thousandths.
const TOKEN: u32 = 1_000;

/// The parameters of retry throttling.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GrpcThrottleSpec {
    /// The most tokens, and what it starts with: 1 to 1,000.
    pub max_tokens: u32,
    /// What a success adds, in tokens. Digits after the third decimal don't count.
    pub token_ratio: Ratio,
    /// A failure that says nothing about availability adds as much as a success: it shows that
    /// the server answers. Google's client library for Rust does so, gRPC does not.
    pub refund_answered: bool,
}

impl GrpcThrottleSpec {
    const MOST_TOKENS: u32 = 1_000;

    pub(crate) fn validate(&self, index: usize) -> Result<(), ConfigError> {
        if self.max_tokens == 0 || self.max_tokens > Self::MOST_TOKENS {
            let problem = "must be from 1 to 1000, as gRPC has it";
            return Err(ConfigError::new(format!("budget.{index}.max_tokens"), problem));
        }
        if self.milli_ratio() == 0 {
            let problem = "must be at least 0.001: the tokens could never recover";
            return Err(ConfigError::new(format!("budget.{index}.token_ratio"), problem));
        }
        Ok(())
    }

    fn milli_ratio(&self) -> u32 {
        let thousandths = self.token_ratio.parts_per_billion() / 1_000_000;
        u32::try_from(thousandths).unwrap_or(u32::MAX)
    }
}

/// Retry throttling.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GrpcThrottle {
    milli_tokens: u32,
    max: u32,
    milli_ratio: u32,
    refund_answered: bool,
}

impl GrpcThrottle {
    /// With all its tokens.
    pub fn full(spec: GrpcThrottleSpec) -> Self {
        let max = spec.max_tokens.saturating_mul(TOKEN);
        GrpcThrottle {
            milli_tokens: max,
            max,
            milli_ratio: spec.milli_ratio(),
            refund_answered: spec.refund_answered,
        }
    }

    /// The tokens, in thousandths.
    pub fn milli_tokens(&self) -> u32 {
        self.milli_tokens
    }

    /// Whether a retry is allowed now: more than half of the tokens are left.
    pub fn allows_retries(&self) -> bool {
        self.milli_tokens > self.max / 2
    }

    fn add(&mut self) {
        self.milli_tokens = self.milli_tokens.saturating_add(self.milli_ratio).min(self.max);
    }
}

impl Budget for GrpcThrottle {
    fn try_withdraw(&mut self, class: Class, _draw: u64, _now: Instant) -> Option<Permit> {
        self.allows_retries().then_some(Permit { class })
    }

    /// A permit costs nothing: what costs is the failure.
    fn restore(&mut self, _permit: Permit, _now: Instant) {}

    fn settle(&mut self, _passage: Passage, how: Settlement, _now: Instant) {
        match how {
            Settlement::Succeeded => self.add(),
            // Whatever is retried counts, as every retryable status does in gRPC.
            Settlement::Failed(class)
                if class.concerns_availability() || class == Class::Conflict =>
            {
                self.milli_tokens = self.milli_tokens.saturating_sub(TOKEN);
            }
            Settlement::Failed(_) if self.refund_answered => self.add(),
            Settlement::Failed(_) | Settlement::Paused | Settlement::Cancelled => {}
        }
    }

    fn level(&self) -> Option<Ratio> {
        // The lower half allows no retry.
        let half = self.max / 2;
        Some(Ratio::share(self.milli_tokens.saturating_sub(half).into(), (self.max - half).into()))
    }
}
