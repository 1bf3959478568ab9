//! Mean, spread and range of every growth kind and every jitter against their closed forms.
//!
//! Samples have n = 100,000 draws. A mean may be five standard errors sd/√n off, and so may a
//! standard deviation (its error follows from the kurtosis): by chance that happens in 5.7e-7 of
//! comparisons, and there are fewer than 60 here. The seed is fixed, so only a change of the code
//! can bring a false alarm.

mod support;

use retrial_policy::*;
use support::{Sample, key, ms, ratio};

const CALLS: u64 = 100_000;

/// What a distribution must look like, in nanoseconds.
struct Law {
    mean: f64,
    sd: f64,
}

impl Law {
    fn uniform(low: f64, high: f64) -> Law {
        Law { mean: (low + high) / 2.0, sd: (high - low) / 12.0_f64.sqrt() }
    }

    #[track_caller]
    fn check(&self, sample: &Sample) {
        // Rounding to whole nanoseconds moves a mean by at most one.
        let mean_error = 5.0 * self.sd / sample.n.sqrt() + 1.0;
        let off = (sample.mean - self.mean).abs();
        assert!(off < mean_error, "mean {} instead of {}", sample.mean, self.mean);
        let off = (sample.sd - self.sd).abs();
        assert!(off < 5.0 * sample.sd_error() + 1.0, "sd {} instead of {}", sample.sd, self.sd);
    }
}

/// Base 100 ms, doubling: retry 3 waits 800 ms before the jitter.
fn jittered(jitter: Jitter) -> Backoff {
    Backoff::exponential(ms(100)).jitter(jitter)
}

#[track_caller]
fn check_uniform(jitter: Jitter, low: Nanos, high: Nanos) {
    let backoff = jittered(jitter);
    assert_eq!(backoff.range(3, Nanos::ZERO, Class::Transient), (low, high));
    let sample = Sample::of_retry(&backoff, 3, CALLS);
    Law::uniform(low.get() as f64, high.get() as f64).check(&sample);
    // The outermost 0.01 % at each end is missed by 100,000 draws once in 22,000 times.
    let margin = (high.get() - low.get()) / 10_000;
    assert!(sample.min.get() - low.get() < margin, "the lower edge is reached");
    assert!(high.get() - sample.max.get() < margin, "the upper edge is reached");
}

#[test]
fn the_first_delay_may_be_another_one_and_the_others_stay() {
    let usual = jittered(Jitter::Full);
    let backoff = Backoff { first: Some(ms(7)), ..usual.clone() };
    assert_eq!(backoff.range(0, Nanos::ZERO, Class::Transient), (ms(7), ms(7)));
    for i in 0..1_000 {
        let delay = |backoff: &Backoff, n| backoff.delay(n, ms(7), Class::Throttled, key(i));
        assert_eq!(delay(&backoff, 0), ms(7));
        assert_eq!(delay(&backoff, 1), delay(&usual, 1));
    }
    assert_eq!(backoff.range(3, Nanos::ZERO, Class::Transient), (Nanos::ZERO, ms(800)));
}

#[test]
fn no_jitter_is_the_delay_itself() {
    let backoff = jittered(Jitter::None);
    let sample = Sample::of_retry(&backoff, 3, 1_000);
    assert_eq!((sample.min, sample.max), (ms(800), ms(800)));
    assert_eq!(backoff.range(3, Nanos::ZERO, Class::Transient), (ms(800), ms(800)));
}

#[test]
fn full_jitter_is_uniform_from_zero() {
    check_uniform(Jitter::Full, Nanos::ZERO, ms(800));
}

#[test]
fn equal_jitter_is_uniform_over_the_upper_half() {
    check_uniform(Jitter::Equal, ms(400), ms(800));
}

#[test]
fn proportional_jitter_is_uniform_to_both_sides() {
    check_uniform(Jitter::Proportional(ratio(0.25)), ms(600), ms(1_000));
}

#[test]
fn shrink_jitter_is_uniform_downwards() {
    check_uniform(Jitter::Shrink(ratio(0.25)), ms(600), ms(800));
}

#[test]
fn stretch_jitter_is_uniform_upwards() {
    check_uniform(Jitter::Stretch(ratio(0.25)), ms(800), ms(1_000));
}

#[test]
fn additive_jitter_does_not_grow_with_the_delay() {
    check_uniform(Jitter::Add(ms(100)), ms(800), ms(900));
}

