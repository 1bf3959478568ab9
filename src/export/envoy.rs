//! Envoy: the retry policy of a route and the circuit breakers of its cluster, as YAML.
//!
//! Source: `route_components.proto` and `circuit_breaker.proto` of the v3 API; waits as Envoy's
//! `backoff_strategy.cc` has them: U[0, d] with d doubling from the base interval to the most.

use retrial_policy::{
    Backoff, BudgetKind, Growth, Jitter, Nanos, OverCap, Policy, Ratio, RetryAfterMode,
};
use serde::Serialize;

use super::inexpressible::{self as lost, Hints, makes_one_attempt};
use super::repeats::Repeats;
use super::units::{protobuf, whole_milliseconds};
use super::{Export, Loss, head, in_file_order, waits};

const TARGET: &str = "Envoy";
/// What bounds retries where the policy's budget can't.
const OWN_LIMIT: &str = "Envoy's own limit stays instead, 3 retries at a time in a cluster: under load most calls get none";
const MILLISECOND: Nanos = Nanos::from_millis(1);

/// The parts of a route and of a cluster, each to be merged into the user's own.
#[derive(Serialize)]
struct Document {
    route: Route,
    #[serde(skip_serializing_if = "Option::is_none")]
    cluster: Option<Cluster>,
}

/// Part of a `RouteAction`.
#[derive(Serialize)]
struct Route {
    timeout: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    retry_policy: Option<RetryPolicy>,
}

#[derive(Serialize)]
struct RetryPolicy {
    retry_on: String,
    num_retries: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    per_try_timeout: Option<String>,
    retriable_status_codes: Vec<u16>,
    retry_back_off: RetryBackOff,
    #[serde(skip_serializing_if = "Option::is_none")]
    rate_limited_retry_back_off: Option<RateLimited>,
}

#[derive(Serialize)]
struct RetryBackOff {
    base_interval: String,
    max_interval: String,
}

#[derive(Serialize)]
struct RateLimited {
    reset_headers: [ResetHeader; 1],
    max_interval: String,
}

#[derive(Serialize)]
struct ResetHeader {
    name: &'static str,
    format: &'static str,
}

/// Part of a `Cluster`.
#[derive(Serialize)]
struct Cluster {
    circuit_breakers: CircuitBreakers,
}

#[derive(Serialize)]
struct CircuitBreakers {
    thresholds: [Thresholds; 1],
}

#[derive(Serialize)]
struct Thresholds {
    #[serde(skip_serializing_if = "Option::is_none")]
    retry_budget: Option<RetryBudget>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_retries: Option<u32>,
}

#[derive(Serialize)]
struct RetryBudget {
    budget_percent: Percent,
    min_retry_concurrency: u32,
}

#[derive(Serialize)]
struct Percent {
    value: f64,
}

/// Writes `policy`, which is called `name`.
pub fn export(name: &str, policy: &Policy) -> Export {
    let mut losses = Vec::new();
    let limits = policy.limits();
    let retry_policy = (!makes_one_attempt(policy)).then(|| retry_policy(policy, &mut losses));
    if retry_policy.is_none()
        && let Some(timeout) = limits.attempt_timeout
        && limits.deadline.is_none_or(|deadline| timeout < deadline)
    {
        losses.push(Loss::new(
            "limits.attempt_timeout",
            format!("Envoy times one attempt only where it repeats: {timeout} is left out"),
            "the only attempt may take as long as the whole call",
        ));
    }
    let cluster = cluster(policy, &mut losses);
    losses.extend(lost::fallback(policy, TARGET));
    losses.extend(lost::idempotency_key(policy, TARGET));
    in_file_order(&mut losses);
    // Left out, it would be Envoy's 15 s; zero is none.
    let timeout = protobuf(limits.deadline.unwrap_or_default());
    let document = Document { route: Route { timeout, retry_policy }, cluster };
    // Structs of strings, numbers and lists: there is nothing to fail.
    let yaml = serde_saphyr::to_string(&document).unwrap_or_default();
    let use_it =
        "Merge `route` into a route's RouteAction, and `cluster`, if there, into its Cluster.";
    Export { text: head(name, TARGET, use_it, &losses) + yaml.trim_end() + "\n", losses }
}

fn retry_policy(policy: &Policy, losses: &mut Vec<Loss>) -> RetryPolicy {
    let repeats = Repeats::of(policy);
    let retries = waits::retries(policy.limits());
    let num_retries = policy.limits().max_attempts.map_or(u32::MAX, |most| most.get() - 1);
    if policy.limits().max_attempts.is_none() {
        let what = format!("Envoy has a number of retries: unlimited becomes {num_retries}");
        losses.push(Loss::new("limits.max_attempts", what, "none that can be seen"));
    }
    let retry_on = retry_on(policy, &repeats, losses);
    losses.extend(lost::bodies(policy, TARGET));
    losses.extend(lost::veto(policy, TARGET));
    losses.extend(lost::once(policy, TARGET, &repeats));
    losses.extend(lost::conflict(policy, TARGET, &repeats));
    let backoff = backoff(policy, retries, losses);
    RetryPolicy {
        retry_on,
        num_retries,
        per_try_timeout: policy.limits().attempt_timeout.map(protobuf),
        retriable_status_codes: lost::statuses_for_a_list(policy, &repeats),
        retry_back_off: RetryBackOff {
            base_interval: protobuf(backoff.growth.base().unwrap_or_default()),
            max_interval: protobuf(backoff.cap),
        },
        rate_limited_retry_back_off: rate_limited(policy, losses),
    }
}

