//! Many things at one instant.

use super::*;

/// Delays, service, patience, waits and periods are all multiples of 10 ms: timeouts, replies,
/// arrivals and starts tie all the time.
#[test]
fn everything_is_a_multiple_of_ten_milliseconds() {
    for workload in [
        "open = { arrivals = { every = \"10ms\" }, until = \"1s\" }",
        "open = { arrivals = { cron = { period = \"100ms\" } }, until = \"1s\" }",
        "closed = { requests = 5, think = \"10ms\" }",
    ] {
        for abandoned in ["served", "dropped"] {
            for timeout in ["20ms", "30ms", "40ms"] {
                let value = agreed(&format!(
                    r#"
[workload]
clients = 12
{workload}
[network]
delay = "10ms"
[[route]]
name = "a"
workers = 2
queue = 3
service = "10ms"
abandoned = "{abandoned}"
[[route.fault]]
from = "100ms"
until = "200ms"
workers = 1
[policies.p]
backoff = {{ kind = "constant", base = "10ms" }}
limits = {{ max_attempts = 5, deadline = "150ms", attempt_timeout = "{timeout}" }}
replay.safe = true
"#
                ));
                assert!(value(Id::Requests) > 50.0);
            }
        }
    }
}

/// A network and retries that take no time: a request's whole life may be one instant.
#[test]
fn a_network_without_delay() {
    for workload in [
        "open = { arrivals = { cron = { period = \"100ms\" } }, until = \"1s\" }",
        "closed = { requests = 3 }",
    ] {
        for service in ["0s", "10ms"] {
            for budget in ["", "{ kind = \"aimd\", scope = \"group\", max = 8, min = 1 }"] {
                let value = agreed(&format!(
                    r#"
[workload]
clients = 40
{workload}
[[route]]
name = "a"
workers = 2
queue = 5
service = "{service}"
[[route.limit]]
requests = 20
per = "50ms"
window = "fixed"
over = {{ reply = "generic-429", retry_after = "window" }}
[policies.p]
backoff = {{ kind = "none" }}
limits = {{ max_attempts = 4, deadline = "100ms", attempt_timeout = "10ms" }}
retry_after = {{ jitter_ratio = 0.0 }}
replay.safe = true
budget = [{budget}]
"#
                ));
                assert!(value(Id::Requests) > 50.0);
            }
        }
    }
}

/// Requests held back until the very instant at which the one before them ends and their own
/// deadline passes: however many there are, one after the other.
#[test]
fn a_crowd_that_is_held_back_until_its_deadline() {
    let value = agreed(
        r#"
[workload]
clients = 20000
open = { arrivals = { cron = { period = "10s" } }, until = "5s" }
[[route]]
name = "a"
service = "1s"
[policies.p]
backoff = { kind = "none" }
limits = { deadline = "1s" }
budget = [{ kind = "aimd", scope = "group", max = 1, min = 1 }]
"#,
    );
    assert_eq!(value(Id::Requests), 20_000.0);
    // The first one's answer comes at the very instant of its deadline, too late.
    assert_eq!((value(Id::GaveUpDeadline), value(Id::Reconciled)), (19_999.0, 1.0));
}
