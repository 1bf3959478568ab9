//! A flat JSON document for a loop of one's own: every parameter in milliseconds and plain numbers,
//! and the range of every delay, which a test can check an implementation against.
//!
//! `import policy from "./policy.json"` gives it a type in TypeScript (`resolveJsonModule`).

mod budget;

use retrial_policy::{
    Backoff, CapOrder, Class, Growth, Jitter, Nanos, OverCap, Policy, RetryAfterMode,
};
use serde::Serialize;

use self::budget::Budget;
use super::inexpressible as lost;
use super::repeats::{Often, Repeats};
use super::units::milliseconds;
use super::{Export, Loss, in_file_order, waits};

/// Whose list of losses this is.
const TARGET: &str = "a loop fed by this document";

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Document<'a> {
    name: &'a str,
    policy: Parameters<'a>,
    /// The least and the most before retry 1, 2, …
    delay_ranges_ms: Vec<(Option<f64>, Option<f64>)>,
    /// The same after throttling, where that differs.
    throttled_delay_ranges_ms: Option<Vec<(Option<f64>, Option<f64>)>>,
    cannot_express: Vec<Inexpressible>,
}

#[derive(Serialize)]
struct Inexpressible {
    key: String,
    what: String,
    consequence: String,
}

/// Null is: no bound, or not a parameter of this kind.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Parameters<'a> {
    max_attempts: Option<u32>,
    deadline_ms: Option<f64>,
    attempt_timeout_ms: Option<f64>,
    backoff_kind: &'static str,
    base_ms: Option<f64>,
    factor: Option<f64>,
    step_ms: Option<f64>,
    schedule_ms: Option<Vec<f64>>,
    cap_ms: Option<f64>,
    cap_order: &'static str,
    floor_ms: f64,
    round_ms: f64,
    throttled_base_ms: Option<f64>,
    jitter: &'static str,
    jitter_ratio: Option<f64>,
    jitter_add_ms: Option<f64>,
    retry_after_mode: &'static str,
    retry_after_cap_ms: Option<f64>,
    retry_after_over_cap: &'static str,
    retry_after_above_ms: Option<f64>,
    retry_after_jitter_ratio: f64,
    retry_statuses: Vec<u16>,
    retry_once_statuses: Vec<u16>,
    throttled_statuses: Vec<u16>,
    conflict_statuses: Vec<u16>,
    /// After a conflict, instead of the backoff; with the jitter of hints on top.
    conflict_wait_ms: Option<f64>,
    retry_connect_error: bool,
    retry_reset: bool,
    retry_timeout: bool,
    fallback_routes: &'a [String],
    fallback_content: &'a [String],
    fallback_exhausted: &'a [String],
    fallback_after_attempts: Option<u32>,
    replay_safe: bool,
    idempotency_key: bool,
    budgets: Vec<Budget>,
}

/// Writes `policy`, which is called `name`.
pub fn export(name: &str, policy: &Policy) -> Export {
    let losses = losses(policy);
    let backoff = policy.backoff();
    let retries = waits::retries(policy.limits());
    let ranges = |class| {
        let ranges = waits::ranges(backoff, retries, class);
        ranges.into_iter().map(|(low, high)| (finite(low), finite(high))).collect()
    };
    let document = Document {
        name,
        policy: parameters(policy),
        delay_ranges_ms: ranges(Class::Transient),
        throttled_delay_ranges_ms: backoff.throttled_base.map(|_| ranges(Class::Throttled)),
        cannot_express: losses
            .iter()
            .cloned()
            .map(|Loss { key, what, consequence }| Inexpressible { key, what, consequence })
            .collect(),
    };
    Export { text: super::json::text(&document), losses }
}

fn losses(policy: &Policy) -> Vec<Loss> {
    let mut losses = Vec::new();
    losses.extend(lost::bodies(policy, TARGET));
    losses.extend(lost::veto(policy, TARGET));
    losses.extend(lost::idempotency_key(policy, TARGET));
    in_file_order(&mut losses);
    losses
}

/// In milliseconds; `None` stands for no bound.
fn finite(span: Nanos) -> Option<f64> {
    (span != Nanos::MAX).then(|| milliseconds(span))
}

