//! OpenAI's Responses: <https://platform.openai.com/docs/api-reference/responses-streaming>.
//!
//! Named events from `response.created` to one of `response.completed`, `response.incomplete` and
//! `response.failed`, without `[DONE]`; or a bare `error`. The Codex backend sends the same, over a
//! WebSocket too, with frames of its own (`codex.rate_limits`) between.

use alloc::borrow::Cow;

use serde_json::Value;

use super::event::Event;
use super::fields::{field_says_something, says_something, text};
use super::follower::{Follower, Signs, kind};

/// Where events keep the piece of the answer that they bring. Deltas, and what they add up to.
const PIECES: [&str; 9] = [
    "delta",
    "text",
    "refusal",
    "arguments",
    "input",
    "code",
    "part",
    "transcript",
    "partial_image_b64",
];

/// Follows one response.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Responses {
    has_reason: bool,
    is_over: bool,
}

impl Follower for Responses {
    fn follow(&mut self, event: &Event<'_>, data: &Value) -> Signs {
        match kind(event, data) {
            "response.failed" => Signs::error(),
            "response.output_item.added" => Signs::content(data.get("item").is_some_and(begins)),
            "response.output_item.done" => {
                Signs::content(data.get("item").is_some_and(has_content))
            }
            kind if is_terminal(kind) => {
                let response = data.get("response").unwrap_or(&Value::Null);
                if text(response, "status") == Some("failed") {
                    return Signs::error();
                }
                let reason = reason_of(kind, response);
                self.has_reason |= reason.is_some();
                self.is_over = true;
                let output = response.get("output").and_then(Value::as_array);
                Signs::content(output.into_iter().flatten().any(has_content)).stopped(reason)
            }
            kind if kind.starts_with("response.") => {
                Signs::content(PIECES.iter().any(|key| field_says_something(data, key, &["type"])))
            }
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

/// `response.done` is what the Codex backend's WebSocket calls any of the others.
fn is_terminal(kind: &str) -> bool {
    matches!(
        kind,
        "response.completed" | "response.incomplete" | "response.cancelled" | "response.done"
    )
}

/// Whether an item that was added hands something on already. A message and a reasoning begin
/// empty; a call of a tool names it, and the call of a tool that the server runs may have effects.
fn begins(item: &Value) -> bool {
    match text(item, "type") {
        Some("message" | "reasoning") => {
            ["content", "summary"].iter().any(|key| field_says_something(item, key, &["type"]))
        }
        _ => true,
    }
}

fn has_content(item: &Value) -> bool {
    begins(item) || item.get("encrypted_content").is_some_and(|sealed| says_something(sealed, &[]))
}

/// The reason that the response gives, else its status, else that of the event.
fn reason_of<'a>(kind: &'a str, response: &'a Value) -> Option<Cow<'a, str>> {
    if response.get("status").is_some() {
        return ended_reason(response).map(Cow::Borrowed);
    }
    kind.strip_prefix("response.").filter(|&status| status != "done").map(Cow::Borrowed)
}

fn ended_reason(response: &Value) -> Option<&str> {
    match text(response, "status") {
        Some("incomplete") => response
            .get("incomplete_details")
            .and_then(|details| text(details, "reason"))
            .or(Some("incomplete")),
        Some(status @ ("completed" | "cancelled")) => Some(status),
        _ => None,
    }
}

/// Why a response ended; of an event, the response in it. A failed one is judged by its error.
pub(super) fn stop_reason(body: &Value) -> Option<Cow<'_, str>> {
    match text(body, "type") {
        Some(kind) if is_terminal(kind) => match body.get("response") {
            Some(response) if text(response, "status") == Some("failed") => None,
            response => reason_of(kind, response.unwrap_or(&Value::Null)),
        },
        _ if text(body, "object") == Some("response")
            || body.get("output").is_some_and(Value::is_array) =>
        {
            ended_reason(body).map(Cow::Borrowed)
        }
        _ => None,
    }
}
