//! What servers ask for, and whether clients wait that long.

use super::*;

/// Two clients at once and a limit of one a second: the second is told to wait for 1 s.
fn run(mode: &str) -> impl Fn(Id) -> Option<f64> + use<> {
    metrics(&format!(
        r#"
[workload]
clients = 2
closed = {{ requests = 1 }}
[[route]]
name = "a"
[[route.limit]]
requests = 1
per = "1s"
over = {{ reply = "generic-429", retry_after = "exact" }}
[policies.p]
backoff = {{ kind = "constant", base = "100ms" }}
limits = {{ max_attempts = 5, deadline = "unlimited" }}
retry_after = {{ mode = "{mode}", jitter_ratio = 0.0 }}
"#
    ))
}

/// Attempts at 0, 100, 200, 300 and 400 ms: all but the first leave before the second is over.
#[test]
fn who_ignores_a_hint_is_early() {
    let figures = [
        (Id::Attempts, 6.0),
        (Id::EarlyRetries, 4.0),
        (Id::GaveUpAttempts, 1.0),
        (Id::BlockingRatio, 5.0 / 6.0),
        (Id::BlockingFirstRatio, 0.5),
        (Id::MakespanMs, 400.0),
    ];
    assert_metrics(run("ignore"), &figures);
}

/// The moment that was asked for is not too early.
#[test]
fn who_heeds_a_hint_is_not() {
    let figures = [
        (Id::Attempts, 3.0),
        (Id::EarlyRetries, 0.0),
        (Id::RetriedSucceeded, 1.0),
        (Id::BlockingRatio, 1.0 / 3.0),
        (Id::MakespanMs, 1000.0),
    ];
    assert_metrics(run("replace"), &figures);
}
