//! Tokens that failures cost: gRPC's core over the wire, gRPC for JavaScript, and the breaker of
//! Google's client library for Rust, which is the same rule with other numbers.

use retrial_policy::*;

use crate::recording::Recording;
use crate::support::{at_ms, ratio};

pub const TRACES: [&str; 11] = [
    "grpc_core.all_fail_max10_ratio0.1_attempts4",
    "grpc_core.drain_then_recover_attempts2",
    "grpc_core.non_retryable_do_not_count",
    "grpc_core.pushback_negative_counts_as_failure",
    "grpc_core.pushback_delay_still_throttled",
    "grpc_core.mixed_seed11_max20_ratio0.25_attempts3",
    "grpc_js.max10_ratio0.1",
    "grpc_js.max10_ratio0.5",
    "grpc_js.max4_ratio0.546",
    "grpc_js.max1000_ratio1",
    "gax.circuit_breaker_default",
];

fn throttle(recording: &Recording) -> GrpcThrottle {
    let is_gax = recording.name.starts_with("gax");
    GrpcThrottle::full(GrpcThrottleSpec {
        // Ten tokens of gax, which takes ten for a failure, are one here.
        max_tokens: if is_gax {
            (recording.param("tokens") / recording.param("error_cost")) as u32
        } else {
            recording.param("max_tokens") as u32
        },
        token_ratio: if is_gax { ratio(0.1) } else { ratio(recording.param("token_ratio")) },
        refund_answered: is_gax,
    })
}

fn how(event: &str) -> Settlement {
    match event {
        "success" => Settlement::Succeeded,
        "retryable_failure" | "pushback_retry_after" | "pushback_do_not_retry" | "transient" => {
            Settlement::Failed(Class::Transient)
        }
        "non_retryable_failure" | "permanent" => Settlement::Failed(Class::InvalidRequest),
        event => panic!("unknown event {event}"),
    }
}

/// No divergence. gRPC for JavaScript adds floats and holds 4.000000000000001 where four are
/// meant, but in none of these runs does that move the threshold.
#[test]
fn throttles_count_and_decide_as_grpc_does() {
    for name in TRACES {
        let recording = Recording::named(name);
        let mut throttle = throttle(&recording);
        for (number, step) in recording.steps.iter().enumerate() {
            let place = format!("{name}, step {number}");
            throttle.settle(Passage::default(), how(step.event()), at_ms(0));
            let (key, thousandths) = if name.starts_with("grpc_core") {
                ("model_millitokens_after", 1.0)
            } else if name.starts_with("grpc_js") {
                ("tokens_after", 1_000.0)
            } else {
                ("tokens_after", 100.0)
            };
            let held = step.number(key) * thousandths;
            let difference = (f64::from(throttle.milli_tokens()) - held).abs();
            assert!(difference < 1e-9, "{place}: {} and not {held}", throttle.milli_tokens());
            let granted = throttle.try_withdraw(Class::Transient, 0, at_ms(0)).is_some();
            let recorded = match step.flag("retry_allowed_now") {
                Some(allowed) => allowed,
                // Whatever else forbids the retry is none of the throttle's business.
                None if step.flag("max_attempts_reached") == Some(true) => continue,
                None => match (step.event(), step.flag("allowed")) {
                    ("pushback_do_not_retry", _) | (_, None) => continue,
                    (_, Some(allowed)) => allowed,
                },
            };
            assert_eq!(granted, recorded, "{place}");
        }
    }
}
