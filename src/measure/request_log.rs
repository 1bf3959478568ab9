//! A row for each logical request: what became of it.

use std::collections::BTreeMap;

use retrial_policy::{Branch, CallKey, Class, Instant, TerminalOutcome};

use crate::engine::storm_guard::EndlessInstant;
use crate::model::layers_on_trial::LayersOnTrial;
use crate::model::listen::listen;
use crate::model::probe::{AttemptId, End, Probe, RequestId};
use crate::model::run_id::RunId;
use crate::model::scenario::Scenario;

/// What became of a logical request.
#[derive(Clone, Debug, PartialEq)]
pub struct RequestRow {
    /// Its key, from which all its jitter comes.
    pub key: CallKey,
    /// Its client.
    pub client: u32,
    /// Its number at its client, from 0.
    pub request: u32,
    /// When it was to begin.
    pub start: Instant,
    /// Attempts made.
    pub attempts: u32,
    /// How it ended; `None` if it had not when the run was over.
    pub end: Option<RequestEnd>,
}

/// The end of a logical request.
#[derive(Clone, Debug, PartialEq)]
pub struct RequestEnd {
    /// When.
    pub at: Instant,
    /// How.
    pub outcome: TerminalOutcome,
    /// What the last outcome meant.
    pub class: Class,
    /// Its status, if there was a response.
    pub status: Option<u16>,
    /// The provider's error code.
    pub code: Option<String>,
    /// The provider's request id.
    pub request_id: Option<String>,
}

/// Runs `scenario` once and lists its requests, by client and in the order of their beginning.
///
/// # Errors
///
/// Time stands still: retries without delay or bound.
pub fn log_requests(
    scenario: &Scenario,
    subjects: &[LayersOnTrial<'_>],
    run: RunId,
) -> Result<Vec<RequestRow>, EndlessInstant> {
    let mut log = RequestLog { run, warmup: scenario.warmup, rows: BTreeMap::new() };
    listen(scenario, subjects, run, &mut log)?;
    Ok(log.rows.into_values().collect())
}

struct RequestLog {
    run: RunId,
    warmup: Instant,
    rows: BTreeMap<(u32, u32), RequestRow>,
}

impl RequestLog {
    fn row(&mut self, id: RequestId) -> Option<&mut RequestRow> {
        self.rows.get_mut(&(id.client, id.request))
    }
}

impl Probe for RequestLog {
    fn began(&mut self, _at: Instant, id: RequestId) {
        if id.planned < self.warmup {
            return;
        }
        let RunId { seed, replication } = self.run;
        let key = CallKey::derive(seed, replication, id.client.into(), id.request.into());
        let RequestId { client, request, planned: start } = id;
        let row = RequestRow { key, client, request, start, attempts: 0, end: None };
        self.rows.insert((client, request), row);
    }

    fn counted(&mut self, _at: Instant, id: AttemptId, _branch: Branch) {
        if let Some(row) = self.row(id.of) {
            row.attempts += 1;
        }
    }

    fn ended(&mut self, at: Instant, id: AttemptId, end: &End<'_>) {
        if let Some(row) = self.row(id.of) {
            let last = end.last;
            row.end = Some(RequestEnd {
                at,
                outcome: end.outcome,
                class: end.class,
                status: last.and_then(|outcome| outcome.status()),
                code: last.and_then(|outcome| outcome.code.map(str::to_string)),
                request_id: last.and_then(|outcome| outcome.request_id.map(str::to_string)),
            });
        }
    }
}
