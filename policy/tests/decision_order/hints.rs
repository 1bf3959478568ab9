//! A hint goes before the own backoff, as far as the policy obeys.

use retrial_policy::*;

use crate::support::{Sample, always, key, ms, ratio, secs};
use crate::{Driver, spec, stop_reason, wait};

/// The delay and its source for a hint beside the own 200 ms.
fn obeyed(mode: RetryAfterMode, hint: Nanos) -> (Nanos, DelaySource, Action) {
    let mut spec = spec();
    spec.retry_after.mode = mode;
    let decision = Driver::start(spec).fail_with_hint(Class::Throttled, hint);
    let wait = wait(decision);
    (wait.delay, wait.source, decision.action())
}

#[test]
fn each_mode_combines_hint_and_backoff_in_its_way() {
    use Action::{RetryAfterHint, RetrySameRoute};
    use DelaySource::{Backoff, Hint};
    use RetryAfterMode::{Clamp, Floor, Ignore, Replace};
    let shorter = ms(150);
    let longer = secs(12);
    assert_eq!(obeyed(Replace, shorter), (ms(150), Hint, RetryAfterHint));
    assert_eq!(obeyed(Replace, longer), (secs(12), Hint, RetryAfterHint));
    assert_eq!(obeyed(Floor, shorter), (ms(200), Backoff, RetrySameRoute));
    assert_eq!(obeyed(Floor, longer), (secs(12), Hint, RetryAfterHint));
    assert_eq!(obeyed(Clamp(secs(5)), shorter), (ms(200), Backoff, RetrySameRoute));
    assert_eq!(obeyed(Clamp(secs(5)), secs(3)), (secs(3), Hint, RetryAfterHint));
    assert_eq!(obeyed(Clamp(secs(5)), longer), (ms(5_200), Hint, RetryAfterHint));
    assert_eq!(obeyed(Ignore, shorter), (ms(200), Backoff, RetrySameRoute));
    assert_eq!(obeyed(Ignore, longer), (ms(200), Backoff, RetrySameRoute));
}

#[test]
fn a_hint_of_zero_is_a_legal_wait() {
    let (delay, source, _) = obeyed(RetryAfterMode::Replace, Nanos::ZERO);
    assert_eq!((delay, source), (Nanos::ZERO, DelaySource::Hint));
}

#[test]
fn a_hint_at_the_cap_is_obeyed_and_one_above_it_is_handled_as_chosen() {
    let decide = |over_cap, hint| {
        let mut spec = spec();
        spec.retry_after.over_cap = over_cap;
        Driver::start(spec).fail_with_hint(Class::Throttled, hint)
    };
    let above = Nanos::new(secs(60).get() + 1);
    for over_cap in [OverCap::Stop, OverCap::Fallback, OverCap::Clip, OverCap::OwnBackoff] {
        assert_eq!(wait(decide(over_cap, secs(60))).delay, secs(60));
    }
    let over = StopReason::HintOverCap { asked: above, cap: secs(60) };
    assert_eq!(stop_reason(decide(OverCap::Stop, above)), over);
    assert_eq!(stop_reason(decide(OverCap::Fallback, above)), over);
    let clipped = wait(decide(OverCap::Clip, above));
    assert_eq!((clipped.delay, clipped.source), (secs(60), DelaySource::Hint));
    let own = wait(decide(OverCap::OwnBackoff, above));
    assert_eq!((own.delay, own.source), (ms(200), DelaySource::Backoff));
}

#[test]
fn a_hint_too_large_for_the_clock_is_too_long_rather_than_absent() {
    let reason = stop_reason(Driver::start(spec()).fail_with_hint(Class::Throttled, Nanos::MAX));
    assert_eq!(reason, StopReason::HintOverCap { asked: Nanos::MAX, cap: secs(60) });
}

#[test]
fn an_ignored_hint_is_ignored_above_the_cap_too() {
    assert_eq!(obeyed(RetryAfterMode::Ignore, secs(61)).0, ms(200));
}

