//! The retry function for the Sume API: each of its published examples decided by a policy.
//!
//! The function numbers attempts from 0 and waits `min(60, 2^attempt) · U[0.5, 1]` seconds, a given
//! `retry-after` instead, 1 s for a busy idempotency key, and nothing from attempt 6 on. As a policy:
//! base 1 s, doubling, cap 60 s, equal jitter, seven attempts.

mod support;

use retrial_policy::*;
use support::{key, secs};

fn policy() -> Policy {
    Policy::new(PolicySpec {
        backoff: Backoff::exponential(secs(1)).cap(secs(60)).jitter(Jitter::Equal),
        limits: Limits { max_attempts: 7.try_into().ok(), ..Limits::default() },
        // The function waits exactly as long as asked, however long that is.
        retry_after: RetryAfter {
            jitter_ratio: Ratio::ZERO,
            cap: Nanos::MAX,
            ..RetryAfter::default()
        },
        replay: Replay { safe: false, idempotency_key: true },
        ..PolicySpec::default()
    })
    .unwrap()
}

fn classify(outcome: &Outcome<'_>) -> Classification {
    Classification::of(match (outcome.status(), outcome.code) {
        (Some(429), _) => Class::Throttled,
        (Some(503), _) => Class::Transient,
        (Some(409), Some("idempotency_key_in_use")) => Class::Conflict,
        (Some(401), _) => Class::Auth,
        (Some(402), _) => Class::Exhausted,
        _ => Class::InvalidRequest,
    })
}

/// The function with its own arguments: the wait it tells for the failure of `attempt`, counted from
/// 0, where everything before had failed with a 503. `None` is "do not retry".
fn wait_seconds(
    status: u16,
    code: Option<&str>,
    retry_after: Option<u64>,
    attempt: u32,
    key: CallKey,
) -> Option<Nanos> {
    let policy = policy();
    let now = Instant::default();
    let mut budget = Unlimited;
    let (mut call, _) = Call::start(&policy, Request::default(), key, &mut budget, now);
    let mut outcome = Outcome::response(503);
    for _ in 0..attempt {
        let decision = call.on_outcome(&policy, &classify, &outcome, now, &mut budget, &mut ());
        decision.wait().expect("the attempts before were retried");
    }
    outcome = Outcome::response(status);
    outcome.code = code;
    outcome.hint = retry_after.map(|seconds| Hint(secs(seconds)));
    let decision = call.on_outcome(&policy, &classify, &outcome, now, &mut budget, &mut ());
    decision.wait().map(|wait| wait.delay)
}

#[test]
fn the_five_published_examples_hold() {
    let call = key(0);
    assert_eq!(wait_seconds(402, Some("insufficient_credits"), None, 0, call), None);
    assert_eq!(wait_seconds(409, Some("idempotency_conflict"), None, 0, call), None);
    assert_eq!(wait_seconds(409, Some("idempotency_key_in_use"), None, 0, call), Some(secs(1)));
    assert_eq!(wait_seconds(429, Some("queue_full"), Some(12), 1, call), Some(secs(12)));
    for i in 0..1_000 {
        let wait = wait_seconds(503, None, None, 2, key(i)).expect("a 503 is retried");
        assert!((secs(2)..=secs(4)).contains(&wait), "{wait}");
    }
}

#[test]
fn each_wait_is_in_the_upper_half_of_its_window() {
    for (attempt, window) in (0..=5).zip([1, 2, 4, 8, 16, 32]) {
        for i in 0..200 {
            let wait = wait_seconds(503, None, None, attempt, key(i)).expect("a 503 is retried");
            let least = Nanos::new(secs(window).get() / 2);
            assert!((least..=secs(window)).contains(&wait), "attempt {attempt}: {wait}");
        }
    }
}

#[test]
fn attempt_five_waits_and_attempt_six_stops() {
    assert!(wait_seconds(503, None, None, 5, key(0)).is_some());
    assert_eq!(wait_seconds(503, None, None, 6, key(0)), None);
    assert_eq!(wait_seconds(429, None, Some(12), 6, key(0)), None);
}

#[test]
fn statuses_that_a_retry_cannot_change_stop_at_any_attempt() {
    for status in [400, 401, 402, 404] {
        for attempt in [0, 3] {
            assert_eq!(wait_seconds(status, None, None, attempt, key(0)), None, "{status}");
        }
    }
}