#[test]
fn exponential_jitter_has_the_delay_as_mean_and_standard_deviation() {
    let sample = Sample::of_retry(&jittered(Jitter::Exponential), 3, CALLS);
    Law { mean: 8e8, sd: 8e8 }.check(&sample);
    // P(X > d) = 1/e, with the standard error of a share.
    let longer = (0..CALLS)
        .filter(|i| {
            jittered(Jitter::Exponential).delay(3, Nanos::ZERO, Class::Transient, key(*i)) > ms(800)
        })
        .count() as f64
        / CALLS as f64;
    let expected = (-1.0_f64).exp();
    let error = (expected * (1.0 - expected) / CALLS as f64).sqrt();
    assert!((longer - expected).abs() < 5.0 * error, "{longer} instead of {expected}");
}

#[test]
fn the_longest_exponential_draw_is_within_the_range() {
    for delay in [Nanos::new(1), ms(800), Nanos::from_secs(1_000_000), Nanos::MAX] {
        let (low, high) = Jitter::Exponential.range(delay);
        assert_eq!(low, Jitter::Exponential.apply(delay, u64::MAX), "u = 1");
        assert_eq!(high, Jitter::Exponential.apply(delay, 0), "u = 2⁻⁵³");
    }
}

/// The un-jittered delays before retries 0, 1, 2, …
fn sequence(growth: Growth, n: u32) -> Vec<u64> {
    let backoff = Backoff::growing(growth);
    (0..n)
        .map(|n| backoff.delay(n, Nanos::ZERO, Class::Transient, key(0)).get() / 1_000_000)
        .collect()
}

#[test]
fn growth_without_randomness_follows_its_formula() {
    let base = ms(100);
    assert_eq!(sequence(Growth::None, 3), [0, 0, 0]);
    assert_eq!(sequence(Growth::Constant { base }, 3), [100, 100, 100]);
    assert_eq!(sequence(Growth::Linear { base, step: ms(30) }, 4), [100, 130, 160, 190]);
    let exponential = |factor| Growth::Exponential { base, factor: ratio(factor) };
    assert_eq!(sequence(exponential(2.0), 6), [100, 200, 400, 800, 1_600, 3_200]);
    assert_eq!(sequence(exponential(1.0), 3), [100, 100, 100]);
    assert_eq!(sequence(exponential(3.0), 4), [100, 300, 900, 2_700]);
    // 1.6 is the factor of gRPC's connection backoff.
    assert_eq!(sequence(exponential(1.6), 4), [100, 160, 256, 409]);
    assert_eq!(sequence(Growth::Fibonacci { base }, 7), [100, 100, 200, 300, 500, 800, 1_300]);
    let schedule = Growth::Schedule([ms(5), ms(0), ms(7)].into());
    assert_eq!(sequence(schedule, 5), [5, 0, 7, 7, 7]);
}

#[test]
fn doubling_is_exact_up_to_the_last_delay_that_fits() {
    let backoff = Backoff::exponential(Nanos::new(1));
    let delay = |n| backoff.delay(n, Nanos::ZERO, Class::Transient, key(0));
    assert_eq!(delay(62), Nanos::new(1 << 62));
    assert_eq!(delay(63), Nanos::new(1 << 63));
    assert_eq!(delay(64), Nanos::MAX);
}

#[test]
fn the_cap_comes_before_the_jitter_unless_asked_otherwise() {
    let stretch = jittered(Jitter::Stretch(ratio(0.5))).cap(ms(500));
    let range = |backoff: &Backoff| backoff.range(3, Nanos::ZERO, Class::Transient);
    assert_eq!(range(&stretch), (ms(500), ms(750)));
    Law::uniform(5e8, 7.5e8).check(&Sample::of_retry(&stretch, 3, CALLS));

    // Retry 2 of this one is U[400, 600] ms cut at 500: half of the mass is on the cap. Uniform
    // over the lower half and a point above: mean (450 + 500)/2, E[X²] from both halves.
    let clipped = Backoff { cap_order: CapOrder::JitterThenCap, ..stretch };
    assert_eq!(range(&clipped), (ms(500), ms(500)));
    let sample = Sample::of_retry(&clipped, 2, CALLS);
    let mean: f64 = 4.75e8;
    let second = ((5e8_f64.powi(3) - 4e8_f64.powi(3)) / 3.0 / 1e8 + 5e8_f64.powi(2)) / 2.0;
    Law { mean, sd: (second - mean * mean).sqrt() }.check(&sample);
    assert_eq!(sample.max, ms(500));
}

#[test]
fn a_throttled_failure_grows_from_its_own_base() {
    let backoff = Backoff { throttled_base: Some(ms(1_000)), ..Backoff::exponential(ms(50)) };
    let delay = |class| backoff.delay(2, Nanos::ZERO, class, key(0));
    assert_eq!(delay(Class::Throttled), ms(4_000));
    assert_eq!(delay(Class::Transient), ms(200));
}

