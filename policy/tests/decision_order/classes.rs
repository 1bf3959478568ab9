//! Classification authorises: what rows and servers add to a class, and what happens the second
//! time. The first time is in `table`.

use retrial_policy::*;

use crate::support::{SpyBudget, secs};
use crate::{Driver, spec, stop_reason};

#[test]
fn a_row_that_declares_repeating_harmless_needs_no_key() {
    let safe = Classification::of(Class::OutcomeUnknown).with_replay(RowReplay::Safe);
    let mut unkeyed = crate::with_fallbacks(Some(1), OverCap::Stop);
    unkeyed.replay.idempotency_key = false;
    let timeout = Outcome::response(503);

    let decision = Driver::start(unkeyed.clone()).decide(safe, &timeout);
    assert_eq!(decision.action(), Action::RetrySameRoute, "the word holds on its own route");

    let request = Request { possible_effect: true, ..Request::default() };
    let mut driver = Driver::start_with(unkeyed, request, SpyBudget::default());
    assert_eq!(driver.decide(safe, &timeout).action(), Action::Reconcile);
    assert_eq!(driver.last().terminal_outcome, Some(TerminalOutcome::Reconciled));
}

#[test]
fn a_row_that_needs_a_key_stops_an_unkeyed_call_whatever_its_class() {
    for class in [Class::Transient, Class::Throttled, Class::Conflict] {
        let read = Classification::of(class).with_replay(RowReplay::NeedsKey);
        let mut unkeyed = spec();
        unkeyed.replay.idempotency_key = false;
        let sent = Outcome::response(503);

        let mut driver = Driver::start(unkeyed.clone());
        assert_eq!(stop_reason(driver.decide(read, &sent)), StopReason::NotReplayable);
        assert_eq!(driver.budget.withdrawals, 0);

        let not_sent = sent.with_progress(Progress::NotSent);
        let decision = Driver::start(unkeyed).decide(read, &not_sent);
        assert_eq!(decision.action(), Action::RetrySameRoute, "nothing can have happened");

        let decision = Driver::start(spec()).decide(read, &sent);
        assert_eq!(decision.action(), Action::RetrySameRoute, "the key makes it safe");
    }
}

#[test]
fn a_request_is_reduced_once_then_the_call_stops() {
    let request = Request { reducible: true, ..Request::default() };
    let mut driver = Driver::start_with(spec(), request, SpyBudget::default());
    let reduced = driver.fail(Class::TooLarge);
    assert_eq!(reduced.action(), Action::ReduceAndRetryOnce);
    assert_eq!(driver.last().delay, Some(Nanos::ZERO));
    let second = driver.fail(Class::TooLarge);
    assert_eq!(stop_reason(second), StopReason::NotRetryable);
    assert_eq!(driver.last().branch, Branch::Reduced);
    assert_eq!(driver.budget.withdrawals, 0);
}

#[test]
fn a_paused_turn_is_continued_at_once_and_costs_no_retry() {
    let mut driver = Driver::start(spec());
    let paused = Outcome::new(Signal::TurnPaused);
    let decision = driver.decide(Classification::of(Class::Ok), &paused);
    assert_eq!(decision.action(), Action::ContinueTurn);
    assert_eq!(driver.last().delay, Some(Nanos::ZERO));
    assert_eq!(driver.budget.withdrawals, 0);
    let decision = driver.decide(Classification::of(Class::Ok), &Outcome::response(200));
    assert_eq!(decision, Decision::Accept);
    assert_eq!(driver.last().branch, Branch::ContinueTurn);
}

#[test]
fn a_row_that_allows_one_retry_allows_one_in_the_whole_call() {
    let once = Classification::of(Class::Unknown).bounded(Bound::Once);
    let bare = Outcome::response(500);
    let mut driver = Driver::start(spec());
    assert_eq!(driver.decide(once, &bare).action(), Action::RetrySameRoute);
    assert_eq!(driver.fail(Class::Transient).action(), Action::RetrySameRoute);
    assert_eq!(stop_reason(driver.decide(once, &bare)), StopReason::BoundReached);
    assert_eq!(driver.budget.withdrawals, 2, "the refused one never asked");
}

#[test]
fn a_row_that_forbids_retries_stops_at_once() {
    let never = Classification::of(Class::Unknown).bounded(Bound::Never);
    let mut driver = Driver::start(spec());
    let decision = driver.decide(never, &Outcome::response(418));
    assert_eq!(stop_reason(decision), StopReason::NotRetryable);
    assert_eq!(driver.budget.withdrawals, 0);
}

/// A word of the server lifts a guess of the table, for the answer that carries it.
#[test]
fn an_invited_retry_is_bounded_by_the_policy_alone() {
    let once = Classification::of(Class::Unknown).bounded(Bound::Once);
    let (bare, invited) = (Outcome::response(500), Outcome::response(500).with_grant());
    let mut driver = Driver::start(spec());
    for _ in 0..4 {
        assert_eq!(driver.decide(once, &invited).action(), Action::RetrySameRoute);
    }
    assert_eq!(stop_reason(driver.decide(once, &invited)), StopReason::AttemptsExhausted);

    let mut driver = Driver::start(spec());
    assert_eq!(driver.decide(once, &invited).action(), Action::RetrySameRoute);
    let second = driver.decide(once, &bare);
    assert_eq!(stop_reason(second), StopReason::BoundReached, "it has had its retry");
}

#[test]
fn an_invitation_lifts_no_class_but_unknown() {
    for class in [Class::Transient, Class::Throttled, Class::Conflict] {
        let never = Classification::of(class).bounded(Bound::Never);
        let decision = Driver::start(spec()).decide(never, &Outcome::response(503).with_grant());
        assert_eq!(stop_reason(decision), StopReason::NotRetryable, "{class}");
    }
}

#[test]
fn a_veto_does_not_keep_a_turn_from_going_on() {
    let paused = Outcome::new(Signal::TurnPaused).with_veto();
    let decision = Driver::start(spec()).decide(Classification::of(Class::Ok), &paused);
    assert_eq!(decision.action(), Action::ContinueTurn);
}

#[test]
fn a_client_that_looks_at_statuses_stops_at_a_veto_or_does_not_look() {
    for (honour_veto, action) in [(true, Action::Stop), (false, Action::RetrySameRoute)] {
        let mut spec = crate::with_fallbacks(None, OverCap::Stop);
        spec.retry_on = Some(retry_on::RetryOn {
            statuses: vec![retry_on::StatusRange::one(503)],
            statuses_with_hint: Vec::new(),
            connect: false,
            reset: false,
            timeout: false,
            honour_veto,
            honour_grant: true,
        });
        let mut driver = Driver::start(spec);
        let read = Classification::of(Class::Transient);
        assert_eq!(driver.decide(read, &Outcome::response(503).with_veto()).action(), action);
    }
}

/// Who can act on a stop, as the design's list of owners says.
#[test]
fn every_stop_has_the_owner_that_can_act_on_it() {
    let owner = |class| match Driver::start(spec()).fail_with_hint(class, secs(61)) {
        Decision::Stop(stop) => stop.owner(),
        other => panic!("{other:?}"),
    };
    for class in [Class::InvalidRequest, Class::TooLarge, Class::Content] {
        assert_eq!(owner(class), Owner::Caller);
    }
    assert_eq!(owner(Class::Auth), Owner::Credentials);
    assert_eq!(owner(Class::Exhausted), Owner::Account);
    assert_eq!(owner(Class::Transient), Owner::Route);
}
