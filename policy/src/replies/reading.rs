//! [`Reading`]: what was read out of a reply, owned.

use alloc::string::String;
use alloc::vec::Vec;

use crate::classify::{Classification, Classify, StatusTable};
use crate::outcome::{Outcome, Progress, Signal};
use crate::retry_after::Hint;
use crate::wait::Place;

/// What was read out of a [`Reply`](super::Reply): an outcome that owns what it names, and what it
/// means. No body, no secret.
///
/// It is its own classifier: `call.on_outcome(&policy, &reading, &reading.outcome(), …)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// How the attempt ended.
    pub signal: Signal,
    /// How far it had come.
    pub progress: Progress,
    /// What it means.
    pub classification: Classification,
    /// The code that decided, else the one that says most, or why the answer ended.
    pub code: Option<String>,
    /// The code that says most, if no table knows it; another may have decided.
    pub unknown_code: Option<String>,
    /// When to call again: what the server asked for, or the row's own wait.
    pub hint: Option<Hint>,
    /// Where that stood.
    pub wait_source: Option<WaitSource>,
    /// The server forbade a retry.
    pub vetoed: bool,
    /// The server says that a retry is worth it.
    pub granted: bool,
    /// The provider's request id.
    pub request_id: Option<String>,
    /// The parameter that the provider rejected.
    pub rejected_param: Option<String>,
    /// An answer, but cut: by the caller's own limit on its length.
    pub truncated: bool,
    /// How a stream ended.
    pub stream: Option<StreamVerdict>,
    /// The row that decided.
    pub decided_by: DecidedBy,
    /// What was seen and did not count, and why.
    pub ignored: Vec<Ignored>,
}

/// The row that decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecidedBy {
    /// The table it stands in.
    pub table: String,
    /// Its id in that table.
    pub row: String,
    /// What happened and what to change.
    pub note: String,
    /// Where that is written.
    pub source: String,
}

/// Where a wait comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WaitSource {
    /// The server asked for it, at the place of this name.
    Hint(Place, String),
    /// The row that decided.
    Row,
}

/// Something that did not count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ignored {
    /// What it is called.
    pub name: String,
    /// What it said.
    pub value: String,
    /// Why that did not count.
    pub why: String,
}

/// How a stream ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StreamVerdict {
    /// With its terminal event and an answer.
    Complete,
    /// With an error event.
    ErrorEvent,
    /// Without its terminal event.
    Truncated,
    /// With a turn to be continued.
    Paused,
    /// With a refusal of the content.
    Refused,
    /// Because the context was full.
    ContextExceeded,
    /// With its terminal event, for a reason that is a failure or that nobody knows.
    Failed,
}

impl StreamVerdict {
    /// The name used in messages.
    pub const fn as_str(self) -> &'static str {
        match self {
            StreamVerdict::Complete => "complete",
            StreamVerdict::ErrorEvent => "error_event",
            StreamVerdict::Truncated => "truncated",
            StreamVerdict::Paused => "paused",
            StreamVerdict::Refused => "refused",
            StreamVerdict::ContextExceeded => "context_exceeded",
            StreamVerdict::Failed => "failed",
        }
    }
}

impl Reading {
    /// What a bare `signal` says: nothing beside itself. A connection that was not made sent
    /// nothing.
    pub fn of(signal: Signal) -> Self {
        Reading::of_outcome(&Outcome::new(signal))
    }

    /// The same, when it is known how far the attempt had come.
    pub fn of_transport(signal: Signal, progress: Progress) -> Self {
        Reading::of_outcome(&Outcome::new(signal).with_progress(progress))
    }

    fn of_outcome(outcome: &Outcome<'_>) -> Self {
        let row = match (outcome.signal, outcome.progress) {
            (Signal::Response(_), _) => "status",
            (_, Progress::NotSent) => "not-sent",
            (_, Progress::Sent) => "sent",
            (_, Progress::PartialResponse) => "partial-response",
        };
        let table = match outcome.signal {
            Signal::Response(_) => "generic",
            _ => "transport",
        };
        Reading {
            signal: outcome.signal,
            progress: outcome.progress,
            classification: StatusTable::generic().classify(outcome),
            code: None,
            unknown_code: None,
            hint: None,
            wait_source: None,
            vetoed: false,
            granted: false,
            request_id: None,
            rejected_param: None,
            truncated: false,
            stream: None,
            decided_by: DecidedBy {
                table: table.into(),
                row: row.into(),
                note: String::new(),
                source: String::new(),
            },
            ignored: Vec::new(),
        }
    }

    /// As a call takes it.
    #[inline]
    pub fn outcome(&self) -> Outcome<'_> {
        Outcome {
            progress: self.progress,
            code: self.code.as_deref(),
            hint: self.hint,
            vetoed: self.vetoed,
            granted: self.granted,
            request_id: self.request_id.as_deref(),
            rejected_param: self.rejected_param.as_deref(),
            ..Outcome::new(self.signal)
        }
    }
}

impl Classify for Reading {
    #[inline]
    fn classify(&self, _outcome: &Outcome<'_>) -> Classification {
        self.classification
    }
}
