//! Streams followed to their end: the labelled cases, every protocol, every way to split the bytes,
//! and the reading of whole answers.
#![cfg(feature = "replies")]

mod answers;
mod chunking;
mod endings;
mod labelled_cases;
mod protocols;

use retrial_policy::stream::{Event, Protocol, StreamEnd, StreamGuard, StreamOutcome};
use serde_json::Value;

/// One event as a test writes it down.
#[derive(Clone, Debug, Default)]
pub struct Sent {
    pub name: Option<String>,
    pub data: String,
    pub headers: Vec<(String, String)>,
    pub comment: Option<String>,
}

impl Sent {
    pub fn data(data: &Value) -> Sent {
        Sent { data: as_text(data), ..Sent::default() }
    }

    pub fn event(&self) -> Event<'_> {
        let comment = self.comment.as_deref();
        Event { name: self.name.as_deref(), data: &self.data, headers: &self.headers, comment }
    }

    /// As Server-Sent Events.
    fn push_sse(&self, out: &mut String) {
        let name = self.name.iter().map(|name| format!("event: {name}\n"));
        let comment = self.comment.iter().map(|text| format!(": {text}\n"));
        out.extend(comment.chain(name));
        if self.comment.is_none() {
            out.push_str(&format!("data: {}\n", self.data));
        }
        out.push('\n');
    }
}

/// JSON as it is; a string (such as `[DONE]`) without its quotes.
fn as_text(data: &Value) -> String {
    data.as_str().map_or_else(|| data.to_string(), str::to_string)
}

pub fn sse(events: &[Sent]) -> String {
    let mut out = String::new();
    events.iter().for_each(|event| event.push_sse(&mut out));
    out
}

/// JSON in lines.
pub fn ndjson(events: &[Sent]) -> String {
    events.iter().map(|event| format!("{}\n", event.data)).collect()
}

/// How a stream of these events ends, by `guard`.
pub fn follow(mut guard: StreamGuard, events: &[Sent]) -> StreamOutcome {
    events.iter().for_each(|event| guard.event(&event.event()));
    guard.finish()
}

/// How a stream of these bytes ends.
pub fn feed(mut guard: StreamGuard, chunks: &[&[u8]]) -> StreamOutcome {
    chunks.iter().for_each(|chunk| guard.feed(chunk));
    guard.finish()
}

/// How a stream of this text ends.
pub fn outcome(protocol: Protocol, text: &str) -> StreamOutcome {
    let outcome = feed(StreamGuard::new(protocol), &[text.as_bytes()]);
    let detected = feed(StreamGuard::detect(), &[text.as_bytes()]);
    if outcome.end != StreamEnd::Truncated {
        assert_eq!(detected, outcome, "recognised as another protocol: {text}");
    }
    outcome
}

/// Events with these data, as Server-Sent Events without names.
pub fn unnamed(data: &[&str]) -> String {
    data.iter().map(|data| format!("data: {data}\n\n")).collect()
}

/// Anthropic's way: the name repeats the type.
pub fn named(data: &[&str]) -> String {
    let name = |data: &str| {
        let value: Value = serde_json::from_str(data).expect("the tests' data is JSON");
        value["type"].as_str().expect("and has a type").to_string()
    };
    data.iter().map(|data| format!("event: {}\ndata: {data}\n\n", name(data))).collect()
}
