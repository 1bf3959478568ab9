//! What comes before the end of the warm-up is simulated and not counted.

use super::*;

/// One every 100 ms from 0 to 900, 50 ms of service each; five are due after 500 ms, and the last
/// one ends at 950.
#[test]
fn requests_of_the_warm_up_are_left_out() {
    let text = r#"
warmup = "500ms"
[workload]
clients = 1
open = { arrivals = { every = "100ms" }, until = "1s" }
[[route]]
name = "a"
workers = 1
service = "50ms"
[policies.p]
backoff.kind = "none"
limits.deadline = "unlimited"
"#;
    assert_metrics(
        metrics(text),
        &[
            (Id::Requests, 5.0),
            (Id::Attempts, 5.0),
            (Id::Succeeded, 5.0),
            (Id::GoodputPerS, 5.0 / 0.45),
            (Id::LatencyMeanMs, 50.0),
            (Id::Utilisation, 250.0 / 450.0),
            (Id::MakespanMs, 950.0),
        ],
    );
}

/// Requests of the warm-up still stand in the way: two at 0 ms with 100 ms of service each, and
/// two at 150, after it. The worker is busy from 0 to 400. From 100 ms on nobody waits until 150,
/// then two until 200 and one until 300.
#[test]
fn what_the_warm_up_left_behind_takes_its_time() {
    let text = r#"
warmup = "100ms"
[workload]
clients = 2
open = { arrivals = { cron = { period = "150ms" } }, until = "300ms" }
[[route]]
name = "a"
workers = 1
service = "100ms"
[policies.p]
backoff.kind = "none"
limits.deadline = "unlimited"
"#;
    assert_metrics(
        metrics(text),
        &[
            (Id::Requests, 2.0),
            (Id::MakespanMs, 400.0),
            (Id::LatencyMeanMs, (150.0 + 250.0) / 2.0),
            (Id::Utilisation, 1.0),
            (Id::BacklogPeak, 2.0),
            (Id::QueueMean, (2.0 * 50.0 + 100.0) / 300.0),
        ],
    );
}
