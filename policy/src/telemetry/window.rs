//! [`Window`]: what is counted in a span of time.

use super::endings::{Ending, Endings};
use crate::branch::Branch;
use crate::decision::Action;
use crate::record::DecisionRecord;
use crate::terminal_outcome::TerminalOutcome;

/// Counts of a span of time. The order of its records does not matter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Window {
    /// Requests that ended.
    pub requests: u64,
    /// Requests that succeeded.
    pub succeeded: u64,
    /// Requests that gave up because all attempts were made, of which there had been several.
    pub at_cap: u64,
    /// Requests that stopped on a failure that must not be repeated.
    pub stopped: u64,
    /// Fallbacks granted.
    pub fallbacks: u64,
    /// Attempts that ended.
    pub attempts: u64,
    /// First tries among them.
    pub first_tries: u64,
    /// The ends without an answer, by kind.
    pub endings: Endings,
}

impl Window {
    /// Nothing yet, with memory for all that may come.
    pub fn with_capacity() -> Self {
        Window { endings: Endings::with_capacity(), ..Window::default() }
    }

    /// Counts a decision of the outermost layer, and gives the kind of end that it is.
    pub fn count(&mut self, record: &DecisionRecord<'_>) -> Option<&Ending> {
        self.counted(record).map(|kind| &*kind)
    }

    pub(super) fn counted(&mut self, record: &DecisionRecord<'_>) -> Option<&mut Ending> {
        if record.sent {
            self.attempts += 1;
            self.first_tries += u64::from(record.branch == Branch::FirstTry);
        }
        self.fallbacks += u64::from(record.action == Action::Fallback);
        let outcome = record.terminal_outcome?;
        self.requests += 1;
        match outcome {
            TerminalOutcome::Succeeded => self.succeeded += 1,
            TerminalOutcome::Stopped => self.stopped += 1,
            TerminalOutcome::GaveUpAttempts => {
                self.at_cap += u64::from(record.attempts_on_wire > 1);
            }
            TerminalOutcome::GaveUpDeadline
            | TerminalOutcome::GaveUpBudget
            | TerminalOutcome::Reconciled => {}
        }
        self.endings.count(record)
    }

    /// Adds the counts of another window.
    pub fn add(&mut self, other: &Window) {
        self.requests += other.requests;
        self.succeeded += other.succeeded;
        self.at_cap += other.at_cap;
        self.stopped += other.stopped;
        self.fallbacks += other.fallbacks;
        self.attempts += other.attempts;
        self.first_tries += other.first_tries;
        self.endings.add(&other.endings);
    }

    /// The most frequent end of this outcome; among equals the one seen first.
    pub fn most_frequent(&self, outcome: TerminalOutcome) -> Option<&Ending> {
        let of_outcome = self.endings.iter().filter(|kind| kind.outcome == outcome);
        of_outcome.reduce(|most, kind| if kind.count > most.count { kind } else { most })
    }

    /// Forgets all, but keeps the memory.
    pub(super) fn clear(&mut self) {
        let mut endings = core::mem::take(&mut self.endings);
        endings.clear();
        *self = Window { endings, ..Window::default() };
    }
}
