//! [`Endings`]: the ends without an answer, each kind counted, in fixed memory.

use alloc::vec::Vec;
use core::fmt;

use super::label::Label;
use crate::class::Class;
use crate::record::DecisionRecord;
use crate::stop::{Stop, StopReason};
use crate::terminal_outcome::TerminalOutcome;

/// A kind of end without an answer, and how often it came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    /// The route of the last attempt.
    pub route: Label,
    /// What its outcome meant.
    pub class: Class,
    /// The provider's code.
    pub code: Option<Label>,
    /// How the request ended.
    pub outcome: TerminalOutcome,
    /// The HTTP status that came last.
    pub status: Option<u16>,
    /// Why nothing more was tried, the last time.
    pub stop: Stop,
    /// How often.
    pub count: u64,
    /// Requests among them whose class calls for a retry and that the policy's rules let make none.
    pub unretried: u64,
    /// Nobody has been told yet that it came often.
    pub(super) due: bool,
}

impl Ending {
    fn of(record: &DecisionRecord<'_>, outcome: TerminalOutcome, stop: Stop) -> Self {
        Ending {
            route: Label::new(record.route),
            class: record.class,
            code: record.code.map(Label::new),
            outcome,
            status: record.status,
            stop,
            count: 0,
            unretried: 0,
            due: false,
        }
    }

    fn is_of(&self, record: &DecisionRecord<'_>, outcome: TerminalOutcome) -> bool {
        self.class == record.class
            && self.outcome == outcome
            && self.route.is_of(record.route)
            && match (&self.code, record.code) {
                (None, None) => true,
                (Some(own), Some(code)) => own.is_of(code),
                _ => false,
            }
    }

    fn is_same(&self, other: &Ending) -> bool {
        (self.class, self.outcome, self.route, self.code)
            == (other.class, other.outcome, other.route, other.code)
    }
}

impl fmt::Display for Ending {
    /// Class, code and status, and the route: `exhausted/insufficient_quota (status 429) on route
    /// primary`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.class.as_str())?;
        if let Some(code) = self.code {
            write!(f, "/{code}")?;
        }
        if let Some(status) = self.status {
            write!(f, " (status {status})")?;
        }
        write!(f, " on route {}", self.route)
    }
}

/// The most frequent kinds of end: at most sixteen at a time. A further one takes the place of a
/// rare one, so that codes nobody has seen before can't grow the memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Endings {
    kinds: Vec<Ending>,
    /// Where to look first for a place to take.
    hand: usize,
    /// Ends of kinds that have lost their place.
    pub others: u64,
}

/// Kinds kept at most.
const KINDS: usize = 16;

impl Endings {
    /// None yet, with memory for all kinds.
    pub fn with_capacity() -> Self {
        Endings { kinds: Vec::with_capacity(KINDS), ..Endings::default() }
    }

    /// The kinds, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = &Ending> {
        self.kinds.iter()
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut Ending> {
        self.kinds.iter_mut()
    }

    /// Forgets all, but keeps the memory.
    pub(super) fn clear(&mut self) {
        self.kinds.clear();
        (self.hand, self.others) = (0, 0);
    }

    /// Counts the end that `record` tells of; gives its kind if it is one without an answer.
    pub(super) fn count(&mut self, record: &DecisionRecord<'_>) -> Option<&mut Ending> {
        let (outcome, stop) = (record.terminal_outcome?, record.stop?);
        let known = self.kinds.iter().position(|kind| kind.is_of(record, outcome));
        let index = match known {
            Some(index) => index,
            None => self.place(Ending::of(record, outcome, stop)),
        };
        let kind = &mut self.kinds[index];
        (kind.status, kind.stop) = (record.status, stop);
        kind.count += 1;
        kind.unretried += u64::from(is_unretried(record, stop));
        Some(kind)
    }

    /// Adds the counts of other ends.
    pub(super) fn add(&mut self, other: &Endings) {
        self.others += other.others;
        for more in &other.kinds {
            let known = self.kinds.iter().position(|kind| kind.is_same(more));
            let fresh = Ending { count: 0, unretried: 0, ..*more };
            let index = known.unwrap_or_else(|| self.place(fresh));
            self.kinds[index].count += more.count;
            self.kinds[index].unretried += more.unretried;
        }
    }

    /// A place for a new kind: a free one, or that of a rarest one, each in turn.
    fn place(&mut self, ending: Ending) -> usize {
        if self.kinds.len() < KINDS {
            self.kinds.push(ending);
            return self.kinds.len() - 1;
        }
        let turn = |index: &usize| (index + KINDS - self.hand) % KINDS;
        let rarest = (0..KINDS).min_by_key(|index| (self.kinds[*index].count, turn(index)));
        // There is always one of sixteen.
        let index = rarest.unwrap_or(0);
        self.hand = (index + 1) % KINDS;
        self.others += self.kinds[index].count;
        self.kinds[index] = ending;
        index
    }
}

/// Whether a failure that its class would have repeated was not, for a reason of configuration: the
/// policy's list lacks it, or it says nothing about replay.
fn is_unretried(record: &DecisionRecord<'_>, stop: Stop) -> bool {
    let by_rule = match stop.reason {
        StopReason::NotRetryable | StopReason::NotReplayable => true,
        StopReason::BoundReached
        | StopReason::AttemptsExhausted
        | StopReason::DeadlineExceeded { .. }
        | StopReason::BudgetDenied
        | StopReason::ServerForbade
        | StopReason::HintOverCap { .. }
        | StopReason::PartialResponse => false,
    };
    let calls_for_retry = match record.class {
        Class::Transient | Class::Throttled => true,
        Class::Ok
        | Class::Exhausted
        | Class::InvalidRequest
        | Class::Auth
        | Class::TooLarge
        | Class::Content
        | Class::Conflict
        | Class::OutcomeUnknown
        | Class::Unknown => false,
    };
    by_rule && calls_for_retry && record.attempts_on_wire <= 1
}
