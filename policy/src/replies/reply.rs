//! [`Reply`]: what came back on the wire.

use alloc::string::String;
use alloc::vec::Vec;

use serde_json::Value;

use super::{Reading, code, hint};
use crate::outcome::{Progress, Signal};

/// A longer body is not looked into: no provider's error comes near.
const LONGEST_BODY: usize = 1 << 20;

/// Headers that hold a request id: Anthropic's, OpenAI's and AWS's.
const REQUEST_IDS: [&str; 3] = ["request-id", "x-request-id", "x-amzn-requestid"];

/// What came back on the wire for one attempt, or the way in which nothing did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    ending: Ending,
    headers: Vec<(String, String)>,
    body: String,
}

/// How the exchange ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// A whole response.
    Response(u16),
    /// A stream that began with this status.
    Stream {
        status: u16,
        end: StreamEnd,
        /// Content had reached the caller.
        content_started: bool,
    },
    /// No response.
    Transport(Signal, Progress),
}

/// How a stream ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StreamEnd {
    /// With its terminal event; a refusal of the content is one too.
    Complete,
    /// With an error event.
    ErrorEvent,
    /// Without its terminal event.
    Truncated,
    /// With a turn to be continued.
    Paused,
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

    pub(super) fn ended(ending: Ending, headers: Vec<(String, String)>, body: String) -> Reply {
        Reply { ending, headers, body }
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
        let found = self.headers.iter().find(|(given, _)| given.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.trim())
    }

    /// The body; of a stream, the data of the event that decided how it ended.
    pub fn body(&self) -> &str {
        &self.body
    }

    /// Whether the response came in events.
    pub fn is_stream(&self) -> bool {
        matches!(self.ending, Ending::Stream { .. })
    }

    /// What the reply says, in the terms that a policy decides on.
    ///
    /// Reads typed fields only: no message text, no finish reason, no acceptance check of a
    /// success. A wait is read from `retry-after-ms`, `x-ms-retry-after-ms`, `x-amz-retry-after`
    /// (milliseconds), `retry-after` (seconds, whole or not) and Google's
    /// `RetryInfo.retryDelay`, in this order; a `retry-after` that holds a date is not understood
    /// and counts as absent. No body and no header makes it panic.
    pub fn read(&self) -> Reading {
        let parsed = self.parsed_body();
        let root = parsed.as_ref().map_or(&Value::Null, code::unwrapped);
        let (signal, progress) = self.signal();
        let fails = match signal {
            Signal::Response(status) => !(200..=299).contains(&status),
            signal => signal == Signal::StreamError,
        };
        let body_id = || root.get("request_id").and_then(Value::as_str);
        let request_id = REQUEST_IDS.iter().find_map(|name| self.header(name));
        Reading {
            signal,
            progress,
            code: code::of_body(root, fails).or_else(|| self.code_of_headers()).map(String::from),
            hint: self.hint_of_headers().or_else(|| hint::of_body(root)),
            vetoed: self
                .header("x-should-retry")
                .is_some_and(|answer| answer.eq_ignore_ascii_case("false")),
            granted: self
                .header("x-should-retry")
                .is_some_and(|answer| answer.eq_ignore_ascii_case("true")),
            request_id: request_id.or_else(body_id).map(String::from),
            rejected_param: code::rejected_param(root).map(String::from),
        }
    }

    fn parsed_body(&self) -> Option<Value> {
        if self.body.len() > LONGEST_BODY {
            return None;
        }
        serde_json::from_str(&self.body).ok()
    }

    fn signal(&self) -> (Signal, Progress) {
        match self.ending {
            Ending::Response(status) => (Signal::Response(status), Progress::Sent),
            Ending::Transport(signal, progress) => (signal, progress),
            Ending::Stream { status, end, content_started } => {
                let signal = match end {
                    // The whole answer is there: nothing partial about it.
                    StreamEnd::Complete => return (Signal::Response(status), Progress::Sent),
                    StreamEnd::ErrorEvent => Signal::StreamError,
                    StreamEnd::Truncated => Signal::StreamTruncated,
                    StreamEnd::Paused => Signal::TurnPaused,
                };
                let progress =
                    if content_started { Progress::PartialResponse } else { Progress::Sent };
                (signal, progress)
            }
        }
    }

    /// AWS names the error in a header, or in a header of the event frame.
    fn code_of_headers(&self) -> Option<&str> {
        let named = self.header("x-amzn-errortype").or_else(|| self.header(":exception-type"))?;
        code::typed(named.split(':').next()?)
    }

    fn hint_of_headers(&self) -> Option<crate::retry_after::Hint> {
        const IN_MILLIS: [&str; 3] = ["retry-after-ms", "x-ms-retry-after-ms", "x-amz-retry-after"];
        let in_millis = IN_MILLIS.iter().find_map(|name| hint::millis(self.header(name)?));
        in_millis.or_else(|| hint::seconds(self.header("retry-after")?))
    }
}
