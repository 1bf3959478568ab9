//! [`Counters`]: how requests ended, and attempts by the path that led to them.

use crate::branch::Branch;
use crate::observer::Observer;
use crate::record::DecisionRecord;
use crate::terminal_outcome::TerminalOutcome;

/// Requests that have ended, by how, and attempts by branch. The five counts of requests add up to
/// [`Counters::requests`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Succeeded with one attempt.
    pub first_try_succeeded: u64,
    /// Succeeded with more.
    pub retried_succeeded: u64,
    /// Gave up with more than one attempt.
    pub retried_gave_up: u64,
    /// Stopped: a failure that must not be repeated.
    pub fixed_no_retry: u64,
    /// The rest: reconciled, and given up before a second attempt.
    pub ended_otherwise: u64,
    attempts: [u64; Branch::ALL.len()],
}

impl Counters {
    /// Requests that have ended.
    pub const fn requests(&self) -> u64 {
        self.first_try_succeeded
            + self.retried_succeeded
            + self.retried_gave_up
            + self.fixed_no_retry
            + self.ended_otherwise
    }

    /// Attempts of this branch that have ended, as the outermost layer of the policy makes them.
    pub const fn attempts(&self, branch: Branch) -> u64 {
        self.attempts[branch as usize]
    }
}

impl Observer for Counters {
    fn decided(&mut self, record: &DecisionRecord<'_>) {
        self.attempts[record.branch as usize] += u64::from(record.sent);
        let Some(outcome) = record.terminal_outcome else { return };
        let retried = record.attempts_on_wire > 1;
        let count = match outcome {
            TerminalOutcome::Succeeded if retried => &mut self.retried_succeeded,
            TerminalOutcome::Succeeded => &mut self.first_try_succeeded,
            TerminalOutcome::Stopped => &mut self.fixed_no_retry,
            TerminalOutcome::GaveUpAttempts
            | TerminalOutcome::GaveUpDeadline
            | TerminalOutcome::GaveUpBudget
                if retried =>
            {
                &mut self.retried_gave_up
            }
            TerminalOutcome::GaveUpAttempts
            | TerminalOutcome::GaveUpDeadline
            | TerminalOutcome::GaveUpBudget
            | TerminalOutcome::Reconciled => &mut self.ended_otherwise,
        };
        *count += 1;
    }

    fn decided_in_layer(&mut self, depth: usize, record: &DecisionRecord<'_>) {
        if depth == 0 {
            self.decided(record);
        }
    }
}
