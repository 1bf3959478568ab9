//! Calls that nothing ends.

use retrial_policy::Policy;

use super::{Finding, finding};

pub(super) fn check(policy: &Policy) -> Vec<Finding> {
    let mut findings = Vec::new();
    // A deadline inside bounds an attempt of the layer outside, not the call.
    if policy.limits().deadline.is_none() {
        let tries = match policy.max_wire_attempts() {
            Some(1) => "its only attempt may take for ever".to_string(),
            Some(max) => format!("{max} attempts and their waits may take any time"),
            None => "nor does any number of attempts".to_string(),
        };
        let message = format!("no deadline ends a call: {tries}");
        let fix = "deadline = \"90s\": how long the caller can use an answer";
        findings.push(finding("no-deadline", "limits.deadline", message, fix));
    }
    let times_out = |layer: &Policy| layer.limits().attempt_timeout.is_some();
    if !policy.layers().any(times_out) {
        let message = match policy.limits().deadline {
            Some(deadline) => format!(
                "an attempt that is never answered takes the whole deadline ({deadline}): there is \
                 no second one"
            ),
            None => "an attempt that is never answered is waited for for ever".to_string(),
        };
        let fix = "attempt_timeout: above the slowest good answer, below the deadline";
        findings.push(finding("no-attempt-timeout", "limits.attempt_timeout", message, fix));
    }
    findings
}
