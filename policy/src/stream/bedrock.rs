//! Amazon Bedrock's ConverseStream:
//! <https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStream.html>.
//!
//! Frames `messageStart`, per block `contentBlockStart`, `contentBlockDelta`s and
//! `contentBlockStop`, then `messageStop` with the stop reason, then `metadata`. What a frame is
//! says its `:event-type` header or, where the driver has merged the two as the SDKs do, the one
//! field around its payload. Errors are frames of message type `exception`.
//!
//! The chunks of InvokeModelWithResponseStream hold events of the model's own protocol; they are
//! followed as such.

use alloc::borrow::Cow;
use alloc::boxed::Box;

use serde_json::Value;

use super::event::Event;
use super::fields::{field_says_something, text};
use super::follower::{Follower, Protocol, Signs};
use super::recognise::recognise;

/// Kinds of ConverseStream's frames.
const KINDS: [&str; 6] = [
    "messageStart",
    "contentBlockStart",
    "contentBlockDelta",
    "contentBlockStop",
    "messageStop",
    "metadata",
];

/// Follows one conversation's turn.
#[derive(Debug, Default)]
pub(super) struct Converse {
    has_stopped: bool,
    has_stop_reason: bool,
    /// Of the model whose events the chunks hold.
    model: Option<Box<dyn Follower>>,
}

impl Converse {
    fn chunk(&mut self, event: &Event<'_>, data: &Value) -> Signs {
        let inner = || recognise(event, data).filter(|&protocol| protocol != Protocol::Bedrock);
        if self.model.is_none() {
            self.model = inner().map(Protocol::follower);
        }
        match &mut self.model {
            Some(model) => model.follow(event, data),
            // Something was handed on; what it is can't be said before the bytes are decoded.
            None => Signs::content(data.get("bytes").is_some()),
        }
    }
}

impl Follower for Converse {
    fn follow(&mut self, event: &Event<'_>, data: &Value) -> Signs {
        let Some((kind, payload)) = frame(event, data) else { return self.chunk(event, data) };
        match kind {
            "contentBlockStart" => Signs::content(field_says_something(payload, "start", &[])),
            "contentBlockDelta" => Signs::content(field_says_something(payload, "delta", &[])),
            "messageStop" => {
                let reason = text(payload, "stopReason");
                self.has_stopped = true;
                self.has_stop_reason |= reason.is_some();
                Signs::default().stopped(reason.map(Cow::Borrowed))
            }
            // `{"throttlingException": {…}}`: an exception that the driver has merged.
            kind if kind.ends_with("Exception") => Signs::error(),
            _ => Signs::default(),
        }
    }

    fn is_complete(&self) -> bool {
        self.has_stop_reason || self.model.as_ref().is_some_and(|model| model.is_complete())
    }

    fn is_over(&self) -> bool {
        self.has_stopped || self.model.as_ref().is_some_and(|model| model.is_over())
    }
}

/// What a frame is, and its payload; `None` of a chunk.
fn frame<'a>(event: &Event<'a>, data: &'a Value) -> Option<(&'a str, &'a Value)> {
    let is_known = |kind: &&str| KINDS.contains(kind) || kind.ends_with("Exception");
    let said = event.header(":event-type").or(event.name).filter(is_known);
    let merged = || {
        let mut fields = data.as_object()?.iter();
        let (kind, payload) = fields.next().filter(|_| fields.next().is_none())?;
        is_known(&kind.as_str()).then_some((kind.as_str(), payload))
    };
    match said {
        Some(kind) => Some((kind, data.get(kind).unwrap_or(data))),
        None => merged(),
    }
}

/// Whether an event is a frame of this protocol.
pub(super) fn is_frame(event: &Event<'_>, data: &Value) -> bool {
    event.header(":event-type").is_some() || frame(event, data).is_some()
}

/// Why a turn stopped; of a stream, the payload of `messageStop`.
pub(super) fn stop_reason(body: &Value) -> Option<&str> {
    text(body.get("messageStop").unwrap_or(body), "stopReason")
}