fn parameters(policy: &Policy) -> Parameters<'_> {
    let (backoff, limits, rule) = (policy.backoff(), policy.limits(), policy.retry_after());
    let (fallback, repeats) = (policy.fallback(), Repeats::of(policy));
    let conflicts = match policy.retry_on() {
        Some(_) => Vec::new(),
        None => repeats.statuses_of(Class::Conflict),
    };
    let (backoff_kind, factor, step, schedule) = growth(&backoff.growth);
    let (jitter, jitter_ratio, jitter_add) = jitter(backoff);
    Parameters {
        max_attempts: limits.max_attempts.map(|most| most.get()),
        deadline_ms: limits.deadline.map(milliseconds),
        attempt_timeout_ms: limits.attempt_timeout.map(milliseconds),
        backoff_kind,
        base_ms: backoff.growth.base().map(milliseconds),
        factor,
        step_ms: step.map(milliseconds),
        schedule_ms: schedule.map(|delays| delays.iter().copied().map(milliseconds).collect()),
        cap_ms: finite(backoff.cap),
        cap_order: match backoff.cap_order {
            CapOrder::CapThenJitter => "capThenJitter",
            CapOrder::JitterThenCap => "jitterThenCap",
        },
        floor_ms: milliseconds(backoff.floor),
        round_ms: milliseconds(backoff.round),
        throttled_base_ms: backoff.throttled_base.map(milliseconds),
        jitter,
        jitter_ratio,
        jitter_add_ms: jitter_add.map(milliseconds),
        retry_after_mode: match rule.mode {
            RetryAfterMode::Replace => "replace",
            RetryAfterMode::Floor => "floor",
            RetryAfterMode::Clamp(_) => "clamp",
            RetryAfterMode::Ignore => "ignore",
        },
        retry_after_cap_ms: finite(rule.cap),
        retry_after_over_cap: match rule.over_cap {
            OverCap::Stop => "stop",
            OverCap::Fallback => "fallback",
            OverCap::Clip => "clip",
            OverCap::OwnBackoff => "ownBackoff",
        },
        retry_after_above_ms: match rule.mode {
            RetryAfterMode::Clamp(above) => Some(milliseconds(above)),
            _ => None,
        },
        retry_after_jitter_ratio: rule.jitter_ratio.as_f64(),
        retry_statuses: repeats.statuses(Often::Always),
        retry_once_statuses: repeats.statuses(Often::Once),
        throttled_statuses: repeats.statuses_of(Class::Throttled),
        conflict_wait_ms: (!conflicts.is_empty()).then_some(1_000.0),
        conflict_statuses: conflicts,
        retry_connect_error: repeats.connect(),
        retry_reset: repeats.reset(),
        retry_timeout: repeats.timeout(),
        fallback_routes: &fallback.routes,
        fallback_content: &fallback.content,
        fallback_exhausted: &fallback.exhausted,
        fallback_after_attempts: fallback.after_attempts.map(|attempts| attempts.get()),
        replay_safe: policy.replay().safe,
        idempotency_key: policy.replay().idempotency_key,
        budgets: policy.budgets().iter().map(Budget::of).collect(),
    }
}

/// Name, factor, step and schedule.
type Shape<'a> = (&'static str, Option<f64>, Option<Nanos>, Option<&'a [Nanos]>);

fn growth(growth: &Growth) -> Shape<'_> {
    match growth {
        Growth::None => ("none", None, None, None),
        Growth::Constant { .. } => ("constant", None, None, None),
        Growth::Linear { step, .. } => ("linear", None, Some(*step), None),
        Growth::Exponential { factor, .. } => ("exponential", Some(factor.as_f64()), None, None),
        Growth::Fibonacci { .. } => ("fibonacci", None, None, None),
        Growth::Schedule(delays) => ("schedule", None, None, Some(delays)),
        Growth::Decorrelated { .. } => ("decorrelated", None, None, None),
        Growth::SmoothDecorrelated { .. } => ("smoothDecorrelated", None, None, None),
        // The core may get a kind that this document has no name for.
        _ => ("other", None, None, None),
    }
}

/// Name, ratio and what is added.
fn jitter(backoff: &Backoff) -> (&'static str, Option<f64>, Option<Nanos>) {
    match backoff.jitter {
        Jitter::None => ("none", None, None),
        Jitter::Full => ("full", None, None),
        Jitter::Equal => ("equal", None, None),
        Jitter::Proportional(r) => ("proportional", Some(r.as_f64()), None),
        Jitter::Shrink(r) => ("shrink", Some(r.as_f64()), None),
        Jitter::Stretch(r) => ("stretch", Some(r.as_f64()), None),
        Jitter::Add(add) => ("add", None, Some(add)),
        Jitter::Exponential => ("exponential", None, None),
        _ => ("other", None, None),
    }
}
