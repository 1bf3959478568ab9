//! Every packaged experiment shows what its story says, replication by replication, and the same
//! experiment with the cause taken out does not.
//!
//! Seeds are fixed, so nothing here can fail by chance. Counts are of replications: a mean over
//! runs that each end well or badly says nothing about any of them.

mod exhausted_account;
mod llm_conversation;
mod metastable;
mod open_overload;
#[path = "../support/mod.rs"]
mod support;
mod thundering_herd;

use rayon::prelude::*;
use retrial::experiment::cell::Cell;
use retrial::experiment::plan::Plan;
use retrial::measure::metric::{Id, MetricRow};
use retrial::measure::recorder::measure;
use retrial::measure::request_log::RequestRow;
use retrial::model::run_id::RunId;
use retrial_policy::{Instant, TerminalOutcome};

use support::packaged;

/// The cell of a policy in an experiment that sweeps nothing.
fn cell<'a>(plan: &'a Plan, policy: &str) -> &'a Cell {
    let index = plan.policies.iter().position(|name| name == policy);
    let index = index.unwrap_or_else(|| panic!("no policy {policy} in {}", plan.name));
    &plan.cells[index]
}

fn runs(plan: &Plan) -> impl IndexedParallelIterator<Item = RunId> {
    let seed = plan.seed;
    (0..plan.replications as u32)
        .into_par_iter()
        .map(move |replication| RunId { seed, replication: replication.into() })
}

/// The metrics of every replication under a policy.
fn metrics(plan: &Plan, policy: &str) -> Vec<MetricRow> {
    let cell = cell(plan, policy);
    let run = |run| measure(&cell.scenario, &cell.subjects(), run, false).unwrap().metrics;
    runs(plan).map(run).collect()
}

/// A metric of every replication.
fn metric(plan: &Plan, policy: &str, id: Id) -> Vec<f64> {
    let rows = metrics(plan, policy);
    rows.iter().map(|row| row.get(id).unwrap_or(f64::NAN)).collect()
}

/// The requests of every replication under a policy.
fn requests(plan: &Plan, policy: &str) -> Vec<Vec<RequestRow>> {
    let cell = cell(plan, policy);
    let run = |run| cell.log_requests(run).unwrap();
    runs(plan).map(run).collect()
}

fn seconds(s: u64) -> Instant {
    Instant::from_nanos(s * 1_000_000_000)
}

/// Replications in which, from 300 s to 400 s, fewer than half as many requests succeed as begin.
fn collapsed(plan: &Plan, policy: &str) -> usize {
    let window = seconds(300)..seconds(400);
    let has_collapsed = |rows: &Vec<RequestRow>| {
        let begun = rows.iter().filter(|row| window.contains(&row.start)).count();
        let ends = rows.iter().filter_map(|row| row.end.as_ref());
        let good = ends
            .filter(|end| end.outcome == TerminalOutcome::Succeeded && window.contains(&end.at));
        2 * good.count() < begun
    };
    requests(plan, policy).iter().filter(|rows| has_collapsed(rows)).count()
}
