//! One part of a budget as the document shows it.

use retrial_policy::{BudgetKind, BudgetSpec, DepositOn, Scope, Trip};
use serde::Serialize;

use crate::export::units::milliseconds;

/// A part and who shares it.
#[derive(Serialize)]
pub(super) struct Budget {
    scope: &'static str,
    #[serde(flatten)]
    rule: Rule,
}

/// The rule with its parameters: counts, fractions and milliseconds.
#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
enum Rule {
    TokenBucket {
        capacity: f64,
        retry_cost: f64,
        success_refund: f64,
    },
    AwsQuota {
        capacity: u32,
        retry_cost: u32,
        throttling_cost: u32,
        timeout_cost: u32,
        first_try_refund: u32,
    },
    AwsAdaptive {
        beta: f64,
        scale: f64,
        smooth: f64,
        min_rate: f64,
        interval_ms: f64,
    },
    Grpc {
        max_tokens: u32,
        token_ratio: f64,
        refund_answered: bool,
    },
    Ratio {
        ratio: f64,
        ttl_ms: f64,
        min_per_sec: f64,
        deposit_on: &'static str,
    },
    Concurrent {
        budget_percent: f64,
        min_retry_concurrency: u32,
        count_waiting: bool,
    },
    SreAdaptive {
        k: f64,
        window_ms: f64,
        padding: f64,
    },
    CircuitBreaker {
        failures: Option<u32>,
        failure_ratio: Option<f64>,
        min_calls: Option<u32>,
        window_ms: Option<f64>,
        open_ms: f64,
        probes: u32,
    },
    CooldownGate {
        spread: f64,
        cap_ms: f64,
    },
    Aimd {
        max: u32,
        min: u32,
        decrease: f64,
        increase: f64,
    },
    /// The core may get a kind that this document has no name for.
    Other,
}

impl Budget {
    /// The part as shown.
    pub(super) fn of(part: &BudgetSpec) -> Self {
        let scope = match part.scope {
            Scope::Client => "client",
            Scope::Group => "group",
        };
        Budget { scope, rule: rule(part.kind) }
    }
}

fn rule(kind: BudgetKind) -> Rule {
    match kind {
        BudgetKind::TokenBucket(spec) => Rule::TokenBucket {
            capacity: spec.capacity.as_f64(),
            retry_cost: spec.retry_cost.as_f64(),
            success_refund: spec.success_refund.as_f64(),
        },
        BudgetKind::AwsQuota(spec) => Rule::AwsQuota {
            capacity: spec.capacity,
            retry_cost: spec.retry_cost,
            throttling_cost: spec.throttling_cost,
            timeout_cost: spec.timeout_cost,
            first_try_refund: spec.first_try_refund,
        },
        BudgetKind::AwsAdaptive(spec) => Rule::AwsAdaptive {
            beta: spec.beta.as_f64(),
            scale: spec.scale.as_f64(),
            smooth: spec.smooth.as_f64(),
            min_rate: spec.min_rate.as_f64(),
            interval_ms: milliseconds(spec.interval),
        },
        BudgetKind::Grpc(spec) => Rule::Grpc {
            max_tokens: spec.max_tokens,
            token_ratio: spec.token_ratio.as_f64(),
            refund_answered: spec.refund_answered,
        },
        BudgetKind::Ratio(spec) => Rule::Ratio {
            ratio: spec.ratio.as_f64(),
            ttl_ms: milliseconds(spec.ttl),
            min_per_sec: spec.min_per_sec.as_f64(),
            deposit_on: match spec.deposit_on {
                DepositOn::Request => "request",
                DepositOn::Success => "success",
            },
        },
        BudgetKind::Concurrent(spec) => Rule::Concurrent {
            budget_percent: spec.budget_percent.as_f64(),
            min_retry_concurrency: spec.min_retry_concurrency,
            count_waiting: spec.count_waiting,
        },
        BudgetKind::SreAdaptive(spec) => Rule::SreAdaptive {
            k: spec.k.as_f64(),
            window_ms: milliseconds(spec.window),
            padding: spec.padding.as_f64(),
        },
        BudgetKind::CircuitBreaker(spec) => {
            let (failures, failure_ratio, min_calls, window) = match spec.trip {
                Trip::InARow { failures } => (Some(failures), None, None, None),
                Trip::Count { failures, window } => (Some(failures), None, None, Some(window)),
                Trip::Share { ratio, min_calls, window } => {
                    (None, Some(ratio.as_f64()), Some(min_calls), Some(window))
                }
            };
            Rule::CircuitBreaker {
                failures,
                failure_ratio,
                min_calls,
                window_ms: window.map(milliseconds),
                open_ms: milliseconds(spec.open),
                probes: spec.probes,
            }
        }
        BudgetKind::CooldownGate(spec) => {
            Rule::CooldownGate { spread: spec.spread.as_f64(), cap_ms: milliseconds(spec.cap) }
        }
        BudgetKind::Aimd(spec) => Rule::Aimd {
            max: spec.max,
            min: spec.min,
            decrease: spec.decrease.as_f64(),
            increase: spec.increase.as_f64(),
        },
        _ => Rule::Other,
    }
}
