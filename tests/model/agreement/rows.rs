//! Rows under optimistic concurrency control whose clients lose patience.

use super::*;

fn on_a_row(limits: &str, delay: &str, stop: &str) -> impl Fn(Id) -> f64 + use<> {
    agreed(&format!(
        r#"{stop}
[workload]
clients = 40
closed = {{ requests = 2, think = "15ms" }}
[network]
delay = {delay}
[[route]]
name = "row"
kind = "occ"
[policies.p]
backoff = {{ kind = "exponential", base = "10ms", cap = "2s", jitter = "full" }}
limits = {{ max_attempts = "unlimited", {limits} }}
replay.safe = true
"#
    ))
}

const NORMAL: &str = "{ normal = { mean = \"10ms\", sd = \"2ms\" } }";

#[test]
fn deadlines() {
    let value = on_a_row("deadline = \"500ms\"", NORMAL, "");
    assert!(value(Id::GaveUpDeadline) > 0.0 && value(Id::RetriedSucceeded) > 0.0);
}

/// Patience that ends while the read, its reply, the write or the write's reply is on its way.
#[test]
fn timeouts() {
    for timeout in ["9ms", "19ms", "29ms", "39ms", "45ms"] {
        let limits = format!("deadline = \"2s\", attempt_timeout = \"{timeout}\"");
        for (stop, requests) in [("", 80.0), ("stop_after = \"300ms\"", 40.0)] {
            assert!(on_a_row(&limits, NORMAL, stop)(Id::Requests) >= requests);
        }
    }
}

/// With constant delays, at the very instant at which something arrives.
#[test]
fn timeouts_that_tie_with_arrivals() {
    for timeout in ["10ms", "20ms", "30ms", "40ms", "41ms"] {
        let limits = format!("deadline = \"400ms\", attempt_timeout = \"{timeout}\"");
        assert_eq!(on_a_row(&limits, "\"10ms\"", "")(Id::Requests), 80.0);
    }
}
