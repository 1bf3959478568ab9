//! tenacity: a Python module that defines a `Retrying`.
//!
//! The waits are tenacity's own strategies where one has the policy's law exactly, else a small
//! class of the module. The parts that are the same for all policies are Python files beside this
//! one; what differs is filled in here. Written for tenacity 9.2.1.

mod backoff;

use std::fmt::Write;

use retrial_policy::{Class, Nanos, OverCap, Policy, RetryAfterMode};

use self::backoff::Waits;
use super::inexpressible as lost;
use super::repeats::{Often, Repeats, runs};
use super::units::seconds;
use super::{Export, Loss, head, in_file_order};

const TARGET: &str = "tenacity";
const FAILURES: &str = include_str!("tenacity/failures.py");
const HINT: &str = include_str!("tenacity/hint.py");
const PREDICATE: &str = include_str!("tenacity/predicate.py");

/// Writes `policy`, which is called `name`.
pub fn export(name: &str, policy: &Policy) -> Export {
    let losses = losses(policy);
    let repeats = Repeats::of(policy);
    let waits = Waits::of(policy.backoff());
    let hinted = policy.retry_after().mode != RetryAfterMode::Ignore;
    let mut text = head(
        name,
        "tenacity 9.2.1",
        "Call `retrying(call, *arguments)`, or put `@retrying.wraps` above a function.",
        &losses,
    );
    text.push_str(&imports(policy, &waits, hinted));
    text.push_str(&constants(policy, &repeats));
    for part in [FAILURES, if hinted { HINT } else { "" }, &predicate(policy, hinted)] {
        if !part.is_empty() {
            text.push_str("\n\n");
            text.push_str(part);
        }
    }
    text.push_str(&waits.class);
    text.push_str(&wait_for(policy, &waits, &repeats, hinted));
    let _ = write!(
        text,
        "\n\nretrying = Retrying(\n    stop={},\n    wait=wait_for,\n    retry=is_retryable,\n    \
         reraise=True,\n)\n",
        stop(policy),
    );
    Export { text, losses }
}

fn losses(policy: &Policy) -> Vec<Loss> {
    let mut losses = Vec::new();
    if let Some(timeout) = policy.limits().attempt_timeout {
        losses.push(Loss::new(
            "limits.attempt_timeout",
            format!("tenacity can't end an attempt: give {timeout} to the HTTP client"),
            "without it, an attempt that hangs is never given up",
        ));
    }
    if let Some(deadline) = policy.limits().deadline {
        losses.push(Loss::new(
            "limits.deadline",
            format!("tenacity starts no attempt past {deadline} and can't end one that is running"),
            "a call may take the deadline and one attempt more",
        ));
    }
    if policy.retry_after().mode != RetryAfterMode::Ignore
        && policy.retry_after().over_cap == OverCap::Fallback
    {
        losses.push(Loss::new(
            "retry_after.over_cap",
            "past the cap of a hint the policy takes another route; tenacity stops",
            "the caller has to take the other route",
        ));
    }
    losses.extend(lost::budgets(policy, TARGET, lost::UNBOUNDED, |_, _| false));
    losses.extend(lost::bodies(policy, "the module"));
    losses.extend(lost::veto(policy, "the module"));
    losses.extend(lost::fallback(policy, TARGET));
    losses.extend(lost::idempotency_key(policy, TARGET));
    in_file_order(&mut losses);
    losses
}

fn imports(policy: &Policy, waits: &Waits, hinted: bool) -> String {
    let mut modules = Vec::new();
    if hinted {
        modules.push("email.utils");
    }
    if waits.needs_math {
        modules.push("math");
    }
    if waits.is_random || hinted || policy.retry_on().is_none() {
        modules.push("random");
    }
    if hinted {
        modules.push("time");
    }
    let mut text: String = modules.iter().map(|module| format!("import {module}\n")).collect();
    let limits = policy.limits();
    let mut names = vec!["Retrying"];
    if limits.max_attempts.is_some() {
        names.push("stop_after_attempt");
    }
    if limits.deadline.is_some() {
        names.push("stop_before_delay");
    }
    if limits.max_attempts.is_none() && limits.deadline.is_none() {
        names.push("stop_never");
    }
    // `wait_base` is not among the package's own names.
    names.extend(waits.imports.iter().filter(|name| **name != "wait_base"));
    if !text.is_empty() {
        text.push('\n');
    }
    let _ = writeln!(text, "from tenacity import {}", names.join(", "));
    if waits.imports.contains(&"wait_base") {
        text.push_str("from tenacity.wait import wait_base\n");
    }
    text.push('\n');
    text
}

