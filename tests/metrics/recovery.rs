//! What becomes of a run after a disturbance.

use super::*;

/// One every 100 ms; from 500 ms to 1 s all are refused, and come back after 300 ms. The last of
/// those is refused at 900 ms and accepted at 1200, 200 ms after the fault.
#[test]
fn draining_takes_until_the_last_one_of_before_has_ended() {
    let value = metrics(
        r#"
stop_after = "5s"
[workload]
clients = 1
open.arrivals.every = "100ms"
[[route]]
name = "a"
[[route.fault]]
from = "500ms"
until = "1s"
reply = "generic-503"
[policies.p]
backoff = { kind = "constant", base = "300ms" }
limits.deadline = "unlimited"
"#,
    );
    assert_eq!(value(Id::RecoveredRatio), None, "no cohort after it is whole");
    // 500 and 600 are refused twice, 700, 800 and 900 once.
    assert_metrics(value, &[(Id::DrainMs, 200.0), (Id::Retries, 7.0)]);
}

/// A worker that takes 1 s, a request every 2 s, and ten more from 20 s to 21 s, all with patience
/// for 5.5 s.
///
/// At 21 s there are 10 s of work, and each request adds one in two: those of 22 to 30 s wait too
/// long, that of 32 s (four seconds of work before it, five in all) does not. So the cohort from
/// 21 s fails, and the three from 31 s on succeed, as all did before. Of the requests of before
/// 21 s the last one is due at 20.9 s and given up at 26.4.
#[test]
fn recovery_takes_until_requests_fare_as_before() {
    let text = r#"
stop_after = "61s"
[workload]
clients = 5
open = [
    { arrivals = { every = "2s" } },
    { arrivals = { every = "100ms" }, from = "20s", until = "21s" },
]
[[route]]
name = "a"
workers = 1
service = "1s"
[policies.p]
backoff.kind = "none"
limits = { max_attempts = 1, deadline = "5500ms" }
"#;
    let value = metrics(text);
    let figures = [
        (Id::Requests, 31.0 + 10.0),
        (Id::DrainMs, 5_400.0),
        (Id::RecoveryMs, 10_000.0),
        (Id::RecoveredRatio, 1.0),
    ];
    assert_metrics(value, &figures);
    // Two good cohorts in a row are too few to say that it recovered.
    let short = metrics(&text.replace("61s", "60s"));
    assert_eq!(short(Id::RecoveryMs), None);
    assert_eq!(short(Id::RecoveredRatio), Some(0.0));
}

/// What never ends is how things are, and what nothing follows is the end of the workload.
#[test]
fn nothing_recovers_where_nothing_is_disturbed() {
    for (workload, fault) in [
        ("open = { arrivals = { every = \"1s\" } }", "slow = 2.0"),
        ("open = { arrivals = { every = \"1s\" }, until = \"20s\" }", "slow = 2.0"),
    ] {
        let value = metrics(&format!(
            "stop_after = \"50s\"\n[workload]\nclients = 1\n{workload}\n[[route]]\nname = \"a\"\n\
             [[route.fault]]\n{fault}\n[policies.p]\nbackoff.kind = \"none\"\n\
             limits.deadline = \"unlimited\"\n"
        ));
        for id in [Id::DrainMs, Id::RecoveryMs, Id::RecoveredRatio] {
            assert_eq!(value(id), None, "{workload}: {id:?}");
        }
    }
}
