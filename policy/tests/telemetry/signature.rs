use retrial_policy::retry_on::{RetryOn, StatusRange};
use retrial_policy::telemetry::{Window, dead_branch, runaway};
use retrial_policy::*;

use super::support::at_ms;
use super::{BUSY, OK, Reply, SPENT, policy, request, spec};

/// A policy that repeats these statuses and no other, at most three times.
fn by_status(status: u16) -> Policy {
    let list = RetryOn {
        statuses: vec![StatusRange::one(status)],
        connect: false,
        reset: false,
        timeout: false,
        honour_veto: true,
        honour_grant: false,
        statuses_with_hint: vec![],
    };
    let fallback = Fallback::default();
    Policy::new(PolicySpec { retry_on: Some(list), fallback, ..spec() }).unwrap()
}

fn window(policy: &Policy, requests: &[(u64, &[Reply])]) -> Window {
    let mut window = Window::default();
    for (times, replies) in requests {
        for _ in 0..*times {
            let mut count = |record: &DecisionRecord<'_>| {
                window.count(record);
            };
            request(policy, replies, at_ms(0), &mut count);
        }
    }
    window
}

#[test]
fn a_list_that_lacks_the_providers_overload_is_a_dead_branch() {
    let dead = window(&by_status(503), &[(10, &[BUSY]), (50, &[OK])]);
    let kind = dead_branch(&dead).expect("ten hard failures without a retry");
    assert_eq!((kind.status, kind.unretried), (Some(529), 10));
    assert_eq!(runaway(&dead), None);
    // One fewer may be chance; a list that has the status retries; a spent account has no retry due.
    for (policy, replies) in [
        (by_status(503), (9, &[BUSY][..])),
        (by_status(529), (10, &[BUSY, OK])),
        (by_status(503), (10, &[SPENT])),
        (policy(), (10, &[BUSY, BUSY, BUSY])),
    ] {
        assert_eq!(dead_branch(&window(&policy, &[replies])), None, "{replies:?}");
    }
}

#[test]
fn a_list_that_repeats_a_spent_account_runs_away() {
    let spent: (u64, &[Reply]) = (10, &[SPENT; 3]);
    let runs_away = window(&by_status(429), &[spent]);
    let kind = runaway(&runs_away).expect("ten requests at the cap and no success");
    assert_eq!((kind.class, kind.count), (Class::Exhausted, 10));
    assert_eq!((runs_away.attempts, runs_away.first_tries), (30, 10));
    // One success, one request fewer, or a policy that reads the code: none.
    assert_eq!(runaway(&window(&by_status(429), &[spent, (1, &[OK])])), None);
    assert_eq!(runaway(&window(&by_status(429), &[(9, &[SPENT; 3])])), None);
    assert_eq!(runaway(&window(&policy(), &[(10, &[SPENT])])), None);
}
