//! [`StreamGuard`]: follows one stream to its end.

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde_json::Value;

use super::error_event;
use super::event::Event;
use super::follower::{Follower, Protocol, Signs, kind};
use super::outcome::{StreamEnd, StreamOutcome};
use super::recognise::recognise;
use super::sse::Decoder;

/// Stop reasons that are kept: more than any provider gives choices.
const MOST_REASONS: usize = 256;

/// Follows one stream to its end: feed it everything that the stream brings, then ask.
///
/// - An event whose data is no JSON is noise, as are comments and pings: no error by itself, but a
///   stream of nothing else is truncated.
/// - The first error decides. One **after** the terminal event of a complete answer changes nothing,
///   because the whole answer is there; one between a finish reason and the terminal event is an
///   error still.
/// - An event too large to be looked at (over a mebibyte, long strings not counted) is taken for
///   content: no error is that long.
/// - A connection that breaks after everything that the protocol prescribes leaves a complete answer.
///
/// Its memory is bounded whatever is fed; no input makes it panic.
#[derive(Debug)]
pub struct StreamGuard {
    decoder: Decoder,
    reading: Reading,
}

/// What was read so far.
#[derive(Debug, Default)]
struct Reading {
    /// `None` until the protocol is recognised.
    follower: Option<Box<dyn Follower>>,
    content: bool,
    /// Events were there that no known protocol has.
    unrecognised: bool,
    broken: bool,
    stop_reasons: Vec<String>,
    /// The event with the first of them.
    stopped_by: String,
    error: Option<ErrorEvent>,
}

#[derive(Debug)]
struct ErrorEvent {
    headers: Vec<(String, String)>,
    data: String,
}

impl StreamGuard {
    /// For a stream of a known protocol.
    pub fn new(protocol: Protocol) -> Self {
        let follower = Some(protocol.follower());
        StreamGuard { decoder: Decoder::new(), reading: Reading { follower, ..Reading::default() } }
    }

    /// For a stream whose protocol is to be recognised by its first telling event. Errors are
    /// recognised before that. Until then, an event of unknown form counts as content: what may
    /// have been handed on is not to be repeated blindly.
    pub fn detect() -> Self {
        StreamGuard { decoder: Decoder::new(), reading: Reading::default() }
    }

    /// Takes bytes of Server-Sent Events or NDJSON as they come, split anywhere.
    pub fn feed(&mut self, bytes: &[u8]) {
        let reading = &mut self.reading;
        self.decoder.feed(bytes, &mut |event| reading.take(event));
    }

    /// Takes one event that something else has decoded.
    pub fn event(&mut self, event: &Event<'_>) {
        self.reading.take(event);
    }

    /// Whether something of the answer has been handed on: text, a tool's name or input, reasoning.
    /// Before it has, a failed call can be repeated as if it had failed at once.
    pub fn content_started(&self) -> bool {
        let is_unknown = self.reading.follower.is_none() && self.reading.unrecognised;
        self.reading.content || is_unknown || self.decoder.dropped() > 0
    }

    /// Whether an error or the terminal event was seen, or the connection broke. Events that only
    /// count tokens may still follow the terminal one.
    pub fn is_over(&self) -> bool {
        let is_over = self.reading.follower.as_ref().is_some_and(|follower| follower.is_over());
        is_over || self.reading.error.is_some() || self.reading.broken
    }

    /// The connection broke.
    pub fn transport_error(&mut self) {
        self.reading.broken = true;
    }

    /// The connection is closed: how the stream ended.
    pub fn finish(mut self) -> StreamOutcome {
        let reading = &mut self.reading;
        self.decoder.end(&mut |event| reading.take(event));
        let content_started = self.content_started();
        let Reading { follower, stop_reasons, stopped_by, error, .. } = self.reading;
        let is_complete = follower.is_some_and(|follower| follower.is_complete());
        let (end, headers, data) = match error {
            Some(error) => (StreamEnd::ErrorEvent, error.headers, error.data),
            None if is_complete => (StreamEnd::Complete, Vec::new(), stopped_by),
            None => (StreamEnd::Truncated, Vec::new(), String::new()),
        };
        StreamOutcome { end, content_started, stop_reasons, headers, data }
    }
}

impl Reading {
    fn take(&mut self, event: &Event<'_>) {
        if event.comment.is_some() || self.error.is_some() {
            return;
        }
        let data = serde_json::from_str(event.data).unwrap_or(Value::Null);
        let is_settled =
            self.follower.as_ref().is_some_and(|one| one.is_complete() && one.is_over());
        if error_event::is_error(event, &data) {
            self.note_error(is_settled, event, &data);
            return;
        }
        if self.follower.is_none() {
            self.follower = recognise(event, &data).map(Protocol::follower);
        }
        let Some(follower) = &mut self.follower else {
            self.unrecognised |= data.is_object() && kind(event, &data) != "ping";
            return;
        };
        let signs = follower.follow(event, &data);
        if signs.is_error {
            self.note_error(is_settled, event, &data);
        } else {
            self.note(signs, event);
        }
    }

    fn note_error(&mut self, is_settled: bool, event: &Event<'_>, data: &Value) {
        if !is_settled {
            let headers = error_event::headers(event, data);
            self.error = Some(ErrorEvent { headers, data: event.data.to_string() });
        }
    }

    fn note(&mut self, signs: Signs, event: &Event<'_>) {
        self.content |= signs.content;
        if self.stop_reasons.is_empty() && !signs.stop_reasons.is_empty() {
            self.stopped_by = event.data.to_string();
        }
        let space = MOST_REASONS - self.stop_reasons.len().min(MOST_REASONS);
        self.stop_reasons.extend(signs.stop_reasons.into_iter().take(space));
    }
}
