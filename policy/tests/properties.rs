//! What holds for every policy, however odd: no panic, delays inside their range, at every retry
//! number up to the largest.

mod support;

use proptest::prelude::*;
use retrial_policy::*;
use support::{key, ms, ratio};

/// 1,024 and 1,025 are where 2ⁿ leaves the range of a float and a difference of two such terms
/// becomes NaN: a released library spun in a hot loop there.
const RETRIES: [u32; 12] = [0, 1, 2, 3, 10, 63, 64, 100, 1_000, 1_024, 1_025, u32::MAX];

fn retry_number() -> impl Strategy<Value = u32> {
    prop_oneof![prop::sample::select(&RETRIES[..]), any::<u32>(), 0_u32..100]
}

/// From one nanosecond to centuries, each magnitude as likely as any other.
fn span() -> impl Strategy<Value = Nanos> {
    (0_u32..64, any::<u64>()).prop_map(|(shift, bits)| Nanos::new((bits >> shift).max(1)))
}

fn fraction(most: f64) -> impl Strategy<Value = Ratio> {
    (0.0..=most).prop_map(ratio)
}

/// The kinds that follow a formula without randomness.
fn formula() -> impl Strategy<Value = Growth> {
    prop_oneof![
        Just(Growth::None),
        span().prop_map(|base| Growth::Constant { base }),
        (span(), span()).prop_map(|(base, step)| Growth::Linear { base, step }),
        (span(), fraction(1e6)).prop_map(|(base, more)| Growth::Exponential {
            base,
            factor: Ratio::from_parts_per_billion(1_000_000_000 + more.parts_per_billion()),
        }),
        span().prop_map(|base| Growth::Exponential { base, factor: Ratio::from_percent(200) }),
        span().prop_map(|base| Growth::Fibonacci { base }),
    ]
}

fn growth() -> impl Strategy<Value = Growth> {
    prop_oneof![
        6 => formula(),
        1 => prop::collection::vec(span(), 1..5).prop_map(|list| Growth::Schedule(list.into())),
        1 => span().prop_map(|base| Growth::Decorrelated { base }),
        1 => span().prop_map(|base| Growth::SmoothDecorrelated { base }),
    ]
}

fn jitter() -> impl Strategy<Value = Jitter> {
    prop_oneof![
        Just(Jitter::None),
        Just(Jitter::Full),
        Just(Jitter::Equal),
        fraction(1.0).prop_map(Jitter::Proportional),
        fraction(1.0).prop_map(Jitter::Shrink),
        fraction(1e6).prop_map(Jitter::Stretch),
        span().prop_map(Jitter::Add),
        Just(Jitter::Exponential),
    ]
}

/// Only what a policy accepts.
fn backoff() -> impl Strategy<Value = Backoff> {
    let zero_or = || prop_oneof![2 => Just(Nanos::ZERO), 1 => span()];
    let cap = prop_oneof![1 => Just(Nanos::MAX), 2 => span()];
    let throttled = prop_oneof![2 => Just(None), 1 => span().prop_map(Some)];
    (growth(), jitter(), any::<bool>(), cap, throttled, zero_or(), zero_or()).prop_map(
        |(growth, jitter, clips_last, cap, throttled_base, round, floor)| {
            let throttled_base = throttled_base.filter(|_| growth.base().is_some());
            let least = growth.base().max(throttled_base).unwrap_or_default();
            let cap = cap.max(least);
            Backoff {
                jitter: if growth.is_random() { Jitter::None } else { jitter },
                cap_order: if clips_last {
                    CapOrder::JitterThenCap
                } else {
                    CapOrder::CapThenJitter
                },
                cap,
                first: None,
                throttled_base,
                round,
                floor: floor.min(cap),
                growth,
            }
        },
    )
}