fn constants(policy: &Policy, repeats: &Repeats) -> String {
    let transport = [
        ("connect", repeats.connect()),
        ("reset", repeats.reset()),
        ("timeout", repeats.timeout()),
    ];
    let transport: Vec<_> =
        transport.iter().filter(|(_, yes)| *yes).map(|(name, _)| *name).collect();
    let rule = policy.retry_after();
    let mut text = String::new();
    let _ = writeln!(text, "# Repeated as often as the limits allow.");
    let _ = writeln!(text, "STATUSES = {}", set(&repeats.statuses(Often::Always)));
    let _ = writeln!(text, "# Repeated once in a call.");
    let _ = writeln!(text, "STATUSES_ONCE = {}", set(&repeats.statuses(Often::Once)));
    let _ = writeln!(text, "# Failed connections that are repeated.");
    let _ = writeln!(text, "TRANSPORT = frozenset({transport:?})");
    if policy.backoff().throttled_base.is_some() {
        let throttled = set(&repeats.statuses_of(Class::Throttled));
        let _ = writeln!(
            text,
            "# The server is too busy: another first wait.\nTHROTTLED = {throttled}"
        );
    }
    if policy.retry_on().is_none() {
        let conflicts = set(&repeats.statuses_of(Class::Conflict));
        let _ = writeln!(
            text,
            "# Another call holds the idempotency key, for about a second.\nCONFLICTS = {conflicts}"
        );
    }
    if rule.mode != RetryAfterMode::Ignore && rule.cap != Nanos::MAX {
        let _ = writeln!(text, "# The longest wait that a server may ask for, in seconds.");
        let _ = writeln!(text, "LONGEST_HINT = {}", seconds(rule.cap));
    }
    if needs_spread(policy) {
        let _ = writeln!(
            text,
            "# A wait that many clients share takes up to this fraction longer, never less.\n\
             SPREAD = {}",
            rule.jitter_ratio.as_f64()
        );
    }
    text
}

/// Whether some wait is one that many clients share.
fn needs_spread(policy: &Policy) -> bool {
    policy.retry_after().mode != RetryAfterMode::Ignore || policy.retry_on().is_none()
}

/// A set of statuses as source, short lines.
fn set(statuses: &[u16]) -> String {
    let shown = runs(statuses).into_iter().map(|(first, last)| match last - first {
        0 => first.to_string(),
        1 => format!("{first}, {last}"),
        _ => format!("*range({first}, {})", last + 1),
    });
    format!("frozenset([{}])", shown.collect::<Vec<_>>().join(", "))
}

fn predicate(policy: &Policy, hinted: bool) -> String {
    let rule = policy.retry_after();
    let stops = matches!(rule.over_cap, OverCap::Stop | OverCap::Fallback);
    let last = if hinted && stops && rule.cap != Nanos::MAX {
        "    # A shorter wait would only be refused again.\n    hint = hint_of(error)\n    return \
         hint is None or hint <= LONGEST_HINT\n"
    } else {
        "    return True\n"
    };
    format!("{PREDICATE}{last}")
}

/// The wait before a retry: a hint, a conflict's second, or the backoff.
fn wait_for(policy: &Policy, waits: &Waits, repeats: &Repeats, hinted: bool) -> String {
    let rule = policy.retry_after();
    let mut text = format!(
        "\n\nbackoff = {}\n\n\ndef wait_for(retry_state):\n    \"\"\"The seconds before the next \
         attempt.\"\"\"\n    error = retry_state.outcome.exception()\n",
        waits.expression
    );
    let conflicts = policy.retry_on().is_none() && !repeats.statuses_of(Class::Conflict).is_empty();
    let spread = "random.uniform(1.0, 1.0 + SPREAD)";
    if hinted {
        text.push_str("    hint = hint_of(error)\n");
        match rule.over_cap {
            OverCap::Clip if rule.cap != Nanos::MAX => {
                text.push_str("    if hint is not None:\n        hint = min(hint, LONGEST_HINT)\n");
            }
            OverCap::OwnBackoff if rule.cap != Nanos::MAX => text.push_str(
                "    if hint is not None and hint > LONGEST_HINT:\n        hint = None\n",
            ),
            _ => {}
        }
    }
    // The wait that a hint leads to, with the condition for it.
    let by_hint = match rule.mode {
        RetryAfterMode::Ignore => None,
        RetryAfterMode::Replace => Some(("hint is not None", "hint".to_string())),
        RetryAfterMode::Floor => Some(("hint is not None and hint >= own", "hint".to_string())),
        RetryAfterMode::Clamp(above) => {
            let most = format!("min(hint, own + {})", seconds(above));
            Some(("hint is not None and hint > own", most))
        }
    };
    let by_hint = by_hint.map_or(String::new(), |(when, wait)| {
        format!("    if {when}:\n        return {wait} * {spread}\n")
    });
    let own = match conflicts {
        true => {
            "    conflict = status_of(error) in CONFLICTS\n    own = 1.0 if conflict else \
                 backoff(retry_state)\n"
        }
        false => "    own = backoff(retry_state)\n",
    };
    // A hint that replaces the backoff leaves it untouched.
    text += &match rule.mode {
        RetryAfterMode::Replace => format!("{by_hint}{own}"),
        _ => format!("{own}{by_hint}"),
    };
    text += &match conflicts {
        true => format!("    return own * {spread} if conflict else own\n"),
        false => "    return own\n".to_string(),
    };
    text
}

fn stop(policy: &Policy) -> String {
    let limits = policy.limits();
    let attempts = limits.max_attempts.map(|most| format!("stop_after_attempt({most})"));
    let time = limits.deadline.map(|end| format!("stop_before_delay({})", seconds(end)));
    match (attempts, time) {
        (Some(attempts), Some(time)) => format!("{attempts} | {time}"),
        (Some(one), None) | (None, Some(one)) => one,
        (None, None) => "stop_never".to_string(),
    }
}
