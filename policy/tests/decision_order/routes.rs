//! Same-route retry and fallback are separate branches under one attempt cap.

use retrial_policy::*;

use crate::support::{SpyBudget, at_ms, secs};
use crate::{Driver, spec, stop_reason, wait, with_fallbacks};

#[test]
fn a_fallback_leaves_at_once_and_the_first_routes_hint_does_not_bind_it() {
    let mut driver = Driver::start(with_fallbacks(Some(1), OverCap::Stop));
    let decision = driver.fail_with_hint(Class::Throttled, secs(30));
    assert_eq!(decision.action(), Action::Fallback);
    let wait = wait(decision);
    assert_eq!(wait.delay, Nanos::ZERO);
    assert_eq!(wait.until, driver.now);
    assert_eq!(wait.source, DelaySource::None);
    assert_eq!(wait.branch, Branch::ModelFallback);
    assert_eq!(wait.route, RouteId(1));
    assert_eq!(driver.last().fallback_reason, Some(FallbackReason::AttemptsOnRoute));
    assert_eq!(driver.last().route, "primary", "the record speaks of the attempt that ended");
}

#[test]
fn first_try_retries_and_fallbacks_share_one_attempt_cap() {
    let mut driver = Driver::start(with_fallbacks(Some(2), OverCap::Stop));
    let mut actions = Vec::new();
    for _ in 0..5 {
        actions.push(driver.fail(Class::Transient).action());
    }
    use Action::{Fallback, RetrySameRoute, Stop};
    assert_eq!(actions, [RetrySameRoute, Fallback, RetrySameRoute, Fallback, Stop]);
    let seen: Vec<_> = driver
        .records
        .iter()
        .map(|r| (r.attempt, r.branch, &*r.route, r.remaining_attempts))
        .collect();
    use Branch::{FirstTry, ModelFallback, SameRouteRetry};
    assert_eq!(
        seen,
        [
            (1, FirstTry, "primary", Some(4)),
            (2, SameRouteRetry, "primary", Some(3)),
            (3, ModelFallback, "second", Some(2)),
            (4, SameRouteRetry, "second", Some(1)),
            (5, ModelFallback, "third", Some(0)),
        ]
    );
    assert_eq!(driver.last().terminal_outcome, Some(TerminalOutcome::GaveUpAttempts));
}

#[test]
fn after_the_last_route_the_retries_stay_on_it() {
    let mut driver = Driver::start(with_fallbacks(Some(1), OverCap::Stop));
    let routes: Vec<_> = (0..4).map(|_| wait(driver.fail(Class::Transient)).route.0).collect();
    assert_eq!(routes, [1, 2, 2, 2]);
    assert_eq!(driver.last().action, Action::RetrySameRoute);
}

#[test]
fn a_route_known_to_be_unavailable_is_left_before_its_share_is_spent() {
    let unavailable = Classification::of(Class::Transient).with_route_unavailable();
    for share in [None, Some(5)] {
        let mut driver = Driver::start(with_fallbacks(share, OverCap::Stop));
        let decision = driver.decide(unavailable, &Outcome::response(503));
        assert_eq!(decision.action(), Action::Fallback);
        assert_eq!(driver.last().fallback_reason, Some(FallbackReason::RouteUnavailable));
    }
    let decision = Driver::start(spec()).decide(unavailable, &Outcome::response(503));
    assert_eq!(decision.action(), Action::RetrySameRoute, "there is nowhere else to go");
}

#[test]
fn without_a_share_only_unavailability_leads_away() {
    let mut driver = Driver::start(with_fallbacks(None, OverCap::Stop));
    for _ in 0..4 {
        assert_eq!(wait(driver.fail(Class::Transient)).route, RouteId::PRIMARY);
    }
}

#[test]
fn a_wrong_request_is_neither_retried_nor_rerouted() {
    for class in [Class::InvalidRequest, Class::Auth, Class::Exhausted, Class::Content] {
        let mut driver = Driver::start(with_fallbacks(Some(1), OverCap::Fallback));
        let reason = stop_reason(driver.fail_with_hint(class, secs(61)));
        assert_eq!(reason, StopReason::NotRetryable, "{class}");
        assert_eq!(driver.budget.withdrawals, 0);
    }
}

#[test]
fn what_may_have_happened_on_a_route_is_not_repeated_on_another() {
    for class in [Class::Conflict, Class::OutcomeUnknown, Class::Unknown] {
        let mut driver = Driver::start(with_fallbacks(Some(1), OverCap::Stop));
        assert_eq!(driver.fail(class).action(), Action::RetrySameRoute, "{class}");
    }
}

#[test]
fn a_hint_over_the_cap_leads_to_the_next_route_if_that_is_chosen() {
    let mut driver = Driver::start(with_fallbacks(None, OverCap::Fallback));
    let decision = driver.fail_with_hint(Class::Throttled, secs(61));
    assert_eq!(decision.action(), Action::Fallback);
    assert_eq!(wait(decision).delay, Nanos::ZERO);
    assert_eq!(driver.last().fallback_reason, Some(FallbackReason::HintOverCap));

    let mut alone = spec();
    alone.retry_after.over_cap = OverCap::Fallback;
    let reason = stop_reason(Driver::start(alone).fail_with_hint(Class::Throttled, secs(61)));
    assert_eq!(reason, StopReason::HintOverCap { asked: secs(61), cap: secs(60) });
}

