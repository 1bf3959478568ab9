//! What to do after an outcome.

use core::fmt;

use crate::branch::{Branch, RouteId};
use crate::stop::Stop;
use crate::terminal_outcome::TerminalOutcome;
use crate::time::{Instant, Nanos};

/// A further attempt: how long to wait and what it will be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wait {
    /// How long to wait; may be zero.
    pub delay: Nanos,
    /// When the wait ends: the time of the decision plus the delay.
    pub until: Instant,
    /// The number of the attempt that follows, counted from 1.
    pub attempt: u32,
    /// The route it goes to.
    pub route: RouteId,
    /// The path that leads to it.
    pub branch: Branch,
    /// What decided the delay.
    pub source: DelaySource,
}

/// What decided a delay.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DelaySource {
    /// The policy's own backoff.
    Backoff,
    /// The server.
    Hint,
    /// Nothing: the attempt leaves at once.
    None,
}

impl DelaySource {
    /// The name used in records.
    pub const fn as_str(self) -> &'static str {
        match self {
            DelaySource::Backoff => "backoff",
            DelaySource::Hint => "hint",
            DelaySource::None => "none",
        }
    }
}

/// The one thing to do. Exhaustive on purpose: a driver that forgets a case does not compile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Decision {
    /// Return the answer.
    Accept,
    /// Surface the failure.
    Stop(Stop),
    /// Send the same request to the same route after the policy's own backoff.
    RetrySameRoute(Wait),
    /// Send the same request to the same route after the wait the server asked for.
    RetryAfterHint(Wait),
    /// Reduce the request and send it once more.
    ReduceAndRetryOnce(Wait),
    /// Send the request to another, qualified route.
    Fallback(Wait),
    /// Find out what happened before anything is repeated.
    Reconcile(Stop),
    /// Continue the turn that the server paused.
    ContinueTurn(Wait),
}

impl Decision {
    /// The further attempt, if there is one.
    pub const fn wait(&self) -> Option<&Wait> {
        match self {
            Decision::RetrySameRoute(wait)
            | Decision::RetryAfterHint(wait)
            | Decision::ReduceAndRetryOnce(wait)
            | Decision::Fallback(wait)
            | Decision::ContinueTurn(wait) => Some(wait),
            Decision::Accept | Decision::Stop(_) | Decision::Reconcile(_) => None,
        }
    }

    /// The same with another wait.
    pub(crate) fn map_wait(self, change: impl FnOnce(Wait) -> Wait) -> Self {
        match self {
            Decision::RetrySameRoute(wait) => Decision::RetrySameRoute(change(wait)),
            Decision::RetryAfterHint(wait) => Decision::RetryAfterHint(change(wait)),
            Decision::ReduceAndRetryOnce(wait) => Decision::ReduceAndRetryOnce(change(wait)),
            Decision::Fallback(wait) => Decision::Fallback(change(wait)),
            Decision::ContinueTurn(wait) => Decision::ContinueTurn(change(wait)),
            Decision::Accept => Decision::Accept,
            Decision::Stop(stop) => Decision::Stop(stop),
            Decision::Reconcile(stop) => Decision::Reconcile(stop),
        }
    }

    /// How the call ended, if it did.
    pub const fn terminal_outcome(&self) -> Option<TerminalOutcome> {
        match self {
            Decision::Accept => Some(TerminalOutcome::Succeeded),
            Decision::Stop(stop) => Some(stop.terminal_outcome()),
            Decision::Reconcile(_) => Some(TerminalOutcome::Reconciled),
            Decision::RetrySameRoute(_)
            | Decision::RetryAfterHint(_)
            | Decision::ReduceAndRetryOnce(_)
            | Decision::Fallback(_)
            | Decision::ContinueTurn(_) => None,
        }
    }

    /// The action without its particulars.
    pub const fn action(&self) -> Action {
        match self {
            Decision::Accept => Action::Accept,
            Decision::Stop(_) => Action::Stop,
            Decision::RetrySameRoute(_) => Action::RetrySameRoute,
            Decision::RetryAfterHint(_) => Action::RetryAfterHint,
            Decision::ReduceAndRetryOnce(_) => Action::ReduceAndRetryOnce,
            Decision::Fallback(_) => Action::Fallback,
            Decision::Reconcile(_) => Action::Reconcile,
            Decision::ContinueTurn(_) => Action::ContinueTurn,
        }
    }
}

/// The kinds of [`Decision`], as records name them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// See [`Decision::Accept`].
    Accept,
    /// See [`Decision::Stop`].
    Stop,
    /// See [`Decision::RetrySameRoute`].
    RetrySameRoute,
    /// See [`Decision::RetryAfterHint`].
    RetryAfterHint,
    /// See [`Decision::ReduceAndRetryOnce`].
    ReduceAndRetryOnce,
    /// See [`Decision::Fallback`].
    Fallback,
    /// See [`Decision::Reconcile`].
    Reconcile,
    /// See [`Decision::ContinueTurn`].
    ContinueTurn,
}

impl Action {
    /// The name used in records.
    pub const fn as_str(self) -> &'static str {
        match self {
            Action::Accept => "accept",
            Action::Stop => "stop",
            Action::RetrySameRoute => "retry_same_route",
            Action::RetryAfterHint => "retry_after_hint",
            Action::ReduceAndRetryOnce => "reduce_and_retry_once",
            Action::Fallback => "fallback",
            Action::Reconcile => "reconcile",
            Action::ContinueTurn => "continue_turn",
        }
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
