//! Whatever is random about a call, in whatever layer, comes from the key of its request.

use std::collections::BTreeSet;

use super::*;

/// The delays that a layer chose, by call of it.
fn delays(driven: &Driven, depth: usize) -> Vec<Vec<Nanos>> {
    let mut calls = Vec::new();
    for heard in driven.log.of(depth) {
        if heard.attempt == 1 {
            calls.push(Vec::new());
        }
        calls.last_mut().expect("calls begin with attempt 1").extend(heard.delay);
    }
    calls
}

#[test]
fn no_two_calls_of_an_inner_layer_wait_alike() {
    let driven = drive(&nested(&[4, 4, 4]), status(503));
    let calls = delays(&driven, 2);
    assert_eq!(calls.len(), 16);
    let distinct: BTreeSet<_> = calls.iter().map(|delays| &delays[0]).collect();
    assert_eq!(distinct.len(), 16, "{calls:?}");
}

#[test]
fn a_key_replays_the_delays_of_all_layers() {
    let policy = nested(&[4, 4]);
    let [one, other] = [(); 2].map(|()| drive(&policy, status(503)));
    assert_eq!(one.log.0, other.log.0);
    // The first delays of the calls inside, from the key of the request alone.
    let backoff = policy.layers().last().expect("two layers").backoff();
    let of_attempt =
        |attempt| backoff.delay(0, Nanos::ZERO, Class::Transient, KEY.of_inner(attempt));
    let firsts: Vec<_> = delays(&one, 1).iter().map(|delays| delays[0]).collect();
    assert_eq!(firsts, [1, 2, 3, 4].map(of_attempt));
}
