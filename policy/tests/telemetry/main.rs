//! What is made of decision records: counters, alerts, signatures and `tracing` events.

#[path = "../support/mod.rs"]
mod support;

mod alerts;
mod counters;
mod signature;
#[cfg(feature = "tracing")]
mod tracing;

use retrial_policy::*;
use support::{always, key, ms};

/// Three attempts, 200 ms apart, and a route to fall back to after two; a key makes all repeatable.
fn policy() -> Policy {
    Policy::new(spec()).expect("a valid policy")
}

fn spec() -> PolicySpec {
    PolicySpec {
        backoff: Backoff::growing(Growth::Constant { base: ms(200) }),
        limits: Limits { max_attempts: 3.try_into().ok(), ..Limits::default() },
        fallback: Fallback {
            routes: vec!["second".into()],
            after_attempts: 2.try_into().ok(),
            ..Fallback::default()
        },
        replay: Replay { safe: false, idempotency_key: true },
        ..PolicySpec::default()
    }
}

/// What comes back: a class, with the status and the code that go with it.
type Reply = (Class, u16, Option<&'static str>);

const OK: Reply = (Class::Ok, 200, None);
const BUSY: Reply = (Class::Transient, 529, Some("overloaded_error"));
const SPENT: Reply = (Class::Exhausted, 429, Some("insufficient_quota"));

/// A request at `now` that gets `replies` until it ends. Waits take no time here, so that all its
/// decisions are made at `now`.
fn request(
    policy: &Policy,
    replies: &[Reply],
    now: Instant,
    observer: &mut impl Observer,
) -> TerminalOutcome {
    let mut budget = Unlimited;
    let (mut call, _) = Call::start(policy, Request::default(), key(1), &mut budget, now);
    for (class, status, code) in replies {
        let outcome = Outcome { code: *code, ..Outcome::response(*status) };
        let read = always(*class);
        let decision = call.on_outcome(policy, &read, &outcome, now, &mut budget, observer);
        if let Some(ended) = decision.terminal_outcome() {
            return ended;
        }
        let next = call.next_attempt(policy, now, &mut budget, observer);
        assert!(next.is_ok(), "there is time left");
    }
    panic!("{replies:?} do not end it");
}
