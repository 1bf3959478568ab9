//! How requests end, and what it took.

use super::*;

/// Two clients begin together, 10 ms from a route that takes 30 ms.
fn run(fault: &str, policy: &str) -> impl Fn(Id) -> Option<f64> + use<> {
    metrics(&format!(
        r#"
[workload]
clients = 2
closed = {{ requests = 1 }}
[network]
delay = "10ms"
[[route]]
name = "a"
service = "30ms"
{fault}
[policies.p]
backoff = {{ kind = "constant", base = "100ms" }}
{policy}
"#
    ))
}

const DOWN: &str = "[[route.fault]]\nreply = \"generic-503\"";
const THREE: &str = "limits = { max_attempts = 3, deadline = \"unlimited\" }";

/// There after 10 ms, done after 40, back after 50. Two in the 40 ms from the first arrival on.
#[test]
fn success_at_the_first_try() {
    let value = run("", THREE);
    assert_metrics(
        value,
        &[
            (Id::Requests, 2.0),
            (Id::Attempts, 2.0),
            (Id::Retries, 0.0),
            (Id::Fallbacks, 0.0),
            (Id::Succeeded, 2.0),
            (Id::FirstTrySucceeded, 2.0),
            (Id::RetriedSucceeded, 0.0),
            (Id::SuccessRatio, 1.0),
            (Id::GoodputPerS, 2.0 / 0.040),
            (Id::Amplification, 1.0),
            (Id::WastedRatio, 0.0),
            (Id::MakespanMs, 50.0),
            (Id::LatencyMeanMs, 50.0),
            (Id::LatencyMaxMs, 50.0),
            (Id::OrbitMean, 0.0),
            (Id::BlockingRatio, 0.0),
            (Id::BlockingFirstRatio, 0.0),
            (Id::EarlyRetries, 0.0),
            (Id::Duplicates, 0.0),
        ],
    );
}

/// Refused at 10 ms, told so at 20, again on the way at 120, done at 170.
#[test]
fn success_at_the_second_try() {
    let value = run("[[route.fault]]\nuntil = \"50ms\"\nreply = \"generic-503\"", THREE);
    assert_metrics(
        value,
        &[
            (Id::Attempts, 4.0),
            (Id::Retries, 2.0),
            (Id::FirstTrySucceeded, 0.0),
            (Id::RetriedSucceeded, 2.0),
            (Id::Succeeded, 2.0),
            (Id::GoodputPerS, 2.0 / 0.160),
            (Id::Amplification, 2.0),
            (Id::WastedRatio, 0.5),
            (Id::MakespanMs, 170.0),
            (Id::LatencyMeanMs, 170.0),
            // Two requests wait 100 of 170 ms.
            (Id::OrbitMean, 200.0 / 170.0),
            (Id::BlockingRatio, 0.5),
            (Id::BlockingFirstRatio, 1.0),
        ],
    );
}

/// Attempts leave at 0, 120 and 240 ms; the last answer is there at 260.
#[test]
fn no_attempts_left() {
    let value = run(DOWN, THREE);
    assert_eq!(value(Id::LatencyMeanMs), None, "none was accepted");
    assert_metrics(
        value,
        &[
            (Id::Attempts, 6.0),
            (Id::Retries, 4.0),
            (Id::GaveUpAttempts, 2.0),
            (Id::RetriedGaveUp, 2.0),
            (Id::SuccessRatio, 0.0),
            (Id::GoodputPerS, 0.0),
            (Id::WastedRatio, 1.0),
            (Id::MakespanMs, 260.0),
            (Id::LatencyAllMeanMs, 260.0),
            (Id::LatencyAllMaxMs, 260.0),
            (Id::OrbitMean, 2.0 * 200.0 / 260.0),
            (Id::BlockingRatio, 1.0),
            (Id::BlockingFirstRatio, 1.0),
        ],
    );
}

/// Who gives up after one attempt is in no named group.
#[test]
fn a_single_attempt() {
    let value = run(DOWN, "limits = { max_attempts = 1, deadline = \"unlimited\" }");
    let ends = [(Id::GaveUpAttempts, 2.0), (Id::RetriedGaveUp, 0.0), (Id::EndedOtherwise, 2.0)];
    assert_metrics(value, &ends);
}

