use proptest::prelude::*;
use retrial_policy::observer::Both;
use retrial_policy::telemetry::Counters;
use retrial_policy::*;

use super::support::{SpyBudget, always, at_ms, key, ms};
use super::{BUSY, OK, SPENT, policy, request, spec};

/// One request for each way to end, worked out by hand: 1 + 2 + 3 + 1 + 1 attempts.
#[test]
fn requests_are_counted_by_how_they_ended_and_attempts_by_branch() {
    let (policy, now, mut counters) = (policy(), at_ms(0), Counters::default());
    for replies in [&[OK][..], &[BUSY, OK], &[BUSY, BUSY, BUSY], &[SPENT]] {
        request(&policy, replies, now, &mut counters);
    }
    // The budget refuses the first retry: given up, and with one attempt.
    let mut refusing = SpyBudget::refusing();
    let (mut call, _) = Call::start(&policy, Request::default(), key(0), &mut refusing, now);
    let busy = Outcome::response(529);
    let read = always(Class::Transient);
    let ended = call.on_outcome(&policy, &read, &busy, now, &mut refusing, &mut counters);
    assert_eq!(ended.terminal_outcome(), Some(TerminalOutcome::GaveUpBudget));

    let Counters { first_try_succeeded, retried_succeeded, retried_gave_up, .. } = counters;
    assert_eq!([first_try_succeeded, retried_succeeded, retried_gave_up], [1, 1, 1]);
    assert_eq!([counters.fixed_no_retry, counters.ended_otherwise], [1, 1]);
    assert_eq!(counters.requests(), 5);
    assert_eq!(
        Branch::ALL.map(|branch| counters.attempts(branch)),
        [5, 2, 1, 0, 0, 0, 0, 0],
        "five first tries, two retries on the same route, one fallback"
    );
}

/// What was never sent is no attempt, though a decision is made about it.
#[test]
fn an_attempt_that_was_not_sent_is_not_counted() {
    let limits = Limits { deadline: Some(ms(500)), ..Limits::default() };
    let policy = Policy::new(PolicySpec { limits, ..spec() }).unwrap();
    let mut counters = Counters::default();
    let (mut call, _) = Call::start(&policy, Request::default(), key(0), &mut Unlimited, at_ms(0));
    let (busy, read) = (Outcome::response(529), always(Class::Transient));
    let waits = call.on_outcome(&policy, &read, &busy, at_ms(100), &mut Unlimited, &mut counters);
    assert_eq!(waits.action(), Action::RetrySameRoute);
    // The timer fires after the deadline.
    assert!(call.next_attempt(&policy, at_ms(600), &mut Unlimited, &mut counters).is_err());
    assert_eq!(counters.attempts(Branch::FirstTry), 1);
    assert_eq!(counters.attempts(Branch::SameRouteRetry), 0);
    assert_eq!((counters.requests(), counters.ended_otherwise), (1, 1));
}

/// An application's 2 attempts over an SDK's 3: one request, six attempts on the wire, and two of
/// the application's own.
#[test]
fn under_layers_a_request_is_counted_once() {
    let limits = |n: u32| Limits { max_attempts: n.try_into().ok(), ..Limits::default() };
    let backoff = spec().backoff;
    let sdk = PolicySpec { limits: limits(3), backoff: backoff.clone(), ..PolicySpec::default() };
    let inner = Some(Box::new(Policy::new(sdk).unwrap()));
    let outer = PolicySpec { limits: limits(2), backoff, inner, ..PolicySpec::default() };
    let policy = Policy::new(outer).unwrap();
    let budgets = &mut [Unlimited; 2][..];
    for (answers_at, expected) in [(None, [0, 1, 2]), (Some(3), [1, 0, 1])] {
        let (mut counters, mut now, mut records) = (Counters::default(), at_ms(0), 0);
        let mut count = |_: &DecisionRecord<'_>| records += 1;
        let (mut call, mut attempt) =
            LayeredCall::start(&policy, Request::default(), key(1), budgets, now);
        loop {
            let answers = Some(attempt.number) == answers_at;
            let outcome = Outcome::response(if answers { 200 } else { 503 });
            let table = StatusTable::generic();
            let mut observer = Both(&mut counters, &mut count);
            let decision = call.on_outcome(&policy, &table, &outcome, now, budgets, &mut observer);
            let Some(wait) = decision.wait() else { break };
            now = wait.until;
            attempt = call.next_attempt(&policy, now, budgets, &mut observer).unwrap();
        }
        let Counters { retried_succeeded, retried_gave_up, .. } = counters;
        let tries = counters.attempts(Branch::FirstTry) + counters.attempts(Branch::SameRouteRetry);
        assert_eq!([retried_succeeded, retried_gave_up, tries], expected, "{answers_at:?}");
        assert_eq!(counters.requests(), 1);
        assert!(records > 1, "the other observer heard, too");
    }
}

proptest! {
    /// Whatever comes back, each request is counted once and each attempt once.
    #[test]
    fn the_counts_add_up(requests in prop::collection::vec(prop::collection::vec(0_u8..4, 3), 0..30)) {
        let (policy, now) = (policy(), at_ms(0));
        let (mut counters, mut attempts) = (Counters::default(), 0);
        let mut count = |_: &DecisionRecord<'_>| attempts += 1;
        for kinds in &requests {
            let replies: Vec<_> = kinds.iter().map(|kind| [OK, BUSY, SPENT, BUSY][usize::from(*kind)]).collect();
            request(&policy, &replies, now, &mut Both(&mut counters, &mut count));
        }
        prop_assert_eq!(counters.requests(), requests.len() as u64);
        let sum: u64 = Branch::ALL.iter().map(|branch| counters.attempts(*branch)).sum();
        prop_assert_eq!(sum, attempts);
        prop_assert_eq!(counters.attempts(Branch::FirstTry), requests.len() as u64);
    }
}
