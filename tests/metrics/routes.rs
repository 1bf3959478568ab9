//! Further routes.

use super::*;

fn run(after_attempts: u32) -> impl Fn(Id) -> Option<f64> + use<> {
    metrics(&format!(
        r#"
[workload]
clients = 3
closed = {{ requests = 1 }}
[network]
delay = "10ms"
[[route]]
name = "a"
[[route.fault]]
reply = "generic-503"
[[route]]
name = "b"
service = "30ms"
[policies.p]
backoff = {{ kind = "constant", base = "100ms" }}
limits.deadline = "unlimited"
fallback = {{ routes = ["b"], after_attempts = {after_attempts} }}
"#
    ))
}

/// Refused at 10 ms, told so at 20, and off to the other route at once: 10 + 30 + 10 more.
#[test]
fn a_fallback_leaves_at_once() {
    let figures = [
        (Id::Attempts, 6.0),
        (Id::Fallbacks, 3.0),
        (Id::Retries, 0.0),
        (Id::RetriedSucceeded, 3.0),
        (Id::MakespanMs, 70.0),
    ];
    assert_metrics(run(1), &figures);
}

/// One retry, from 120 to 140 ms, comes first.
#[test]
fn retries_and_fallbacks_are_counted_apart() {
    let figures = [
        (Id::Attempts, 9.0),
        (Id::Fallbacks, 3.0),
        (Id::Retries, 3.0),
        (Id::Amplification, 3.0),
        (Id::MakespanMs, 190.0),
    ];
    assert_metrics(run(2), &figures);
}
