//! How long the wait is before it is spread, and who says so.

use std::time::Duration;

use retrial_policy::replies::{Reading, WaitSource};
use retrial_policy::wait::Place;
use retrial_policy::{
    Class, Decision, DelaySource, Nanos, Policy, RetryAfterMode, StopReason, Wait,
};

use super::verdict::Verdict;

/// From here on a fraction of a second says nothing.
const LONG: Nanos = Nanos::from_secs(60);

/// The wait in words; `None` where nobody waits for anything.
pub(super) fn in_words(policy: &Policy, verdict: &Verdict) -> Option<String> {
    let reading = &verdict.reading;
    let asked = asked(reading);
    match (&verdict.decision, asked) {
        (Decision::Accept | Decision::ReduceAndRetryOnce(_) | Decision::ContinueTurn(_), _) => None,
        (Decision::RetrySameRoute(wait) | Decision::RetryAfterHint(wait), asked) => {
            Some(repeated(policy, reading, wait, asked))
        }
        (Decision::Fallback(_), Some(asked)) => Some(format!("none there; here {asked}")),
        (Decision::Fallback(_), None) => Some("none".to_string()),
        (Decision::Stop(stop) | Decision::Reconcile(stop), Some(asked)) => {
            Some(match stop.reason {
                StopReason::HintOverCap { cap, .. } => {
                    format!("{asked}; the policy accepts at most {}", span(cap))
                }
                _ => asked,
            })
        }
        (Decision::Stop(_) | Decision::Reconcile(_), None) => None,
    }
}

/// The wait before the same request on the same route.
fn repeated(policy: &Policy, reading: &Reading, wait: &Wait, asked: Option<String>) -> String {
    let rule = policy.retry_after();
    match (wait.source, asked, reading.hint) {
        (DelaySource::Hint, Some(asked), Some(hint))
            if rule.mode == RetryAfterMode::Replace && hint.0 <= rule.cap =>
        {
            let percent = rule.jitter_ratio.as_f64() * 100.0;
            match percent {
                0.0 => asked,
                percent => format!("{asked}, spread by up to {percent:.0} % on top"),
            }
        }
        (DelaySource::Hint, Some(asked), _) => {
            format!("about {} as the policy's [retry_after] has it; {asked}", span(wait.delay))
        }
        (_, asked, _) => {
            let own = own(policy, reading.classification.class);
            asked.map_or(own.clone(), |asked| format!("{own}; passed over: {asked}"))
        }
    }
}

/// The first wait of the policy itself.
fn own(policy: &Policy, class: Class) -> String {
    if class == Class::Conflict && policy.retry_on().is_none() {
        return "about 1s: a call that holds the key is about to end".to_string();
    }
    let (low, high) = policy.backoff().range(0, Nanos::ZERO, class);
    match (low, high) {
        (low, high) if low == high => format!("{}, the policy's own backoff", span(high)),
        (Nanos::ZERO, high) => format!("up to {}, the policy's own backoff", span(high)),
        (low, high) => format!("{} to {}, the policy's own backoff", span(low), span(high)),
    }
}

/// The wait that the server or the row asks for, and where it stands.
fn asked(reading: &Reading) -> Option<String> {
    let hint = span(reading.hint?.0);
    Some(match reading.wait_source.as_ref()? {
        WaitSource::Row => format!("{hint}, the row's own wait"),
        WaitSource::Hint(Place::Header, name) => format!("{hint} by the header {name}"),
        WaitSource::Hint(Place::Body, name) => format!("{hint} by {name} in the body"),
        WaitSource::Hint(Place::Message, _) => format!("{hint} by the text of the message"),
        WaitSource::Hint(Place::Reset, name) => {
            format!("{hint} by the header {name}, when the empty bucket is full again")
        }
    })
}

/// A span for people.
pub(super) fn span(nanos: Nanos) -> String {
    if nanos == Nanos::MAX {
        "longer than a clock can hold".to_string()
    } else if nanos < LONG {
        nanos.to_string()
    } else {
        let seconds = nanos.get().div_ceil(1_000_000_000);
        humantime::format_duration(Duration::from_secs(seconds)).to_string()
    }
}
