//! [`Prompt`]: a request that can be made smaller and can be continued.

use serde_json::{Value, json};

/// A conversation on its way to a model.
#[derive(Clone, Debug)]
pub struct Prompt {
    messages: Vec<Value>,
}

impl Prompt {
    /// A conversation so far, with the last question at its end.
    pub fn new(messages: impl IntoIterator<Item = Value>) -> Prompt {
        Prompt { messages: messages.into_iter().collect() }
    }

    /// Whether there is something to leave out: anything before the last question.
    pub fn is_reducible(&self) -> bool {
        self.messages.len() > 1
    }

    /// Leaves the older half of the conversation out.
    pub fn reduce(&mut self) {
        self.messages.drain(..self.messages.len() / 2);
    }

    /// Adds a paused turn, which is how Anthropic's interface is asked to go on with it.
    pub fn continue_with(&mut self, answer: &str) {
        let answer: Value = serde_json::from_str(answer).unwrap_or_default();
        self.messages.push(json!({ "role": "assistant", "content": answer["content"] }));
    }

    /// As it goes on the wire.
    pub fn body(&self, model: &str) -> String {
        json!({ "model": model, "max_tokens": 100, "messages": self.messages }).to_string()
    }
}
