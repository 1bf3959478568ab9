//! The AWS SDKs' retry quota: botocore, the SDK for JavaScript, the SDK for Rust.

use std::collections::HashMap;

use retrial_policy::*;

use crate::recording::{Recording, Step};
use crate::support::at_ms;

pub const TRACES: [&str; 7] = [
    "botocore.drain_then_recover",
    "botocore.throttling_drain",
    "botocore.retry_then_success_returns_only_last_cost",
    "botocore.mixed_seed7_pfail0.5_cap200",
    "smithy_js.standard_drain",
    "smithy_rs.v2_0_cap50",
    "smithy_rs.v2_1_cap50",
];

/// The SDK for Rust keeps the cost that a success pays back per client, so that the first success
/// of request 7 collects what requests 4 to 6 left there, and a later retry finds more tokens.
const DIVERGENCES: [(&str, usize, &str); 2] = [
    ("smithy_rs.v2_0_cap50", 18, "4 tokens came from the refund of another request"),
    ("smithy_rs.v2_1_cap50", 15, "13 tokens came from the refund of another request"),
];

/// The permits of all requests under way.
struct Replay {
    quota: AwsQuota,
    permits: HashMap<u64, Permit>,
}

impl Replay {
    fn new(recording: &Recording) -> Replay {
        let capacity = recording.param("capacity") as u32;
        let spec = if recording.name == "smithy_rs.v2_0_cap50" {
            AwsQuotaSpec::V2_0
        } else {
            AwsQuotaSpec::V2_1
        };
        let quota = AwsQuota::full(AwsQuotaSpec { capacity, ..spec });
        Replay { quota, permits: HashMap::new() }
    }

    /// Whether the step's retry is granted, if it asks for one.
    fn step(&mut self, step: &Step) -> Option<bool> {
        let request = step.request();
        let (how, asks) = match step.event() {
            "final_success" | "success" | "first_try_success" | "success_after_retry" => {
                (Settlement::Succeeded, None)
            }
            "final_failure" => (Settlement::Failed(Class::Transient), None),
            "throttling_failure" => (Settlement::Failed(Class::Throttled), Some(Class::Throttled)),
            // The SDK for Rust calls a timeout a transient error, and a 500 a server error.
            "transient_failure" if step.text("source") == "rs:aws-smithy-runtime" => {
                (Settlement::Failed(Class::OutcomeUnknown), Some(Class::OutcomeUnknown))
            }
            "transient_failure" | "server_failure" => {
                (Settlement::Failed(Class::Transient), Some(Class::Transient))
            }
            event => panic!("unknown event {event}"),
        };
        let permit = self.permits.remove(&request);
        let passage = Passage { permit, ..Passage::default() };
        self.quota.settle(passage, how, at_ms(0));
        let granted = self.quota.try_withdraw(asks?, 0, at_ms(0));
        if let Some(permit) = granted {
            self.permits.insert(request, permit);
        }
        Some(granted.is_some())
    }
}

#[test]
fn quotas_grant_and_hold_what_the_sdks_do() {
    let mut found = Vec::new();
    for name in TRACES {
        let recording = Recording::named(name);
        let mut replay = Replay::new(&recording);
        let tells_tokens = !name.starts_with("smithy_rs");
        for (number, step) in recording.steps.iter().enumerate() {
            let before = replay.quota.balance();
            let granted = replay.step(step);
            let mut same = granted == step.flag("allowed");
            if tells_tokens {
                same &= u64::from(before) == step.whole("tokens_before");
                same &= u64::from(replay.quota.balance()) == step.whole("tokens_after");
            } else {
                let full = replay.quota.balance() == recording.param("capacity") as u32;
                same &= step.flag("bucket_full") == Some(full);
                same &= step.flag("bucket_empty") == Some(replay.quota.balance() == 0);
            }
            if !same {
                found.push((name, number));
            }
        }
    }
    assert_eq!(found, DIVERGENCES.map(|(name, step, _)| (name, step)));
}
