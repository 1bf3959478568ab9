//! [`Follower`]: what every protocol's state machine does, and [`Protocol`], which there are.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Debug;

use serde_json::Value;

use super::event::Event;
use super::{anthropic, bedrock, cohere, gemini, ollama, openai_chat, openai_responses};

/// The protocol of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Protocol {
    /// Anthropic's Messages, also on Vertex AI.
    Anthropic,
    /// OpenAI's Chat Completions and the older Completions; Azure, Mistral, DeepSeek, OpenRouter,
    /// Groq, Together, xAI and all who are compatible.
    OpenAiChat,
    /// OpenAI's Responses, and the Codex backend.
    OpenAiResponses,
    /// Gemini's `streamGenerateContent`, also on Vertex AI, and its Interactions.
    Gemini,
    /// Amazon Bedrock's ConverseStream, and InvokeModelWithResponseStream for models whose chunks
    /// have the form of another protocol here.
    ///
    /// The guard does not decode the binary frames: the driver does, and passes them to
    /// [`StreamGuard::event`](super::StreamGuard::event) with their headers. The payload of an
    /// InvokeModel chunk is `{"bytes": "<base64>"}`; the driver passes what the bytes decode to.
    Bedrock,
    /// Cohere's Chat, version 2 and 1.
    Cohere,
    /// Ollama's chat and generate: NDJSON.
    Ollama,
}

/// Follows the events of one stream of its protocol. Events that are errors in any protocol never
/// reach it.
pub(super) trait Follower: Debug + Send + Sync {
    /// Takes one event. `data` is its data, parsed; null if it isn't JSON.
    fn follow(&mut self, event: &Event<'_>, data: &Value) -> Signs;

    /// Whether the answer is whole, should the stream end here.
    fn is_complete(&self) -> bool;

    /// Whether the terminal event was seen.
    fn is_over(&self) -> bool;
}

/// What one event says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Signs {
    /// It hands something of the answer on.
    pub content: bool,
    /// It says why the answer, or choices of it, stopped.
    pub stop_reasons: Vec<String>,
    /// It is an error in this protocol.
    pub is_error: bool,
}

impl Signs {
    pub(super) fn content(content: bool) -> Self {
        Signs { content, ..Signs::default() }
    }

    pub(super) fn error() -> Self {
        Signs { is_error: true, ..Signs::default() }
    }

    pub(super) fn stopped(mut self, reason: Option<Cow<'_, str>>) -> Self {
        self.stop_reasons.extend(reason.map(Cow::into_owned));
        self
    }
}

impl Protocol {
    pub(super) fn follower(self) -> Box<dyn Follower> {
        match self {
            Protocol::Anthropic => Box::<anthropic::Messages>::default(),
            Protocol::OpenAiChat => Box::<openai_chat::Chat>::default(),
            Protocol::OpenAiResponses => Box::<openai_responses::Responses>::default(),
            Protocol::Gemini => Box::<gemini::Contents>::default(),
            Protocol::Bedrock => Box::<bedrock::Converse>::default(),
            Protocol::Cohere => Box::<cohere::Chat>::default(),
            Protocol::Ollama => Box::<ollama::Lines>::default(),
        }
    }
}

/// What an event calls itself: the `type` in its data, else its name.
pub(super) fn kind<'a>(event: &Event<'a>, data: &'a Value) -> &'a str {
    super::fields::text(data, "type").or(event.name).unwrap_or_default()
}
