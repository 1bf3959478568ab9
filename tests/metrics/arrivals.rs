//! The stream of attempts at the route.

use super::*;

/// Four clients at once, every 100 ms, five times.
const BURSTS: &str = r#"
[workload]
clients = 4
open = { arrivals = { cron = { period = "100ms" } }, until = "500ms" }
[[route]]
name = "a"
[policies.p]
backoff.kind = "none"
limits.deadline = "unlimited"
"#;

/// Never more than 4 in 100 ms (two bursts are never in one window), and 20 in the 400 ms between
/// the first and the last.
///
/// Bins of 10 ms: 40 lie whole before the last burst, four of them with 4 arrivals: the sum is 16,
/// that of squares 64, and the index (40·64 − 16²) ÷ (39·16). Bins of 100 ms all hold 4; of a
/// second there are none.
#[test]
fn peak_and_dispersion() {
    let value = metrics(BURSTS);
    assert_eq!(value(Id::ArrivalsFano1S), None);
    assert_metrics(
        value,
        &[
            (Id::Attempts, 20.0),
            (Id::ArrivalsPeakPerS, 40.0),
            (Id::ArrivalsPeakToMean, 40.0 / (20.0 / 0.4)),
            (Id::ArrivalsFano10Ms, 2304.0 / 624.0),
            (Id::ArrivalsFano100Ms, 0.0),
        ],
    );
}

/// Refused attempts arrive, too: with a retry at once there are twice as many.
#[test]
fn retries_are_arrivals() {
    let refused = BURSTS
        .replace("name = \"a\"", "name = \"a\"\n[[route.fault]]\nreply = \"generic-503\"")
        .replace("limits", "limits.max_attempts = 2\nlimits");
    assert_metrics(metrics(&refused), &[(Id::Attempts, 40.0), (Id::ArrivalsPeakPerS, 80.0)]);
}

/// Every 50 ms for ten seconds: two in each bin of 100 ms, 20 in each of a second.
#[test]
fn equal_distances_have_no_dispersion() {
    let text = BURSTS
        .replace("cron = { period = \"100ms\" }", "every = \"50ms\"")
        .replace("\"500ms\"", "\"10s\"");
    let value = metrics(&text);
    let clustering = value(Id::ArrivalsClustering).unwrap();
    assert!(clustering < 0.1, "one in each bin of 50 ms, far more even than chance: {clustering}");
    assert_metrics(
        value,
        &[(Id::ArrivalsPeakPerS, 20.0), (Id::ArrivalsFano100Ms, 0.0), (Id::ArrivalsFano1S, 0.0)],
    );
}
