//! How logical requests ended: two ways to count them, each of which adds up to all requests.

use retrial_policy::TerminalOutcome;

use super::metric::{Id, MetricRow};

/// How logical requests ended.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ends {
    first_try_succeeded: u64,
    retried_succeeded: u64,
    retried_gave_up: u64,
    stopped: u64,
    gave_up_attempts: u64,
    gave_up_deadline: u64,
    gave_up_budget: u64,
    reconciled: u64,
}

impl Ends {
    /// One ended; `retried` if it had made more than one attempt.
    pub fn count(&mut self, outcome: TerminalOutcome, retried: bool) {
        let (count, gave_up) = match outcome {
            TerminalOutcome::Succeeded if retried => (&mut self.retried_succeeded, false),
            TerminalOutcome::Succeeded => (&mut self.first_try_succeeded, false),
            TerminalOutcome::Stopped => (&mut self.stopped, false),
            TerminalOutcome::GaveUpAttempts => (&mut self.gave_up_attempts, true),
            TerminalOutcome::GaveUpDeadline => (&mut self.gave_up_deadline, true),
            TerminalOutcome::GaveUpBudget => (&mut self.gave_up_budget, true),
            TerminalOutcome::Reconciled => (&mut self.reconciled, false),
        };
        *count += 1;
        self.retried_gave_up += u64::from(gave_up && retried);
    }

    /// Those that ended with an accepted answer.
    pub fn succeeded(&self) -> u64 {
        self.first_try_succeeded + self.retried_succeeded
    }

    /// Fills in the counts of requests, of which so many have begun.
    pub fn fill(&self, row: &mut MetricRow, requests: u64) {
        let succeeded = self.succeeded();
        let gave_up = self.gave_up_attempts + self.gave_up_deadline + self.gave_up_budget;
        let ended = succeeded + self.stopped + gave_up + self.reconciled;
        let named = succeeded + self.retried_gave_up + self.stopped;
        for (id, count) in [
            (Id::Requests, requests),
            (Id::FirstTrySucceeded, self.first_try_succeeded),
            (Id::RetriedSucceeded, self.retried_succeeded),
            (Id::RetriedGaveUp, self.retried_gave_up),
            (Id::FixedNoRetry, self.stopped),
            (Id::EndedOtherwise, requests - named),
            (Id::Succeeded, succeeded),
            (Id::Stopped, self.stopped),
            (Id::GaveUpAttempts, self.gave_up_attempts),
            (Id::GaveUpDeadline, self.gave_up_deadline),
            (Id::GaveUpBudget, self.gave_up_budget),
            (Id::Reconciled, self.reconciled),
            (Id::Unfinished, requests - ended),
        ] {
            row.set(id, count as f64);
        }
    }
}
