//! Waits that many calls share, and waits too short to help.

use std::collections::BTreeMap;

use retrial_policy::{CallKey, Class, Nanos, Policy};

use super::{Finding, Surroundings, counted, finding, retries};

/// Calls that are asked how long they wait.
const CALLS: u64 = 1_000;
/// Calls with the same wait from which on it is no chance: half of them.
const MANY: u64 = CALLS / 2;
/// Retries looked at where nothing bounds them: any growth has reached its cap by then.
const FAR: u32 = 40;

pub(super) fn check(policy: &Policy, around: &Surroundings) -> Vec<Finding> {
    let retries = retries(policy).unwrap_or(FAR).min(FAR);
    if retries == 0 {
        return Vec::new();
    }
    // What a call waits in its retries, for many calls.
    let waits: Vec<Vec<Nanos>> = (0..CALLS).map(|call| waits_of(policy, call, retries)).collect();
    let shared: Vec<Option<(u64, Nanos)>> =
        (0..retries as usize).map(|n| most_common(waits.iter().map(|call| call[n]))).collect();
    let mut findings = Vec::new();
    let in_step = |n: usize| shared[n].filter(|(calls, _)| *calls >= MANY);
    let first_free = (0..shared.len()).find(|n| in_step(*n).is_none());
    match first_free {
        None => {
            let message = format!(
                "all clients that fail together return together: each of {} is the same for all \
                 calls",
                counted(retries.into(), "wait", "waits")
            );
            findings.push(finding("no-jitter", "backoff.jitter", message, "jitter = \"full\""));
        }
        Some(_) => {
            if let Some((calls, wait)) = in_step(0) {
                let message = format!(
                    "the first retry has no jitter: {calls} of {CALLS} calls wait exactly {wait}"
                );
                let fix = "spread the first wait, too: jitter = \"full\", without a floor";
                findings.push(finding("first-retry-in-step", "backoff.floor", message, fix));
            }
            let last = shared.len() - 1;
            if let Some((calls, wait)) = in_step(last).filter(|_| last > 0) {
                let from = (0..=last).rev().take_while(|n| in_step(*n).is_some()).last();
                let message = format!(
                    "the jitter is gone at the cap: from retry {} on, {calls} of {CALLS} calls \
                     wait exactly {wait}",
                    from.unwrap_or(last) + 1
                );
                let fix = "cap_order = \"cap_then_jitter\" (the default) spreads the capped wait";
                let fix = match policy.backoff().growth {
                    retrial_policy::Growth::Decorrelated { .. }
                    | retrial_policy::Growth::SmoothDecorrelated { .. } => {
                        "kind = \"exponential\" with jitter = \"full\" spreads the capped wait"
                    }
                    _ => fix,
                };
                findings.push(finding("jitter-gone-at-cap", "backoff.cap", message, fix));
            }
        }
    }
    findings.extend(shorter_than(around.refill, policy, retries));
    findings
}

/// All retries together wait less than a limiter takes to refill.
fn shorter_than(refill: Nanos, policy: &Policy, count: u32) -> Option<Finding> {
    // Without a bound the waits go on for ever.
    retries(policy)?;
    let mut longest = Nanos::ZERO;
    let mut previous = Nanos::ZERO;
    for n in 0..count {
        (_, previous) = policy.backoff().range(n, previous, Class::Throttled);
        longest = longest.saturating_add(previous);
    }
    if longest >= refill {
        return None;
    }
    let message = format!(
        "{} are spent after {longest} of waiting at most, while a limiter takes {refill} to \
         refill: without a hint, a throttled call gives up before it can succeed",
        counted(count.into(), "retry", "retries")
    );
    let fix = "raise throttled_base or max_attempts until the waits add up to the refill time";
    Some(finding("waits-shorter-than-refill", "backoff.base", message, fix))
}

/// The waits of one call that goes on failing.
fn waits_of(policy: &Policy, call: u64, retries: u32) -> Vec<Nanos> {
    let key = CallKey::derive(0, 0, 0, call);
    let mut previous = Nanos::ZERO;
    let wait = |n: u32| {
        previous = policy.backoff().delay(n, previous, Class::Transient, key);
        previous
    };
    (0..retries).map(wait).collect()
}

/// The wait that most calls share, and how many they are.
fn most_common(waits: impl Iterator<Item = Nanos>) -> Option<(u64, Nanos)> {
    let mut counts = BTreeMap::new();
    for wait in waits {
        *counts.entry(wait).or_insert(0_u64) += 1;
    }
    counts.into_iter().map(|(wait, calls)| (calls, wait)).max()
}
