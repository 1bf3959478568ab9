//! A key found in a log replays every delay of its call.

mod support;

use retrial_policy::*;
use support::{always, at_ms, key, ms, ratio};

/// The delays of a call over a mix of own backoffs, a hint and a busy key, and its key as logged.
fn run(backoff: &Backoff, key: CallKey) -> (Vec<Nanos>, String) {
    let policy = Policy::new(PolicySpec {
        backoff: backoff.clone(),
        limits: Limits { max_attempts: None, ..Limits::default() },
        retry_after: RetryAfter { jitter_ratio: ratio(0.5), ..RetryAfter::default() },
        replay: Replay { safe: true, idempotency_key: false },
        ..PolicySpec::default()
    })
    .unwrap();
    let mut now = at_ms(0);
    let (mut call, _) = Call::start(&policy, Request::default(), key, &mut Unlimited, now);
    let mut logged = String::new();
    let plain = Outcome::response(503);
    let hinted = plain.with_hint(Hint(ms(700)));
    let delays = [
        (plain, Class::Transient),
        (plain, Class::Throttled),
        (hinted, Class::Throttled),
        (plain, Class::Conflict),
        (plain, Class::Transient),
        (plain, Class::Transient),
    ]
    .map(|(outcome, class)| {
        let mut observer =
            |record: &DecisionRecord<'_>| logged = record.logical_request_id.to_string();
        let classify = always(class);
        let decision =
            call.on_outcome(&policy, &classify, &outcome, now, &mut Unlimited, &mut observer);
        let wait = *decision.wait().expect("nothing limits the call");
        now = wait.until;
        wait.delay
    });
    (delays.to_vec(), logged)
}

fn backoffs() -> [Backoff; 4] {
    let base = ms(100);
    [
        Backoff::exponential(base).jitter(Jitter::Full),
        Backoff::exponential(base).jitter(Jitter::Exponential),
        Backoff::growing(Growth::Decorrelated { base }),
        Backoff::growing(Growth::SmoothDecorrelated { base }),
    ]
}

#[test]
fn the_logged_id_replays_all_delays_of_the_call() {
    for backoff in backoffs() {
        for i in 0..100 {
            let (delays, logged) = run(&backoff, key(i));
            let bits = u64::from_str_radix(&logged, 16).expect("sixteen hexadecimal digits");
            assert_eq!(logged.len(), 16);
            assert_eq!(run(&backoff, CallKey::new(bits)).0, delays, "{backoff:?}");
        }
    }
}

#[test]
fn another_key_gives_other_delays_everywhere() {
    // Six delays of at least 50 million values each: an accidental match is a 1.2e-7 event.
    for backoff in backoffs() {
        let (one, other) = (run(&backoff, key(0)).0, run(&backoff, key(1)).0);
        for (n, (a, b)) in one.iter().zip(&other).enumerate() {
            assert_ne!(a, b, "{backoff:?}, retry {n}");
        }
    }
}

#[test]
fn a_key_depends_on_each_of_its_four_parts() {
    let key = CallKey::derive(1, 2, 3, 4);
    assert_eq!(key, CallKey::derive(1, 2, 3, 4));
    for other in [
        CallKey::derive(0, 2, 3, 4),
        CallKey::derive(1, 0, 3, 4),
        CallKey::derive(1, 2, 0, 4),
        CallKey::derive(1, 2, 3, 0),
        CallKey::derive(4, 3, 2, 1),
    ] {
        assert_ne!(key, other);
    }
}

/// The values come from the documented formulas, computed independently in Python with exact
/// integers. Every result file hangs on them: a change breaks all published runs.
#[test]
fn keys_and_delays_are_the_same_on_every_platform() {
    let key = CallKey::derive(1, 2, 3, 4);
    let delays: Vec<_> = backoffs()
        .iter()
        .map(|backoff| backoff.delay(3, ms(250), Class::Transient, key).get())
        .collect();
    assert_eq!(key.to_string(), "d83a751ba2bded73");
    assert_eq!(delays, [328_077_349, 713_089_862, 366_562_846, 441_600_442]);
}

#[test]
fn the_state_of_a_call_is_one_cache_line() {
    assert!(size_of::<Call>() <= 64);
}
