//! Cohere's Chat: version 2 <https://docs.cohere.com/v2/docs/streaming>, version 1
//! <https://docs.cohere.com/v1/docs/streaming>.
//!
//! Version 2 sends Server-Sent Events from `message-start` to `message-end`, whose delta holds the
//! finish reason; version 1 sends JSON lines from `stream-start` to `stream-end`. The kind stands in
//! `type` or `event_type`.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use serde_json::Value;

use super::event::Event;
use super::fields::{field_says_something, text};
use super::follower::{Follower, Signs, kind};

/// Follows one chat.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Chat {
    has_reason: bool,
    is_over: bool,
}

impl Follower for Chat {
    fn follow(&mut self, event: &Event<'_>, data: &Value) -> Signs {
        match text(data, "event_type").unwrap_or(kind(event, data)) {
            "message-end" | "stream-end" => {
                let reason = event_finish_reason(data);
                self.has_reason |= reason.is_some();
                self.is_over = true;
                Signs::default().stopped(reason.map(Cow::Borrowed))
            }
            "content-start" | "content-delta" | "tool-plan-delta" | "tool-call-start"
            | "tool-call-delta" | "citation-start" => {
                Signs::content(field_says_something(data, "delta", &["type", "role"]))
            }
            "text-generation" => Signs::content(text(data, "text").is_some()),
            "citation-generation"
            | "search-queries-generation"
            | "search-results"
            | "tool-calls-chunk"
            | "tool-calls-generation" => Signs::content(true),
            _ => Signs::default(),
        }
    }

    fn is_complete(&self) -> bool {
        self.has_reason
    }

    fn is_over(&self) -> bool {
        self.is_over
    }
}

fn event_finish_reason(data: &Value) -> Option<&str> {
    let in_delta = data.get("delta").and_then(|delta| text(delta, "finish_reason"));
    in_delta.or_else(|| text(data, "finish_reason"))
}

/// Whether an event's kind is one of this protocol and no other.
pub(super) fn is_kind(kind: &str) -> bool {
    const STEMS: [&str; 6] = ["message-", "content-", "tool-", "citation-", "stream-", "search-"];
    kind == "text-generation" || STEMS.iter().any(|stem| kind.starts_with(stem))
}

/// Why a chat of either version ended, or the one whose last event this is.
pub(super) fn stop_reason(body: &Value) -> Option<&str> {
    let is_last = ["type", "event_type"]
        .iter()
        .any(|key| matches!(text(body, key), Some("message-end" | "stream-end")));
    let is_chat = body.get("message").is_some() || body.get("text").is_some();
    if is_last {
        event_finish_reason(body)
    } else {
        text(body, "finish_reason").filter(|_| is_chat)
    }
}

/// Why the texts of version 1's Generate ended.
pub(super) fn generations(body: &Value) -> Option<Vec<Cow<'_, str>>> {
    let texts = body.get("generations")?.as_array()?;
    texts.iter().map(|one| text(one, "finish_reason").map(Cow::Borrowed)).collect()
}
