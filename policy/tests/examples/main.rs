//! The examples at work: the same code, against a server on the loopback that counts.
//!
//! Nothing here bounds time from above, so that a busy machine fails no test.

#[path = "../../examples/reqwest_loop/client.rs"]
mod client;
#[path = "../../examples/tower_layer/layer.rs"]
mod layer;
#[path = "../../examples/reqwest_loop/prompt.rs"]
mod prompt;
mod readme;
mod reqwest_loop;
#[path = "../../examples/tower_layer/service.rs"]
mod service;
#[path = "../../examples/support/mod.rs"]
mod support;
mod tower_layer;

use std::time::Duration;

use retrial_policy::{DecisionRecord, Policy};
use support::loopback::{Answer, Seen};

/// A policy with these `[limits]` and further sections.
fn policy(limits: &str, sections: &str) -> Policy {
    let text = format!(
        "[backoff]\nkind = 'constant'\nbase = '20ms'\n[limits]\n{limits}\n[replay]\n\
         idempotency_key = true\n{sections}"
    );
    Policy::from_toml(&text).unwrap_or_else(|error| panic!("{error} in\n{text}"))
}

fn overloaded() -> Answer {
    Answer::recorded("anthropic-529-overloaded")
}

fn answered() -> Answer {
    Answer::json(200, r#"{"type":"message","content":[],"stop_reason":"end_turn"}"#)
}

/// What a test wants to know of a record.
fn told(record: &DecisionRecord<'_>) -> (u32, String) {
    (record.attempt, format!("{} {}", record.action, record.reason))
}

/// The time between two requests at the server, one after the other.
fn gaps(seen: &[Seen]) -> Vec<Duration> {
    seen.windows(2).map(|pair| pair[1].at - pair[0].at).collect()
}

/// The one key that all requests have.
fn only_key(seen: &[Seen]) -> String {
    let mut keys: Vec<_> = seen.iter().map(|seen| seen.idempotency_key.clone()).collect();
    keys.dedup();
    assert_eq!(keys.len(), 1, "{keys:?}");
    keys.pop().flatten().expect("the policy sends keys")
}
