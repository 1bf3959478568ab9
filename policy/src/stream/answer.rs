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

impl Answer<'_> {
    fn into_owned(self) -> Answer<'static> {
        match self {
            Answer::Ended(reasons) => {
                let owned = reasons.into_iter().map(|reason| Cow::Owned(reason.into_owned()));
                Answer::Ended(owned.collect())
            }
            Answer::NoStopReason => Answer::NoStopReason,
            Answer::NotAnAnswer => Answer::NotAnAnswer,
        }
    }
}

/// Reads why the answer in the body of a successful response ended, or why the stream did whose
/// deciding event `body` is. What is no JSON is no answer.
///
/// Known forms: Anthropic's Messages, OpenAI's Chat Completions, Completions and Responses, Gemini's
/// `generateContent` (one object, or the list of chunks that streaming without `alt=sse` gives) and
/// Interactions, Bedrock's Converse, Cohere's Chat 2 and 1 and Generate, Ollama's chat and generate.
/// Each must name a reason for every choice. An event of a stream names those that it decided.
///
/// ```
/// use retrial_policy::stream::{Answer, answer};
///
/// let cut = r#"{"type": "message", "content": [], "stop_reason": "max_tokens"}"#;
/// assert_eq!(answer(cut), Answer::Ended(vec!["max_tokens".into()]));
/// assert_eq!(answer(r#"{"object": "list", "data": []}"#), Answer::NoStopReason);
/// assert_eq!(answer(r#"{"error": {"code": 502}}"#), Answer::NotAnAnswer);
/// ```
pub fn answer(body: &str) -> Answer<'static> {
    match serde_json::from_str(body) {
        Ok(value) => answer_in(&value).into_owned(),
        Err(_) => Answer::NotAnAnswer,
    }
}

/// As [`answer()`], of a body that has been parsed.
pub(crate) fn answer_in(body: &Value) -> Answer<'_> {
    if error_event::names_an_error(body) {
        return Answer::NotAnAnswer;
    }
    match stop_reasons(body) {
        Some(reasons) if !reasons.is_empty() => Answer::Ended(reasons),
        _ if without_stop_reason::is_known(body) => Answer::NoStopReason,
        _ => Answer::NotAnAnswer,
    }
}

/// Those of the first form that fits. Chats of Ollama and of Cohere both have a `message`; what else
/// each requires tells them apart.
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
