//! One deadline for the whole call, waits included.

use retrial_policy::*;

use crate::support::{SpyBudget, at_ms, ms, secs};
use crate::{Driver, spec, stop_reason, wait};

#[test]
fn a_wait_that_ends_exactly_at_the_deadline_is_refused() {
    let mut driver = Driver::start(spec());
    driver.now = at_ms(89_800);
    let reason = stop_reason(driver.fail(Class::Transient));
    assert_eq!(reason, StopReason::DeadlineExceeded { needed: ms(200), remaining: ms(200) });
    assert_eq!(driver.last().terminal_outcome, Some(TerminalOutcome::GaveUpDeadline));

    let mut driver = Driver::start(spec());
    driver.now = Instant::from_nanos(at_ms(89_800).as_nanos() - 1);
    let granted = wait(driver.fail(Class::Transient));
    assert_eq!(granted.until, Instant::from_nanos(at_ms(90_000).as_nanos() - 1));
}

#[test]
fn the_callers_own_deadline_counts_if_it_is_earlier() {
    for (own, end) in [(Some(at_ms(500)), at_ms(500)), (Some(at_ms(95_000)), at_ms(90_000))] {
        let request = Request { deadline: own, ..Request::default() };
        let driver = Driver::start_with(spec(), request, SpyBudget::default());
        assert_eq!(driver.call.deadline(), end);
    }
}

#[test]
fn a_fallback_needs_time_left_too() {
    let mut driver = Driver::start(crate::with_fallbacks(Some(1), OverCap::Stop));
    driver.now = Instant::from_nanos(at_ms(90_000).as_nanos() - 1);
    assert_eq!(driver.fail(Class::Transient).action(), Action::Fallback);

    let mut driver = Driver::start(crate::with_fallbacks(Some(1), OverCap::Stop));
    driver.now = at_ms(90_000);
    assert_eq!(driver.fail(Class::Transient).action(), Action::Stop);
}

#[test]
fn an_attempts_timeout_is_its_own_or_what_is_left() {
    let timeouts = |own: Option<Nanos>, deadline: Option<Nanos>| {
        let mut spec = spec();
        spec.limits.attempt_timeout = own;
        spec.limits.deadline = deadline;
        let mut driver = Driver::start(spec);
        driver.now = at_ms(7_800);
        let until = wait(driver.fail(Class::Transient)).until;
        let Driver { policy, call, budget, .. } = &mut driver;
        call.next_attempt(policy, until, budget, &mut ()).expect("in time").timeout
    };
    assert_eq!(timeouts(Some(secs(5)), Some(secs(90))), Some(secs(5)));
    assert_eq!(timeouts(Some(secs(5)), Some(secs(10))), Some(secs(2)));
    assert_eq!(timeouts(None, Some(secs(10))), Some(secs(2)));
    assert_eq!(timeouts(Some(secs(5)), None), Some(secs(5)));
    assert_eq!(timeouts(None, None), None);
}

#[test]
fn time_left_is_reported_before_the_wait_and_absent_without_a_deadline() {
    let mut driver = Driver::start(spec());
    driver.now = at_ms(1_000);
    assert_eq!(driver.fail(Class::Transient).action(), Action::RetrySameRoute);
    assert_eq!(driver.last().remaining_time, Some(secs(89)));

    let mut spec = spec();
    spec.limits.deadline = None;
    let mut driver = Driver::start(spec);
    assert_eq!(driver.fail(Class::Transient).action(), Action::RetrySameRoute);
    assert_eq!(driver.last().remaining_time, None);
}
