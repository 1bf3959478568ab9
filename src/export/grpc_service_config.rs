//! gRPC's service config: `methodConfig` with a `retryPolicy`, and `retryThrottling`.
//!
//! Source: gRPC proposal A6 and `service_config.proto`; limits as grpcio 1.85.3 (C-core) has them.

use retrial_policy::{
    Backoff, BudgetKind, BudgetSpec, Growth, Jitter, Nanos, Outcome, Policy, Ratio, RetryAfterMode,
    Scope,
};
use serde::Serialize;

use super::inexpressible::{self as lost, Hints, makes_one_attempt};
use super::repeats::{Often, Repeats};
use super::units::protobuf;
use super::{Export, Loss, in_file_order, waits};

const TARGET: &str = "gRPC";

/// Attempts at most, the first included.
const MOST_ATTEMPTS: u32 = 5;
/// C-core rounds delays to milliseconds, and a retry after none never happens (grpc#41036).
const LEAST_BACKOFF: Nanos = Nanos::from_millis(2);

/// A whole service config.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ServiceConfig {
    method_config: [MethodConfig; 1],
    #[serde(skip_serializing_if = "Option::is_none")]
    retry_throttling: Option<RetryThrottling>,
}

/// What holds for all methods: an empty name matches them.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct MethodConfig {
    name: [Name; 1],
    #[serde(skip_serializing_if = "Option::is_none")]
    timeout: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    retry_policy: Option<RetryPolicy>,
}

/// The name of every method.
#[derive(Serialize)]
struct Name {}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RetryPolicy {
    max_attempts: u32,
    initial_backoff: String,
    max_backoff: String,
    backoff_multiplier: f64,
    retryable_status_codes: Vec<&'static str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RetryThrottling {
    max_tokens: u32,
    token_ratio: f64,
}

/// Writes `policy`.
pub fn export(policy: &Policy) -> Export {
    let mut losses = Vec::new();
    let limits = policy.limits();
    let repeats = Repeats::of(policy);
    let attempts = attempts(policy, &mut losses);
    let codes = status_codes(policy, &repeats, &mut losses);
    let retry_policy = (attempts > 1 && !codes.is_empty()).then(|| {
        let backoff = backoff(policy, attempts - 1, &mut losses);
        RetryPolicy {
            max_attempts: attempts,
            initial_backoff: protobuf(backoff.growth.base().unwrap_or_default()),
            max_backoff: protobuf(backoff.cap),
            backoff_multiplier: match backoff.growth {
                Growth::Exponential { factor, .. } => factor.as_f64(),
                _ => 1.0,
            },
            retryable_status_codes: codes,
        }
    });
    if let Some(timeout) = limits.attempt_timeout {
        losses.push(Loss::new(
            "limits.attempt_timeout",
            format!("gRPC has no timeout of one attempt: {timeout} is left out"),
            match limits.deadline {
                Some(deadline) => {
                    format!("one attempt that hangs uses up all {deadline} of a call")
                }
                None => "an attempt that hangs is never given up".to_string(),
            },
        ));
    }
    if retry_policy.is_some() {
        losses.extend(hints(policy));
    }
    let throttling = throttling(policy, &mut losses);
    losses.extend(lost::fallback(policy, TARGET));
    losses.extend(lost::idempotency_key(policy, TARGET));
    in_file_order(&mut losses);
    let config = ServiceConfig {
        method_config: [MethodConfig {
            name: [Name {}],
            timeout: limits.deadline.map(protobuf),
            retry_policy,
        }],
        retry_throttling: throttling,
    };
    Export { text: super::json::text(&config), losses }
}

fn attempts(policy: &Policy, losses: &mut Vec<Loss>) -> u32 {
    let wanted = policy.limits().max_attempts.map(|most| most.get());
    match wanted {
        Some(most @ 0..=MOST_ATTEMPTS) => most,
        _ => {
            let wanted = wanted.map_or("unlimited".to_string(), |most| most.to_string());
            losses.push(Loss::new(
                "limits.max_attempts",
                format!(
                    "gRPC caps maxAttempts at {MOST_ATTEMPTS}: {wanted} becomes {MOST_ATTEMPTS}"
                ),
                "calls give up earlier than in the simulation",
            ));
            MOST_ATTEMPTS
        }
    }
}

