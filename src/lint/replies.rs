//! What a policy does with the replies that providers document: failures that pass and are not
//! retried, and dead requests that are.
//!
//! Each row of a provider's table has an example. The table reads it, the policy decides on it.

use std::collections::BTreeMap;

use retrial_policy::providers::Provider;
use retrial_policy::replies::Reading;
use retrial_policy::{
    Call, CallKey, Class, Decision, Instant, Policy, Request, StopReason, Unlimited,
};

use super::{Finding, finding, retries};

/// Rows named in one finding; more are counted.
const NAMED: usize = 3;

/// By status, the rows whose examples have it.
type ByStatus = BTreeMap<u16, Vec<String>>;

pub(super) fn check(policy: &Policy, providers: &[Provider]) -> Vec<Finding> {
    // Classes are what the tables say: a policy that follows them has nothing to miss.
    if policy.retry_on().is_none() || retries(policy) == Some(0) {
        return Vec::new();
    }
    let (mut missed, mut lasting) = (ByStatus::new(), ByStatus::new());
    let mut dead: BTreeMap<&str, ByStatus> = BTreeMap::new();
    for provider in providers {
        for row in provider.table().rows() {
            let Some(status) = row.example().status().filter(|status| *status >= 300) else {
                continue;
            };
            let reading = provider.read(row.example());
            let row = format!("{}/{}", provider.table().name(), row.id());
            let class = reading.classification.class;
            match (class, first_decision(policy, &reading)) {
                // A hint over the cap, or a veto, is obeyed on purpose.
                (Class::Transient | Class::Throttled, Decision::Stop(stop))
                    if stop.reason == StopReason::NotRetryable =>
                {
                    missed.entry(status).or_default().push(row);
                }
                (Class::Exhausted | Class::Auth | Class::InvalidRequest, decision) => {
                    if decision.wait().is_some() {
                        let rows = dead.entry(class.as_str()).or_default();
                        rows.entry(status).or_default().push(row.clone());
                    }
                    lasting.entry(status).or_default().push(row);
                }
                _ => {}
            }
        }
    }
    let (mixed, clear): (ByStatus, ByStatus) =
        missed.into_iter().partition(|(status, _)| lasting.contains_key(status));
    let mut findings: Vec<_> = missing(&clear, &mixed).into_iter().collect();
    findings.extend(dead.into_iter().map(|(class, rows)| {
        let tries = match policy.limits().max_attempts {
            Some(max) => format!("{max} attempts"),
            None => "attempts without end".to_string(),
        };
        let message = format!(
            "requests that can't succeed are retried, {tries} each: {class} under {}",
            listed(&rows)
        );
        let fix = "leave retry_on out: classes read the error's code, which a status does not show";
        finding("dead-request-retried", "retry_on.statuses", message, fix)
    }));
    findings
}

/// Statuses that always pass and are not in the list; and those that pass sometimes.
fn missing(clear: &ByStatus, mixed: &ByStatus) -> Option<Finding> {
    if clear.is_empty() && mixed.is_empty() {
        return None;
    }
    let mut message = "failures that pass are not retried: a request fails that a second attempt \
                       would have served: "
        .to_string();
    message.push_str(&listed(if clear.is_empty() { mixed } else { clear }));
    let statuses: Vec<_> = clear.keys().map(u16::to_string).collect();
    let fix = match (statuses.is_empty(), mixed.is_empty()) {
        (false, true) => format!("add {}", statuses.join(", ")),
        (false, false) => {
            let mixed: Vec<_> = mixed.keys().map(u16::to_string).collect();
            format!(
                "add {}; and {} pass now and then, which only classes can tell",
                statuses.join(", "),
                mixed.join(", ")
            )
        }
        (true, _) => "leave retry_on out: only classes can tell which of these pass".to_string(),
    };
    Some(finding("transient-not-retried", "retry_on.statuses", message, fix))
}

/// What the policy decides on the first attempt.
fn first_decision(policy: &Policy, reading: &Reading) -> Decision {
    let (now, budget) = (Instant::default(), &mut Unlimited);
    let (mut call, _) = Call::start(policy, Request::default(), CallKey::new(0), budget, now);
    call.on_outcome(policy, reading, &reading.outcome(), now, budget, &mut ())
}

/// "429 (openai/quota, …), 500 (…)".
fn listed(rows: &ByStatus) -> String {
    let each = rows.iter().map(|(status, rows)| format!("{status} ({})", named(rows)));
    each.collect::<Vec<_>>().join(", ")
}

fn named(rows: &[String]) -> String {
    let more = rows.len().saturating_sub(NAMED);
    let mut text = rows[..rows.len() - more].join(", ");
    if more > 0 {
        text.push_str(&format!(" and {more} more"));
    }
    text
}
