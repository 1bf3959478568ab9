//! `lint`: traits of a policy that hurt a fleet, read off the policy alone.
//!
//! Each check is a file: it asks the policy core what the policy would do, and gives findings with
//! a figure and a fix. Nothing is simulated, so that a finding says what can happen, not how often;
//! a finding may be what its author wants.

mod backoff;
mod budget;
mod hint;
mod layers;
mod limits;
mod replay;
mod replies;

use retrial_policy::providers::Provider;
use retrial_policy::{Nanos, Policy};
use serde::Serialize;

/// One trait that hurts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// Its name, which never changes.
    pub lint: &'static str,
    /// The key that it comes from, as in a policy file.
    pub key: String,
    /// What happens, with the figure.
    pub message: String,
    /// What would be right.
    pub fix: String,
}

/// What a policy is held against.
#[derive(Clone, Debug)]
pub struct Surroundings {
    /// How long a limiter takes to refill.
    pub refill: Nanos,
    /// The providers whose replies the policy will meet.
    pub providers: Vec<Provider>,
}

/// What is wrong with `policy`, by layer, the outermost first.
pub fn lint(policy: &Policy, around: &Surroundings) -> Vec<Finding> {
    let mut findings = layers::check(policy);
    findings.extend(limits::check(policy));
    findings.extend(budget::check(policy));
    for (depth, layer) in policy.layers().enumerate() {
        let own = backoff::check(layer, around)
            .into_iter()
            .chain(hint::check(layer))
            .chain(replay::check(layer))
            .chain(replies::check(layer, &around.providers));
        let key = |key: String| "inner.".repeat(depth) + &key;
        findings.extend(own.map(|finding| Finding { key: key(finding.key), ..finding }));
    }
    findings
}

fn finding(lint: &'static str, key: &str, message: String, fix: impl Into<String>) -> Finding {
    Finding { lint, key: key.to_string(), message, fix: fix.into() }
}

/// Retries that a call makes at most; `None` is unlimited.
fn retries(policy: &Policy) -> Option<u32> {
    policy.limits().max_attempts.map(|max| max.get() - 1)
}

/// "1 retry", "4 retries".
fn counted(count: u64, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}
