//! Every decision about chosen logical requests, with what happened between the decisions.

use std::collections::{BTreeMap, BTreeSet};

use retrial_policy::{DecisionRecord, Instant, TerminalOutcome};

use super::kept_record::KeptRecord;
use crate::engine::storm_guard::EndlessInstant;
use crate::model::layers_on_trial::LayersOnTrial;
use crate::model::listen::listen;
use crate::model::probe::{AttemptId, End, Probe, RequestId};
use crate::model::run_id::RunId;
use crate::model::scenario::Scenario;

/// A logical request by its client and its number there, from 0.
pub type RequestNumber = (u32, u32);

/// What happened to a logical request, in the order of time.
#[derive(Clone, Debug)]
pub struct RequestTrace {
    /// The request.
    pub id: RequestId,
    /// Its attempts on the wire.
    pub attempts: Vec<SentAttempt>,
    /// The decisions about it.
    pub decisions: Vec<TracedDecision>,
    /// When and how it ended; `None` if it had not when the run was over.
    pub end: Option<(Instant, TerminalOutcome)>,
}

/// An attempt on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SentAttempt {
    /// Its number, from 1.
    pub number: u32,
    /// When it left its client.
    pub sent: Instant,
    /// When its client knew the outcome; `None` if it was in flight when the run was over.
    pub ended: Option<Instant>,
}

/// A decision.
#[derive(Clone, Debug)]
pub struct TracedDecision {
    /// When it was made.
    pub at: Instant,
    /// The attempt on the wire before it; 0 if there was none.
    pub attempt: u32,
    /// The layer of the policy that decided; 0 is the outermost.
    pub depth: usize,
    /// What was decided, and why.
    pub record: KeptRecord,
}

/// Runs `scenario` once and follows the `chosen` requests; gives them by client and number.
///
/// # Errors
///
/// Time stands still: retries without delay or bound.
pub fn log_decisions(
    scenario: &Scenario,
    subjects: &[LayersOnTrial<'_>],
    run: RunId,
    chosen: &BTreeSet<RequestNumber>,
) -> Result<Vec<RequestTrace>, EndlessInstant> {
    let mut log = DecisionLog { chosen, traces: BTreeMap::new() };
    listen(scenario, subjects, run, &mut log)?;
    Ok(log.traces.into_values().collect())
}

struct DecisionLog<'a> {
    chosen: &'a BTreeSet<RequestNumber>,
    traces: BTreeMap<RequestNumber, RequestTrace>,
}

impl DecisionLog<'_> {
    fn trace(&mut self, id: RequestId) -> Option<&mut RequestTrace> {
        self.traces.get_mut(&(id.client, id.request))
    }

    fn attempt_ended(&mut self, at: Instant, id: AttemptId) {
        if let Some(attempt) = self.trace(id.of).and_then(|trace| trace.attempts.last_mut())
            && attempt.number == id.number
        {
            attempt.ended = Some(at);
        }
    }
}

impl Probe for DecisionLog<'_> {
    fn hears_decisions(&self) -> bool {
        true
    }

    fn began(&mut self, _at: Instant, id: RequestId) {
        let number = (id.client, id.request);
        if self.chosen.contains(&number) {
            let trace = RequestTrace { id, attempts: Vec::new(), decisions: Vec::new(), end: None };
            self.traces.insert(number, trace);
        }
    }

    fn sent(&mut self, at: Instant, id: AttemptId, _early: bool) {
        if let Some(trace) = self.trace(id.of) {
            trace.attempts.push(SentAttempt { number: id.number, sent: at, ended: None });
        }
    }

    fn replied(&mut self, at: Instant, id: AttemptId, _result: u16) {
        self.attempt_ended(at, id);
    }

    fn timed_out(&mut self, at: Instant, id: AttemptId) {
        self.attempt_ended(at, id);
    }

    fn decided(&mut self, at: Instant, id: AttemptId, depth: usize, record: &DecisionRecord<'_>) {
        if let Some(trace) = self.trace(id.of) {
            let record = KeptRecord::of(record);
            trace.decisions.push(TracedDecision { at, attempt: id.number, depth, record });
        }
    }

    fn ended(&mut self, at: Instant, id: AttemptId, end: &End<'_>) {
        if let Some(trace) = self.trace(id.of) {
            trace.end = Some((at, end.outcome));
        }
    }
}
