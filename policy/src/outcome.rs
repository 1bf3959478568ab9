//! What came back from one attempt, as the driver saw it.

use crate::retry_after::Hint;

/// How an attempt ended on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Signal {
    /// A response with this HTTP status.
    Response(u16),
    /// No connection was made: name resolution, refusal, or a failed handshake.
    ConnectError,
    /// The attempt's own timeout ran out first.
    AttemptTimeout,
    /// The connection broke after it was made.
    ConnectionReset,
    /// An error event inside a response that had begun with a success status.
    StreamError,
    /// A stream that ended without its terminal event.
    StreamTruncated,
    /// The turn was paused by the server and expects to be continued (`pause_turn`).
    TurnPaused,
    /// The budget did not let the attempt leave ([`Attempt::refused`](crate::Attempt::refused)).
    NotAdmitted,
}

/// How far an attempt had come when it ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Progress {
    /// The request had not left: the attempt cannot have had an effect.
    NotSent,
    /// The request was sent, or may have been.
    #[default]
    Sent,
    /// Part of the response had reached the caller.
    PartialResponse,
}

/// The outcome of one attempt. Borrows what the response carried; holds no body and no secret.
#[derive(Clone, Copy, Debug)]
pub struct Outcome<'a> {
    /// How it ended.
    pub signal: Signal,
    /// How far it had come.
    pub progress: Progress,
    /// The provider's error code or type, innermost first, if the body named one.
    pub code: Option<&'a str>,
    /// When the server asked to be called again, if it said so in any spelling.
    pub hint: Option<Hint>,
    /// The server forbade a retry (`x-should-retry: false` and its kin).
    pub vetoed: bool,
    /// The server invited a retry (`x-should-retry: true` and its kin).
    pub granted: bool,
    /// The provider's request id.
    pub request_id: Option<&'a str>,
    /// The parameter that the provider rejected, if it named one.
    pub rejected_param: Option<&'a str>,
    /// The model that was asked.
    pub model: Option<&'a str>,
}

impl<'a> Outcome<'a> {
    /// An outcome with nothing but a signal; what ended with a [`Signal::ConnectError`] or
    /// [`Signal::NotAdmitted`] was not sent.
    pub const fn new(signal: Signal) -> Self {
        let progress = match signal {
            Signal::ConnectError | Signal::NotAdmitted => Progress::NotSent,
            _ => Progress::Sent,
        };
        Outcome {
            signal,
            progress,
            code: None,
            hint: None,
            vetoed: false,
            granted: false,
            request_id: None,
            rejected_param: None,
            model: None,
        }
    }

    /// A response with this HTTP status.
    pub const fn response(status: u16) -> Self {
        Outcome::new(Signal::Response(status))
    }

    /// With the provider's error code.
    #[must_use]
    pub const fn with_code(mut self, code: &'a str) -> Self {
        self.code = Some(code);
        self
    }

    /// With a wait hint.
    #[must_use]
    pub const fn with_hint(mut self, hint: Hint) -> Self {
        self.hint = Some(hint);
        self
    }

    /// With the progress of the attempt.
    #[must_use]
    pub const fn with_progress(mut self, progress: Progress) -> Self {
        self.progress = progress;
        self
    }

    /// With the server's veto.
    #[must_use]
    pub const fn with_veto(mut self) -> Self {
        self.vetoed = true;
        self
    }

    /// With the server's invitation to retry.
    #[must_use]
    pub const fn with_grant(mut self) -> Self {
        self.granted = true;
        self
    }

    /// With the provider's request id.
    #[must_use]
    pub const fn with_request_id(mut self, id: &'a str) -> Self {
        self.request_id = Some(id);
        self
    }

    /// The HTTP status, if there was a response.
    pub const fn status(&self) -> Option<u16> {
        match self.signal {
            Signal::Response(status) => Some(status),
            _ => None,
        }
    }
}
