//! The decisions about chosen logical requests in one replication, as `retrial trace` shows them.
//!
//! Which requests there are, and how they ended, is known only after a run, so a policy is run
//! twice: once to choose, once to follow. The two runs are the same in every event.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::io::{self, Write};

use rayon::prelude::*;
use retrial_policy::DecisionRecord;
use serde::Serialize;

use super::requests::outcome_name;
use super::runner::{StudyError, pool};
use crate::experiment::cell::Cell;
use crate::experiment::plan::Plan;
use crate::measure::decision_log::{RequestTrace, SentAttempt, TracedDecision};
use crate::measure::request_log::RequestRow;
use crate::model::run_id::RunId;

/// The point of a sweep that is traced.
const POINT: usize = 0;

/// Which requests to follow.
#[derive(Clone, Debug)]
pub struct Selection {
    /// The index of a policy; `None` for all.
    pub policy: Option<usize>,
    /// The replication.
    pub replication: u64,
    /// The client.
    pub client: Option<u32>,
    /// The request's number at its client, from 0.
    pub request: Option<u32>,
    /// How it ended, as `requests.csv` says it; `gave_up` is all three ways.
    pub outcome: Option<String>,
    /// Requests of each policy at most: the first by client and number.
    pub limit: usize,
}

/// What was found under one policy.
#[derive(Clone, Debug)]
pub struct PolicyTrace {
    /// The index of the policy.
    pub policy: usize,
    /// The requests, by client and number.
    pub requests: Vec<RequestTrace>,
    /// How many more were asked for than are shown.
    pub more: usize,
}

/// Why nothing can be shown.
#[derive(Debug)]
pub enum TraceError {
    /// No request is as asked for, and what there is.
    NoRequest(String),
    /// A run could not be made.
    Study(StudyError),
}