fn class() -> impl Strategy<Value = Class> {
    prop::sample::select(&Class::ALL[..])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn every_delay_is_inside_its_range(
        backoff in backoff(),
        n in retry_number(),
        previous in span(),
        class in class(),
        key in any::<u64>(),
    ) {
        let delay = backoff.delay(n, previous, class, CallKey::new(key));
        let (low, high) = backoff.range(n, previous, class);
        prop_assert!(low <= high);
        prop_assert!(low <= delay && delay <= high, "{delay:?} is not in {low:?} to {high:?}");
        prop_assert_eq!(delay, backoff.delay(n, previous, class, CallKey::new(key)));
    }

    #[test]
    fn the_policy_accepts_what_these_tests_make(backoff in backoff()) {
        let spec = PolicySpec { backoff, ..PolicySpec::default() };
        prop_assert_eq!(Policy::new(spec).map(|_| ()), Ok(()));
    }

    #[test]
    fn a_jitter_that_does_not_add_never_passes_the_cap(
        backoff in backoff(),
        n in retry_number(),
        previous in span(),
        class in class(),
        key in any::<u64>(),
    ) {
        let adds = matches!(
            backoff.jitter,
            Jitter::Proportional(_) | Jitter::Stretch(_) | Jitter::Add(_) | Jitter::Exponential
        );
        // Those that add are held down by the other order only.
        let cap_order = if adds { CapOrder::JitterThenCap } else { backoff.cap_order };
        let backoff = Backoff { cap_order, ..backoff };
        prop_assert!(backoff.delay(n, previous, class, CallKey::new(key)) <= backoff.cap);
    }

    #[test]
    fn rounding_goes_down_to_whole_units_and_the_floor_holds(
        backoff in backoff(),
        n in retry_number(),
        previous in span(),
        key in any::<u64>(),
    ) {
        let delay = |backoff: &Backoff| {
            backoff.delay(n, previous, Class::Transient, CallKey::new(key))
        };
        let raw = delay(&Backoff { round: Nanos::ZERO, floor: Nanos::ZERO, ..backoff.clone() });
        let rounded = delay(&Backoff { floor: Nanos::ZERO, ..backoff.clone() });
        let unit = backoff.round.get().max(1);
        prop_assert_eq!(rounded.get() % unit, 0);
        prop_assert!(rounded <= raw && raw.get() - rounded.get() < unit);
        prop_assert_eq!(delay(&backoff), rounded.max(backoff.floor));
    }

    #[test]
    fn a_formula_never_shrinks(growth in formula(), cap in span(), n in retry_number()) {
        let backoff = Backoff::growing(growth).cap(cap);
        let delay = |n| backoff.delay(n, Nanos::ZERO, Class::Transient, key(0));
        prop_assert!(delay(n) <= delay(n.saturating_add(1)));
    }

    #[test]
    fn jitter_is_monotone_in_its_bits_and_reaches_both_ends(
        jitter in jitter(),
        delay in span(),
        a in any::<u64>(),
        b in any::<u64>(),
    ) {
        let (low, high) = jitter.range(delay);
        let (first, last) = (jitter.apply(delay, 0), jitter.apply(delay, u64::MAX));
        prop_assert_eq!((first.min(last), first.max(last)), (low, high));
        let ordered = jitter.apply(delay, a.min(b)) <= jitter.apply(delay, a.max(b));
        // −ln(u) falls where the others rise.
        prop_assert!(ordered || jitter == Jitter::Exponential);
    }

    #[test]
    fn any_call_over_random_outcomes_ends_or_waits_within_its_limits(
        backoff in backoff(),
        attempts in 1_u32..8,
        deadline in span(),
        statuses in prop::collection::vec(100_u16..700, 1..12),
        hint in prop_oneof![Just(None), span().prop_map(Some), Just(Some(Nanos::MAX))],
        mode in prop_oneof![
            Just(RetryAfterMode::Replace),
            Just(RetryAfterMode::Floor),
            span().prop_map(RetryAfterMode::Clamp),
            Just(RetryAfterMode::Ignore),
        ],
        key in any::<u64>(),
    ) {
        let policy = Policy::new(PolicySpec {
            backoff,
            limits: Limits {
                max_attempts: attempts.try_into().ok(),
                deadline: Some(deadline),
                attempt_timeout: None,
            },
            retry_after: RetryAfter { mode, cap: Nanos::MAX, ..RetryAfter::default() },
            replay: Replay { safe: true, idempotency_key: false },
            ..PolicySpec::default()
        })
        .unwrap();
        let mut now = Instant::default();
        let end = now.saturating_add(deadline);
        let mut budget = support::SpyBudget::default();
        let request = Request::default();
        let (mut call, first) =
            Call::start(&policy, request, CallKey::new(key), &mut budget, now);
        prop_assert_eq!(first.timeout, Some(deadline));
        let mut made = 1;
        for status in statuses {
            let mut outcome = Outcome::response(status);
            outcome.hint = hint.map(Hint);
            let table = StatusTable::generic();
            let decision =
                call.on_outcome(&policy, &table, &outcome, now, &mut budget, &mut ());
            let Some(wait) = decision.wait() else {
                prop_assert!(budget.settled.is_some());
                break;
            };
            made += 1;
            prop_assert!(made <= attempts);
            prop_assert_eq!(wait.attempt, made);
            prop_assert_eq!(wait.until, now.saturating_add(wait.delay));
            prop_assert!(wait.until < end);
            now = wait.until;
            let attempt = call.next_attempt(&policy, now, &mut budget, &mut ()).unwrap();
            prop_assert_eq!(attempt.timeout, Some(end.saturating_since(now)));
        }
        prop_assert_eq!(-budget.balance + i64::from(budget.restored), i64::from(budget.withdrawals));
    }
}

