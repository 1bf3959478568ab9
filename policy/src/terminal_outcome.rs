//! How a logical request ended.

/// How a logical request ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TerminalOutcome {
    /// With an accepted answer.
    Succeeded,
    /// A failure that must not be repeated.
    Stopped,
    /// All attempts were made.
    GaveUpAttempts,
    /// The time was over.
    GaveUpDeadline,
    /// The budget refused.
    GaveUpBudget,
    /// Handed to the caller to find out what happened.
    Reconciled,
}

impl TerminalOutcome {
    /// The name used in records and result files.
    pub const fn as_str(self) -> &'static str {
        match self {
            TerminalOutcome::Succeeded => "succeeded",
            TerminalOutcome::Stopped => "stopped",
            TerminalOutcome::GaveUpAttempts => "gave_up_attempts",
            TerminalOutcome::GaveUpDeadline => "gave_up_deadline",
            TerminalOutcome::GaveUpBudget => "gave_up_budget",
            TerminalOutcome::Reconciled => "reconciled",
        }
    }
}
