//! botocore and boto3: a `Config`, and the same as keys of `~/.aws/config`.
//!
//! Attempts, timeouts and the mode are all that can be set; waits, statuses and quota are those of
//! the library. Source: `botocore/retries/` of botocore 1.44.8.

use retrial_policy::{
    AwsAdaptiveSpec, AwsQuotaSpec, Backoff, BudgetKind, BudgetSpec, Jitter, Nanos, OverCap, Policy,
    RetryAfterMode, Scope,
};

use super::inexpressible as lost;
use super::repeats::Repeats;
use super::units::seconds;
use super::{Export, Loss, head, in_file_order, waits};

const TARGET: &str = "botocore";

/// What stands for no bound on attempts.
const MANY: u32 = i32::MAX as u32;

/// The waits of standard mode.
fn own_backoff() -> Backoff {
    Backoff {
        throttled_base: Some(Nanos::from_secs(1)),
        ..Backoff::exponential(Nanos::from_millis(50))
            .cap(Nanos::from_secs(20))
            .jitter(Jitter::Full)
    }
}

/// The statuses that are repeated whatever the error code.
const STATUSES: [u16; 5] = [429, 500, 502, 503, 504];

/// Writes `policy`, which is called `name`.
pub fn export(name: &str, policy: &Policy) -> Export {
    let mut losses = Vec::new();
    let limits = policy.limits();
    let retries = waits::retries(limits);
    let repeats = Repeats::of(policy);
    if retries > 0 {
        losses.extend(waits::losses(TARGET, policy.backoff(), &own_backoff(), retries));
    }
    let attempts = limits.max_attempts.map_or(MANY, |most| most.get());
    if limits.max_attempts.is_none() {
        let what = format!("botocore has a number of attempts: unlimited becomes {MANY}");
        losses.push(Loss::new("limits.max_attempts", what, "none that can be seen"));
    }
    losses.extend(time(policy));
    losses.extend(hints(policy));
    let (mode, in_mode) = mode(policy);
    losses.extend(lost::budgets(
        policy,
        TARGET,
        "botocore's own quota holds instead",
        |_, part| in_mode(part),
    ));
    losses.extend(quota(policy));
    losses.extend(lost::fixed_statuses(policy, TARGET, &repeats, |status| {
        STATUSES.contains(&status)
    }));
    losses.extend(lost::bodies(policy, "botocore, beyond AWS's own codes,"));
    losses.extend(lost::veto(policy, TARGET));
    losses.extend(lost::fixed_transport(policy, TARGET, &repeats, true));
    losses.extend(lost::fallback(policy, TARGET));
    losses.extend(lost::idempotency_key(policy, TARGET));
    in_file_order(&mut losses);
    let timeout = limits.attempt_timeout.map_or("None".to_string(), seconds);
    let text = format!(
        "{head}# As keys of a profile in ~/.aws/config (there, max_attempts counts the first try \
         too):\n#   retry_mode = {mode}\n#   max_attempts = {attempts}\n\nfrom botocore.config \
         import Config\n\nconfig = Config(\n    retries={{\"mode\": \"{mode}\", \
         \"total_max_attempts\": {attempts}}},\n    connect_timeout={timeout},\n    \
         read_timeout={timeout},\n)\n",
        head = head(
            name,
            "botocore 1.44.8",
            "Pass it to a client: boto3.client(\"s3\", config=config).",
            &losses
        ),
    );
    Export { text, losses }
}

/// Adaptive mode where the policy has its send limiter, else standard; and the budgets it has.
fn mode(policy: &Policy) -> (&'static str, impl Fn(&BudgetSpec) -> bool) {
    let limiter = BudgetKind::AwsAdaptive(AwsAdaptiveSpec::DEFAULT);
    let adaptive = policy.budgets().iter().any(|part| part.kind == limiter);
    let own = move |part: &BudgetSpec| {
        part.scope == Scope::Client && (part.kind == limiter || part.kind == QUOTA)
    };
    (if adaptive { "adaptive" } else { "standard" }, own)
}

const QUOTA: BudgetKind = BudgetKind::AwsQuota(AwsQuotaSpec::V2_1);

/// The library's own quota, where the policy has another budget or none.
fn quota(policy: &Policy) -> Option<Loss> {
    let has_it = policy.budgets().iter().any(|part| part.kind == QUOTA);
    (!has_it && !lost::makes_one_attempt(policy)).then(|| {
        Loss::new(
            "budget",
            "botocore always has its quota: 500 tokens a client, 14 a retry, 5 after throttling",
            "in a long outage retries stop after some 35, or 100 after throttling, whatever the \
             policy says",
        )
    })
}

/// What of the policy's times botocore has no option for.
fn time(policy: &Policy) -> Vec<Loss> {
    let limits = policy.limits();
    let mut losses = Vec::new();
    if let Some(deadline) = limits.deadline {
        let what = format!("botocore has no total time: {deadline} is left out");
        losses.push(Loss::new("limits.deadline", what, "a call lasts as long as its attempts"));
    }
    if let Some(timeout) = limits.attempt_timeout {
        let what = format!("botocore's {timeout} bounds connecting and each wait for data apart");
        let consequence = "an answer that trickles in takes longer than the policy allows";
        losses.push(Loss::new("limits.attempt_timeout", what, consequence));
    }
    losses
}

fn hints(policy: &Policy) -> Vec<Loss> {
    let rule = policy.retry_after();
    let own_way = rule.mode == RetryAfterMode::Clamp(Nanos::from_secs(5))
        && rule.jitter_ratio.parts_per_billion() == 0
        && (rule.cap == Nanos::MAX || rule.over_cap == OverCap::Clip);
    if own_way || lost::makes_one_attempt(policy) {
        return Vec::new();
    }
    let does =
        "raises its backoff by up to 5s towards `x-amz-retry-after`, and reads no other hint";
    lost::hints(policy, TARGET, &lost::Hints { does, replaces: false, caps: true })
}
