//! Classification authorises: every class in every situation has one action.

use retrial_policy::*;

use crate::support::SpyBudget;
use crate::{Driver, spec, stop_reason};

/// What surrounds an outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Situation {
    Keyed,
    Unkeyed,
    Reducible,
    PossibleEffect,
    Partial,
    PartialResumable,
    Vetoed,
    UnkeyedNotSent,
}

const SITUATIONS: [Situation; 8] = [
    Situation::Keyed,
    Situation::Unkeyed,
    Situation::Reducible,
    Situation::PossibleEffect,
    Situation::Partial,
    Situation::PartialResumable,
    Situation::Vetoed,
    Situation::UnkeyedNotSent,
];

/// The one correct action of each class, in the order of [`SITUATIONS`].
fn expected(class: Class) -> [Action; 8] {
    use Action::{Accept, Reconcile, ReduceAndRetryOnce, RetrySameRoute as Retry, Stop};
    match class {
        Class::Ok => [Accept; 8],
        Class::Transient | Class::Throttled | Class::Conflict | Class::Unknown => {
            [Retry, Retry, Retry, Retry, Reconcile, Retry, Stop, Retry]
        }
        Class::Exhausted | Class::InvalidRequest | Class::Auth | Class::Content => [Stop; 8],
        Class::TooLarge => [Stop, Stop, ReduceAndRetryOnce, Stop, Stop, Stop, Stop, Stop],
        Class::OutcomeUnknown => {
            [Retry, Reconcile, Retry, Reconcile, Reconcile, Retry, Stop, Retry]
        }
    }
}

fn drive(class: Class, situation: Situation) -> (Driver, Decision) {
    use Situation::{
        Partial, PartialResumable, PossibleEffect, Reducible, Unkeyed, UnkeyedNotSent, Vetoed,
    };
    let mut spec = spec();
    spec.replay.idempotency_key = !matches!(situation, Unkeyed | UnkeyedNotSent);
    let request = Request {
        deadline: None,
        reducible: situation == Reducible,
        possible_effect: situation == PossibleEffect,
        resumable: situation == PartialResumable,
    };
    let mut outcome = Outcome::response(if class == Class::Ok { 200 } else { 503 });
    outcome.vetoed = situation == Vetoed;
    outcome.progress = match situation {
        Partial | PartialResumable => Progress::PartialResponse,
        UnkeyedNotSent => Progress::NotSent,
        _ => Progress::Sent,
    };
    let mut driver = Driver::start_with(spec, request, SpyBudget::default());
    let decision = driver.decide(Classification::of(class), &outcome);
    (driver, decision)
}

#[test]
fn each_class_has_one_action_in_each_situation() {
    for class in Class::ALL {
        for (situation, action) in SITUATIONS.into_iter().zip(expected(class)) {
            let (_, decision) = drive(class, situation);
            assert_eq!(decision.action(), action, "{class}, {situation:?}");
        }
    }
}

#[test]
fn only_authorised_retries_touch_the_budget() {
    for class in Class::ALL {
        for (situation, action) in SITUATIONS.into_iter().zip(expected(class)) {
            let (driver, _) = drive(class, situation);
            let withdrawals = u32::from(action == Action::RetrySameRoute);
            assert_eq!(driver.budget.withdrawals, withdrawals, "{class}, {situation:?}");
            let settled = match class {
                Class::Ok => Settlement::Succeeded,
                class => Settlement::Failed(class),
            };
            assert_eq!(driver.budget.settled, Some(settled), "{class}, {situation:?}");
            assert_eq!(driver.budget.settlements, 1, "an attempt is settled once");
            let ended = matches!(action, Action::Accept | Action::Stop | Action::Reconcile);
            assert_eq!(driver.budget.request_ends, u32::from(ended), "{class}, {situation:?}");
        }
    }
}

#[test]
fn a_veto_is_the_reason_of_its_stop_and_does_not_touch_a_success() {
    let (_, vetoed) = drive(Class::Transient, Situation::Vetoed);
    assert_eq!(stop_reason(vetoed), StopReason::ServerForbade);
    let (_, accepted) = drive(Class::Ok, Situation::Vetoed);
    assert_eq!(accepted, Decision::Accept);
}

#[test]
fn an_unknown_outcome_that_nothing_makes_repeatable_is_reconciled() {
    let (driver, decision) = drive(Class::OutcomeUnknown, Situation::Unkeyed);
    assert_eq!(stop_reason(decision), StopReason::NotReplayable);
    assert_eq!(driver.last().terminal_outcome, Some(TerminalOutcome::Reconciled));
}

#[test]
fn a_row_that_needs_a_key_stops_an_unkeyed_call_whatever_its_class() {
    for class in [Class::Transient, Class::Throttled, Class::Conflict] {
        let read = Classification { needs_key: true, ..Classification::of(class) };
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

/// Who can act on a stop, as the design's list of owners says.
#[test]
fn every_stop_has_the_owner_that_can_act_on_it() {
    let owner = |class| match drive(class, Situation::Vetoed).1 {
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