/// The delays of many calls that got the same answer.
fn fleet(class: Class, hint: Option<Nanos>, spread: Ratio) -> Sample {
    let mut spec = spec();
    spec.retry_after.jitter_ratio = spread;
    let policy = Policy::new(spec).unwrap();
    let mut outcome = Outcome::response(429);
    outcome.hint = hint.map(Hint);
    let delays: Vec<_> = (0..10_000)
        .map(|i| {
            let now = Instant::default();
            let request = Request::default();
            let (mut call, _) = Call::start(&policy, request, key(i), &mut Unlimited, now);
            let classify = always(class);
            let decision =
                call.on_outcome(&policy, &classify, &outcome, now, &mut Unlimited, &mut ());
            wait(decision).delay
        })
        .collect();
    Sample::of(&delays)
}

/// Uniform over [low, high]: the mean within five standard errors (a false alarm once in 1.7
/// million changes of the seed), the extremes within 0.5 % of the edges (once in 10²¹).
#[track_caller]
fn assert_uniform(sample: &Sample, low: Nanos, high: Nanos) {
    let width = (high.get() - low.get()) as f64;
    let middle = (low.get() + high.get()) as f64 / 2.0;
    let error = 5.0 * width / 12.0_f64.sqrt() / sample.n.sqrt();
    assert!((sample.mean - middle).abs() < error, "mean {}", sample.mean);
    assert!(low <= sample.min && sample.max <= high);
    assert!(((sample.min.get() - low.get()) as f64) < 0.005 * width);
    assert!(((high.get() - sample.max.get()) as f64) < 0.005 * width);
}

#[test]
fn a_fleet_with_one_hint_is_spread_upwards_and_nobody_is_early() {
    let sample = fleet(Class::Throttled, Some(secs(12)), ratio(0.1));
    assert_uniform(&sample, secs(12), ms(13_200));
    let exact = fleet(Class::Throttled, Some(secs(12)), Ratio::ZERO);
    assert_eq!((exact.min, exact.max), (secs(12), secs(12)));
}

#[test]
fn the_own_backoff_gets_no_second_jitter() {
    let sample = fleet(Class::Throttled, None, ratio(0.1));
    assert_eq!((sample.min, sample.max), (ms(200), ms(200)));
}

#[test]
fn a_conflict_waits_one_second_and_a_little() {
    assert_uniform(&fleet(Class::Conflict, None, ratio(0.1)), secs(1), ms(1_100));
    let exact = fleet(Class::Conflict, None, Ratio::ZERO);
    assert_eq!((exact.min, exact.max), (secs(1), secs(1)));
    // A hint still decides.
    let hinted = fleet(Class::Conflict, Some(secs(3)), Ratio::ZERO);
    assert_eq!((hinted.min, hinted.max), (secs(3), secs(3)));
}

#[test]
fn a_decorrelated_call_stays_spread_after_a_wait_that_a_hint_decided() {
    let mut spec = spec();
    spec.backoff = Backoff::growing(Growth::Decorrelated { base: ms(100) });
    let policy = Policy::new(spec).unwrap();
    let mut delays: Vec<_> = (0..1_000)
        .map(|i| {
            let now = Instant::default();
            let request = Request::default();
            let (mut call, _) = Call::start(&policy, request, key(i), &mut Unlimited, now);
            let mut fail = |outcome: Outcome<'_>| {
                let classify = always(Class::Throttled);
                wait(call.on_outcome(&policy, &classify, &outcome, now, &mut Unlimited, &mut ()))
            };
            assert_eq!(fail(Outcome::response(429).with_hint(Hint(secs(1)))).delay, secs(1));
            fail(Outcome::response(429)).delay
        })
        .collect();
    assert!(delays.iter().all(|delay| (ms(100)..=ms(300)).contains(delay)));
    // 1,000 draws of 200 million values: a coincidence happens once in 400 seeds.
    delays.sort_unstable();
    delays.dedup();
    assert_eq!(delays.len(), 1_000);
}