/// The second answer is there at 140 ms, and the third attempt would leave at 240, too late.
#[test]
fn no_time_left() {
    let value = run(DOWN, "limits = { deadline = \"200ms\" }");
    let ends = [
        (Id::Attempts, 4.0),
        (Id::GaveUpDeadline, 2.0),
        (Id::RetriedGaveUp, 2.0),
        (Id::MakespanMs, 140.0),
    ];
    assert_metrics(value, &ends);
}

/// The third attempt leaves at 240 ms and is given up 10 ms later.
#[test]
fn no_time_left_for_the_answer() {
    let value = run(DOWN, "limits = { deadline = \"250ms\" }\nreplay.safe = true");
    let ends = [(Id::Attempts, 6.0), (Id::GaveUpDeadline, 2.0), (Id::MakespanMs, 250.0)];
    assert_metrics(value, &ends);
}

/// Each client can pay for one retry.
#[test]
fn no_budget_left() {
    let budget = "budget = [{ kind = \"token_bucket\", capacity = 1.0, retry_cost = 1.0, \
                  success_refund = 0.0 }]";
    let value = run(DOWN, &format!("{THREE}\n{budget}"));
    let ends = [
        (Id::Attempts, 4.0),
        (Id::GaveUpBudget, 2.0),
        (Id::RetriedGaveUp, 2.0),
        (Id::MakespanMs, 140.0),
    ];
    assert_metrics(value, &ends);
}

#[test]
fn nothing_to_be_gained_from_a_retry() {
    let value = run("[[route.fault]]\nreply = \"generic-400\"", THREE);
    let ends =
        [(Id::Attempts, 2.0), (Id::Stopped, 2.0), (Id::FixedNoRetry, 2.0), (Id::MakespanMs, 20.0)];
    assert_metrics(value, &ends);
}

/// A server that wants two minutes, and a policy that waits for one at most.
#[test]
fn a_hint_above_the_cap_stops() {
    let reply = "reply = { status = 503, headers = { retry-after = \"120\" } }";
    let value = run(&format!("[[route.fault]]\n{reply}"), THREE);
    assert_metrics(value, &[(Id::Attempts, 2.0), (Id::Stopped, 2.0), (Id::FixedNoRetry, 2.0)]);
}

/// No answer for 70 ms, and a call that may not be repeated.
#[test]
fn an_outcome_that_nobody_knows() {
    let limits = "limits = { deadline = \"unlimited\", attempt_timeout = \"70ms\" }";
    let value = run("[[route.fault]]\nsilent = true", limits);
    let ends = [
        (Id::Attempts, 2.0),
        (Id::Reconciled, 2.0),
        (Id::EndedOtherwise, 2.0),
        (Id::MakespanMs, 70.0),
        (Id::BlockingRatio, 0.0),
    ];
    assert_metrics(value, &ends);
}

/// Nobody answers, and nobody loses patience before the run ends.
#[test]
fn no_end_before_that_of_the_run() {
    let text = "stop_after = \"1s\"\n[workload]\nclients = 2\nclosed = {}\n[[route]]\nname = \"a\"\n\
                [[route.fault]]\nsilent = true\n[policies.p]\nbackoff.kind = \"none\"\n\
                limits.deadline = \"unlimited\"\n";
    let value = metrics(text);
    assert_eq!(value(Id::MakespanMs), None);
    assert_eq!(value(Id::LatencyAllMeanMs), None);
    let ends = [
        (Id::Requests, 2.0),
        (Id::Unfinished, 2.0),
        (Id::EndedOtherwise, 2.0),
        (Id::SuccessRatio, 0.0),
        (Id::WastedRatio, 1.0),
        (Id::GoodputPerS, 0.0),
    ];
    assert_metrics(value, &ends);
}

/// One every 100 ms from 0 to 900 ms; none begins at the very end. Ten in the second from the first
/// arrival to the end of the run.
#[test]
fn goodput_counts_to_the_end_of_a_run_that_is_stopped() {
    let text = "stop_after = \"1s\"\n[workload]\nclients = 1\nopen.arrivals.every = \"100ms\"\n\
                [[route]]\nname = \"a\"\nservice = \"50ms\"\n[policies.p]\n\
                backoff.kind = \"none\"\nlimits.deadline = \"unlimited\"\n";
    let value = metrics(text);
    let ends = [
        (Id::Requests, 10.0),
        (Id::Succeeded, 10.0),
        (Id::Unfinished, 0.0),
        (Id::GoodputPerS, 10.0),
    ];
    assert_metrics(value, &ends);
}
