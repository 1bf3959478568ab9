//! Every kind of workload, route and policy gives one result, however the run is carried out, and
//! its books are in order.

mod budgets;
mod faults;
mod groups;
mod limits;
mod network;
mod queueing;
mod random;
mod rows;
mod ties;
mod tokens;
mod workloads;

use retrial::measure::metric::Id;
use retrial::measure::recorder::Measurements;

use super::layouts::the_one_result;
use super::ledger::Ledger;
use super::written::cell_of;

/// A policy whose attempts may be repeated and time out; more keys may follow.
const PATIENT: &str = r#"
[policies.p]
backoff = { kind = "exponential", base = "50ms", cap = "1s", jitter = "full" }
limits = { max_attempts = 4, deadline = "5s", attempt_timeout = "300ms" }
replay.safe = true
"#;

/// A server in which attempts wait and time out.
const BUSY: &str = r#"
[[route]]
name = "a"
workers = 1
service = { exponential = { mean = "20ms" } }
"#;

/// 45 requests a second from 20 clients, for 20 seconds.
const POISSON: &str = r#"
stop_after = "20s"
[workload]
clients = 20
open = { arrivals = { poisson = "45/s" } }
[network]
delay = { normal = { mean = "5ms", sd = "1ms" } }
"#;

/// Runs an experiment in every way and gives the value of each metric.
fn agreed(text: &str) -> impl Fn(Id) -> f64 + use<> {
    agreed_with(text, &[])
}

fn agreed_with(text: &str, files: &[(&str, &str)]) -> impl Fn(Id) -> f64 + use<> {
    let cell = cell_of(text, files);
    let subjects = cell.subjects();
    let result = the_one_result(&cell.scenario, &subjects);
    for fused in [false, true] {
        Ledger::audit(&cell.scenario, &subjects, fused);
    }
    assert_sums(&result);
    let metrics = result.metrics;
    move |id| metrics.get(id).unwrap_or_else(|| panic!("{id:?} is not estimated"))
}

/// What holds of every run.
fn assert_sums(result: &Measurements) {
    let row = &result.metrics;
    let sum = |ids: &[Id]| ids.iter().map(|id| row.get(*id).unwrap()).sum::<f64>();
    let requests = sum(&[Id::Requests]);
    let outcomes = [
        Id::Succeeded,
        Id::Stopped,
        Id::GaveUpAttempts,
        Id::GaveUpDeadline,
        Id::GaveUpBudget,
        Id::Reconciled,
        Id::Unfinished,
    ];
    assert_eq!(sum(&outcomes), requests);
    let stories = [
        Id::FirstTrySucceeded,
        Id::RetriedSucceeded,
        Id::RetriedGaveUp,
        Id::FixedNoRetry,
        Id::EndedOtherwise,
    ];
    assert_eq!(sum(&stories), requests);
    let attempts = sum(&[Id::Attempts]);
    assert!(sum(&[Id::Succeeded]) <= attempts);
    let first_tries = attempts - sum(&[Id::Retries, Id::Fallbacks]);
    assert!(first_tries <= requests);
    assert!(sum(&[Id::EarlyRetries]) <= attempts - first_tries);
    assert!(row.get(Id::QueueMean) <= row.get(Id::BacklogPeak));
    assert!(row.get(Id::Utilisation) <= Some(1.0));
    for ratio in [Id::SuccessRatio, Id::BlockingRatio, Id::BlockingFirstRatio] {
        assert!(row.get(ratio).is_none_or(|ratio| (0.0..=1.0).contains(&ratio)), "{ratio:?}");
    }
    let bins = result.series.as_ref().unwrap();
    let count = |of: fn(&retrial::measure::series::Bin) -> u64| bins.iter().map(of).sum::<u64>();
    assert!(count(|bin| bin.rejected) <= count(|bin| bin.attempts));
    assert!(count(|bin| bin.attempts) as f64 <= attempts);
    assert!(bins.iter().all(|bin| bin.in_flight >= 0.0 && bin.waiting >= 0.0));
}
