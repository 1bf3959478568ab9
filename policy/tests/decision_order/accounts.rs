//! The budget limits: when it is asked, what a refusal means, and that nothing is ever lost.

use retrial_policy::*;

use crate::support::{SpyBudget, always, at_ms, key, ms, ratio, secs};
use crate::{Driver, spec, stop_reason, wait};

fn bucket(capacity: f64) -> TokenBucketSpec {
    TokenBucketSpec {
        capacity: ratio(capacity),
        retry_cost: Ratio::ONE,
        success_refund: ratio(0.1),
    }
}

fn part(scope: Scope, capacity: f64) -> BudgetSpec {
    BudgetSpec { scope, kind: BudgetKind::TokenBucket(bucket(capacity)) }
}

#[test]
fn a_refused_retry_has_no_delay() {
    let mut driver = Driver::start_with(spec(), Request::default(), SpyBudget::refusing());
    let decision = driver.fail_with_hint(Class::Throttled, secs(2));
    assert_eq!(stop_reason(decision), StopReason::BudgetDenied);
    let record = driver.last();
    assert_eq!((record.delay, record.delay_source), (None, DelaySource::None));
    assert_eq!(record.terminal_outcome, Some(TerminalOutcome::GaveUpBudget));
    assert_eq!(record.reason, "budget_denied");
    assert_eq!(driver.budget.settled, Some(Settlement::Failed(Class::Throttled)));
    assert_eq!(driver.budget.restored, 0, "nothing was taken");
}

#[test]
fn the_last_attempt_asks_for_nothing() {
    let mut spec = spec();
    spec.limits.max_attempts = 1.try_into().ok();
    let mut driver = Driver::start(spec);
    assert_eq!(stop_reason(driver.fail(Class::Transient)), StopReason::AttemptsExhausted);
    assert_eq!(driver.last().terminal_outcome, Some(TerminalOutcome::GaveUpAttempts));
    assert_eq!(driver.budget.withdrawals, 0);
}

#[test]
fn an_answer_after_the_deadline_asks_for_nothing() {
    let mut driver = Driver::start(spec());
    driver.now = at_ms(90_000);
    let reason = stop_reason(driver.fail(Class::Transient));
    let nothing = Nanos::ZERO;
    assert_eq!(reason, StopReason::DeadlineExceeded { needed: nothing, remaining: nothing });
    assert_eq!(driver.budget.withdrawals, 0);
}

#[test]
fn a_wait_that_does_not_fit_gives_its_permit_back() {
    let mut driver = Driver::start(spec());
    driver.now = at_ms(89_900);
    let reason = stop_reason(driver.fail(Class::Transient));
    assert_eq!(reason, StopReason::DeadlineExceeded { needed: ms(200), remaining: ms(100) });
    let SpyBudget { withdrawals, restored, balance, .. } = driver.budget;
    assert_eq!((withdrawals, restored, balance), (1, 1, 0));
    assert_eq!(driver.last().delay, None);
}

#[test]
fn a_hint_that_is_too_long_gives_its_permit_back() {
    let mut driver = Driver::start(spec());
    let reason = stop_reason(driver.fail_with_hint(Class::Throttled, secs(61)));
    assert_eq!(reason, StopReason::HintOverCap { asked: secs(61), cap: secs(60) });
    assert_eq!((driver.budget.restored, driver.budget.balance), (1, 0));
}

#[test]
fn a_real_bucket_is_as_before_after_a_deadline_refusal() {
    let policy = Policy::new(spec()).unwrap();
    let mut budget = TokenBucket::full(bucket(3.0));
    budget.try_withdraw(Class::Transient, 0, at_ms(0)).expect("it was full");
    let before = budget;
    let (mut call, _) = Call::start(&policy, Request::default(), key(0), &mut budget, at_ms(0));
    let decision = call.on_outcome(
        &policy,
        &always(Class::Transient),
        &Outcome::response(503),
        at_ms(89_900),
        &mut budget,
        &mut (),
    );
    assert_eq!(decision.action(), Action::Stop);
    assert_eq!(budget, before);
}