/// The conditions beside statuses. A timeout of an attempt is a reset in Envoy's words.
fn retry_on(policy: &Policy, repeats: &Repeats, losses: &mut Vec<Loss>) -> String {
    let mut conditions = Vec::new();
    if !lost::statuses_for_a_list(policy, repeats).is_empty() {
        conditions.push("retriable-status-codes");
    }
    match (repeats.connect(), repeats.reset() && repeats.timeout()) {
        (_, true) => conditions.push("reset"),
        (true, false) => conditions.extend(["connect-failure", "refused-stream"]),
        (false, false) => {}
    }
    let (connect, reset, timeout) = (repeats.connect(), repeats.reset(), repeats.timeout());
    if reset != timeout {
        let (kept, left) = match reset {
            true => ("broken connections", "timed out attempts"),
            false => ("timed out attempts", "broken connections"),
        };
        losses.push(Loss::new(
            "retry_on.transport",
            format!(
                "the policy repeats {kept} but not {left}; Envoy can't tell: it repeats neither"
            ),
            format!("calls with {kept} end at once"),
        ));
    } else if reset && !connect {
        losses.push(Loss::new(
            "retry_on.transport",
            "the policy does not repeat connections that were not made; Envoy's `reset` does",
            "a few more attempts, none of which can have had an effect",
        ));
    }
    conditions.join(",")
}

/// Envoy's backoff: full jitter, doubling, whole milliseconds.
fn backoff(policy: &Policy, retries: u32, losses: &mut Vec<Loss>) -> Backoff {
    let wanted = policy.backoff();
    let nearest = waits::as_exponential(wanted, retries);
    let base = nearest.growth.base().unwrap_or_default();
    let whole = whole_milliseconds(base).max(MILLISECOND);
    // A base of a millisecond is a wait of none: Envoy draws from 0 up to, not including, it.
    if whole != base && base != Nanos::ZERO {
        losses.push(Loss::new(
            "backoff.base",
            format!("Envoy counts whole milliseconds: {base} becomes {whole}"),
            "waits differ by less than a millisecond, doubled with each retry",
        ));
    }
    let doubling = Backoff {
        growth: Growth::Exponential { base: whole, factor: Ratio::from_percent(200) },
        cap: whole_milliseconds(nearest.cap).max(whole),
        jitter: Jitter::Full,
        ..nearest
    };
    if base != Nanos::ZERO {
        losses.extend(waits::losses(TARGET, wanted, &doubling, retries));
    }
    doubling
}

fn rate_limited(policy: &Policy, losses: &mut Vec<Loss>) -> Option<RateLimited> {
    let rule = policy.retry_after();
    if rule.mode == RetryAfterMode::Ignore {
        return None;
    }
    let caps = rule.cap == Nanos::MAX || rule.over_cap == OverCap::OwnBackoff;
    let does = "waits up to 1.5 times a Retry-After in whole seconds, and by its own backoff past \
                max_interval or after a hint in another spelling";
    losses.extend(
        lost::hints(policy, TARGET, &Hints { does, replaces: true, caps })
            .into_iter()
            .filter(|loss| loss.key != "retry_after.jitter_ratio"),
    );
    if rule.jitter_ratio != Ratio::from_percent(50) {
        losses.push(Loss::new(
            "retry_after.jitter_ratio",
            format!(
                "the policy waits up to {} % longer than a hint says; Envoy up to 50 %",
                rule.jitter_ratio.as_f64() * 100.0
            ),
            "waits after a hint spread otherwise",
        ));
    }
    let header = ResetHeader { name: "Retry-After", format: "SECONDS" };
    let max_interval = protobuf(rule.cap.max(MILLISECOND));
    Some(RateLimited { reset_headers: [header], max_interval })
}

/// The budget that Envoy has, or its own limit lifted where the policy has none.
fn cluster(policy: &Policy, losses: &mut Vec<Loss>) -> Option<Cluster> {
    let concurrent =
        policy.budgets().iter().enumerate().find_map(|(index, part)| match part.kind {
            BudgetKind::Concurrent(spec) => Some((index, part, spec)),
            _ => None,
        });
    let taken = concurrent.map(|(index, ..)| index);
    losses.extend(lost::budgets(policy, TARGET, OWN_LIMIT, |index, _| Some(index) == taken));
    let thresholds = match concurrent {
        Some((index, _, spec)) => {
            losses.push(Loss::new(
                &format!("budget.{index}.scope"),
                "Envoy counts the requests of one cluster in one worker process",
                "every Envoy has a budget of its own, whoever its clients are",
            ));
            if spec.count_waiting {
                let what = "the policy counts retries that wait; Envoy counts them inconsistently \
                            (envoy#30205)";
                let key = format!("budget.{index}.count_waiting");
                losses.push(Loss::new(
                    &key,
                    what,
                    "more retries may be under way than the policy's",
                ));
            }
            let budget = RetryBudget {
                budget_percent: Percent { value: spec.budget_percent.as_f64() },
                min_retry_concurrency: spec.min_retry_concurrency,
            };
            Thresholds { retry_budget: Some(budget), max_retries: None }
        }
        None if policy.budgets().is_empty() && !makes_one_attempt(policy) => {
            // Envoy's own is 3 at a time, which nobody simulated.
            Thresholds { retry_budget: None, max_retries: Some(u32::MAX) }
        }
        // Envoy's own limit stays in place of what it can't have: some is better than none.
        None => return None,
    };
    Some(Cluster { circuit_breakers: CircuitBreakers { thresholds: [thresholds] } })
}
