//! Ollama's chat and generate: <https://docs.ollama.com/api/streaming>.
//!
//! Lines of JSON, the last with `"done": true` and, in newer versions, a `done_reason`. An error is
//! a line with nothing but an `error`.

use alloc::borrow::Cow;

use serde_json::Value;

use super::event::Event;
use super::fields::{field_says_something, text};
use super::follower::{Follower, Signs};

/// Follows one answer.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Lines {
    is_done: bool,
}

impl Follower for Lines {
    fn follow(&mut self, _event: &Event<'_>, data: &Value) -> Signs {
        let reason = stop_reason(data);
        self.is_done |= reason.is_some();
        let content = field_says_something(data, "message", &["role"])
            || text(data, "response").is_some()
            || text(data, "thinking").is_some();
        Signs::content(content).stopped(reason.map(Cow::Borrowed))
    }

    fn is_complete(&self) -> bool {
        self.is_done
    }

    fn is_over(&self) -> bool {
        self.is_done
    }
}

/// Whether a line is one of this protocol.
pub(super) fn is_line(data: &Value) -> bool {
    data.get("done").is_some_and(Value::is_boolean) && text(data, "model").is_some()
}

/// Why an answer ended; older versions say only that it did.
pub(super) fn stop_reason(body: &Value) -> Option<&str> {
    let is_done = is_line(body) && body.get("done") == Some(&Value::Bool(true));
    is_done.then(|| text(body, "done_reason").unwrap_or("stop"))
}
