//! Same-route retry and fallback are separate branches under one attempt cap.

use retrial_policy::*;

use crate::support::secs;
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
    let unavailable =
        Classification { route_unavailable: true, ..Classification::of(Class::Transient) };
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
