//! What a policy makes of the waits that servers ask for.

use retrial_policy::{Nanos, OverCap, Policy, Ratio, RetryAfterMode};

use super::{Finding, finding, retries};

pub(super) fn check(policy: &Policy) -> Vec<Finding> {
    if retries(policy) == Some(0) {
        return Vec::new();
    }
    let rule = policy.retry_after();
    let mut findings = Vec::new();
    let early = |key: &str, message: String, fix: &str| {
        finding("retried-earlier-than-asked", key, message, fix)
    };
    match rule.mode {
        RetryAfterMode::Ignore => {
            let message = "a server's `retry-after` is ignored: clients return while it still \
                           refuses, and every such attempt is wasted";
            let fix = "mode = \"replace\"";
            return vec![early("retry_after.mode", message.to_string(), fix)];
        }
        RetryAfterMode::Clamp(above) => {
            let message = format!(
                "a hint is cut to {above} above the own backoff: asked for a minute, a first retry \
                 is back within {}",
                longest_first(policy).saturating_add(above)
            );
            findings.push(early("retry_after.mode", message, "mode = \"floor\", with a cap"));
        }
        RetryAfterMode::Replace | RetryAfterMode::Floor => {}
    }
    let cap = rule.cap;
    match rule.over_cap {
        OverCap::Clip => {
            let message = format!("a hint above {cap} is cut to {cap}");
            findings.push(early("retry_after.over_cap", message, "over_cap = \"stop\""));
        }
        OverCap::OwnBackoff if cap != Nanos::MAX => {
            let message = format!(
                "a hint above {cap} counts as none: the first retry is back within {}",
                longest_first(policy)
            );
            findings.push(early("retry_after.over_cap", message, "over_cap = \"stop\""));
        }
        OverCap::OwnBackoff | OverCap::Stop | OverCap::Fallback => {}
    }
    if cap == Nanos::MAX && policy.limits().deadline.is_none() {
        let message = "a hint of any length is waited for, and no deadline ends it: some servers \
                       ask for a day";
        let fix = "cap = \"60s\", with over_cap = \"stop\" or \"fallback\"";
        findings.push(finding("hint-without-bound", "retry_after.cap", message.to_string(), fix));
    }
    if rule.jitter_ratio == Ratio::ZERO {
        let message = "a hint is obeyed to the nanosecond: all clients that got \"retry-after: 30\" \
                       in one second return in one second";
        let fix = "jitter_ratio = 0.1 adds up to 3s to that, and never returns early";
        let finding =
            finding("hint-without-spread", "retry_after.jitter_ratio", message.into(), fix);
        findings.push(finding);
    }
    findings
}

/// The longest wait before the first retry.
fn longest_first(policy: &Policy) -> Nanos {
    policy.backoff().range(0, Nanos::ZERO, retrial_policy::Class::Throttled).1
}
