//! [`Reading`]: an outcome that owns what it names.

use alloc::string::String;

use crate::outcome::{Outcome, Progress, Signal};
use crate::retry_after::Hint;

/// What was read out of a [`Reply`](super::Reply). No body, no secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// How the attempt ended.
    pub signal: Signal,
    /// How far it had come.
    pub progress: Progress,
    /// The provider's error code or type, the most specific one.
    pub code: Option<String>,
    /// When the server asked to be called again.
    pub hint: Option<Hint>,
    /// The server forbade a retry.
    pub vetoed: bool,
    /// The server invited a retry.
    pub granted: bool,
    /// The provider's request id.
    pub request_id: Option<String>,
    /// The parameter that the provider rejected.
    pub rejected_param: Option<String>,
}

impl Reading {
    /// What a bare `signal` says: nothing beside itself. A connection that was not made sent
    /// nothing.
    pub fn of(signal: Signal) -> Self {
        Reading {
            signal,
            progress: Outcome::new(signal).progress,
            code: None,
            hint: None,
            vetoed: false,
            granted: false,
            request_id: None,
            rejected_param: None,
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
