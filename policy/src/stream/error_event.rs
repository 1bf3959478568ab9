//! What an error looks like in a stream, or in the body of a 200, whatever the protocol.
//!
//! Proxies put the errors of one protocol into the streams of another, and an error can be the
//! first event, before anything tells the protocol. So all forms are looked for in all streams:
//!
//! | form | who |
//! |---|---|
//! | `event: error` | Anthropic, OpenAI's Responses |
//! | `{"error": …}`, also in a list | OpenAI's chat and its kin, OpenRouter, Gemini and Vertex, Ollama |
//! | `{"type": "error", …}` | Anthropic, OpenAI's Responses, the Codex backend, xAI |
//! | `{"object": "error", …}` | Mistral, vLLM |
//! | `{"event_type": "error", …}` | Gemini's Interactions |
//! | `{"message": …}` and nothing that an answer has | AWS, Cohere, gateways |
//! | `:message-type` `exception` or `error` in the frame's headers | AWS |

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde_json::Value;

use super::event::Event;
use super::fields::text;

/// Fields that stand beside the message of an error that consists of little else.
const BESIDE_A_MESSAGE: [&str; 6] = ["message", "detail", "code", "status", "param", "request_id"];

/// Whether the event is an error; `data` is its data, parsed.
pub(super) fn is_error(event: &Event<'_>, data: &Value) -> bool {
    let is_exception = event.header(":exception-type").is_some()
        || matches!(event.header(":message-type"), Some("exception" | "error"));
    is_exception || event.name == Some("error") || names_an_error(data)
}

/// Whether a body is an error, or a list with one in it.
pub(super) fn names_an_error(body: &Value) -> bool {
    if let Some(list) = body.as_array() {
        return list.iter().any(|one| one.is_object() && names_an_error(one));
    }
    let is_named = |key| text(body, key) == Some("error");
    body.get("error").is_some_and(says_error)
        || is_named("type")
        || is_named("object")
        || is_named("event_type")
        || is_only_a_message(body)
}

/// Whether the field `error` tells of one: successes have it too, as null or empty.
pub(super) fn says_error(error: &Value) -> bool {
    match error {
        Value::Null | Value::Bool(false) => false,
        Value::String(text) => !text.is_empty(),
        Value::Array(list) => !list.is_empty(),
        Value::Object(fields) => !fields.is_empty(),
        Value::Bool(true) | Value::Number(_) => true,
    }
}

fn is_only_a_message(body: &Value) -> bool {
    let has_message = text(body, "message").is_some() || text(body, "detail").is_some();
    let fields = || body.as_object().into_iter().flatten();
    has_message && fields().all(|(key, _)| BESIDE_A_MESSAGE.contains(&key.as_str()))
}

/// The headers of an error's frame; those of a Codex frame are in its JSON, because a WebSocket
/// message has none.
pub(super) fn headers(event: &Event<'_>, data: &Value) -> Vec<(String, String)> {
    let inner = data.get("headers").and_then(Value::as_object).into_iter().flatten();
    let inner = inner.filter_map(|(name, value)| {
        let value = match value {
            Value::String(text) => text.clone(),
            Value::Number(number) => number.to_string(),
            _ => return None,
        };
        Some((name.clone(), value))
    });
    event.headers.iter().cloned().chain(inner).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Source: the providers' error and streaming pages.
    #[test]
    fn every_form_is_recognised() {
        for body in [
            json!({"type": "error", "error": {"type": "overloaded_error"}}),
            json!({"error": {"message": "Provider disconnected"}, "choices": []}),
            json!({"error": "an error was encountered while running the model"}),
            json!([{"error": {"code": 503, "status": "UNAVAILABLE"}}]),
            json!({"type": "error", "message": "The model is currently at capacity"}),
            json!({"object": "error", "message": "Service tier capacity exceeded", "code": 3505}),
            json!({"event_type": "error", "error": {"code": "not_found"}}),
            json!({"message": "The model returned the following errors: …"}),
            json!({"detail": "Not found"}),
        ] {
            assert!(names_an_error(&body), "{body}");
        }
    }

    #[test]
    fn an_answer_is_no_error() {
        for body in [
            json!({"object": "response", "status": "completed", "error": null}),
            json!({"message": {"role": "assistant", "content": "Hi"}, "done": false}),
            json!({"choices": [], "error": {}}),
            json!({"type": "message", "content": [{"type": "text", "text": "error"}]}),
            json!({"message": "Hi", "role": "assistant"}),
            json!("error"),
            json!(null),
            json!([]),
        ] {
            assert!(!names_an_error(&body), "{body}");
        }
    }
}
