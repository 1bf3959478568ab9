//! Calls that may have taken effect when they are repeated, or that can't be repeated at all.

use retrial_policy::Policy;

use super::{Finding, finding, retries};

pub(super) fn check(policy: &Policy) -> Option<Finding> {
    if policy.replay().is_harmless() || retries(policy) == Some(0) {
        return None;
    }
    match policy.retry_on() {
        Some(rule) if rule.timeout || rule.reset => {
            let message = match retries(policy) {
                Some(retries) => format!(
                    "a request whose answer was lost is sent again without a key: it may be \
                     carried out and billed {} times",
                    retries + 1
                ),
                None => "a request whose answer was lost is sent again without a key, any number \
                         of times"
                    .to_string(),
            };
            let fix = "send an idempotency key (idempotency_key = true) where the API honours one";
            Some(finding("repeated-without-key", "replay", message, fix))
        }
        None if policy.limits().attempt_timeout.is_some() => {
            let message = "attempts time out, but nothing says that a call may be repeated then: \
                           every timeout ends its call and has to be reconciled";
            let fix = "safe = true for calls without side effects, or idempotency_key = true";
            Some(finding("timeouts-reconcile", "replay", message.to_string(), fix))
        }
        Some(_) | None => None,
    }
}
