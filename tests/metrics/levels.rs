//! Queues, workers and orbit, averaged over time.

use super::*;

fn run(clients: u32, route: &str, rest: &str) -> impl Fn(Id) -> Option<f64> + use<> {
    metrics(&format!(
        r#"{rest}
[workload]
clients = {clients}
closed = {{ requests = 1 }}
[[route]]
name = "a"
service = "100ms"
{route}
[policies.p]
backoff = {{ kind = "constant", base = "150ms" }}
limits = {{ max_attempts = 2, deadline = "unlimited" }}
"#
    ))
}

/// Served from 0 to 100 ms, to 200 and to 300: two wait for 100 ms, one for another 100.
#[test]
fn three_clients_and_one_worker() {
    let expected = |run_ms: f64| {
        [
            (Id::MakespanMs, 300.0),
            (Id::BacklogPeak, 2.0),
            (Id::QueueMean, (2.0 * 100.0 + 100.0) / run_ms),
            (Id::Utilisation, 300.0 / run_ms),
            (Id::OrbitMean, 0.0),
        ]
    };
    assert_metrics(run(3, "workers = 1", ""), &expected(300.0));
    // A run that goes on counts the rest.
    assert_metrics(run(3, "workers = 1", "stop_after = \"600ms\""), &expected(600.0));
}

/// The busy share is that of all workers: 300 of 2 × 200 ms.
#[test]
fn three_clients_and_two_workers() {
    let value = run(3, "workers = 2", "");
    let levels = [
        (Id::MakespanMs, 200.0),
        (Id::BacklogPeak, 1.0),
        (Id::QueueMean, 0.5),
        (Id::Utilisation, 0.75),
    ];
    assert_metrics(value, &levels);
}

#[test]
fn workers_without_number_have_no_busy_share() {
    let value = run(3, "", "");
    assert_eq!(value(Id::Utilisation), None);
    assert_metrics(value, &[(Id::BacklogPeak, 0.0), (Id::QueueMean, 0.0)]);
}

/// Of four, one is served, one waits and two are refused. They are back at 150 ms, when one can
/// wait (until 200) and the other is refused again. Served from 0 to 100, to 200 and to 300.
#[test]
fn a_queue_with_one_place() {
    let value = run(4, "workers = 1\nqueue = 1", "");
    assert_metrics(
        value,
        &[
            (Id::Attempts, 6.0),
            (Id::Succeeded, 3.0),
            (Id::GaveUpAttempts, 1.0),
            (Id::BlockingRatio, 3.0 / 6.0),
            (Id::BlockingFirstRatio, 2.0 / 4.0),
            (Id::BacklogPeak, 1.0),
            (Id::QueueMean, (100.0 + 50.0) / 300.0),
            // Two wait for 150 ms.
            (Id::OrbitMean, 300.0 / 300.0),
            (Id::Utilisation, 1.0),
            (Id::MakespanMs, 300.0),
        ],
    );
}

/// From 50 to 250 ms one of two workers is left, which begins nothing new before the one in excess
/// is done: two are served from 0 to 100, one from 100 to 200, one from 200, and one more from 250.
#[test]
fn a_worker_that_is_lost_finishes_what_it_does() {
    let fault = "workers = 2\n[[route.fault]]\nfrom = \"50ms\"\nuntil = \"250ms\"\nworkers = 1";
    let value = run(5, fault, "");
    assert_metrics(
        value,
        &[
            (Id::MakespanMs, 350.0),
            (Id::BacklogPeak, 3.0),
            // Three wait until 100, two until 200, one until 250.
            (Id::QueueMean, (300.0 + 200.0 + 50.0) / 350.0),
            (Id::Utilisation, 500.0 / (2.0 * 350.0)),
        ],
    );
}

/// A disturbed server: each service takes three times as long from 150 ms on. The second begins at
/// 100 ms, before that, and the third at 200.
#[test]
fn a_slow_worker() {
    let value = run(3, "workers = 1\n[[route.fault]]\nfrom = \"150ms\"\nslow = 3.0", "");
    assert_metrics(value, &[(Id::MakespanMs, 500.0), (Id::Utilisation, 1.0)]);
}

/// Two clients give up after 30 ms, and that is the end, though their attempts keep the worker
/// busy until 200: until 30 one is served and one waits.
#[test]
fn nothing_counts_after_the_last_request_has_ended() {
    let value = metrics(
        r#"
[workload]
clients = 2
closed = { requests = 1 }
[[route]]
name = "a"
workers = 1
service = "100ms"
[policies.p]
backoff.kind = "none"
limits = { deadline = "unlimited", attempt_timeout = "30ms" }
"#,
    );
    let levels = [
        (Id::MakespanMs, 30.0),
        (Id::QueueMean, 1.0),
        (Id::BacklogPeak, 1.0),
        (Id::Utilisation, 1.0),
    ];
    assert_metrics(value, &levels);
}
