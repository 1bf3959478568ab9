//! The attempts of some clients: which, and what became of them.

use std::collections::BTreeSet;

use retrial::measure::close_up::{AttemptOutcome, CloseUp};
use retrial::measure::metric::Id;
use retrial::model::run_id::RunId;

use crate::support::packaged;
use crate::written::cell_of;

fn close_ups(name: &str, changes: &[&str]) -> Vec<(CloseUp, f64)> {
    let plan = packaged(name, changes);
    let run = RunId { seed: plan.seed, replication: 0 };
    let cells = plan.cells.iter().map(|cell| {
        let attempts = cell.measure(run, false).unwrap().metrics.get(Id::Attempts).unwrap();
        (cell.close_up(run).unwrap(), attempts)
    });
    cells.collect()
}

#[test]
fn a_small_run_is_there_in_full() {
    for (close_up, attempts) in close_ups("thundering-herd", &["workload.clients=30"]) {
        assert_eq!((close_up.about.every, close_up.about.attempts_until_ms), (1, None));
        assert_eq!(close_up.attempts.len() as f64, attempts);
        let places = close_up.attempts.iter().map(|of| (of.client, of.sent_ms));
        assert!(places.is_sorted(), "by client and in the order of sending");
    }
}

#[test]
fn a_large_run_is_there_for_every_so_manieth_client() {
    for (close_up, attempts) in close_ups("thundering-herd", &["workload.clients=1000"]) {
        let (every, rows) = (close_up.about.every, close_up.attempts.len());
        // A thousand clients are drawn as 250 at most: every fourth.
        assert!(every.is_multiple_of(4) && rows <= 6000, "{every} {rows}");
        assert!(close_up.attempts.iter().all(|of| of.client.is_multiple_of(every)));
        // What was kept is about what was chosen: no attempt of a chosen client is missing.
        let share = rows as f64 * f64::from(every) / attempts;
        assert!((0.8..1.25).contains(&share), "{share}");
    }
}

#[test]
fn few_clients_with_many_attempts_are_cut_in_time() {
    let mut cut = 0;
    for (close_up, _) in close_ups("open-overload", &["workload.clients=12"]) {
        let until = close_up.about.attempts_until_ms.unwrap_or(f64::INFINITY);
        cut += usize::from(until.is_finite());
        assert!(close_up.attempts.iter().all(|attempt| attempt.sent_ms < until));
        let clients: BTreeSet<_> = close_up.attempts.iter().map(|of| of.client).collect();
        assert!(clients.len() >= 10, "{clients:?}");
        assert!((2000..=6000).contains(&close_up.attempts.len()));
    }
    assert!(cut > 0, "policies that repeat without end have too many");
}

/// One client, worked out by hand: refused at once, then held for longer than it waits, then
/// answered.
#[test]
fn outcomes_waits_and_branches_are_those_of_the_attempts() {
    let cell = cell_of(
        r#"
        replications = 1
        stop_after = "10s"
        [workload]
        clients = 1
        closed = { requests = 1 }
        [network]
        delay = "10ms"
        [[route]]
        name = "primary"
        service = "50ms"
        [[route.fault]]
        until = "100ms"
        reply = "generic-503"
        [[route.fault]]
        from = "200ms"
        until = "400ms"
        silent = true
        [policies.p]
        backoff = { kind = "constant", base = "300ms" }
        limits = { max_attempts = 5, deadline = "unlimited", attempt_timeout = "1s" }
        replay = { safe = true }
        "#,
        &[],
    );
    let close_up = cell.close_up(RunId { seed: 1, replication: 0 }).unwrap();
    let rows: Vec<_> = close_up
        .attempts
        .iter()
        .map(|of| (of.sent_ms, of.ended_ms, of.outcome, of.status, of.wait_ms))
        .collect();
    use AttemptOutcome::{Accepted, Refused, TimedOut};
    assert_eq!(
        rows,
        [
            (0.0, Some(20.0), Refused, Some(503), Some(300.0)),
            (320.0, Some(1320.0), TimedOut, None, Some(300.0)),
            (1620.0, Some(1690.0), Accepted, Some(200), None),
        ]
    );
    let branches: Vec<_> = close_up.attempts.iter().map(|of| of.branch.as_str()).collect();
    assert_eq!(branches, ["first_try", "same_route_retry", "same_route_retry"]);
    assert!(close_up.attempts.iter().all(|of| of.route == "primary"));
    assert_eq!(close_up.about.period_ms, Some(300.0));
    assert_eq!(close_up.about.faults, [(0.0, Some(100.0)), (200.0, Some(400.0))]);
}

#[test]
fn attempts_that_are_all_sent_at_once_are_still_there() {
    let trace: String = "t_ms\n".chars().chain("0\n".repeat(7000).chars()).collect();
    let cell = cell_of(
        r#"
        replications = 1
        workload = { clients = 12, trace = { file = "calls.csv" } }
        [[route]]
        name = "primary"
        service = "50ms"
        [policies.p]
        backoff = { kind = "none" }
        limits = { deadline = "unlimited" }
        "#,
        &[("calls.csv", &trace)],
    );
    let close_up = cell.close_up(RunId { seed: 1, replication: 0 }).unwrap();
    assert_eq!(close_up.attempts.len(), 6000);
    assert_eq!(close_up.about.attempts_until_ms, Some(0.0));
}
