//! Gemini's Interactions: <https://ai.google.dev/gemini-api/docs/interactions>.
//!
//! Events name themselves in `event_type`: `interaction.created` (first `interaction.start`), then
//! steps or contents with their deltas, then `interaction.completed` (first
//! `interaction.complete`). Why it ended is the interaction's `status`.

use alloc::borrow::Cow;

use serde_json::Value;

use super::event::Event;
use super::fields::{field_says_something, text};
use super::follower::{Follower, Signs};

/// Follows one interaction.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Interaction {
    is_over: bool,
}

impl Follower for Interaction {
    fn follow(&mut self, _event: &Event<'_>, data: &Value) -> Signs {
        match text(data, "event_type").unwrap_or_default() {
            "interaction.completed" | "interaction.complete" => {
                let interaction = data.get("interaction").unwrap_or(&Value::Null);
                let Some(status) = text(interaction, "status") else { return Signs::default() };
                if status == "failed" {
                    return Signs::error();
                }
                self.is_over = true;
                Signs::default().stopped(Some(Cow::Borrowed(status)))
            }
            "content.start" | "step.start" | "content.delta" | "step.delta" => {
                let pieces = ["delta", "content", "step"];
                Signs::content(pieces.iter().any(|key| field_says_something(data, key, &["type"])))
            }
            _ => Signs::default(),
        }
    }

    fn is_complete(&self) -> bool {
        self.is_over
    }

    fn is_over(&self) -> bool {
        self.is_over
    }
}

/// Whether an `event_type` is one of this protocol.
pub(super) fn is_kind(kind: &str) -> bool {
    ["interaction.", "content.", "step."].iter().any(|prefix| kind.starts_with(prefix))
}

/// Why an interaction, or the one in an event, ended. A failed one is judged by its error.
pub(super) fn stop_reason(body: &Value) -> Option<&str> {
    let is_event = text(body, "event_type").is_some_and(is_kind);
    let interaction = if is_event { body.get("interaction")? } else { body };
    let is_interaction = is_event || text(body, "object") == Some("interaction");
    let ended = |status: &&str| !matches!(*status, "in_progress" | "queued" | "failed");
    text(interaction, "status").filter(|_| is_interaction).filter(ended)
}
