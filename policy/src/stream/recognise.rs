//! Telling the protocol of a stream from one of its events.

use serde_json::Value;

use super::event::Event;
use super::fields::text;
use super::follower::{Protocol, kind};
use super::{anthropic, bedrock, cohere, gemini, interactions, ollama};

/// The protocol that only this event belongs to; `None` of one that many have, such as an error, a
/// ping or the `[DONE]`.
pub(super) fn recognise(event: &Event<'_>, data: &Value) -> Option<Protocol> {
    let kind = kind(event, data);
    let event_type = text(data, "event_type").unwrap_or_default();
    // What AWS wraps around another protocol's events is looked at after them.
    if anthropic::is_kind(kind) {
        Some(Protocol::Anthropic)
    } else if data.get("choices").is_some_and(Value::is_array) {
        Some(Protocol::OpenAiChat)
    } else if kind.starts_with("response.") || kind.starts_with("codex.") {
        Some(Protocol::OpenAiResponses)
    } else if interactions::is_kind(event_type) || gemini::is_chunk(data) {
        Some(Protocol::Gemini)
    } else if cohere::is_kind(kind) || cohere::is_kind(event_type) {
        Some(Protocol::Cohere)
    } else if ollama::is_line(data) {
        Some(Protocol::Ollama)
    } else {
        bedrock::is_frame(event, data).then_some(Protocol::Bedrock)
    }
}
