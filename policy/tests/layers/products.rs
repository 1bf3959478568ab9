//! Layers multiply.

use super::*;

/// Three layers of 4 against a dead server are 64 attempts, five of 3 are 243.
#[test]
fn a_dead_server_gets_the_product_of_all_attempts() {
    for (max, product) in [(&[4, 4, 4][..], 64), (&[3; 5], 243), (&[2, 5, 3], 30), (&[7], 7)] {
        let policy = nested(max);
        assert_eq!(policy.max_wire_attempts(), Some(product), "{max:?}");
        let driven = drive(&policy, status(503));
        assert_eq!(driven.sent.len() as u64, product, "{max:?}");
        let Decision::Stop(stop) = driven.end else { panic!("{:?}", driven.end) };
        assert_eq!(stop.reason, StopReason::AttemptsExhausted);
        // Each layer makes as many attempts as it may in each of the calls that it is asked for.
        let products = max.iter().scan(1, |product, max| {
            *product *= *max as usize;
            Some(*product)
        });
        assert_eq!(driven.log.attempts(max.len()), products.collect::<Vec<_>>(), "{max:?}");
    }
}

/// The number of attempts of a layer is that of the attempts on the wire which it, or one outside,
/// has decided on.
#[test]
fn the_layer_that_decided_on_each_attempt_tells_how_often_each_layer_tried() {
    let driven = drive(&nested(&[2, 3, 2]), status(503));
    let tried = |depth| driven.layers.iter().filter(|layer| **layer <= depth).count();
    assert_eq!([tried(0), tried(1), tried(2)], [2, 6, 12]);
    assert_eq!(driven.layers, [0, 2, 1, 2, 1, 2, 0, 2, 1, 2, 1, 2]);
}

#[test]
fn a_layer_without_a_bound_makes_the_product_unlimited() {
    let unlimited = |outer: &str, inner: &str| {
        let text = format!(
            "[backoff]\nkind = 'none'\n[limits]\nmax_attempts = {outer}\ndeadline = '1s'\n\
             [inner.backoff]\nkind = 'none'\n[inner.limits]\nmax_attempts = {inner}\n\
             deadline = '1s'\n"
        );
        load(&text).max_wire_attempts()
    };
    assert_eq!(unlimited("4", "'unlimited'"), None);
    assert_eq!(unlimited("'unlimited'", "4"), None);
    assert_eq!(unlimited("4000000000", "4000000000"), Some(16_000_000_000_000_000_000));
}

/// One layer alone decides as a call does.
#[test]
fn one_layer_is_a_call() {
    let policy = nested(&[5]);
    let driven = drive(&policy, status(503));
    let table = StatusTable::generic();
    let (mut call, mut attempt) =
        Call::start(&policy, Request::default(), KEY, &mut Unlimited, at_ms(0));
    let mut now = at_ms(0);
    for (number, (at, sent)) in driven.sent.iter().enumerate() {
        assert_eq!((now, attempt), (*at, *sent));
        now = now.saturating_add(ms(10));
        let outcome = Outcome::response(503);
        let decision = call.on_outcome(&policy, &table, &outcome, now, &mut Unlimited, &mut ());
        assert_eq!(decision, driven.decisions[number]);
        let Some(wait) = decision.wait() else { return };
        now = wait.until;
        attempt = call.next_attempt(&policy, now, &mut Unlimited, &mut ()).expect("in time");
    }
    panic!("the call went on");
}
