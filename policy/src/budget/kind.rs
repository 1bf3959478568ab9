//! [`BudgetSpec`]: one `[[budget]]` of a policy as data.

use super::aimd::{Aimd, AimdSpec};
use super::aws_adaptive::{AwsAdaptive, AwsAdaptiveSpec};
use super::aws_quota::{AwsQuota, AwsQuotaSpec};
use super::circuit_breaker::{CircuitBreaker, CircuitBreakerSpec, Trip};
use super::concurrent::{Concurrent, ConcurrentSpec};
use super::cooldown_gate::{CooldownGate, CooldownGateSpec};
use super::grpc::{GrpcThrottle, GrpcThrottleSpec};
use super::ratio::{WindowedRatio, WindowedRatioSpec};
use super::sre_adaptive::{SreAdaptive, SreAdaptiveSpec};
use super::state::BudgetState;
use super::token_bucket::{TokenBucket, TokenBucketSpec};
use crate::config_error::ConfigError;
use crate::ratio::Ratio;

/// Who shares a budget.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Scope {
    /// All calls of one client.
    #[default]
    Client,
    /// All clients of a group.
    Group,
}

/// One `[[budget]]` of a policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BudgetSpec {
    /// Who shares it.
    pub scope: Scope,
    /// Its rule and parameters.
    pub kind: BudgetKind,
}

/// The rule of a budget, with its parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BudgetKind {
    /// Retries cost tokens, successes pay some back.
    TokenBucket(TokenBucketSpec),
    /// Retries cost tokens by class, their success pays the cost back.
    AwsQuota(AwsQuotaSpec),
    /// Sends are held to a rate that follows throttling.
    AwsAdaptive(AwsAdaptiveSpec),
    /// Failures cost tokens, and below half of them nothing is retried.
    Grpc(GrpcThrottleSpec),
    /// Retries are a share of requests within a window.
    Ratio(WindowedRatioSpec),
    /// Retries in flight are a share of requests in flight.
    Concurrent(ConcurrentSpec),
    /// Retries are refused by chance as a route accepts less than it is sent.
    SreAdaptive(SreAdaptiveSpec),
    /// A route that fails is left alone for a while, then probed.
    CircuitBreaker(CircuitBreakerSpec),
    /// A server's hint holds everybody back.
    CooldownGate(CooldownGateSpec),
    /// Throttling lowers the number of logical requests in flight, successes raise it.
    Aimd(AimdSpec),
}

impl BudgetSpec {
    pub(crate) fn validate(&self, index: usize) -> Result<(), ConfigError> {
        match &self.kind {
            BudgetKind::TokenBucket(spec) => spec.validate(index),
            BudgetKind::AwsQuota(spec) => spec.validate(index),
            BudgetKind::AwsAdaptive(spec) => spec.validate(index),
            BudgetKind::Grpc(spec) => spec.validate(index),
            BudgetKind::Ratio(spec) => spec.validate(index),
            BudgetKind::Concurrent(spec) => spec.validate(index),
            BudgetKind::SreAdaptive(spec) => spec.validate(index),
            BudgetKind::CircuitBreaker(spec) => spec.validate(index),
            BudgetKind::CooldownGate(spec) => spec.validate(index),
            BudgetKind::Aimd(spec) => spec.validate(index),
        }
    }

    /// Whether a call that fails for ever is refused sooner or later, however slowly it fails.
    pub fn bounds_retries(&self) -> bool {
        match &self.kind {
            BudgetKind::TokenBucket(_) | BudgetKind::AwsQuota(_) | BudgetKind::Grpc(_) => true,
            // What it grants a second, it grants for ever.
            BudgetKind::Ratio(spec) => spec.min_per_sec == Ratio::ZERO,
            // Failures that are far enough apart never meet in a window.
            BudgetKind::CircuitBreaker(spec) => match spec.trip {
                Trip::InARow { .. } => true,
                Trip::Count { .. } | Trip::Share { .. } => false,
            },
            // By chance only, one at a time, or not at all.
            BudgetKind::SreAdaptive(_)
            | BudgetKind::Concurrent(_)
            | BudgetKind::AwsAdaptive(_)
            | BudgetKind::CooldownGate(_)
            | BudgetKind::Aimd(_) => false,
        }
    }

    /// A fresh budget of this kind.
    pub fn open(&self) -> BudgetState {
        match self.kind {
            BudgetKind::TokenBucket(spec) => BudgetState::TokenBucket(TokenBucket::full(spec)),
            BudgetKind::AwsQuota(spec) => BudgetState::AwsQuota(AwsQuota::full(spec)),
            BudgetKind::AwsAdaptive(spec) => {
                BudgetState::AwsAdaptive(AwsAdaptive::open(spec).into())
            }
            BudgetKind::Grpc(spec) => BudgetState::Grpc(GrpcThrottle::full(spec)),
            BudgetKind::Ratio(spec) => BudgetState::Ratio(WindowedRatio::open(spec).into()),
            BudgetKind::Concurrent(spec) => BudgetState::Concurrent(Concurrent::open(spec)),
            BudgetKind::SreAdaptive(spec) => {
                BudgetState::SreAdaptive(SreAdaptive::open(spec).into())
            }
            BudgetKind::CircuitBreaker(spec) => {
                BudgetState::CircuitBreaker(CircuitBreaker::closed(spec).into())
            }
            BudgetKind::CooldownGate(spec) => BudgetState::CooldownGate(CooldownGate::open(spec)),
            BudgetKind::Aimd(spec) => BudgetState::Aimd(Aimd::open(spec)),
        }
    }
}
