//! [`BudgetState`]: any budget by value, so that a million clients need no pointer for theirs.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::aimd::Aimd;
use super::aws_adaptive::AwsAdaptive;
use super::aws_quota::AwsQuota;
use super::circuit_breaker::CircuitBreaker;
use super::concurrent::Concurrent;
use super::cooldown_gate::CooldownGate;
use super::grpc::GrpcThrottle;
use super::ratio::WindowedRatio;
use super::sre_adaptive::SreAdaptive;
use super::token_bucket::TokenBucket;
use super::{Budget, BudgetSpec, Scope};
use crate::ratio::Ratio;

/// The state of one budget. Those that look back over a window are large, and boxed when they are
/// opened.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BudgetState {
    /// See [`TokenBucket`].
    TokenBucket(TokenBucket),
    /// See [`AwsQuota`].
    AwsQuota(AwsQuota),
    /// See [`AwsAdaptive`].
    AwsAdaptive(Box<AwsAdaptive>),
    /// See [`GrpcThrottle`].
    Grpc(GrpcThrottle),
    /// See [`WindowedRatio`].
    Ratio(Box<WindowedRatio>),
    /// See [`Concurrent`].
    Concurrent(Concurrent),
    /// See [`SreAdaptive`].
    SreAdaptive(Box<SreAdaptive>),
    /// See [`CircuitBreaker`].
    CircuitBreaker(Box<CircuitBreaker>),
    /// See [`CooldownGate`].
    CooldownGate(CooldownGate),
    /// See [`Aimd`].
    Aimd(Aimd),
}

const _: () = assert!(size_of::<BudgetState>() <= 40, "a client's budget shares its cache line");

impl BudgetState {
    /// Fresh budgets for all parts of a policy that have `scope`.
    pub fn open_all(specs: &[BudgetSpec], scope: Scope) -> Vec<BudgetState> {
        specs.iter().filter(|spec| spec.scope == scope).map(BudgetSpec::open).collect()
    }

    /// How many logical requests of its scope may be in flight now.
    #[inline]
    pub fn concurrency(&self) -> u32 {
        self.as_budget().concurrency()
    }

    /// The least of all `parts`; [`u32::MAX`] without any.
    #[inline]
    pub fn min_concurrency(parts: &[BudgetState]) -> u32 {
        parts.iter().map(BudgetState::concurrency).min().unwrap_or(u32::MAX)
    }

    /// The level of the part that is nearest to refusing; `None` if no part keeps a stock.
    pub fn min_level(parts: &[BudgetState]) -> Option<Ratio> {
        parts.iter().filter_map(|part| part.as_budget().level()).min()
    }

    pub(super) fn as_budget(&self) -> &dyn Budget {
        match self {
            BudgetState::TokenBucket(budget) => budget,
            BudgetState::AwsQuota(budget) => budget,
            BudgetState::AwsAdaptive(budget) => &**budget,
            BudgetState::Grpc(budget) => budget,
            BudgetState::Ratio(budget) => &**budget,
            BudgetState::Concurrent(budget) => budget,
            BudgetState::SreAdaptive(budget) => &**budget,
            BudgetState::CircuitBreaker(budget) => &**budget,
            BudgetState::CooldownGate(budget) => budget,
            BudgetState::Aimd(budget) => budget,
        }
    }

    pub(super) fn as_budget_mut(&mut self) -> &mut dyn Budget {
        match self {
            BudgetState::TokenBucket(budget) => budget,
            BudgetState::AwsQuota(budget) => budget,
            BudgetState::AwsAdaptive(budget) => &mut **budget,
            BudgetState::Grpc(budget) => budget,
            BudgetState::Ratio(budget) => &mut **budget,
            BudgetState::Concurrent(budget) => budget,
            BudgetState::SreAdaptive(budget) => &mut **budget,
            BudgetState::CircuitBreaker(budget) => &mut **budget,
            BudgetState::CooldownGate(budget) => budget,
            BudgetState::Aimd(budget) => budget,
        }
    }
}
