//! openai-python: the arguments of a client.
//!
//! Retries and a timeout are all that can be set; waits and statuses are those of the library.
//! Source: `_base_client.py` and `_constants.py` of openai 3.57.0.

use retrial_policy::{Backoff, Jitter, Nanos, OverCap, Policy, Ratio, RetryAfterMode};

use super::inexpressible::{self as lost, Hints};
use super::repeats::Repeats;
use super::units::seconds;
use super::{Export, Loss, head, in_file_order, waits};

const TARGET: &str = "openai-python";

/// What stands for no bound on retries.
const MANY: u32 = i32::MAX as u32;

/// The longest hint that is waited for.
const LONGEST_HINT: Nanos = Nanos::from_secs(120);

/// The library's waits.
fn own_backoff() -> Backoff {
    Backoff::exponential(Nanos::from_millis(500))
        .cap(Nanos::from_secs(8))
        .jitter(Jitter::Shrink(Ratio::from_percent(25)))
}

/// Writes `policy`, which is called `name`.
pub fn export(name: &str, policy: &Policy) -> Export {
    let mut losses = Vec::new();
    let limits = policy.limits();
    let repeats = Repeats::of(policy);
    let retries = waits::retries(limits);
    if retries > 0 {
        losses.extend(waits::losses(TARGET, policy.backoff(), &own_backoff(), retries));
    }
    let max_retries = limits.max_attempts.map_or(MANY, |most| most.get() - 1);
    if limits.max_attempts.is_none() {
        let what = format!("openai-python has a number of retries: unlimited becomes {MANY}");
        losses.push(Loss::new("limits.max_attempts", what, "none that can be seen"));
    }
    if let Some(deadline) = limits.deadline {
        let what = format!("openai-python has no total time: {deadline} is left out");
        losses.push(Loss::new("limits.deadline", what, "a call lasts as long as its attempts"));
    }
    if let Some(timeout) = limits.attempt_timeout {
        let what =
            format!("openai-python's {timeout} bounds connecting and each wait for data apart");
        let consequence = "an answer that trickles in takes longer than the policy allows";
        losses.push(Loss::new("limits.attempt_timeout", what, consequence));
    }
    losses.extend(hints(policy));
    losses.extend(lost::budgets(policy, TARGET, lost::UNBOUNDED, |_, _| false));
    losses.extend(lost::fixed_statuses(policy, TARGET, &repeats, |status| {
        matches!(status, 408 | 409 | 429 | 500..)
    }));
    losses.extend(lost::bodies(policy, "openai-python, apart from `x-should-retry`,"));
    losses.extend(lost::conflict(policy, TARGET, &repeats));
    losses.extend(lost::fixed_transport(policy, TARGET, &repeats, true));
    losses.extend(lost::fallback(policy, TARGET));
    losses.extend(lost::idempotency_key(policy, TARGET));
    in_file_order(&mut losses);
    let timeout = limits.attempt_timeout.map_or("None".to_string(), seconds);
    let text = format!(
        "{head}from openai import OpenAI\n\nclient = OpenAI(max_retries={max_retries}, \
         timeout={timeout})\n",
        head = head(name, "openai-python 3.57.0", "AsyncOpenAI takes the same arguments.", &losses),
    );
    Export { text, losses }
}

fn hints(policy: &Policy) -> Vec<Loss> {
    let rule = policy.retry_after();
    let does = "waits for a hint of up to 2 minutes and stops past that";
    let caps = rule.cap == LONGEST_HINT && rule.over_cap == OverCap::Stop
        || rule.mode == RetryAfterMode::Ignore;
    lost::hints(policy, TARGET, &Hints { does, replaces: true, caps })
}
