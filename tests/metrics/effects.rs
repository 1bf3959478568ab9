//! Side effects that happen twice.

use super::*;

/// All replies are lost: each of two clients sends its request three times, and it is carried out
/// each time.
fn run(replay: &str) -> impl Fn(Id) -> Option<f64> + use<> {
    metrics(&format!(
        r#"
[workload]
clients = 2
closed = {{ requests = 1 }}
[network]
delay = "10ms"
lost_replies = 1.0
[[route]]
name = "a"
service = "20ms"
[policies.p]
backoff.kind = "none"
limits = {{ max_attempts = 3, deadline = "unlimited", attempt_timeout = "100ms" }}
replay = {{ {replay} }}
"#
    ))
}

#[test]
fn requests_that_are_safe_to_repeat_are_carried_out_again() {
    let figures = [
        (Id::Attempts, 6.0),
        (Id::Duplicates, 4.0),
        (Id::GaveUpAttempts, 2.0),
        (Id::MakespanMs, 300.0),
    ];
    assert_metrics(run("safe = true"), &figures);
}

#[test]
fn a_key_tells_the_route_that_it_has_done_so() {
    assert_metrics(run("idempotency_key = true"), &[(Id::Attempts, 6.0), (Id::Duplicates, 0.0)]);
}

/// Who may not repeat leaves it at one.
#[test]
fn neither_means_no_repetition() {
    let figures = [(Id::Attempts, 2.0), (Id::Reconciled, 2.0), (Id::Duplicates, 0.0)];
    assert_metrics(run(""), &figures);
}