#[test]
fn a_cancelled_wait_gives_its_permit_back() {
    let mut driver = Driver::start(spec());
    assert_eq!(driver.fail(Class::Transient).action(), Action::RetrySameRoute);
    assert_eq!(driver.budget.balance, -1);
    driver.call.cancel(&mut driver.budget, at_ms(100));
    assert_eq!(driver.budget.balance, 0);
    assert_eq!(driver.budget.settlements, 1, "only the first try was ever sent");
    assert_eq!(driver.budget.request_ends, 1);
}

/// What is in flight has cost what it cost: cancelling must not make retries free.
#[test]
fn a_cancelled_attempt_in_flight_keeps_its_permit() {
    let mut driver = Driver::start(spec());
    let wait = wait(driver.fail(Class::Transient));
    let sent = driver.call.next_attempt(&driver.policy, wait.until, &mut driver.budget, &mut ());
    assert!(sent.is_ok());
    driver.call.cancel(&mut driver.budget, wait.until);
    assert_eq!(driver.budget.balance, -1);
    assert_eq!(driver.budget.settled, Some(Settlement::Cancelled));
    assert!(driver.budget.settled_permit, "the budget learns which permit is over");
    assert_eq!(driver.budget.request_ends, 1);
}

/// A concurrency budget must hear of every permit's end, not only of the call's last one.
#[test]
fn each_further_attempt_is_settled_with_its_own_permit() {
    let mut driver = Driver::start(spec());
    for failures in 1..=3 {
        let wait = wait(driver.fail(Class::Transient));
        assert_eq!(driver.budget.settlements, failures);
        assert_eq!(driver.budget.settled_permit, failures > 1, "a first try has no permit");
        let sent =
            driver.call.next_attempt(&driver.policy, wait.until, &mut driver.budget, &mut ());
        assert!(sent.is_ok());
    }
}

#[test]
fn a_timer_that_fires_past_the_deadline_gives_its_permit_back() {
    let mut driver = Driver::start(spec());
    assert_eq!(wait(driver.fail(Class::Transient)).attempt, 2);
    let refused =
        driver.call.next_attempt(&driver.policy, at_ms(90_000), &mut driver.budget, &mut ());
    let stop = refused.expect_err("the deadline has passed");
    assert_eq!(stop.terminal_outcome(), TerminalOutcome::GaveUpDeadline);
    assert_eq!(driver.budget.balance, 0);
    assert_eq!(driver.budget.request_ends, 1);
    assert_eq!(stop.class, Class::Transient, "the failure that led to the wait");
    assert_eq!(driver.call.attempts(), 1, "the second was never sent");
}

#[test]
fn an_accepted_answer_has_no_delay_and_is_settled_once() {
    let mut driver = Driver::start(spec());
    let decision = driver
        .decide(Classification::of(Class::Ok), &Outcome::response(200).with_hint(Hint(secs(2))));
    assert_eq!(decision, Decision::Accept);
    let record = driver.last();
    assert_eq!((record.delay, record.delay_source), (None, DelaySource::None));
    assert_eq!(record.terminal_outcome, Some(TerminalOutcome::Succeeded));
    assert_eq!(driver.budget.withdrawals, 0);
    assert_eq!(driver.budget.settled, Some(Settlement::Succeeded));
}

#[test]
fn a_fallback_costs_what_a_retry_costs() {
    let mut driver = Driver::start(crate::with_fallbacks(Some(1), OverCap::Stop));
    assert_eq!(driver.fail(Class::Transient).action(), Action::Fallback);
    assert_eq!(driver.budget.withdrawals, 1);

    let spec = crate::with_fallbacks(Some(1), OverCap::Stop);
    let mut driver = Driver::start_with(spec, Request::default(), SpyBudget::refusing());
    assert_eq!(stop_reason(driver.fail(Class::Transient)), StopReason::BudgetDenied);
}