impl fmt::Display for TraceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TraceError::NoRequest(what) => f.write_str(what),
            TraceError::Study(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for TraceError {}

impl From<StudyError> for TraceError {
    fn from(error: StudyError) -> Self {
        TraceError::Study(error)
    }
}

/// Follows the selected requests of each selected policy, on so many threads, 0 for all cores.
///
/// # Errors
///
/// No request was selected under any policy, or a run stands still.
pub fn trace(
    plan: &Plan,
    selection: &Selection,
    threads: usize,
) -> Result<Vec<PolicyTrace>, TraceError> {
    let of_policy =
        |cell: &&Cell| selection.policy.is_none_or(|policy| policy == cell.policy_index);
    let cells: Vec<_> =
        plan.cells.iter().filter(|cell| cell.point_index == POINT).filter(of_policy).collect();
    if let (Some(client), Some(cell)) = (selection.client, cells.first()) {
        let clients = cell.scenario.clients();
        if u64::from(client) >= clients {
            let last = clients.saturating_sub(1);
            let message = format!("there is no client {client}: they are numbered 0 to {last}");
            return Err(TraceError::NoRequest(message));
        }
    }
    let found: Vec<Found> = pool(threads)?.install(|| {
        let found = cells.par_iter().map(|cell| trace_cell(plan, cell, selection));
        found.collect::<Result<_, StudyError>>()
    })?;
    let (traces, rows): (Vec<_>, Vec<_>) = found.into_iter().unzip();
    if traces.iter().all(|trace: &PolicyTrace| trace.requests.is_empty()) {
        return Err(TraceError::NoRequest(what_there_is(plan, selection, &traces, &rows)));
    }
    Ok(traces)
}

type Found = (PolicyTrace, Vec<RequestRow>);

fn trace_cell(plan: &Plan, cell: &Cell, selection: &Selection) -> Result<Found, StudyError> {
    let run = RunId { seed: plan.seed, replication: selection.replication };
    let policy = cell.policy_index;
    let endless =
        |instant| StudyError::Endless { policy: plan.policies[policy].clone(), run, instant };
    let rows = cell.log_requests(run).map_err(endless)?;
    let wanted: Vec<_> = rows.iter().filter(|row| selection.wants(row)).collect();
    let shown = wanted.len().min(selection.limit);
    let chosen: BTreeSet<_> = wanted[..shown].iter().map(|row| (row.client, row.request)).collect();
    let more = wanted.len() - shown;
    if chosen.is_empty() {
        return Ok((PolicyTrace { policy, requests: Vec::new(), more }, rows));
    }
    let requests = cell.log_decisions(run, &chosen).map_err(endless)?;
    Ok((PolicyTrace { policy, requests, more }, Vec::new()))
}

impl Selection {
    fn wants(&self, row: &RequestRow) -> bool {
        let outcome = outcome_name(row);
        self.client.is_none_or(|client| client == row.client)
            && self.request.is_none_or(|request| request == row.request)
            && self.outcome.as_deref().is_none_or(|wanted| {
                wanted == outcome || wanted == "gave_up" && outcome.starts_with("gave_up_")
            })
    }
}

/// Names what a selection without a match could have asked for.
fn what_there_is(
    plan: &Plan,
    selection: &Selection,
    traces: &[PolicyTrace],
    rows: &[Vec<RequestRow>],
) -> String {
    let mut asked = String::from("no request");
    if let Some(request) = selection.request {
        asked = format!("no request {request}");
    }
    if let Some(client) = selection.client {
        asked.push_str(&format!(" of client {client}"));
    }
    if let Some(outcome) = &selection.outcome {
        asked.push_str(&format!(" that ended as {outcome}"));
    }
    let mut lines = vec![format!("there is {asked} in replication {}", selection.replication)];
    for (trace, rows) in traces.iter().zip(rows) {
        let mut numbers = BTreeSet::new();
        let mut outcomes = BTreeMap::<_, u64>::new();
        for row in rows.iter().filter(|row| selection.client.is_none_or(|c| c == row.client)) {
            numbers.insert(row.request);
            *outcomes.entry(outcome_name(row)).or_default() += 1;
        }
        let name = &plan.policies[trace.policy];
        lines.push(match (numbers.first(), numbers.last()) {
            (Some(first), Some(last)) => {
                let outcomes = outcomes.iter().map(|(name, count)| format!("{count} {name}"));
                let outcomes = outcomes.collect::<Vec<_>>().join(", ");
                format!("under `{name}` requests are numbered {first} to {last}: {outcomes}")
            }
            _ => format!("under `{name}` there are none"),
        });
    }
    lines.join("\n  ")
}

impl<'a> Line<'a> {
    pub(super) fn of(
        policy: &'a str,
        request: &'a RequestTrace,
        decision: &'a TracedDecision,
    ) -> Self {
        let TracedDecision { at, depth, record, .. } = decision;
        Line {
            record: record.get(),
            policy,
            client: request.id.client,
            request: request.id.request,
            layer: depth + 1,
            sent_ms: request.attempt_before(decision).map(|attempt| ms(attempt.sent)),
            at_ms: ms(*at),
        }
    }
}

/// A line of JSON: the fields of the record in their order, and after them where and when it was
/// made.
#[derive(Serialize)]
pub(super) struct Line<'a> {
    #[serde(flatten)]
    record: DecisionRecord<'a>,
    policy: &'a str,
    client: u32,
    /// Its number at its client, from 0.
    request: u32,
    /// The layer that decided, from 1, the outermost, as in `layers.csv`.
    layer: usize,
    /// When the attempt had been sent; null if none was.
    sent_ms: Option<f64>,
    /// When the decision was made.
    at_ms: f64,
}

/// A line of JSON for each decision, policy by policy and request by request.
///
/// # Errors
///
/// None in practice: writing into memory.
pub fn ndjson(plan: &Plan, traces: &[PolicyTrace]) -> io::Result<Vec<u8>> {
    let mut out = Vec::new();
    for PolicyTrace { policy, requests, .. } in traces {
        for request in requests {
            for decision in &request.decisions {
                let line = Line::of(&plan.policies[*policy], request, decision);
                serde_json::to_writer(&mut out, &line)?;
                writeln!(out)?;
            }
        }
    }
    Ok(out)
}

impl RequestTrace {
    /// The attempt whose end led to `decision`; `None` if none had been sent.
    pub fn attempt_before(&self, decision: &TracedDecision) -> Option<&SentAttempt> {
        let of = |attempt: &&SentAttempt| attempt.number == decision.attempt;
        decision.record.get().sent.then(|| self.attempts.iter().find(of)).flatten()
    }
}

fn ms(at: retrial_policy::Instant) -> f64 {
    at.as_nanos() as f64 / 1e6
}
