//! The retry function for the Sume API: each of its published examples decided by a policy.
//!
//! The function numbers attempts from 0 and waits `min(60, 2^attempt) · U[0.5, 1]` seconds, a given
//! `retry-after` instead, 1 s for a busy idempotency key, and nothing from attempt 6 on. As a policy
//! it is the preset `sume`: base 1 s, doubling, cap 60 s, equal jitter, seven attempts. What is
//! repeated at all is said by the provider's table.
#![cfg(feature = "replies")]

mod support;

use retrial_policy::providers::Provider;
use retrial_policy::replies::{Reading, Reply};
use retrial_policy::*;
use support::{key, secs};

fn policy(idempotency_key: bool) -> Policy {
    support::load(&format!("preset = 'sume'\nreplay.idempotency_key = {idempotency_key}"))
}

/// An error as Sume sends it.
fn reading(status: u16, code: Option<&str>, retry_after: Option<u64>) -> Reading {
    let header = retry_after.map(|seconds| ("retry-after".to_string(), seconds.to_string()));
    let body = match code {
        Some(code) => format!(r#"{{"error":{{"code":"{code}","message":"","details":{{}}}}}}"#),
        None => String::new(),
    };
    Provider::find("sume").unwrap().read(&Reply::response(status, header, body))
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
    let policy = policy(true);
    let now = Instant::default();
    let mut budget = Unlimited;
    let (mut call, _) = Call::start(&policy, Request::default(), key, &mut budget, now);
    let mut decide =
        |read: &Reading| call.on_outcome(&policy, read, &read.outcome(), now, &mut budget, &mut ());
    let unavailable = reading(503, None, None);
    for _ in 0..attempt {
        decide(&unavailable).wait().expect("the attempts before were retried");
    }
    decide(&reading(status, code, retry_after)).wait().map(|wait| wait.delay)
}

/// Its documentation: a paid submit is repeated with the same idempotency key only.
#[test]
fn without_a_key_nothing_that_may_have_been_sent_is_repeated() {
    for (status, code) in [
        (429, Some("queue_full")),
        (429, None),
        (503, Some("service_unavailable")),
        (503, None),
        (409, Some("idempotency_key_in_use")),
        (500, None),
        (502, None),
        (504, None),
    ] {
        let (policy, now) = (policy(false), Instant::default());
        let (mut call, _) = Call::start(&policy, Request::default(), key(0), &mut Unlimited, now);
        let read = reading(status, code, Some(1));
        let decision =
            call.on_outcome(&policy, &read, &read.outcome(), now, &mut Unlimited, &mut ());
        assert!(decision.wait().is_none(), "{status} {code:?}: {decision:?}");
    }
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