/// A word that a server may add, each as likely as silence.
fn answer() -> impl Strategy<Value = (Classification, Outcome<'static>)> {
    let bound = prop::sample::select(&[Bound::Policy, Bound::Once, Bound::Never][..]);
    let progress =
        prop::sample::select(&[Progress::NotSent, Progress::Sent, Progress::PartialResponse][..]);
    let hint = prop_oneof![2 => Just(None), 1 => span().prop_map(|wait| Some(Hint(wait)))];
    (class(), bound, progress, hint, any::<[bool; 3]>()).prop_map(
        |(class, bound, progress, hint, [vetoed, granted, route_unavailable])| {
            let read = Classification { route_unavailable, ..Classification::of(class) };
            let outcome = Outcome { progress, hint, vetoed, granted, ..Outcome::response(503) };
            (read.bounded(bound), outcome)
        },
    )
}

/// A list of up to four of six routes.
fn list() -> impl Strategy<Value = Vec<String>> {
    let names: Vec<_> = ["b", "c", "d", "e", "f", "g"].map(String::from).into();
    prop::sample::subsequence(names, 0..5).prop_shuffle()
}

fn may_fall_back() -> impl Strategy<Value = PolicySpec> {
    (list(), list(), list(), any::<bool>(), prop::option::of(1_u32..4), 1_u32..12).prop_map(
        |(routes, content, exhausted, leaves, share, attempts)| {
            let share = share.filter(|_| !routes.is_empty());
            PolicySpec {
                limits: Limits { max_attempts: attempts.try_into().ok(), ..Limits::default() },
                retry_after: RetryAfter {
                    over_cap: if leaves { OverCap::Fallback } else { OverCap::Stop },
                    ..RetryAfter::default()
                },
                fallback: Fallback {
                    routes,
                    content,
                    exhausted,
                    after_attempts: share.and_then(|share| share.try_into().ok()),
                },
                replay: Replay { safe: false, idempotency_key: true },
                ..PolicySpec::default()
            }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn no_call_returns_to_a_route_or_passes_its_attempts(
        spec in may_fall_back(),
        answers in prop::collection::vec(answer(), 20),
    ) {
        let most = spec.limits.max_attempts.map_or(u32::MAX, Into::into);
        let policy = Policy::new(spec).unwrap();
        let now = Instant::default();
        let request = Request { reducible: true, resumable: true, ..Request::default() };
        let (mut call, first) = Call::start(&policy, request, key(0), &mut Unlimited, now);
        let mut visited = vec![first.route];
        for (read, outcome) in answers {
            let here = visited[visited.len() - 1];
            let classify = move |_: &Outcome<'_>| read;
            let decision =
                call.on_outcome(&policy, &classify, &outcome, now, &mut Unlimited, &mut ());
            let Some(wait) = decision.wait() else { break };
            prop_assert!(wait.attempt <= most);
            prop_assert!(!policy.route_name(wait.route).is_empty());
            if decision.action() == Action::Fallback {
                prop_assert!(!visited.contains(&wait.route), "{visited:?}, then {wait:?}");
                visited.push(wait.route);
            } else {
                prop_assert_eq!(wait.route, here);
            }
            // No list speaks of these, and none is a reason to try the same route again.
            match read.class {
                Class::InvalidRequest | Class::Auth => prop_assert!(false, "{decision:?}"),
                Class::Exhausted | Class::Content => {
                    prop_assert_eq!(decision.action(), Action::Fallback);
                }
                _ => {}
            }
        }
    }

    #[test]
    fn a_spent_account_without_a_list_costs_exactly_one_call(
        spec in may_fall_back(),
        (read, outcome) in answer(),
    ) {
        let mut spec = spec;
        spec.fallback.exhausted.clear();
        let policy = Policy::new(spec).unwrap();
        let read = Classification { class: Class::Exhausted, ..read };
        let classify = move |_: &Outcome<'_>| read;
        let mut budget = support::SpyBudget::default();
        let now = Instant::default();
        let (mut call, first) =
            Call::start(&policy, Request::default(), key(0), &mut budget, now);
        let decision = call.on_outcome(&policy, &classify, &outcome, now, &mut budget, &mut ());
        prop_assert_eq!(first.number, 1);
        prop_assert_eq!(decision.action(), Action::Stop);
        prop_assert_eq!((call.attempts(), budget.withdrawals, budget.request_ends), (1, 0, 1));
    }
}

/// Every kind that grows, at every edge of the retry number, ends at its cap and stays there.
#[test]
fn delays_saturate_at_the_cap() {
    let base = ms(10);
    let cap = Nanos::from_secs(20);
    for growth in [
        Growth::Linear { base, step: base },
        Growth::Exponential { base, factor: ratio(2.0) },
        Growth::Exponential { base, factor: ratio(1.5) },
        Growth::Fibonacci { base },
    ] {
        let backoff = Backoff::growing(growth).cap(cap);
        for n in [2_000, 10_000, 1 << 20, u32::MAX - 1, u32::MAX] {
            let delay = backoff.delay(n, cap, Class::Transient, key(0));
            assert_eq!(delay, cap, "{:?} at retry {n}", backoff.growth);
        }
        let uncapped = Backoff { cap: Nanos::MAX, ..backoff };
        if !matches!(uncapped.growth, Growth::Linear { .. }) {
            let longest = uncapped.delay(u32::MAX, cap, Class::Transient, key(0));
            assert_eq!(longest, Nanos::MAX);
        }
    }
    for growth in [Growth::Decorrelated { base }, Growth::SmoothDecorrelated { base }] {
        let backoff = Backoff::growing(growth).cap(cap);
        for n in RETRIES {
            assert!(backoff.delay(n, Nanos::MAX, Class::Transient, key(0)) <= cap);
        }
    }
}

#[test]
fn smooth_decorrelated_delays_where_floats_overflow_are_the_cap() {
    let cap = Nanos::from_secs(20);
    let backoff = Backoff::growing(Growth::SmoothDecorrelated { base: ms(10) }).cap(cap);
    for n in [1_023, 1_024, 1_025, u32::MAX] {
        assert_eq!(backoff.delay(n, Nanos::ZERO, Class::Transient, key(0)), cap, "retry {n}");
    }
}

#[test]
fn different_keys_and_different_retries_draw_differently() {
    // Full jitter of a constant hour in nanoseconds: of 10,000 draws two are equal with
    // probability 1.4e-5.
    let hour = Nanos::from_secs(3_600);
    let backoff = Backoff::growing(Growth::Constant { base: hour }).jitter(Jitter::Full);
    let mut draws: Vec<_> = (0..1_000)
        .flat_map(|i| (0..10).map(move |n| (i, n)))
        .map(|(i, n)| backoff.delay(n, Nanos::ZERO, Class::Transient, key(i)))
        .collect();
    draws.sort_unstable();
    draws.dedup();
    assert_eq!(draws.len(), 10_000);
}

#[test]
fn an_empty_range_is_its_one_point() {
    let point = |jitter: Jitter, delay: u64| {
        let delay = Nanos::new(delay);
        assert_eq!(jitter.range(delay), (delay, delay), "{jitter:?}");
        for bits in [0, 1, u64::MAX / 2, u64::MAX] {
            assert_eq!(jitter.apply(delay, bits), delay, "{jitter:?}");
        }
    };
    point(Jitter::Full, 0);
    point(Jitter::Equal, 0);
    point(Jitter::Exponential, 0);
    point(Jitter::Add(Nanos::ZERO), 1_000);
    point(Jitter::Proportional(Ratio::ZERO), 1_000);
    point(Jitter::Shrink(Ratio::ZERO), 1_000);
    point(Jitter::Stretch(Ratio::ZERO), 1_000);
    // 0.5 % of 100 ns is less than a nanosecond.
    point(Jitter::Stretch(ratio(0.005)), 100);
}
