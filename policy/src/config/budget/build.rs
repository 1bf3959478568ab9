//! Each rule from its keys.

use alloc::format;

use super::{BudgetSection, KindName, VersionName};
use crate::budget::BudgetKind;
use crate::budget::aimd::AimdSpec;
use crate::budget::aws_adaptive::AwsAdaptiveSpec;
use crate::budget::aws_quota::AwsQuotaSpec;
use crate::budget::circuit_breaker::{CircuitBreakerSpec, Trip};
use crate::budget::concurrent::ConcurrentSpec;
use crate::budget::cooldown_gate::CooldownGateSpec;
use crate::budget::grpc::GrpcThrottleSpec;
use crate::budget::ratio::WindowedRatioSpec;
use crate::budget::sre_adaptive::SreAdaptiveSpec;
use crate::budget::token_bucket::TokenBucketSpec;
use crate::config_error::ConfigError;
use crate::ratio::Ratio;

impl KindName {
    /// What a message calls a budget of this kind, and the keys that it has.
    pub(super) fn keys(self) -> (&'static str, &'static [&'static str]) {
        match self {
            KindName::TokenBucket => {
                ("a token bucket", &["capacity", "retry_cost", "success_refund"])
            }
            KindName::AwsQuota => (
                "aws_quota",
                &[
                    "version",
                    "capacity",
                    "retry_cost",
                    "throttling_cost",
                    "timeout_cost",
                    "first_try_refund",
                ],
            ),
            KindName::AwsAdaptive => {
                ("aws_adaptive", &["beta", "scale", "smooth", "min_rate", "interval"])
            }
            KindName::Grpc => ("grpc", &["max_tokens", "token_ratio", "refund_answered"]),
            KindName::Ratio => ("ratio", &["ratio", "ttl", "min_per_sec", "deposit_on"]),
            KindName::Concurrent => {
                ("concurrent", &["budget_percent", "min_retry_concurrency", "count_waiting"])
            }
            KindName::SreAdaptive => ("sre_adaptive", &["k", "window", "padding"]),
            KindName::CircuitBreaker => (
                "a circuit breaker",
                &["failures", "failure_ratio", "min_calls", "window", "open", "probes"],
            ),
            KindName::CooldownGate => ("a cooldown gate", &["spread", "cap"]),
            KindName::Aimd => ("aimd", &["max", "min", "decrease", "increase"]),
        }
    }
}

/// A key that must be there.
fn needed<T>(index: usize, name: &str, value: Option<T>) -> Result<T, ConfigError> {
    let missing = || ConfigError::new(format!("budget.{index}.kind"), format!("needs `{name}`"));
    value.ok_or_else(missing)
}

/// A whole number.
fn whole(index: usize, name: &str, value: Ratio) -> Result<u32, ConfigError> {
    const ONE: u64 = Ratio::ONE.parts_per_billion();
    let parts = value.parts_per_billion();
    match u32::try_from(parts / ONE) {
        Ok(number) if parts.is_multiple_of(ONE) => Ok(number),
        Ok(_) | Err(_) => {
            Err(ConfigError::new(format!("budget.{index}.{name}"), "must be a whole number"))
        }
    }
}

/// A whole number, or `default` where there is none.
fn whole_or(
    index: usize,
    name: &str,
    value: Option<Ratio>,
    default: u32,
) -> Result<u32, ConfigError> {
    value.map_or(Ok(default), |value| whole(index, name, value))
}

impl BudgetSection {
    pub(super) fn build(&self, index: usize) -> Result<BudgetKind, ConfigError> {
        Ok(match self.kind {
            KindName::TokenBucket => BudgetKind::TokenBucket(TokenBucketSpec {
                capacity: needed(index, "capacity", self.capacity)?,
                retry_cost: needed(index, "retry_cost", self.retry_cost)?,
                success_refund: needed(index, "success_refund", self.success_refund)?,
            }),
            KindName::AwsQuota => BudgetKind::AwsQuota(self.aws_quota(index)?),
            KindName::AwsAdaptive => {
                let default = AwsAdaptiveSpec::DEFAULT;
                BudgetKind::AwsAdaptive(AwsAdaptiveSpec {
                    beta: self.beta.unwrap_or(default.beta),
                    scale: self.scale.unwrap_or(default.scale),
                    smooth: self.smooth.unwrap_or(default.smooth),
                    min_rate: self.min_rate.unwrap_or(default.min_rate),
                    interval: self.interval.unwrap_or(default.interval),
                })
            }
            KindName::Grpc => {
                let max_tokens = needed(index, "max_tokens", self.max_tokens)?;
                BudgetKind::Grpc(GrpcThrottleSpec {
                    max_tokens: whole(index, "max_tokens", max_tokens)?,
                    token_ratio: needed(index, "token_ratio", self.token_ratio)?,
                    refund_answered: self.refund_answered.unwrap_or(false),
                })
            }
            KindName::Ratio => {
                let default = WindowedRatioSpec::DEFAULT;
                BudgetKind::Ratio(WindowedRatioSpec {
                    ratio: self.ratio.unwrap_or(default.ratio),
                    ttl: self.ttl.unwrap_or(default.ttl),
                    min_per_sec: self.min_per_sec.unwrap_or(default.min_per_sec),
                    deposit_on: self.deposit_on.map_or(default.deposit_on, Into::into),
                })
            }
            KindName::Concurrent => {
                let default = ConcurrentSpec::DEFAULT;
                let name = "min_retry_concurrency";
                let min = self.min_retry_concurrency;
                BudgetKind::Concurrent(ConcurrentSpec {
                    budget_percent: self.budget_percent.unwrap_or(default.budget_percent),
                    min_retry_concurrency: whole_or(
                        index,
                        name,
                        min,
                        default.min_retry_concurrency,
                    )?,
                    count_waiting: self.count_waiting.unwrap_or(default.count_waiting),
                })
            }
            KindName::SreAdaptive => {
                let default = SreAdaptiveSpec::DEFAULT;
                BudgetKind::SreAdaptive(SreAdaptiveSpec {
                    k: self.k.unwrap_or(default.k),
                    window: self.window.unwrap_or(default.window),
                    padding: self.padding.unwrap_or(default.padding),
                })
            }
            KindName::CircuitBreaker => {
                let default = CircuitBreakerSpec::DEFAULT_PROBES;
                BudgetKind::CircuitBreaker(CircuitBreakerSpec {
                    trip: self.trip(index)?,
                    open: needed(index, "open", self.open)?,
                    probes: whole_or(index, "probes", self.probes, default)?,
                })
            }
            KindName::CooldownGate => {
                let default = CooldownGateSpec::DEFAULT;
                BudgetKind::CooldownGate(CooldownGateSpec {
                    spread: self.spread.unwrap_or(default.spread),
                    cap: self.cap.unwrap_or(default.cap),
                })
            }
            KindName::Aimd => BudgetKind::Aimd(AimdSpec {
                max: whole(index, "max", needed(index, "max", self.max)?)?,
                min: whole(index, "min", needed(index, "min", self.min)?)?,
                decrease: self.decrease.unwrap_or(AimdSpec::DEFAULT_DECREASE),
                increase: self.increase.unwrap_or(AimdSpec::DEFAULT_INCREASE),
            }),
        })
    }

