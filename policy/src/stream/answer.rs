//! [`answer()`]: why a whole answer ended.

use alloc::borrow::Cow;
use alloc::vec;
use alloc::vec::Vec;

use serde_json::Value;

use super::{
    anthropic, bedrock, cohere, error_event, gemini, interactions, ollama, openai_chat,
    openai_responses, without_stop_reason,
};

/// Why an answer ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer<'a> {
    /// For these reasons, as the provider spells them: one per choice. Never empty.
    ///
    /// `end_turn`, `content_filter`, `STOP`; of OpenAI's Responses the status (`completed`,
    /// `cancelled`) or the reason why it is incomplete; of a prompt that Gemini blocked,
    /// `block:PROHIBITED_CONTENT`; of Ollama without a reason, `stop`.
    Ended(Vec<Cow<'a, str>>),
    /// It is of a known form that has no stop reason: of another endpoint (embeddings, lists, files,
    /// batches, token counts, images, …), or a job that is not done yet (`in_progress`, `queued`).
    NoStopReason,
    /// It is none of these: an error, a failed response (its error says why), an answer without the
    /// stop reason that its form prescribes, or of unknown form.
    NotAnAnswer,
}

/// Reads why the answer in the body of a successful response ended, or why the stream did whose
/// deciding event `body` is.
///
/// Known forms: Anthropic's Messages, OpenAI's Chat Completions, Completions and Responses, Gemini's
/// `generateContent` (one object, or the list of chunks that streaming without `alt=sse` gives) and
/// Interactions, Bedrock's Converse, Cohere's Chat 2 and 1 and Generate, Ollama's chat and generate.
/// Each must name a reason for every choice. An event of a stream names those that it decided.
///
/// ```
/// use retrial_policy::stream::{Answer, answer};
/// use serde_json::json;
///
/// let cut = json!({"type": "message", "content": [], "stop_reason": "max_tokens"});
/// assert_eq!(answer(&cut), Answer::Ended(vec!["max_tokens".into()]));
/// assert_eq!(answer(&json!({"object": "list", "data": []})), Answer::NoStopReason);
/// assert_eq!(answer(&json!({"error": {"code": 502}})), Answer::NotAnAnswer);
/// ```
pub fn answer(body: &Value) -> Answer<'_> {
    if error_event::names_an_error(body) {
        return Answer::NotAnAnswer;
    }
    match stop_reasons(body) {
        Some(reasons) if !reasons.is_empty() => Answer::Ended(reasons),
        _ if without_stop_reason::is_known(body) => Answer::NoStopReason,
        _ => Answer::NotAnAnswer,
    }
}

/// Those of the first form that fits. The forms do not overlap, but Ollama's chat has a `message` as
/// Cohere's has, and both are told by what else they have.
fn stop_reasons(body: &Value) -> Option<Vec<Cow<'_, str>>> {
    if body.get("choices").is_some() {
        return openai_chat::stop_reasons(body);
    }
    if gemini::is_chunk(body) {
        return gemini::stop_reasons(body);
    }
    let borrowed = anthropic::stop_reason(body)
        .or_else(|| ollama::stop_reason(body))
        .or_else(|| bedrock::stop_reason(body))
        .or_else(|| interactions::stop_reason(body))
        .or_else(|| cohere::stop_reason(body));
    let one = borrowed.map(Cow::Borrowed).or_else(|| openai_responses::stop_reason(body));
    one.map(|reason| vec![reason]).or_else(|| cohere::generations(body))
}
