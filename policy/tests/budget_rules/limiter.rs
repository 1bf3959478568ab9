//! The client rate limiter: what it lets through once a server has throttled.

use retrial_policy::*;

use crate::support::{at_ms, ms};
use crate::{admit, settle};

const THROTTLED: Settlement = Settlement::Failed(Class::Throttled);

fn hold(limiter: &mut AwsAdaptive, now: Instant) -> Nanos {
    match admit(limiter, now) {
        Admission::Granted { hold, .. } => hold,
        Admission::Refused => panic!("it refuses nothing"),
    }
}

/// Sends every 100 ms for ten seconds, then throttled: at 0.7 times the measured 10 a second.
fn limited() -> (AwsAdaptive, u64) {
    let mut limiter = AwsAdaptive::open(AwsAdaptiveSpec::DEFAULT);
    limiter.on_request(at_ms(0));
    for i in 1..=100 {
        assert_eq!(hold(&mut limiter, at_ms(i * 100)), Nanos::ZERO);
        settle(&mut limiter, Settlement::Succeeded, at_ms(i * 100));
    }
    settle(&mut limiter, THROTTLED, at_ms(10_000));
    (limiter, 10_000)
}

#[test]
fn nothing_is_held_before_a_server_throttles() {
    let mut limiter = AwsAdaptive::open(AwsAdaptiveSpec::DEFAULT);
    for _ in 0..1_000 {
        assert_eq!(hold(&mut limiter, at_ms(0)), Nanos::ZERO);
    }
}

#[test]
fn throttling_cuts_the_rate_to_seven_tenths_of_what_was_sent() {
    let (limiter, _) = limited();
    assert!(limiter.is_enabled());
    assert!(limiter.measured().abs_diff(10_000_000_000) < 100_000_000);
    assert!(limiter.rate().abs_diff(7_000_000_000) < 100_000_000);
}

/// n attempts at once leave one by one, each 1 / rate after the one before.
#[test]
fn waiting_attempts_leave_at_the_rate() {
    let (mut limiter, now) = limited();
    while hold(&mut limiter, at_ms(now)) == Nanos::ZERO {}
    let holds: Vec<_> = (0..50).map(|_| hold(&mut limiter, at_ms(now)).get()).collect();
    let gap = 1_000_000_000_000_000_000_u64 / limiter.rate();
    for pair in holds.windows(2) {
        assert!((pair[1] - pair[0]).abs_diff(gap) <= 1, "{pair:?}, not {gap} apart");
    }
}

/// A wait that is rounded down would end before the token is there and be waited again, for ever
/// at the boundary of a float.
#[test]
fn after_its_wait_an_attempt_has_its_token() {
    let (mut limiter, now) = limited();
    let mut longest = Nanos::ZERO;
    for _ in 0..20 {
        longest = hold(&mut limiter, at_ms(now));
    }
    let then = at_ms(now).saturating_add(longest);
    limiter.on_request(then);
    assert!(limiter.tokens() >= 0, "{}", limiter.tokens());
    assert!(limiter.tokens() < 100, "and hardly more: {}", limiter.tokens());
}

#[test]
fn a_recalled_attempt_is_as_if_it_had_never_asked() {
    let (mut limiter, now) = limited();
    hold(&mut limiter, at_ms(now));
    let before = limiter;
    hold(&mut limiter, at_ms(now));
    limiter.recall(Passage::default(), at_ms(now));
    assert_eq!(limiter, before);
}

#[test]
fn the_rate_stays_between_its_floor_and_twice_what_is_sent() {
    let (mut limiter, mut now) = limited();
    for _ in 0..30 {
        settle(&mut limiter, THROTTLED, at_ms(now));
    }
    assert_eq!(limiter.rate(), 500_000_000);
    for _ in 0..1_000 {
        now += 500;
        settle(&mut limiter, Settlement::Succeeded, at_ms(now));
        assert!(limiter.rate() <= 2 * limiter.measured());
    }
    // Two a second are sent, so that four are allowed, ten minutes after the last throttling.
    assert!(limiter.rate().abs_diff(4_000_000_000) < 10, "{}", limiter.rate());
}

#[test]
fn a_cancelled_attempt_teaches_it_nothing() {
    let (mut limiter, now) = limited();
    let before = limiter;
    settle(&mut limiter, Settlement::Cancelled, at_ms(now).saturating_add(ms(700)));
    assert_eq!(limiter, before);
}
