//! Losses that several targets share, each where its trait is in the policy.

use retrial_policy::{BudgetKind, BudgetSpec, OverCap, Policy, RetryAfterMode, Scope};

use super::Loss;
use super::repeats::{Often, Repeats, ranges};

/// A reading of replies that a target can't do: it sees the status, the policy sees the body too.
pub fn bodies(policy: &Policy, target: &str) -> Option<Loss> {
    if policy.retry_on().is_some() || makes_one_attempt(policy) {
        return None;
    }
    let most = policy
        .limits()
        .max_attempts
        .map_or("without end".to_string(), |most| format!("up to {most} times"));
    Some(Loss::new(
        "classification",
        format!(
            "the policy acts on what a reply means, its error code and the server's veto \
             included; {target} sees the status alone"
        ),
        format!(
            "a 429 of a spent account is sent {most} where the policy sends it once, and an error \
             inside a 200 passes as success"
        ),
    ))
}

/// A veto that a policy of statuses honours and a target does not read.
pub fn veto(policy: &Policy, target: &str) -> Option<Loss> {
    let honoured = policy.retry_on().is_some_and(|rule| rule.honour_veto);
    (honoured && !makes_one_attempt(policy)).then(|| {
        let what =
            format!("the policy stops where the server forbids a retry; {target} does not ask");
        Loss::new("retry_on.honour_veto", what, "retries that the server asked not to get")
    })
}

/// Statuses that the policy repeats once, which a target leaves out.
pub fn once(policy: &Policy, target: &str, repeats: &Repeats) -> Option<Loss> {
    let once = repeats.statuses(Often::Once);
    let repeated = policy.limits().max_attempts.is_none_or(|most| most.get() > 2);
    (repeated && !once.is_empty()).then(|| {
        let what = format!(
            "the policy repeats {} once, as nobody knows what they mean; {target} knows always or \
             never and gets never",
            ranges(&once)
        );
        Loss::new("classification", what, "these end the call at the first attempt")
    })
}

/// The statuses for a list that knows no "once": with two attempts, once is always.
pub fn statuses_for_a_list(policy: &Policy, repeats: &Repeats) -> Vec<u16> {
    let mut statuses = repeats.statuses(Often::Always);
    if policy.limits().max_attempts.is_some_and(|most| most.get() <= 2) {
        statuses.extend(repeats.statuses(Often::Once));
        statuses.sort_unstable();
    }
    statuses
}

/// A conflict's own wait, which a target does not know.
pub fn conflict(policy: &Policy, target: &str, repeats: &Repeats) -> Option<Loss> {
    let conflicts = repeats.statuses_of(retrial_policy::Class::Conflict);
    let applies =
        policy.retry_on().is_none() && !conflicts.is_empty() && !makes_one_attempt(policy);
    applies.then(|| {
        let what = format!(
            "after a conflict ({}) the policy waits 1s for the other holder of the key; {target} \
             waits as after any failure",
            ranges(&conflicts)
        );
        Loss::new("classification", what, "a conflict is asked about too early, or too late")
    })
}

/// What a target with a list of its own repeats otherwise than the policy.
pub fn fixed_statuses(
    policy: &Policy,
    target: &str,
    repeats: &Repeats,
    fixed: impl Fn(u16) -> bool,
) -> Option<Loss> {
    if makes_one_attempt(policy) {
        return None;
    }
    let wanted = statuses_for_a_list(policy, repeats);
    let more: Vec<_> = (300..=599).filter(|s| fixed(*s) && !wanted.contains(s)).collect();
    let fewer: Vec<_> = wanted.into_iter().filter(|status| !fixed(*status)).collect();
    let mut parts = Vec::new();
    let mut effects = Vec::new();
    if !more.is_empty() {
        parts.push(format!("repeats {} as often as anything", ranges(&more)));
        effects.push("attempts that the policy would not make");
    }
    if !fewer.is_empty() {
        parts.push(format!("does not repeat {}", ranges(&fewer)));
        effects.push("calls that end at the first failure");
    }
    let key = if policy.retry_on().is_some() { "retry_on.statuses" } else { "classification" };
    (!parts.is_empty()).then(|| {
        let what = format!("{target} has a fixed list of statuses: it {}", parts.join("; it "));
        Loss::new(key, what, effects.join(", and "))
    })
}

/// Failed connections that a target repeats whatever the policy says, and timeouts if `timeouts`.
pub fn fixed_transport(
    policy: &Policy,
    target: &str,
    repeats: &Repeats,
    timeouts: bool,
) -> Option<Loss> {
    let left_alone: Vec<_> = [
        ("connections that were not made", repeats.connect()),
        ("connections that broke", repeats.reset()),
        ("attempts that timed out", repeats.timeout() || !timeouts),
    ]
    .into_iter()
    .filter(|(_, repeated)| !repeated)
    .map(|(what, _)| what)
    .collect();
    if left_alone.is_empty() || makes_one_attempt(policy) {
        return None;
    }
    let key = if policy.retry_on().is_some() { "retry_on.transport" } else { "replay" };
    Some(Loss::new(
        key,
        format!("the policy does not repeat {}; {target} does", left_alone.join(" and ")),
        "a request that took effect unseen is made again",
    ))
}

