//! The budgets of tower-resilience: a bucket, and one whose size follows refusals.

use retrial_policy::*;

use crate::recording::Recording;
use crate::support::{at_ms, ratio};

pub const TRACES: [&str; 2] =
    ["tower_resilience.token_bucket_rate0_max5", "tower_resilience.aimd_min2_max10"];

/// No divergence. The second one halves its size at a refusal and adds one to it at a success,
/// but a refusal comes with an empty bucket, each success adds a token too, and so the size never
/// binds before it is whole again: a plain bucket does the same.
#[test]
fn buckets_grant_and_hold_what_tower_resilience_does() {
    for (name, capacity) in TRACES.into_iter().zip(["max_tokens", "max_budget"]) {
        let recording = Recording::named(name);
        let mut bucket = TokenBucket::full(TokenBucketSpec {
            capacity: ratio(recording.param(capacity)),
            retry_cost: Ratio::ONE,
            success_refund: Ratio::ONE,
        });
        for (number, step) in recording.steps.iter().enumerate() {
            let granted = match step.event() {
                "withdraw" => Some(bucket.try_withdraw(Class::Transient, 0, at_ms(0)).is_some()),
                "deposit_on_success" => {
                    bucket.settle(Passage::default(), Settlement::Succeeded, at_ms(0));
                    None
                }
                event => panic!("unknown event {event}"),
            };
            assert_eq!(granted, step.flag("allowed"), "{name}, step {number}");
            let held = ratio(step.number("balance_after"));
            assert_eq!(bucket.balance(), held, "{name}, step {number}");
        }
    }
}
