//! [`InShort`]: a policy in a few words.

use retrial_policy::retry_on::{RetryOn, StatusRange};
use retrial_policy::{
    Backoff, BudgetKind, CapOrder, Growth, Jitter, Nanos, OverCap, Policy, Ratio, RetryAfter,
    RetryAfterMode,
};
use serde::Serialize;

/// What matters of a policy, one short phrase each.
#[derive(Serialize)]
pub(super) struct InShort {
    /// Attempts of a request, those of an inner policy multiplied.
    pub(super) attempts: String,
    /// On the wire; nothing if unlimited.
    max_wire_attempts: Option<u64>,
    pub(super) backoff: String,
    pub(super) hints: String,
    pub(super) retried: String,
    pub(super) budget: String,
}

impl InShort {
    pub(super) fn of(policy: &Policy) -> Self {
        let layers: Vec<_> = policy
            .layers()
            .map(|layer| match layer.limits().max_attempts {
                Some(max) => max.to_string(),
                None => "unlimited".into(),
            })
            .collect();
        let noun = if layers == ["1"] { "attempt" } else { "attempts" };
        let deadline = policy.limits().deadline;
        let within = deadline.map(|deadline| format!(" within {deadline}")).unwrap_or_default();
        let budgets: Vec<_> = policy.budgets().iter().map(|part| budget(&part.kind)).collect();
        InShort {
            attempts: format!("{} {noun}{within}", layers.join(" × ")),
            max_wire_attempts: policy.max_wire_attempts(),
            backoff: backoff(policy.backoff()),
            hints: hints(policy.retry_after()),
            retried: policy.retry_on().map_or("what its class allows".into(), retried),
            budget: if budgets.is_empty() { "none".into() } else { budgets.join(" and ") },
        }
    }
}

/// Such as `500ms ×2 up to 8s, shrink 0.25`.
fn backoff(backoff: &Backoff) -> String {
    let grown = match &backoff.growth {
        Growth::None => return "no wait".into(),
        Growth::Constant { base } => format!("{base}"),
        Growth::Linear { base, step } => format!("{base} +{step}"),
        Growth::Exponential { base, factor } => format!("{base} ×{}", number(*factor)),
        Growth::Fibonacci { base } => format!("{base} fibonacci"),
        Growth::Schedule(delays) => format!("{} listed delays", delays.len()),
        Growth::Decorrelated { base } => format!("{base} decorrelated"),
        Growth::SmoothDecorrelated { base } => format!("{base} smooth decorrelated"),
        _ => "another kind".into(),
    };
    let jitter = match backoff.jitter {
        Jitter::Full => "full jitter".into(),
        Jitter::Equal => "equal jitter".into(),
        Jitter::Proportional(r) => format!("±{}", number(r)),
        Jitter::Shrink(r) => format!("shrink {}", number(r)),
        Jitter::Stretch(r) => format!("stretch {}", number(r)),
        Jitter::Add(add) => format!("add {add}"),
        Jitter::Exponential => "exponential jitter".into(),
        _ if backoff.growth.is_random() => String::new(),
        _ => "no jitter".into(),
    };
    let mut parts = vec![match backoff.cap {
        Nanos::MAX => grown,
        cap => format!("{grown} up to {cap}"),
    }];
    if !jitter.is_empty() {
        let last = backoff.cap_order == CapOrder::JitterThenCap && !backoff.jitter.is_none();
        parts.push(if last { format!("{jitter} below the cap") } else { jitter });
    }
    parts.extend(backoff.throttled_base.map(|base| format!("{base} if throttled")));
    parts.extend(backoff.first.map(|first| format!("first {first}")));
    if backoff.floor > Nanos::ZERO {
        parts.push(format!("at least {}", backoff.floor));
    }
    parts.join(", ")
}

fn hints(rule: &RetryAfter) -> String {
    let how = match rule.mode {
        RetryAfterMode::Ignore => return "ignored".into(),
        RetryAfterMode::Replace => "obeyed".into(),
        RetryAfterMode::Floor => "at least".into(),
        RetryAfterMode::Clamp(above) => format!("at most {above} above the backoff"),
    };
    let over = match rule.over_cap {
        OverCap::Stop => "else stop",
        OverCap::Fallback => "else fallback",
        OverCap::Clip => "else that long",
        OverCap::OwnBackoff => "else backoff",
    };
    let cap = match rule.cap {
        Nanos::MAX => String::new(),
        cap => format!(" up to {cap}, {over}"),
    };
    let spread = match (rule.jitter_ratio, rule.add) {
        (Ratio::ZERO, Nanos::ZERO) => String::new(),
        (Ratio::ZERO, add) => format!(", add {add}"),
        (ratio, _) => format!(", stretch {}", number(ratio)),
    };
    format!("{how}{cap}{spread}")
}

fn retried(rule: &RetryOn) -> String {
    let mut parts: Vec<_> = rule.statuses.iter().map(|range| status(*range)).collect();
    let hinted =
        rule.statuses_with_hint.iter().map(|range| format!("{} if hinted", status(*range)));
    parts.extend(hinted);
    for (covered, name) in
        [(rule.connect, "connect"), (rule.reset, "reset"), (rule.timeout, "timeout")]
    {
        if covered {
            parts.push(name.into());
        }
    }
    if rule.honour_grant {
        parts.push("what the server asks for".into());
    }
    parts.join(", ")
}

fn status(range: StatusRange) -> String {
    match (range.first, range.last) {
        (first, last) if first == last => first.to_string(),
        (first, last) if first % 100 == 0 && last == first + 99 => format!("{}xx", first / 100),
        (first, last) => format!("{first}-{last}"),
    }
}

fn budget(kind: &BudgetKind) -> String {
    match kind {
        BudgetKind::TokenBucket(spec) => format!("token_bucket {}", number(spec.capacity)),
        BudgetKind::AwsQuota(spec) => format!(
            "aws_quota {}, {} a retry, {} if throttled",
            spec.capacity, spec.retry_cost, spec.throttling_cost
        ),
        BudgetKind::AwsAdaptive(_) => "aws_adaptive".into(),
        BudgetKind::Grpc(spec) => {
            format!("grpc {} tokens, {} a success", spec.max_tokens, number(spec.token_ratio))
        }
        BudgetKind::Ratio(spec) => {
            format!("ratio {} and {}/s", number(spec.ratio), number(spec.min_per_sec))
        }
        BudgetKind::Concurrent(spec) => format!(
            "concurrent {} %, at least {}",
            number(spec.budget_percent),
            spec.min_retry_concurrency
        ),
        BudgetKind::SreAdaptive(spec) => format!("sre_adaptive {}", number(spec.k)),
        BudgetKind::CircuitBreaker(_) => "circuit_breaker".into(),
        BudgetKind::CooldownGate(_) => "cooldown_gate".into(),
        BudgetKind::Aimd(spec) => format!("aimd {} to {}", spec.min, spec.max),
        _ => "another kind".into(),
    }
}

fn number(ratio: Ratio) -> String {
    (ratio.parts_per_billion() as f64 / 1e9).to_string()
}