/// With s uniform on [b, 3s'], E[s] = (b + 3·E[s'])/2 and E[s²] = (b² + 3b·E[s'] + 9·E[s'²])/3.
/// For b = 5 ms the means are those published with the AWS study: 10, 17.5, 28.75, … ms.
#[test]
fn decorrelated_moments_follow_the_recursion() {
    let backoff = Backoff::growing(Growth::Decorrelated { base: ms(5) });
    let base: f64 = 5e6;
    let (mut mean, mut square) = (base, base * base);
    for (n, published) in (0..).zip([10.0, 17.5, 28.75, 45.625, 70.9375]) {
        square = (base * base + 3.0 * base * mean + 9.0 * square) / 3.0;
        mean = (base + 3.0 * mean) / 2.0;
        assert_eq!(mean / 1e6, published);
        let sample = Sample::of_retry(&backoff, n, CALLS);
        Law { mean, sd: (square - mean * mean).sqrt() }.check(&sample);
        assert!(sample.min >= ms(5));
    }
}

#[test]
fn decorrelated_range_is_base_to_three_times_the_previous_delay() {
    let backoff = Backoff::growing(Growth::Decorrelated { base: ms(5) }).cap(ms(100));
    let range = |n, previous| backoff.range(n, previous, Class::Transient);
    assert_eq!(range(0, ms(40)), (ms(5), ms(15)), "nothing precedes the first retry");
    assert_eq!(range(1, ms(12)), (ms(5), ms(36)));
    assert_eq!(range(1, ms(60)), (ms(5), ms(100)));
}

/// A wait that a hint decided leaves no previous delay, and a class with another base one that is
/// too short: neither may squeeze the range to a point, or a whole fleet would return in step.
#[test]
fn decorrelated_delays_stay_spread_after_a_delay_below_the_base() {
    let growth = Growth::Decorrelated { base: ms(50) };
    let backoff = Backoff { throttled_base: Some(ms(1_000)), ..Backoff::growing(growth) };
    let range = |previous, class| backoff.range(3, previous, class);
    assert_eq!(range(Nanos::ZERO, Class::Transient), (ms(50), ms(150)));
    assert_eq!(range(ms(60), Class::Throttled), (ms(1_000), ms(3_000)));
}

/// The first delay is g(U)·base/1.4 with g(x) = 2ˣ·tanh(√(4x)), so its support ends at
/// 2·tanh(2)/1.4 bases, and its median is g(½)/1.4: in law what Polly documents.
#[test]
fn smooth_decorrelated_first_delay_has_the_support_and_median_of_its_formula() {
    let backoff = Backoff::growing(Growth::SmoothDecorrelated { base: Nanos::from_secs(1) });
    let end = 2.0 * 2.0_f64.tanh() / 1.4 * 1e9;
    let (low, high) = backoff.range(0, Nanos::ZERO, Class::Transient);
    assert_eq!((low, high), (Nanos::ZERO, Nanos::new(end.round() as u64)));
    let mut delays: Vec<u64> =
        (0..CALLS).map(|i| backoff.delay(0, Nanos::ZERO, Class::Transient, key(i)).get()).collect();
    delays.sort_unstable();
    assert!(delays[CALLS as usize - 1] as f64 <= end);
    // g is increasing, so quantiles of the delay are images of those of U; the tolerance is five
    // standard errors 0.5/√n of the median's rank.
    let g = |x: f64| x.exp2() * (4.0 * x).sqrt().tanh() / 1.4 * 1e9;
    let error = 5.0 * 0.5 / (CALLS as f64).sqrt();
    let median = delays[CALLS as usize / 2] as f64;
    assert!(g(0.5 - error) < median && median < g(0.5 + error), "median {median}");
}

#[test]
fn smooth_decorrelated_delays_telescope() {
    // Without a cap the delays of a call sum to g(n + u)·base/1.4, whatever the draws before.
    let backoff = Backoff::growing(Growth::SmoothDecorrelated { base: Nanos::from_secs(1) });
    let g = |x: f64| x.exp2() * (4.0 * x).sqrt().tanh() / 1.4 * 1e9;
    for i in 0..1_000 {
        let sum: u64 =
            (0..6).map(|n| backoff.delay(n, Nanos::ZERO, Class::Transient, key(i)).get()).sum();
        let sum = sum as f64;
        // Six roundings to the nearest nanosecond.
        assert!(g(5.0) - 3.0 <= sum && sum <= g(6.0) + 3.0, "call {i}: {sum}");
    }
}