/// Other routes, which no target has.
pub fn fallback(policy: &Policy, target: &str) -> Vec<Loss> {
    let fallback = policy.fallback();
    let reasons = [
        "when the first route is unavailable",
        "when the content is refused",
        "when the account is spent",
    ];
    let loss = |((list, routes), when): ((&str, &[String]), &str)| {
        (!routes.is_empty()).then(|| {
            let names: Vec<_> = routes.iter().map(|name| name.escape_debug().to_string()).collect();
            let share = match fallback.after_attempts {
                Some(attempts) if list == "routes" => format!(", or after {attempts} attempts,"),
                _ => String::new(),
            };
            Loss::new(
                &format!("fallback.{list}"),
                format!("{when}{share} the policy turns to {}", names.join(", ")),
                format!("with {target} these calls stay on the first route or end: build it above"),
            )
        })
    };
    fallback.lists().into_iter().zip(reasons).filter_map(loss).collect()
}

/// The idempotency key, which no target makes.
pub fn idempotency_key(policy: &Policy, target: &str) -> Option<Loss> {
    policy.replay().idempotency_key.then(|| {
        Loss::new(
            "replay.idempotency_key",
            format!("the policy counts on one key for all attempts of a call; {target} makes none"),
            "without a key that the caller sets, a repeated request can take effect twice",
        )
    })
}

/// The parts of the budget except those that `taken` says the target has. `unbounded` is what a
/// retry budget's absence leads to, mostly [`UNBOUNDED`].
pub fn budgets(
    policy: &Policy,
    target: &str,
    unbounded: &str,
    taken: impl Fn(usize, &BudgetSpec) -> bool,
) -> Vec<Loss> {
    let left = policy.budgets().iter().enumerate().filter(|(index, part)| !taken(*index, part));
    let loss = |(index, part): (usize, &BudgetSpec)| {
        let (kind, consequence) = match part.kind {
            BudgetKind::TokenBucket(_) => ("token_bucket", unbounded),
            BudgetKind::AwsQuota(_) => ("aws_quota", unbounded),
            BudgetKind::Grpc(_) => ("grpc", unbounded),
            BudgetKind::Ratio(_) => ("ratio", unbounded),
            BudgetKind::Concurrent(_) => ("concurrent", unbounded),
            BudgetKind::SreAdaptive(_) => ("sre_adaptive", unbounded),
            BudgetKind::AwsAdaptive(_) => ("aws_adaptive", "throttling does not slow sends down"),
            BudgetKind::CircuitBreaker(_) => {
                ("circuit_breaker", "a route that is down gets every attempt")
            }
            BudgetKind::CooldownGate(_) => {
                ("cooldown_gate", "a server's hint holds back only the call that got it")
            }
            BudgetKind::Aimd(_) => ("aimd", "throttling does not lower the requests in flight"),
            _ => ("this kind", unbounded),
        };
        let whose = if part.scope == Scope::Group { "shared" } else { "each client's" };
        let what = format!("{target} has no budget like {whose} {kind}");
        Loss::new(&format!("budget.{index}"), what, consequence)
    };
    left.map(loss).collect()
}

/// The consequence of no retry budget.
pub const UNBOUNDED: &str =
    "in an outage every call makes all its attempts: nothing bounds the extra load";

/// How a target without options for it treats a wait that the server asks for.
pub struct Hints {
    /// What it does with one, in words.
    pub does: &'static str,
    /// Whether it waits the hint itself, neither more nor less.
    pub replaces: bool,
    /// Whether it does what the policy's cap asks for.
    pub caps: bool,
}

/// How a target's way with hints differs from the policy's.
pub fn hints(policy: &Policy, target: &str, hints: &Hints) -> Vec<Loss> {
    let rule = policy.retry_after();
    let Hints { does, replaces, caps } = *hints;
    if makes_one_attempt(policy) {
        return Vec::new();
    }
    let mut losses = Vec::new();
    let mode = match rule.mode {
        RetryAfterMode::Replace if replaces => None,
        RetryAfterMode::Replace => Some("waits as long as the server asks".to_string()),
        RetryAfterMode::Floor => Some("waits the longer of hint and backoff".to_string()),
        RetryAfterMode::Clamp(above) => {
            Some(format!("waits for a hint up to {above} above its backoff"))
        }
        RetryAfterMode::Ignore => Some("ignores what the server asks".to_string()),
    };
    if let Some(mode) = mode {
        losses.push(Loss::new(
            "retry_after.mode",
            format!("the policy {mode}; {target} {does}"),
            "waits after a hint are not those of the simulation",
        ));
    }
    if rule.mode == RetryAfterMode::Ignore {
        return losses;
    }
    if !caps {
        let then = match rule.over_cap {
            OverCap::Stop => "stops",
            OverCap::Fallback => "takes another route",
            OverCap::Clip => "waits so long only",
            OverCap::OwnBackoff => "uses its own backoff",
        };
        losses.push(Loss::new(
            "retry_after.cap",
            format!("past a hint of {} the policy {then}; {target} {does}", rule.cap),
            "a long hint is treated otherwise: the call hangs on it, or comes back too early",
        ));
    }
    if replaces && rule.jitter_ratio.parts_per_billion() > 0 {
        losses.push(Loss::new(
            "retry_after.jitter_ratio",
            format!(
                "the policy waits up to {} % longer than a hint says; {target} waits the hint \
                 exactly",
                rule.jitter_ratio.as_f64() * 100.0
            ),
            "clients that get the same hint come back in step",
        ));
    }
    losses
}

/// Whether nothing is ever repeated.
pub fn makes_one_attempt(policy: &Policy) -> bool {
    policy.limits().max_attempts.is_some_and(|most| most.get() == 1)
}