#[test]
fn what_one_part_of_a_stack_refuses_costs_the_others_nothing() {
    // The group's bucket is the last of three and holds one token.
    let specs = [part(Scope::Client, 5.0), part(Scope::Group, 1.0), part(Scope::Client, 2.0)];
    let mut client = BudgetState::open_all(&specs, Scope::Client);
    let mut group = BudgetState::open_all(&specs, Scope::Group);
    assert_eq!((client.len(), group.len()), (2, 1));
    let withdraw = |client: &mut [BudgetState], group: &mut [BudgetState]| {
        BudgetStack { client, group }.try_withdraw(Class::Transient, 0, at_ms(0)).is_some()
    };
    assert!(withdraw(&mut client, &mut group));
    let before = (client.clone(), group.clone());
    assert!(!withdraw(&mut client, &mut group));
    assert_eq!((client.clone(), group.clone()), before);

    // A refusal by the first part leaves those after it alone too.
    group = BudgetState::open_all(&specs, Scope::Group);
    let mut drained = client.clone();
    let full = BudgetState::open_all(&specs, Scope::Group);
    while withdraw(&mut drained, &mut BudgetState::open_all(&specs, Scope::Group)) {}
    assert!(!withdraw(&mut drained, &mut group));
    assert_eq!(group, full);
}

#[test]
fn a_stack_restores_and_settles_every_part() {
    let specs = [part(Scope::Client, 5.0), part(Scope::Group, 5.0)];
    let mut client = BudgetState::open_all(&specs, Scope::Client);
    let mut group = BudgetState::open_all(&specs, Scope::Group);
    let before = (client.clone(), group.clone());
    let mut stack = BudgetStack { client: &mut client, group: &mut group };
    let permit = stack.try_withdraw(Class::Transient, 0, at_ms(0)).expect("all are full");
    stack.restore(permit, at_ms(0));
    let _again = stack.try_withdraw(Class::Transient, 0, at_ms(0)).expect("all are full");
    stack.settle(Passage::default(), Settlement::Succeeded, at_ms(0));
    let balance = |part: &BudgetState| match part {
        BudgetState::TokenBucket(bucket) => bucket.balance(),
        other => panic!("a token bucket was opened, not {other:?}"),
    };
    for (now, before) in [(&client, &before.0), (&group, &before.1)] {
        assert_eq!(balance(&before[0]), ratio(5.0));
        assert_eq!(balance(&now[0]), ratio(4.1), "one retry taken, one success paid");
    }
}

#[test]
fn a_stack_allows_as_many_in_flight_as_its_tightest_part() {
    let aimd = |scope, max| BudgetSpec {
        scope,
        kind: BudgetKind::Aimd(AimdSpec {
            max,
            min: 1,
            decrease: ratio(0.5),
            increase: ratio(1.0),
        }),
    };
    let specs = [part(Scope::Client, 5.0), aimd(Scope::Client, 8), aimd(Scope::Group, 6)];
    let mut client = BudgetState::open_all(&specs, Scope::Client);
    let mut group = BudgetState::open_all(&specs, Scope::Group);
    assert_eq!(client.iter().map(BudgetState::concurrency).collect::<Vec<_>>(), [u32::MAX, 8]);
    assert_eq!(BudgetState::min_concurrency(&client), 8);
    assert_eq!(BudgetState::min_concurrency(&[]), u32::MAX);
    assert_eq!(Unlimited.concurrency(), u32::MAX);
    let mut stack = BudgetStack { client: &mut client, group: &mut group };
    assert_eq!(stack.concurrency(), 6);
    stack.settle(Passage::default(), Settlement::Failed(Class::Throttled), at_ms(0));
    assert_eq!(stack.concurrency(), 3, "both limits halve, and the lower one binds");
    assert_eq!(BudgetState::min_concurrency(&client), 4);
}
