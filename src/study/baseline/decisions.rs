//! All decisions of a run in the order of time, and the first of them, which a baseline keeps.

use std::collections::BTreeSet;
use std::io::{self, Write};

use serde_json::Value;

use crate::experiment::cell::Cell;
use crate::experiment::plan::Plan;
use crate::measure::decision_log::{RequestTrace, TracedDecision};
use crate::model::run_id::RunId;
use crate::study::runner::StudyError;
use crate::study::trace::Line;

/// The file of a baseline that keeps the first decision records of replication 0 of each policy at
/// the first point.
pub const FILE: &str = "decisions.ndjson";

/// The bytes that the file may have at most, the policies sharing them alike: a baseline is
/// committed, and the first difference is mostly an early one.
const MOST_BYTES: usize = 56_000;

/// Decisions in the order of time, those of one instant by client and request.
#[derive(Debug)]
pub struct Decisions {
    policy: String,
    requests: Vec<RequestTrace>,
    /// Indices of the request and of the decision about it.
    order: Vec<(usize, usize)>,
}

impl Decisions {
    /// Runs a replication of a cell and lists its decisions.
    ///
    /// # Errors
    ///
    /// The run stands still.
    pub fn of(plan: &Plan, cell: &Cell, replication: u64) -> Result<Self, StudyError> {
        let run = RunId { seed: plan.seed, replication };
        let policy = plan.policies[cell.policy_index].clone();
        let endless = |instant| StudyError::Endless { policy: policy.clone(), run, instant };
        let rows = cell.log_requests(run).map_err(endless)?;
        let all: BTreeSet<_> = rows.iter().map(|row| (row.client, row.request)).collect();
        let requests = cell.log_decisions(run, &all).map_err(endless)?;
        let each = requests.iter().enumerate();
        let mut order: Vec<_> = each
            .flat_map(|(index, request)| (0..request.decisions.len()).map(move |at| (index, at)))
            .collect();
        // Requests come by client and number, and a stable sort leaves them so.
        order.sort_by_key(|(request, decision)| requests[*request].decisions[*decision].at);
        Ok(Decisions { policy, requests, order })
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    fn line(&self, index: usize) -> Option<Line<'_>> {
        let (request, decision) = *self.order.get(index)?;
        let request = &self.requests[request];
        let decision: &TracedDecision = &request.decisions[decision];
        Some(Line::of(&self.policy, request, decision))
    }

    /// A record as JSON; `None` past the end.
    pub fn record(&self, index: usize) -> Option<Value> {
        self.line(index).and_then(|line| serde_json::to_value(line).ok())
    }
}

/// What a baseline keeps of a study's decisions: a line of JSON each.
///
/// # Errors
///
/// A run stands still.
pub fn first_decisions(plan: &Plan) -> Result<Vec<u8>, StudyError> {
    let cells: Vec<_> = plan.cells.iter().filter(|cell| cell.point_index == 0).collect();
    let share = MOST_BYTES / cells.len().max(1);
    let mut out = Vec::new();
    for cell in cells {
        let decisions = Decisions::of(plan, cell, 0)?;
        let mut left = share;
        for index in 0..decisions.len() {
            let line = decisions.line(index).and_then(|line| serde_json::to_vec(&line).ok());
            let Some(line) = line.filter(|line| line.len() < left) else { break };
            left -= line.len() + 1;
            let written: io::Result<()> = out.write_all(&line).and_then(|()| out.write_all(b"\n"));
            written.map_err(|error| StudyError::Write(FILE.into(), error))?;
        }
    }
    Ok(out)
}

/// The kept records of a policy, in the order of the file.
///
/// # Errors
///
/// A line that is not JSON, with its number.
pub fn kept_decisions(text: &str, policy: &str) -> Result<Vec<Value>, String> {
    let mut records = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let record: Value = serde_json::from_str(line)
            .map_err(|error| format!("{FILE}, line {number}: {error}"))?;
        if record["policy"] == policy {
            records.push(record);
        }
    }
    Ok(records)
}
