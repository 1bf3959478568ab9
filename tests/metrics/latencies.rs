//! Latencies count from the planned start.

use super::*;

/// Three requests, 10 ms apart, of a client that has one in flight at a time: they run from 0 to
/// 30 ms, from 30 to 60 and from 60 to 90, and take 30, 50 and 70 ms from their planned starts.
#[test]
fn time_held_back_in_the_client_counts() {
    let text = r#"
[workload]
clients = 1
open = { arrivals = { every = "10ms" }, until = "30ms" }
concurrency = 1
[[route]]
name = "a"
service = "30ms"
[policies.p]
backoff.kind = "none"
limits.deadline = "unlimited"
"#;
    let value = metrics(text);
    // Quantiles are exact to three digits.
    let median = value(Id::LatencyP50Ms).unwrap();
    assert!((median - 50.0).abs() < 0.05, "{median}");
    assert_metrics(
        value,
        &[
            (Id::Requests, 3.0),
            (Id::LatencyMeanMs, 50.0),
            (Id::LatencyP90Ms, 70.0),
            (Id::LatencyP99Ms, 70.0),
            (Id::LatencyP999Ms, 70.0),
            (Id::LatencyMaxMs, 70.0),
            (Id::LatencyAllMeanMs, 50.0),
            (Id::MakespanMs, 90.0),
        ],
    );
    // Two at a time: 0 to 30, 10 to 40, and from 30 to 60 the third, which was due at 20.
    let two = metrics(&text.replace("concurrency = 1", "concurrency = 2"));
    assert_metrics(two, &[(Id::LatencyMeanMs, (30.0 + 30.0 + 40.0) / 3.0), (Id::MakespanMs, 60.0)]);
}

/// The deadline counts from the planned start, too. The first request runs from 0 to 25 ms, the
/// second from 25 to 50; the third, due at 20, leaves at 50 and is given up at 65.
#[test]
fn time_held_back_is_taken_from_the_deadline() {
    let value = metrics(&held_back("45ms"));
    assert_metrics(
        value,
        &[
            (Id::Attempts, 3.0),
            (Id::Succeeded, 2.0),
            (Id::LatencyMeanMs, (25.0 + 40.0) / 2.0),
            (Id::LatencyAllMeanMs, (25.0 + 40.0 + 45.0) / 3.0),
            (Id::MakespanMs, 65.0),
        ],
    );
}

/// Three at one instant with 20 ms each: the first is given up at 20 ms, when the time of the
/// others is over as well.
#[test]
fn a_request_that_was_never_let_through_made_no_attempt() {
    let cron = held_back("20ms")
        .replace("every = \"10ms\"", "cron = { period = \"1s\" }")
        .replace("clients = 1", "clients = 3")
        .replace("concurrency = 1", "")
        .replace(
            "limits",
            "budget = [{ kind = \"aimd\", scope = \"group\", max = 1, min = 1 }]\nlimits",
        );
    let value = metrics(&cron);
    assert_metrics(
        value,
        &[
            (Id::Requests, 3.0),
            (Id::Attempts, 1.0),
            (Id::Reconciled, 1.0),
            (Id::GaveUpDeadline, 2.0),
            (Id::EndedOtherwise, 3.0),
            (Id::LatencyAllMaxMs, 20.0),
            (Id::MakespanMs, 20.0),
        ],
    );
}

fn held_back(deadline: &str) -> String {
    format!(
        r#"
[workload]
clients = 1
open = {{ arrivals = {{ every = "10ms" }}, until = "30ms" }}
concurrency = 1
[[route]]
name = "a"
service = "25ms"
[policies.p]
backoff.kind = "none"
limits.deadline = "{deadline}"
"#
    )
}

/// A closed client thinks from the end of a request to the start of the next: 0 to 30, 80 to 110.
#[test]
fn thinking_is_no_latency() {
    let value = metrics(
        r#"
[workload]
clients = 1
closed = { requests = 2, think = "50ms" }
[[route]]
name = "a"
service = "30ms"
[policies.p]
backoff.kind = "none"
limits.deadline = "unlimited"
"#,
    );
    let times = [(Id::Requests, 2.0), (Id::LatencyMeanMs, 30.0), (Id::MakespanMs, 110.0)];
    assert_metrics(value, &times);
}
