//! Hedging: no copy leaves early, too often, or of a call that may not be repeated.

#[path = "support/mod.rs"]
mod support;

use proptest::prelude::*;
use retrial_policy::*;
use support::{SpyBudget, at_ms, key, ms, secs};

const AFTER: Nanos = ms(100);

fn hedge(max_copies: u32) -> Hedge {
    Hedge { after: HedgeAfter::Fixed(AFTER), max_copies }
}

fn policy(max_attempts: u32, replay: Replay) -> Policy {
    let limits = Limits {
        max_attempts: max_attempts.try_into().ok(),
        deadline: Some(secs(1)),
        ..Limits::default()
    };
    Policy::new(PolicySpec { limits, replay, ..PolicySpec::default() }).expect("a valid policy")
}

const SAFE: Replay = Replay { safe: true, idempotency_key: false };
const KEYED: Replay = Replay { safe: false, idempotency_key: true };
const NEITHER: Replay = Replay { safe: false, idempotency_key: false };

/// When each copy of a request left that nobody answers.
fn copies(
    hedge: &Hedge,
    policy: &Policy,
    request: Request,
    budget: &mut SpyBudget,
) -> Vec<Instant> {
    let now = at_ms(0);
    let (mut call, _) = Call::start(policy, request, key(1), &mut Unlimited, now);
    let mut hedged = Hedged::start(hedge, &Latencies::default(), policy, now);
    let mut left = Vec::new();
    while let Some(due) = hedged.next_at() {
        // A nanosecond early is too early.
        let early = Instant::from_nanos(due.as_nanos() - 1);
        assert_eq!(hedged.copy(hedge, &mut call, policy, budget, early), None);
        if let Some(copy) = hedged.copy(hedge, &mut call, policy, budget, due) {
            left.push(due);
            assert_eq!(copy.number, left.len() as u32 + 1);
            assert_eq!((copy.branch, call.attempts()), (Branch::Hedge, copy.number));
        }
    }
    left
}

#[test]
fn copies_leave_at_equal_distances() {
    let left = |max: u32| {
        copies(&hedge(max), &policy(9, SAFE), Request::default(), &mut SpyBudget::default())
    };
    assert_eq!(left(0), []);
    assert_eq!(left(1), [at_ms(100)]);
    assert_eq!(left(3), [at_ms(100), at_ms(200), at_ms(300)]);
    // The deadline of a second leaves room for nine, of which the attempts allow eight.
    assert_eq!(left(20).len(), 8);
}

/// gRPC: a failure brings the next copy at once.
#[test]
fn a_failed_copy_brings_the_next_at_once() {
    let (hedge, policy) = (hedge(2), policy(9, SAFE));
    let (mut call, _) = Call::start(&policy, Request::default(), key(1), &mut Unlimited, at_ms(0));
    let mut hedged = Hedged::start(&hedge, &Latencies::default(), &policy, at_ms(0));
    hedged.on_failure(at_ms(30));
    assert_eq!(hedged.next_at(), Some(at_ms(30)));
    hedged.copy(&hedge, &mut call, &policy, &mut Unlimited, at_ms(30)).expect("it is due");
    assert_eq!(hedged.next_at(), Some(at_ms(130)));
    // A failure never puts a copy off.
    hedged.on_failure(at_ms(200));
    assert_eq!(hedged.next_at(), Some(at_ms(130)));
}

#[test]
fn what_may_not_be_repeated_is_not_sent_twice() {
    let left = |replay: Replay, request: Request| {
        copies(&hedge(1), &policy(9, replay), request, &mut SpyBudget::default()).len()
    };
    let plain = Request::default();
    assert_eq!([SAFE, KEYED, NEITHER].map(|replay| left(replay, plain)), [1, 1, 0]);
    assert_eq!(left(SAFE, Request { possible_effect: true, ..plain }), 0);
}

