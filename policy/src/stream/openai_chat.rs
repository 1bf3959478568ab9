//! OpenAI's Chat Completions, and all who speak it:
//! <https://platform.openai.com/docs/api-reference/chat-streaming>.
//!
//! Chunks of `choices`, each with a `delta` and, in its last, a `finish_reason`; perhaps a chunk
//! of usage without choices (Azure begins with one of filter results); then `[DONE]`. Every choice
//! that began needs a finish reason. `[DONE]` alone proves nothing, because gateways also send it
//! after a failure, and its absence denies nothing, because some never send it.

use alloc::borrow::Cow;
use alloc::string::ToString;
use alloc::vec::Vec;

use serde_json::Value;

use super::choices::Choices;
use super::error_event::says_error;
use super::event::Event;
use super::fields::{field_says_something, text};
use super::follower::{Follower, Signs};

/// Follows one completion of any number of choices.
#[derive(Clone, Debug, Default)]
pub(super) struct Chat {
    choices: Choices,
    is_done: bool,
    /// The model put its refusal where the answer should be.
    refuses: bool,
}

impl Follower for Chat {
    fn follow(&mut self, event: &Event<'_>, data: &Value) -> Signs {
        self.is_done |= is_done_marker(event);
        let mut signs = Signs::default();
        for choice in choices(data) {
            if choice.get("error").is_some_and(says_error) {
                return Signs::error();
            }
            let index = choice.get("index").and_then(Value::as_u64).unwrap_or(0);
            self.refuses |= is_refusal(choice);
            let reason = text(choice, "finish_reason").map(|reason| told(reason, self.refuses));
            if self.choices.saw(index, reason) {
                signs.stop_reasons.extend(reason.map(str::to_string));
            }
            signs.content |= field_says_something(choice, "delta", &["role", "type"])
                || text(choice, "text").is_some()
                || field_says_something(choice, "message", &["role", "type"]);
        }
        signs
    }

    fn is_complete(&self) -> bool {
        self.choices.all_stopped()
    }

    /// Before the end marker another choice may still begin.
    fn is_over(&self) -> bool {
        self.is_done
    }
}

fn is_done_marker(event: &Event<'_>) -> bool {
    event.data.trim() == "[DONE]"
}

fn choices(body: &Value) -> impl Iterator<Item = &Value> {
    body.get("choices").and_then(Value::as_array).into_iter().flatten()
}

/// Whether a choice holds the text of a refusal
/// (<https://platform.openai.com/docs/guides/structured-outputs#refusals>).
fn is_refusal(choice: &Value) -> bool {
    ["message", "delta"]
        .iter()
        .any(|key| choice.get(*key).is_some_and(|part| text(part, "refusal").is_some()))
}

/// The reason to be told: a refusal stops like an answer, and is none.
fn told(reason: &str, refuses: bool) -> &str {
    match (reason, refuses) {
        ("stop", true) => "refusal",
        (reason, _) => reason,
    }
}

/// Why the choices of a completion stopped, if all did; of a chunk, those of its choices that did.
pub(super) fn stop_reasons(body: &Value) -> Option<Vec<Cow<'_, str>>> {
    let reason =
        |choice| Some(Cow::Borrowed(told(text(choice, "finish_reason")?, is_refusal(choice))));
    let reasons = choices(body).map(reason);
    if text(body, "object").is_some_and(|object| object.ends_with(".chunk")) {
        return Some(reasons.flatten().collect());
    }
    reasons.collect()
}
