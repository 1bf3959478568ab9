//! Time nests: no layer outlives an attempt of the one outside it.

use proptest::prelude::*;

use super::*;

fn timed(deadline: Option<Nanos>, attempt_timeout: Option<Nanos>, inner: Option<Policy>) -> Policy {
    let limits = Limits { max_attempts: 4.try_into().ok(), deadline, attempt_timeout };
    Policy::new(PolicySpec {
        backoff: Backoff::exponential(ms(50)).jitter(Jitter::Equal),
        limits,
        replay: Replay { safe: true, idempotency_key: false },
        inner: inner.map(Box::new),
        ..PolicySpec::default()
    })
    .expect("a valid policy")
}

/// The attempt on the wire has the least that any layer leaves it.
#[test]
fn the_timeout_on_the_wire_is_the_least_of_what_is_left() {
    let least = |outer: [u64; 2], inner: [u64; 2]| {
        let [deadline, timeout] = inner.map(|n| Some(ms(n)));
        let inner = timed(deadline, timeout, None);
        let [deadline, timeout] = outer.map(|n| Some(ms(n)));
        let policy = timed(deadline, timeout, Some(inner));
        drive(&policy, status(200)).sent[0].1.timeout
    };
    assert_eq!(least([900, 800], [700, 600]), Some(ms(600)));
    assert_eq!(least([900, 800], [500, 600]), Some(ms(500)));
    assert_eq!(least([900, 400], [700, 600]), Some(ms(400)));
    assert_eq!(least([300, 800], [700, 600]), Some(ms(300)));
}

/// A second of the application's patience with one call of its SDK is two attempts of 400 ms, a
/// wait between them, and what is left for a third.
#[test]
fn an_attempt_timeout_outside_bounds_the_whole_call_inside() {
    let policy = timed(None, Some(ms(1_000)), Some(timed(None, Some(ms(400)), None)));
    let silent = |_: &Attempt| (Outcome::response(200), Nanos::MAX);
    let driven = drive(&policy, silent);
    let mut begun = at_ms(0);
    for ((at, attempt), layer) in driven.sent.iter().zip(&driven.layers) {
        if *layer == 0 {
            begun = *at;
        }
        let end = at.saturating_add(attempt.timeout.expect("a timeout"));
        assert!(end <= begun.saturating_add(ms(1_000)), "{attempt:?} at {at:?} of {begun:?}");
    }
    assert_eq!(driven.layers.iter().filter(|layer| **layer == 0).count(), 4);
    assert!(driven.sent.len() >= 12, "{:?}", driven.layers);
}

/// A timer that fires too late for the layer that waits: what it gave up on is put to the layer
/// outside, which waits in its turn.
#[test]
fn a_late_timer_ends_the_layer_that_waited_and_no_other() {
    let policy = timed(None, None, Some(timed(Some(ms(200)), None, None)));
    let (table, mut log, budgets) =
        (StatusTable::generic(), Log::default(), &mut [Unlimited; 2][..]);
    let (mut call, _) = LayeredCall::start(&policy, Request::default(), KEY, budgets, at_ms(0));
    let outcome = Outcome::response(503);
    let decision = call.on_outcome(&policy, &table, &outcome, at_ms(10), budgets, &mut log);
    assert!(decision.wait().is_some());
    let late = call.next_attempt(&policy, at_ms(300), budgets, &mut log).expect_err("too late");
    let wait = *late.wait().expect("the layer outside goes on");
    assert_eq!(wait.attempt, 2);
    let decided: Vec<_> = log.0.iter().map(|heard| (heard.depth, heard.action)).collect();
    let retry = Action::RetrySameRoute;
    assert_eq!(decided, [(1, retry), (1, Action::Stop), (0, retry)]);
    let attempt = call.next_attempt(&policy, wait.until, budgets, &mut log).expect("in time");
    assert_eq!((attempt.number, call.layer()), (2, 0));

    // Too late for all.
    let policy = timed(Some(ms(250)), None, Some(timed(Some(ms(200)), None, None)));
    let (mut call, _) = LayeredCall::start(&policy, Request::default(), KEY, budgets, at_ms(0));
    let decision = call.on_outcome(&policy, &table, &outcome, at_ms(10), budgets, &mut log);
    assert!(decision.wait().is_some());
    let end = call.next_attempt(&policy, at_ms(300), budgets, &mut log).expect_err("too late");
    assert_eq!(end.terminal_outcome(), Some(TerminalOutcome::GaveUpDeadline));
}

fn span() -> impl Strategy<Value = Option<Nanos>> {
    prop_oneof![1 => Just(None), 3 => (1_u64..3_000).prop_map(|n| Some(ms(n)))]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever the limits and however long the server takes, in every layer: an attempt lasts no
    /// longer than its timeout, a call no longer than its deadline, and no call longer than the
    /// attempt outside it.
    #[test]
    fn no_layer_outlives_the_one_outside(
        limits in prop::collection::vec((span(), span()), 1..5),
        took in prop::collection::vec(0_u64..4_000, 16),
    ) {
        let layers = limits.iter().rev();
        let policy = layers.fold(None, |inner, (deadline, timeout)| {
            Some(timed(*deadline, *timeout, inner))
        }).expect("at least one layer");
        let mut turn = 0;
        let driven = drive(&policy, |_| {
            turn += 1;
            (Outcome::response(503), ms(took[turn % took.len()]))
        });
        // When the current call of each layer, and its current attempt, began.
        let (mut calls, mut attempts) = (vec![at_ms(0); limits.len()], vec![at_ms(0); limits.len()]);
        let mut ends = driven.sent.iter().skip(1).map(|(at, _)| *at).chain([driven.ended]);
        for ((at, attempt), layer) in driven.sent.iter().zip(&driven.layers) {
            for depth in *layer..limits.len() {
                attempts[depth] = *at;
                if depth > *layer {
                    calls[depth] = *at;
                }
            }
            let next = ends.next().expect("an end of each attempt");
            let last = attempt.timeout.map_or(next, |timeout| at.saturating_add(timeout));
            for (depth, (deadline, timeout)) in limits.iter().enumerate() {
                if let Some(deadline) = deadline {
                    prop_assert!(*at <= calls[depth].saturating_add(*deadline));
                    prop_assert!(last <= calls[depth].saturating_add(*deadline));
                }
                if let Some(timeout) = timeout {
                    prop_assert!(last <= attempts[depth].saturating_add(*timeout));
                }
            }
        }
    }
}
