//! Why a call ended without an accepted answer, and whose problem that is.

use core::fmt;

use crate::class::Class;
use crate::terminal_outcome::TerminalOutcome;
use crate::time::Nanos;

/// Who can do something about a stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Owner {
    /// The code that made the request.
    Caller,
    /// Whoever owns keys and permissions.
    Credentials,
    /// Whoever owns credit, spend caps and usage limits.
    Account,
    /// Whoever runs the route, or chose it.
    Route,
}

impl Owner {
    /// The name used in messages.
    pub const fn as_str(self) -> &'static str {
        match self {
            Owner::Caller => "caller",
            Owner::Credentials => "credentials",
            Owner::Account => "account",
            Owner::Route => "route",
        }
    }
}

/// Why no further attempt was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StopReason {
    /// The class of the outcome forbids it.
    NotRetryable,
    /// The row's bound on retries is used up.
    BoundReached,
    /// All attempts were made.
    AttemptsExhausted,
    /// The wait would have ended at or past the deadline.
    DeadlineExceeded {
        /// The wait.
        needed: Nanos,
        /// What was left.
        remaining: Nanos,
    },
    /// The retry budget refused.
    BudgetDenied,
    /// The server forbade it.
    ServerForbade,
    /// The server asked for a longer wait than the policy accepts.
    HintOverCap {
        /// What it asked for.
        asked: Nanos,
        /// What the policy accepts.
        cap: Nanos,
    },
    /// Repeating might do harm: the caller must look up what happened.
    NotReplayable,
    /// Part of the answer was handed on, and there is no checkpoint to resume from.
    PartialResponse,
}

impl StopReason {
    /// The name used in records.
    pub const fn as_str(self) -> &'static str {
        match self {
            StopReason::NotRetryable => "not_retryable",
            StopReason::BoundReached => "bound_reached",
            StopReason::AttemptsExhausted => "attempts_exhausted",
            StopReason::DeadlineExceeded { .. } => "deadline_exceeded",
            StopReason::BudgetDenied => "budget_denied",
            StopReason::ServerForbade => "server_forbade",
            StopReason::HintOverCap { .. } => "hint_over_cap",
            StopReason::NotReplayable => "not_replayable",
            StopReason::PartialResponse => "partial_response",
        }
    }
}

/// The end of a call without an accepted answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Stop {
    /// What the last outcome meant.
    pub class: Class,
    /// Why nothing more was tried.
    pub reason: StopReason,
}

impl Stop {
    /// Who can do something about it.
    pub const fn owner(self) -> Owner {
        match self.class {
            Class::InvalidRequest | Class::TooLarge | Class::Content => Owner::Caller,
            Class::Auth => Owner::Credentials,
            Class::Exhausted => Owner::Account,
            Class::Ok
            | Class::Transient
            | Class::Throttled
            | Class::Conflict
            | Class::OutcomeUnknown
            | Class::Unknown => match self.reason {
                StopReason::NotReplayable | StopReason::PartialResponse => Owner::Caller,
                _ => Owner::Route,
            },
        }
    }

    /// The column of the result files that counts it.
    pub const fn terminal_outcome(self) -> TerminalOutcome {
        match self.reason {
            StopReason::AttemptsExhausted => TerminalOutcome::GaveUpAttempts,
            StopReason::DeadlineExceeded { .. } => TerminalOutcome::GaveUpDeadline,
            StopReason::BudgetDenied => TerminalOutcome::GaveUpBudget,
            StopReason::NotRetryable
            | StopReason::BoundReached
            | StopReason::ServerForbade
            | StopReason::HintOverCap { .. }
            | StopReason::NotReplayable
            | StopReason::PartialResponse => TerminalOutcome::Stopped,
        }
    }

    /// What to change so that it does not happen again.
    pub const fn advice(self) -> &'static str {
        match self.class {
            Class::InvalidRequest => "fix the request; repeating or re-routing it won't help",
            Class::Auth => "check the key and its permissions",
            Class::Exhausted => "top up the account or raise its limit",
            Class::TooLarge => "reduce the request",
            Class::Content => "change the prompt or the model",
            Class::Ok
            | Class::Transient
            | Class::Throttled
            | Class::Conflict
            | Class::OutcomeUnknown
            | Class::Unknown => match self.reason {
                StopReason::NotRetryable | StopReason::BoundReached => {
                    "look the code up and add it to the provider's table"
                }
                StopReason::AttemptsExhausted => {
                    "the route stayed unavailable: check it, or qualify a fallback"
                }
                StopReason::DeadlineExceeded { .. } => {
                    "the route stayed unavailable for the whole time allowed"
                }
                StopReason::BudgetDenied => {
                    "too many calls of this client fail at once: check the route"
                }
                StopReason::ServerForbade => "the server says that a retry won't help",
                StopReason::HintOverCap { .. } => {
                    "come back when the server said, or qualify a fallback"
                }
                StopReason::PartialResponse => {
                    "drop what was handed on, or resume it from a checkpoint"
                }
                StopReason::NotReplayable => {
                    "find out whether the call took effect; an idempotency key would make it safe"
                }
            },
        }
    }
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.class, self.reason.as_str())?;
        match self.reason {
            StopReason::DeadlineExceeded { needed, remaining } => {
                write!(f, ": a wait of {needed} with {remaining} left")
            }
            StopReason::HintOverCap { asked, cap } => {
                write!(f, ": asked to wait {asked}, accepting at most {cap}")
            }
            _ => Ok(()),
        }
    }
}