#[test]
fn the_backoff_starts_again_on_another_route() {
    let mut spec = with_fallbacks(Some(3), OverCap::Stop);
    spec.limits.max_attempts = None;
    spec.backoff = Backoff::exponential(secs(1));
    let mut driver = Driver::start(spec);
    let delays: Vec<_> = (0..6).map(|_| wait(driver.fail(Class::Transient)).delay).collect();
    assert_eq!(delays, [secs(1), secs(2), secs(0), secs(1), secs(2), secs(0)]);
}

/// A policy with these lists.
fn with_own_lists(routes: &[&str], content: &[&str], exhausted: &[&str]) -> PolicySpec {
    let names = |list: &[&str]| list.iter().map(|name| name.to_string()).collect();
    let mut spec = spec();
    spec.fallback.routes = names(routes);
    spec.fallback.content = names(content);
    spec.fallback.exhausted = names(exhausted);
    spec
}

#[test]
fn refused_content_and_a_spent_account_have_routes_of_their_own() {
    for (class, branch, route, reason) in [
        (Class::Content, Branch::ContentFallback, 2, FallbackReason::ContentRefused),
        (Class::Exhausted, Branch::AccountFallback, 3, FallbackReason::AccountExhausted),
    ] {
        let spec = with_own_lists(&["model"], &["lenient"], &["account"]);
        // No budget is needed: neither says that a route is unwell.
        let mut driver = Driver::start_with(spec, Request::default(), SpyBudget::refusing());
        let wait = wait(driver.fail_with_hint(class, secs(30)));
        assert_eq!((wait.branch, wait.route), (branch, RouteId(route)));
        assert_eq!((wait.delay, wait.source), (Nanos::ZERO, DelaySource::None));
        assert_eq!(driver.last().fallback_reason, Some(reason));
        assert_eq!(driver.budget.withdrawals, 0);
        // The list has one route, and nobody goes back.
        assert_eq!(stop_reason(driver.fail(class)), StopReason::NotRetryable);
        assert_eq!(driver.last().branch, branch);
    }
}

#[test]
fn routes_are_numbered_as_they_first_appear() {
    let spec = with_own_lists(&["b", "c"], &["d", "c"], &["c", "e", "b"]);
    let policy = Policy::new(spec).unwrap();
    assert_eq!(policy.route_names(), ["primary", "b", "c", "d", "e"]);
    assert_eq!(policy.route_name(RouteId(4)), "e");
    assert_eq!(policy.route_name(RouteId(5)), "");
}

#[test]
fn a_list_goes_on_in_its_own_order_past_what_was_visited() {
    let mut spec = with_own_lists(&["b", "c"], &["d", "c"], &["c", "e", "b"]);
    spec.fallback.after_attempts = 1.try_into().ok();
    spec.limits.max_attempts = None;
    let mut driver = Driver::start(spec);
    let mut go = |class| wait(driver.fail(class)).route.0;
    assert_eq!(go(Class::Exhausted), 2, "c, the first account");
    assert_eq!(go(Class::Transient), 1, "b, the first model");
    assert_eq!(go(Class::Content), 3, "d, the first lenient one");
    assert_eq!(go(Class::Transient), 3, "all models were visited");
    assert_eq!(go(Class::Exhausted), 4, "e, past c");
    assert_eq!(stop_reason(driver.fail(Class::Exhausted)), StopReason::NotRetryable);
}

#[test]
fn a_fallback_of_any_kind_counts_against_attempts_and_time() {
    for class in [Class::Content, Class::Exhausted] {
        let mut few = with_own_lists(&[], &["b", "c"], &["b", "c"]);
        few.limits.max_attempts = 2.try_into().ok();
        let mut driver = Driver::start(few.clone());
        assert_eq!(driver.fail(class).action(), Action::Fallback);
        assert_eq!(stop_reason(driver.fail(class)), StopReason::AttemptsExhausted);

        let mut driver = Driver::start(few);
        driver.now = at_ms(90_000);
        let (needed, remaining) = (Nanos::ZERO, Nanos::ZERO);
        let late = StopReason::DeadlineExceeded { needed, remaining };
        assert_eq!(stop_reason(driver.fail(class)), late);
    }
}

#[test]
fn a_policy_has_at_most_as_many_routes_as_a_call_can_remember() {
    let names: Vec<_> = (1..=32).map(|n| format!("r{n}")).collect();
    let split = |n: usize| {
        let mut spec = spec();
        spec.fallback.routes = names[..20].to_vec();
        spec.fallback.exhausted = names[10..n].to_vec();
        Policy::new(spec)
    };
    assert_eq!(split(31).unwrap().route_names().len(), 32);
    let error = split(32).unwrap_err();
    assert_eq!(error.to_string(), "fallback.exhausted: at most 31 routes in all the lists");
}

#[test]
fn a_veto_closes_one_route_and_no_other() {
    let mut spec = with_own_lists(&["model"], &["lenient"], &["account"]);
    spec.fallback.after_attempts = 3.try_into().ok();
    let vetoed = Outcome::response(503).with_veto().with_hint(Hint(secs(30)));
    let mut driver = Driver::start(spec);
    let decision = driver.decide(Classification::of(Class::Throttled), &vetoed);
    let wait = wait(decision);
    assert_eq!((wait.branch, wait.route), (Branch::ModelFallback, RouteId(1)));
    assert_eq!((wait.delay, wait.source), (Nanos::ZERO, DelaySource::None));
    assert_eq!(driver.last().fallback_reason, Some(FallbackReason::ServerForbade));
    assert_eq!(driver.budget.withdrawals, 1, "a failed route is still what the budget guards");
    let decision = driver.decide(Classification::of(Class::Throttled), &vetoed);
    assert_eq!(stop_reason(decision), StopReason::ServerForbade);
}