    fn aws_quota(&self, index: usize) -> Result<AwsQuotaSpec, ConfigError> {
        let costs = match self.version {
            Some(VersionName::V2_0) => AwsQuotaSpec::V2_0,
            None | Some(VersionName::V2_1) => AwsQuotaSpec::V2_1,
        };
        let or = |name, value, default| whole_or(index, name, value, default);
        Ok(AwsQuotaSpec {
            capacity: or("capacity", self.capacity, costs.capacity)?,
            retry_cost: or("retry_cost", self.retry_cost, costs.retry_cost)?,
            throttling_cost: or("throttling_cost", self.throttling_cost, costs.throttling_cost)?,
            timeout_cost: or("timeout_cost", self.timeout_cost, costs.timeout_cost)?,
            first_try_refund: or(
                "first_try_refund",
                self.first_try_refund,
                costs.first_try_refund,
            )?,
        })
    }

    fn trip(&self, index: usize) -> Result<Trip, ConfigError> {
        let error = |key, problem| Err(ConfigError::new(format!("budget.{index}.{key}"), problem));
        match (self.failures, self.failure_ratio) {
            (Some(_), Some(_)) => error("failures", "goes without `failure_ratio`: one of both"),
            (None, None) => error("kind", "needs `failures` or `failure_ratio`"),
            (Some(_), None) if self.min_calls.is_some() => {
                error("min_calls", "goes with `failure_ratio` only")
            }
            (Some(failures), None) => {
                let failures = whole(index, "failures", failures)?;
                Ok(match self.window {
                    None => Trip::InARow { failures },
                    Some(window) => Trip::Count { failures, window },
                })
            }
            (None, Some(ratio)) => {
                let default = CircuitBreakerSpec::DEFAULT_MIN_CALLS;
                Ok(Trip::Share {
                    ratio,
                    min_calls: whole_or(index, "min_calls", self.min_calls, default)?,
                    window: needed(index, "window", self.window)?,
                })
            }
        }
    }
}