/// A copy is one of the attempts: two copies leave one retry of four attempts.
#[test]
fn copies_count_against_the_attempt_cap() {
    let policy = policy(4, SAFE);
    let mut now = at_ms(0);
    let (mut call, _) = Call::start(&policy, Request::default(), key(1), &mut Unlimited, now);
    let mut hedged = Hedged::start(&hedge(2), &Latencies::default(), &policy, now);
    for at in [100, 200] {
        now = at_ms(at);
        hedged.copy(&hedge(2), &mut call, &policy, &mut Unlimited, now).expect("it is due");
    }
    let mut attempts = Vec::new();
    let table = StatusTable::generic();
    loop {
        let outcome = Outcome::response(503);
        let budget = &mut Unlimited;
        let decision = call.on_outcome(&policy, &table, &outcome, now, budget, &mut ());
        let Some(wait) = decision.wait() else { break };
        now = wait.until;
        let attempt = call.next_attempt(&policy, now, &mut Unlimited, &mut ()).expect("in time");
        attempts.push(attempt.number);
    }
    assert_eq!(attempts, [4]);
}

/// A spent budget denies the copy, and nothing else: the call goes on, and is not asked again.
#[test]
fn a_spent_budget_denies_the_new_copy_alone() {
    let mut spent = TokenBucket::full(TokenBucketSpec {
        capacity: Ratio::from_percent(100),
        retry_cost: Ratio::from_percent(100),
        success_refund: Ratio::ZERO,
    });
    let (hedge, policy) = (hedge(3), policy(9, SAFE));
    let now = at_ms(0);
    let (mut call, _) = Call::start(&policy, Request::default(), key(1), &mut Unlimited, now);
    let mut hedged = Hedged::start(&hedge, &Latencies::default(), &policy, now);
    assert!(hedged.copy(&hedge, &mut call, &policy, &mut spent, at_ms(100)).is_some());
    assert_eq!(hedged.copy(&hedge, &mut call, &policy, &mut spent, at_ms(200)), None);
    assert_eq!((hedged.next_at(), hedged.copies(), call.attempts()), (None, 1, 2));
    let table = StatusTable::generic();
    let answer = Outcome::response(200);
    let decision = call.on_outcome(&policy, &table, &answer, at_ms(250), &mut Unlimited, &mut ());
    assert_eq!(decision, Decision::Accept);
}

#[test]
fn a_percentile_needs_enough_latencies_and_is_at_least_a_millisecond() {
    let hedge = Hedge { after: HedgeAfter::Percentile(Ratio::from_percent(95)), max_copies: 1 };
    let policy = policy(9, SAFE);
    let mut latencies = Latencies::default();
    let next = |latencies: &Latencies| {
        Hedged::start(&hedge, latencies, &policy, at_ms(0)).next_at().map(Instant::as_nanos)
    };
    (1..Latencies::ENOUGH).for_each(|_| latencies.record(Nanos::new(5_000)));
    assert_eq!(next(&latencies), None);
    latencies.record(Nanos::new(5_000));
    assert_eq!(next(&latencies), Some(1_000_000));
}

proptest! {
    /// Whatever the budget: of n requests, no more are hedged than its tokens pay for.
    #[test]
    fn the_budget_bounds_the_copies(requests in 1_u64..300, percent in 0_u64..40) {
        let share = Ratio::from_percent(percent);
        let mut budget = TokenBucket::full(TokenBucketSpec {
            capacity: Ratio::from_percent(200),
            retry_cost: Ratio::from_percent(100),
            success_refund: share,
        });
        let (hedge, policy) = (hedge(1), policy(9, SAFE));
        let mut copies = 0;
        for n in 0..requests {
            let (mut call, _) =
                Call::start(&policy, Request::default(), key(n), &mut Unlimited, at_ms(0));
            let mut hedged = Hedged::start(&hedge, &Latencies::default(), &policy, at_ms(0));
            if hedged.copy(&hedge, &mut call, &policy, &mut budget, at_ms(100)).is_some() {
                copies += 1;
            }
            // The budget for copies hears of every answer.
            budget.settle(Passage::default(), Settlement::Succeeded, at_ms(150));
        }
        prop_assert!(copies * 100 <= 200 + requests * percent, "{copies}");
    }
}