/// The status names for what the policy repeats, each asked of the core by the HTTP status that
/// stands for it.
///
/// gRPC's own table of HTTP statuses (`http-grpc-status-mapping.md`) makes UNAVAILABLE of 429, 502,
/// 503 and 504, and Google's error model pairs 429 with RESOURCE_EXHAUSTED, 409 with ABORTED, 500
/// with INTERNAL. DEADLINE_EXCEEDED is the client's own clock and never repeated; UNKNOWN is what a
/// server's uncaught exception becomes.
fn status_codes(policy: &Policy, repeats: &Repeats, losses: &mut Vec<Loss>) -> Vec<&'static str> {
    let pairs = [
        ("UNAVAILABLE", 503),
        ("RESOURCE_EXHAUSTED", 429),
        ("ABORTED", 409),
        ("INTERNAL", 500),
        ("UNKNOWN", 500),
    ];
    let once_is_always = policy.limits().max_attempts.is_some_and(|most| most.get() <= 2);
    let mut codes = Vec::new();
    let mut once = Vec::new();
    for (code, status) in pairs {
        match repeats.how_often(&Outcome::response(status)) {
            Often::Always => codes.push(code),
            Often::Once if once_is_always => codes.push(code),
            Often::Once => once.push(code),
            Often::Never => {}
        }
    }
    if makes_one_attempt(policy) {
        return codes;
    }
    losses.push(Loss::new(
        if policy.retry_on().is_some() { "retry_on.statuses" } else { "classification" },
        match codes.is_empty() {
            true => "gRPC has 16 status codes and no HTTP statuses: the policy repeats none of \
                     them"
                .to_string(),
            false => format!(
                "gRPC has 16 status codes and no HTTP statuses: the policy's stand for {}",
                codes.join(", ")
            ),
        },
        "a code that a server uses in another sense is read wrongly: check the list",
    ));
    if !once.is_empty() {
        losses.push(Loss::new(
            "classification",
            format!(
                "the policy repeats a 500 once; gRPC knows always or never, so {} are left out",
                once.join(" and ")
            ),
            "these end the call at the first attempt",
        ));
    }
    losses.extend(lost::bodies(policy, TARGET));
    losses.extend(lost::conflict(policy, TARGET, repeats));
    // UNAVAILABLE is a broken connection too, whether or not the request had left.
    if codes.contains(&"UNAVAILABLE") {
        losses.extend(lost::fixed_transport(policy, TARGET, repeats, false));
    }
    codes
}

/// gRPC's backoff for `retries`: exponential, ±20 % after the cap.
fn backoff(policy: &Policy, retries: u32, losses: &mut Vec<Loss>) -> Backoff {
    let wanted = policy.backoff();
    let mut actual = waits::as_exponential(wanted, retries);
    if let Growth::Exponential { base, .. } = &mut actual.growth
        && *base < LEAST_BACKOFF
    {
        losses.push(Loss::new(
            "backoff.base",
            format!("gRPC waits whole milliseconds, and for ever instead of 0: {base} becomes 2ms"),
            "the first retry is not as early as the policy's",
        ));
        *base = LEAST_BACKOFF;
        actual.cap = actual.cap.max(LEAST_BACKOFF);
    }
    actual.jitter = Jitter::Proportional(Ratio::from_percent(20));
    losses.extend(waits::losses(TARGET, wanted, &actual, retries));
    actual
}

fn hints(policy: &Policy) -> Vec<Loss> {
    let does = "waits what `grpc-retry-pushback-ms` says, however long, and reads no other hint";
    let rule = policy.retry_after();
    let uncapped = rule.cap == Nanos::MAX || rule.mode == RetryAfterMode::Ignore;
    lost::hints(policy, TARGET, &Hints { does, replaces: true, caps: uncapped })
}

/// The first budget that gRPC's throttling can stand for.
fn throttling(policy: &Policy, losses: &mut Vec<Loss>) -> Option<RetryThrottling> {
    let found = policy
        .budgets()
        .iter()
        .enumerate()
        .find_map(|(index, part)| Some((index, part, as_throttling(part)?)));
    if let Some((index, part, throttling)) = &found {
        losses.extend(throttling_losses(*index, part, throttling));
    }
    let taken = found.as_ref().map(|(index, ..)| *index);
    losses.extend(lost::budgets(policy, TARGET, lost::UNBOUNDED, |index, _| Some(index) == taken));
    found.map(|(.., throttling)| throttling)
}

fn as_throttling(part: &BudgetSpec) -> Option<RetryThrottling> {
    // Thousandths are all that gRPC reads.
    let to_ratio = |tokens: f64| ((tokens * 1000.0).round() / 1000.0).max(0.001);
    match part.kind {
        BudgetKind::Grpc(spec) => Some(RetryThrottling {
            max_tokens: spec.max_tokens,
            token_ratio: to_ratio(spec.token_ratio.as_f64()),
        }),
        // Half of gRPC's tokens are its stock of retries; a bucket's is its whole fill.
        BudgetKind::TokenBucket(spec) => {
            let cost = spec.retry_cost.as_f64();
            let stock = spec.capacity.as_f64() / cost;
            Some(RetryThrottling {
                max_tokens: (2.0 * stock).round().clamp(1.0, 1000.0) as u32,
                token_ratio: to_ratio(spec.success_refund.as_f64() / cost),
            })
        }
        _ => None,
    }
}

fn throttling_losses(index: usize, part: &BudgetSpec, made: &RetryThrottling) -> Vec<Loss> {
    let key = format!("budget.{index}");
    let mut losses = Vec::new();
    if let BudgetKind::TokenBucket(spec) = part.kind {
        let stock = spec.capacity.as_f64() / spec.retry_cost.as_f64();
        losses.push(Loss::new(
            &key,
            format!(
                "gRPC's throttling counts failed attempts, not retries, and stops at half of its \
                 tokens: a bucket of {stock} retries becomes maxTokens {} and tokenRatio {}",
                made.max_tokens, made.token_ratio
            ),
            "first attempts that fail use up the stock too: retries stop earlier in an outage",
        ));
    }
    if let BudgetKind::Grpc(spec) = part.kind
        && spec.refund_answered
    {
        let what = "gRPC pays nothing back for failures that say nothing about availability";
        losses.push(Loss::new(&format!("{key}.refund_answered"), what, "tokens recover slower"));
    }
    if part.scope == Scope::Group {
        let what = "the policy's clients share this budget; each gRPC process has its own";
        let consequence = "the fleet has one budget for each of its processes";
        losses.push(Loss::new(&format!("{key}.scope"), what, consequence));
    }
    losses
}
