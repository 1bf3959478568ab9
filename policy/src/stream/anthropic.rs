//! Anthropic's Messages: <https://platform.claude.com/docs/en/build-with-claude/streaming>.
//!
//! `message_start`, then per block `content_block_start`, `content_block_delta`s and
//! `content_block_stop`, then `message_delta` with the stop reason, then `message_stop`. Both of
//! the last two are needed. `ping` says nothing.

use alloc::borrow::Cow;

use serde_json::Value;

use super::event::Event;
use super::fields::{field_says_something, text};
use super::follower::{Follower, Signs, kind};

/// Follows one message.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Messages {
    has_stop_reason: bool,
    has_stopped: bool,
}

impl Follower for Messages {
    fn follow(&mut self, event: &Event<'_>, data: &Value) -> Signs {
        match kind(event, data) {
            // The block of a tool call names the tool; one of text begins empty.
            "content_block_start" => {
                Signs::content(field_says_something(data, "content_block", &["type"]))
            }
            "content_block_delta" => Signs::content(field_says_something(data, "delta", &["type"])),
            "message_delta" => {
                let reason = delta_stop_reason(data);
                self.has_stop_reason |= reason.is_some();
                // Tokens were put out, whether or not their form was recognised.
                let tokens = data.pointer("/usage/output_tokens").and_then(Value::as_u64);
                Signs::content(tokens.is_some_and(|count| count > 0))
                    .stopped(reason.map(Cow::Borrowed))
            }
            "message_stop" => {
                self.has_stopped = true;
                Signs::default()
            }
            _ => Signs::default(),
        }
    }

    fn is_complete(&self) -> bool {
        self.has_stop_reason && self.has_stopped
    }

    fn is_over(&self) -> bool {
        self.has_stopped
    }
}

fn delta_stop_reason(data: &Value) -> Option<&str> {
    text(data.get("delta")?, "stop_reason")
}

/// Why a message, or the one that an event of its stream belongs to, stopped.
pub(super) fn stop_reason(body: &Value) -> Option<&str> {
    match text(body, "type") {
        Some("message" | "completion") => text(body, "stop_reason"),
        Some("message_delta") => delta_stop_reason(body),
        // Gateways leave the type out.
        None if body.get("content").is_some_and(Value::is_array) => text(body, "stop_reason"),
        _ => None,
    }
}

/// Whether an event's kind is one of this protocol and no other.
pub(super) fn is_kind(kind: &str) -> bool {
    matches!(
        kind,
        "message_start"
            | "content_block_start"
            | "content_block_delta"
            | "content_block_stop"
            | "message_delta"
            | "message_stop"
    )
}
