//! [`Row`]: conditions on a reply, and what a reply that meets them means.

use alloc::string::String;
use alloc::vec::Vec;

use super::pattern::Pattern;
use super::phrases::PhraseId;
use crate::classify::Classification;
use crate::evidence::Place;
use crate::replies::Reply;
use crate::retry_on::StatusRange;
use crate::time::Nanos;
use crate::wait;

/// A row of a table.
#[derive(Clone, Debug)]
pub struct Row {
    pub(super) id: String,
    pub(super) line: usize,
    pub(super) when: Conditions,
    pub(super) classification: Classification,
    /// How long to wait where the server gives no hint.
    pub(super) wait: Option<Nanos>,
    pub(super) hint: HintsTaken,
    /// The turn was paused.
    pub(super) continues: bool,
    /// An answer, but cut.
    pub(super) truncated: bool,
    /// Where the body names the rejected parameter.
    pub(super) param: Option<Place>,
    pub(super) note: String,
    pub(super) source: String,
    pub(super) example: Reply,
}

/// What a reply must have to be meant. An empty list asks for nothing.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Conditions {
    pub(super) status: Vec<StatusRange>,
    pub(super) codes: Vec<Pattern>,
    pub(super) at: Option<Place>,
    pub(super) phrases: Vec<String>,
    /// The numbers of the phrases in the library.
    pub(super) phrase_ids: Vec<PhraseId>,
    pub(super) over_limit: bool,
    /// Name and text in lower case; `*` stands for any text.
    pub(super) headers: Vec<(String, String)>,
    pub(super) bodies: Vec<AnswerKind>,
    pub(super) stop_reasons: Vec<Pattern>,
}

/// What kind of answer a body is, or is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum AnswerKind {
    /// There is nothing.
    Empty,
    /// A page for people.
    Html,
    /// Neither JSON nor HTML.
    Text,
    /// JSON, but no answer of any known shape.
    NoAnswer,
}

/// Which hints count on a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HintsTaken {
    Any,
    None,
    Only(wait::Place),
}

impl HintsTaken {
    pub(super) fn takes(self, place: wait::Place) -> bool {
        match self {
            HintsTaken::Any => true,
            HintsTaken::None => false,
            HintsTaken::Only(only) => only == place,
        }
    }
}

impl Conditions {
    /// Looks at a message beside whatever else it looks at.
    pub(super) fn reads_messages(&self) -> bool {
        !self.phrases.is_empty() || self.over_limit
    }

    /// Looks at more than the status.
    pub(super) fn has_evidence(&self) -> bool {
        let named = !self.codes.is_empty() || !self.stop_reasons.is_empty();
        named || self.reads_messages() || !self.headers.is_empty() || !self.bodies.is_empty()
    }

    /// Names this very status: a range such as `5xx` does not.
    pub(super) fn names_status(&self, status: u16) -> bool {
        self.status.contains(&StatusRange::one(status))
    }

    /// Whether a failure with this status is meant. Where nobody names a status, a row with a code
    /// or a message holds whatever its own.
    pub(super) fn covers_status(&self, status: Option<u16>) -> bool {
        match status {
            Some(status) => {
                self.status.is_empty() || self.status.iter().any(|range| range.contains(status))
            }
            None => {
                let says_more = !self.codes.is_empty() || self.reads_messages();
                self.status.is_empty() || says_more
            }
        }
    }
}

impl Row {
    /// Unique in its table.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Where it stands in its file, from 1.
    pub fn line(&self) -> usize {
        self.line
    }

    /// Whether it names this code, spelled as in the table: `*PerDay*` names `*PerDay*` only.
    pub fn names_code(&self, code: &str) -> bool {
        self.when.codes.iter().any(|pattern| pattern.is_spelled(code))
    }

    /// Whether it names this reason why an answer ended, spelled as in the table.
    pub fn names_stop_reason(&self, reason: &str) -> bool {
        self.when.stop_reasons.iter().any(|pattern| pattern.is_spelled(reason))
    }

    /// What it means.
    pub fn classification(&self) -> Classification {
        self.classification
    }

    /// How long to wait where the server gives no hint.
    pub fn wait(&self) -> Option<Nanos> {
        self.wait
    }

    /// Whether the turn was paused and is to be continued.
    pub fn continues(&self) -> bool {
        self.continues
    }

    /// Whether it is an answer, but cut.
    pub fn is_truncated(&self) -> bool {
        self.truncated
    }

    /// What happened and what to change.
    pub fn note(&self) -> &str {
        &self.note
    }

    /// Where it is written.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// A reply that lands on it.
    pub fn example(&self) -> &Reply {
        &self.example
    }

    /// Whether a reply may be sent again without a change.
    pub(super) fn repeats(&self) -> bool {
        use crate::class::Class;
        use crate::classify::Bound;
        let may = match self.classification.class {
            Class::Transient
            | Class::Throttled
            | Class::Conflict
            | Class::OutcomeUnknown
            | Class::Unknown => true,
            Class::Ok
            | Class::Exhausted
            | Class::InvalidRequest
            | Class::Auth
            | Class::TooLarge
            | Class::Content => false,
        };
        may && self.classification.bound != Bound::Never
    }
}
