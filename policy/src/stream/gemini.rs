//! Gemini's `streamGenerateContent`: <https://ai.google.dev/api/generate-content>.
//!
//! Chunks of `candidates`, the last of each with a `finishReason`; nothing follows that marks the
//! end. A blocked prompt has no candidate but `promptFeedback.blockReason`, reported here as
//! `block:` and the reason. Code Assist wraps each chunk in a `response`. Without `alt=sse` the
//! whole stream is one JSON array: that is a body for [`answer`](super::answer()), not a stream.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;

use serde_json::Value;

use super::choices::Choices;
use super::event::Event;
use super::fields::{field_says_something, text};
use super::follower::{Follower, Signs};
use super::interactions::Interaction;

/// Follows one stream of chunks, or one interaction.
#[derive(Clone, Debug, Default)]
pub(super) struct Contents {
    candidates: Choices,
    is_blocked: bool,
    interaction: Interaction,
}

impl Contents {
    fn chunk(&mut self, chunk: &Value) -> Signs {
        let mut signs = Signs::default().stopped(block_reason(chunk));
        self.is_blocked |= !signs.stop_reasons.is_empty();
        for candidate in candidates(chunk) {
            let index = candidate.get("index").and_then(Value::as_u64).unwrap_or(0);
            let reason = finish_reason(candidate);
            if self.candidates.saw(index, reason) {
                signs.stop_reasons.extend(reason.map(str::to_string));
            }
            let content = candidate.get("content").unwrap_or(&Value::Null);
            signs.content |= field_says_something(content, "parts", &[]);
        }
        signs
    }
}

impl Follower for Contents {
    fn follow(&mut self, event: &Event<'_>, data: &Value) -> Signs {
        if data.get("event_type").is_some() {
            return self.interaction.follow(event, data);
        }
        let mut signs = Signs::default();
        for chunk in chunks(data) {
            let of_chunk = self.chunk(chunk);
            signs.content |= of_chunk.content;
            signs.stop_reasons.extend(of_chunk.stop_reasons);
        }
        signs
    }

    fn is_complete(&self) -> bool {
        self.is_blocked || self.candidates.all_stopped() || self.interaction.is_complete()
    }

    /// A further candidate would open the stream again.
    fn is_over(&self) -> bool {
        self.is_complete() || self.interaction.is_over()
    }
}

/// The chunks in a body: a list of them, or one.
fn chunks(body: &Value) -> impl Iterator<Item = &Value> {
    let list = body.as_array().map_or(core::slice::from_ref(body), Vec::as_slice);
    list.iter().map(|chunk| chunk.get("response").unwrap_or(chunk))
}

fn candidates(chunk: &Value) -> impl Iterator<Item = &Value> {
    chunk.get("candidates").and_then(Value::as_array).into_iter().flatten()
}

fn finish_reason(candidate: &Value) -> Option<&str> {
    text(candidate, "finishReason").filter(|&reason| reason != "FINISH_REASON_UNSPECIFIED")
}

fn block_reason(chunk: &Value) -> Option<Cow<'static, str>> {
    let reason = text(chunk.get("promptFeedback")?, "blockReason")?;
    (reason != "BLOCK_REASON_UNSPECIFIED").then(|| Cow::Owned(format!("block:{reason}")))
}

/// Whether a body is one of these chunks, or a list of them.
pub(super) fn is_chunk(body: &Value) -> bool {
    chunks(body).any(|chunk| {
        ["candidates", "promptFeedback", "usageMetadata"].iter().any(|key| chunk.get(key).is_some())
    })
}

/// Why the candidates of an answer, whole or in chunks, stopped; none if one of them did not.
pub(super) fn stop_reasons(body: &Value) -> Option<Vec<Cow<'_, str>>> {
    let (mut seen, mut reasons) = (Choices::default(), Vec::new());
    for chunk in chunks(body) {
        reasons.extend(block_reason(chunk));
        for candidate in candidates(chunk) {
            let index = candidate.get("index").and_then(Value::as_u64).unwrap_or(0);
            let reason = finish_reason(candidate);
            if seen.saw(index, reason) {
                reasons.extend(reason.map(Cow::Borrowed));
            }
        }
    }
    let is_blocked = reasons.iter().any(|reason| reason.starts_with("block:"));
    (is_blocked || seen.all_stopped()).then_some(reasons)
}
