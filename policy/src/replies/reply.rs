//! [`Reply`]: what came back on the wire.

use alloc::string::String;
use alloc::vec::Vec;

use crate::outcome::{Progress, Signal};
use crate::stream::{StreamEnd, StreamGuard, StreamOutcome};
use crate::wait::UnixTime;

/// What came back on the wire for one attempt, or the way in which nothing did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    ending: Ending,
    headers: Vec<(String, String)>,
    body: String,
    received: Option<UnixTime>,
}

/// How the exchange ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// A whole response.
    Response(u16),
    /// A stream that began with this status.
    Stream {
        status: u16,
        end: StreamEnd,
        /// Content had reached the caller.
        content_started: bool,
        /// Why it ended, if it was complete.
        stop_reasons: Vec<String>,
    },
    /// No response.
    Transport(Signal, Progress),
}

impl Reply {
    /// A whole response: its HTTP status, headers in any case, and body.
    pub fn response(
        status: u16,
        headers: impl IntoIterator<Item = (String, String)>,
        body: String,
    ) -> Reply {
        Reply::ended(Ending::Response(status), headers.into_iter().collect(), body)
    }

    /// A response in events, which began with this status and these headers, and how a
    /// [`StreamGuard`](crate::stream::StreamGuard) says that it ended.
    pub fn stream(
        status: u16,
        headers: impl IntoIterator<Item = (String, String)>,
        outcome: StreamOutcome,
    ) -> Reply {
        let StreamOutcome { end, content_started, stop_reasons, headers: frame, data } = outcome;
        let headers = headers.into_iter().chain(frame).collect();
        Reply::ended(Ending::Stream { status, end, content_started, stop_reasons }, headers, data)
    }

    /// A response whose body was read as a stream: its bytes as they came. They may be no stream at
    /// all: a failure has a body, and Gemini sends a list of chunks where no events are asked for.
    pub fn transcript(
        status: u16,
        headers: impl IntoIterator<Item = (String, String)>,
        bytes: &[u8],
    ) -> Reply {
        let text = String::from_utf8_lossy(bytes);
        let start = text.trim_start_matches('\u{feff}').trim_start();
        let is_whole = || serde_json::from_str::<serde::de::IgnoredAny>(start).is_ok();
        if !(200..=299).contains(&status) || start.starts_with('<') {
            return Reply::response(status, headers, text.into_owned());
        }
        if start.starts_with('[') {
            if is_whole() {
                return Reply::response(status, headers, text.into_owned());
            }
            // The list was cut off, and what is there of it was handed on.
            let outcome = StreamOutcome {
                end: StreamEnd::Truncated,
                content_started: true,
                stop_reasons: Vec::new(),
                headers: Vec::new(),
                data: String::new(),
            };
            return Reply::stream(status, headers, outcome);
        }
        let mut guard = StreamGuard::detect();
        guard.feed(bytes);
        let outcome = guard.finish();
        let has_events = outcome.end != StreamEnd::Truncated || outcome.content_started;
        match has_events || !is_whole() {
            true => Reply::stream(status, headers, outcome),
            false => Reply::response(status, headers, text.into_owned()),
        }
    }

    /// No response: the way in which there was none, and whether the request had left.
    pub fn transport(signal: Signal, progress: Progress) -> Reply {
        Reply::ended(Ending::Transport(signal, progress), Vec::new(), String::new())
    }

    pub(super) fn ended(ending: Ending, headers: Vec<(String, String)>, body: String) -> Reply {
        Reply { ending, headers, body, received: None }
    }

    /// With the time at which it came, for waits given as dates by a server that does not say
    /// what time it is.
    #[must_use]
    pub fn received_at(mut self, time: UnixTime) -> Reply {
        self.received = Some(time);
        self
    }

    pub(crate) fn ending(&self) -> &Ending {
        &self.ending
    }

    pub(crate) fn received(&self) -> Option<UnixTime> {
        self.received
    }

    /// The HTTP status; `None` if there was no response.
    pub fn status(&self) -> Option<u16> {
        match self.ending {
            Ending::Response(status) | Ending::Stream { status, .. } => Some(status),
            Ending::Transport(..) => None,
        }
    }

    /// The headers as sent.
    pub fn headers(&self) -> &[(String, String)] {
        &self.headers
    }

    /// The value of the first header with this name, in any case, without the space around it.
    pub fn header(&self, name: &str) -> Option<&str> {
        header_in(&self.headers, name)
    }

    /// The body; of a stream, the data of the event that decided how it ended.
    pub fn body(&self) -> &str {
        &self.body
    }

    /// Whether the response came in events.
    pub fn is_stream(&self) -> bool {
        match self.ending {
            Ending::Stream { .. } => true,
            Ending::Response(_) | Ending::Transport(..) => false,
        }
    }
}

/// As [`Reply::header`], in some of them.
pub(crate) fn header_in<'h>(headers: &'h [(String, String)], name: &str) -> Option<&'h str> {
    let found = headers.iter().find(|(given, _)| given.eq_ignore_ascii_case(name));
    found.map(|(_, value)| value.trim())
}
