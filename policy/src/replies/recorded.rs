//! [`Recorded`]: replies out of a log, one JSON object a line, perhaps with a label.
//!
//! A line holds `provider`, `status` (`null` for a transport failure), `headers`, `body` (a JSON
//! value, or text in a string; for a transport failure `{"transport": "dns_error", "sent": false}`),
//! or `stream`: a list of events, each with `event`, `data`, `comment`, frame `headers`, or
//! `transport_error`. What is known to be right may stand in `expect_class`, `expect_action`,
//! `also_ok_class`, `also_ok_action` and `retry_after_s`. Other keys are for people.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::Deserialize;
use serde_json::Value;

use super::Reply;
use crate::outcome::{Progress, Signal};
use crate::stream::{Event, StreamGuard};

/// A recorded reply.
#[derive(Clone, Debug, PartialEq)]
pub struct Recorded {
    /// What it is called; empty if it has no name.
    pub id: String,
    /// Who sent it; empty if the line does not say.
    pub provider: String,
    /// What came back.
    pub reply: Reply,
    /// The request carried an idempotency key.
    pub idempotency_key: bool,
    /// The request has no side effects.
    pub replay_safe: bool,
    /// What is known to be right.
    pub label: Option<Label>,
}

/// What is right for a reply.
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    /// The class.
    pub class: String,
    /// The action.
    pub action: String,
    /// Classes that are right too.
    pub also_class: Vec<String>,
    /// Actions that are right too.
    pub also_action: Vec<String>,
    /// The wait in seconds, if a definite one is known.
    pub retry_after_s: Option<f64>,
}

#[derive(Deserialize)]
struct Line {
    #[serde(default)]
    id: String,
    #[serde(default)]
    provider: String,
    status: Option<u16>,
    #[serde(default)]
    headers: BTreeMap<String, Value>,
    #[serde(default)]
    body: Value,
    stream: Option<Vec<StreamLine>>,
    #[serde(default)]
    idempotency_key: Value,
    #[serde(default)]
    replay_safe: Value,
    expect_class: Option<String>,
    expect_action: Option<String>,
    #[serde(default)]
    also_ok_class: Vec<String>,
    #[serde(default)]
    also_ok_action: Vec<String>,
    retry_after_s: Option<f64>,
}

#[derive(Deserialize)]
struct StreamLine {
    event: Option<String>,
    #[serde(default)]
    data: Value,
    #[serde(default)]
    headers: BTreeMap<String, Value>,
    transport_error: Option<Value>,
}

impl Recorded {
    /// Reads a line.
    ///
    /// # Errors
    ///
    /// What is wrong with it, and what would be right.
    pub fn from_json(line: &str) -> Result<Recorded, String> {
        // A list would be taken for the values in their order.
        if !line.trim_start().starts_with('{') {
            return Err("it is no JSON object".into());
        }
        // There is one line only, and its number is the reader's to know.
        let line: Line = serde_json::from_str(line)
            .map_err(|error| error.to_string().replace(" at line 1 column ", ", at column "))?;
        let says = |value: &Value, key: &str| says_yes(value) || says_yes(&line.body[key]);
        let idempotency_key = says(&line.idempotency_key, "idempotency_key");
        let replay_safe = says(&line.replay_safe, "replay_safe");
        Ok(Recorded {
            idempotency_key,
            replay_safe,
            reply: line.reply()?,
            id: line.id,
            provider: line.provider,
            label: line.expect_class.zip(line.expect_action).map(|(class, action)| Label {
                class,
                action,
                also_class: line.also_ok_class,
                also_action: line.also_ok_action,
                retry_after_s: line.retry_after_s,
            }),
        })
    }
}

impl Line {
    fn reply(&self) -> Result<Reply, String> {
        let headers = texts(&self.headers);
        match (self.status, &self.stream) {
            // A failure has a body, and no events.
            (Some(status), Some(events))
                if (200..=299).contains(&status) || self.body.is_null() =>
            {
                let mut guard = StreamGuard::detect();
                for line in events {
                    line.feed(&mut guard);
                }
                Ok(Reply::stream(status, headers, guard.finish()))
            }
            (Some(status), _) => Ok(Reply::response(status, headers, text(&self.body))),
            (None, _) => {
                let name = self.body["transport"].as_str().unwrap_or_default();
                let signal = transport(name).ok_or_else(|| {
                    format!(
                        "status is null, so body.transport must be one of {}; it is `{name}`",
                        TRANSPORTS.map(|(name, _)| name).join(", ")
                    )
                })?;
                let sent = self.body["sent"].as_bool().unwrap_or(signal != Signal::ConnectError);
                let progress = if sent { Progress::Sent } else { Progress::NotSent };
                Ok(Reply::transport(signal, progress))
            }
        }
    }
}

impl StreamLine {
    fn feed(&self, guard: &mut StreamGuard) {
        if self.transport_error.is_some() {
            guard.transport_error();
        } else if !self.data.is_null() {
            let data = text(&self.data);
            let headers = texts(&self.headers);
            let name = self.event.as_deref();
            guard.event(&Event { name, headers: &headers, ..Event::data(&data) });
        }
    }
}

/// Names of transport failures.
const TRANSPORTS: [(&str, Signal); 11] = [
    ("connect_error", Signal::ConnectError),
    ("connect_timeout", Signal::ConnectError),
    ("connection_refused", Signal::ConnectError),
    ("dns_error", Signal::ConnectError),
    ("tls_error", Signal::ConnectError),
    ("connection_closed", Signal::ConnectionReset),
    ("connection_reset", Signal::ConnectionReset),
    ("read_error", Signal::ConnectionReset),
    ("read_timeout", Signal::AttemptTimeout),
    ("timeout", Signal::AttemptTimeout),
    ("write_timeout", Signal::AttemptTimeout),
];

/// The signal of a transport failure by its name: `connect_error`, `connect_timeout`,
/// `connection_refused`, `dns_error`, `tls_error`, `connection_closed`, `connection_reset`,
/// `read_error`, `read_timeout`, `timeout`, `write_timeout`.
pub fn transport(name: &str) -> Option<Signal> {
    TRANSPORTS.iter().find_map(|(known, signal)| (*known == name).then_some(*signal))
}

/// A body as it was on the wire: text stands as it is, anything else is JSON.
fn text(body: &Value) -> String {
    match body {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn texts(headers: &BTreeMap<String, Value>) -> Vec<(String, String)> {
    let each = |(name, value): (&String, &Value)| match value {
        // Some logs keep a list, for a header may come more than once.
        Value::Array(values) => values.iter().map(|one| (name.clone(), text(one))).collect(),
        one => Vec::from([(name.clone(), text(one))]),
    };
    headers.iter().flat_map(each).collect()
}

/// `true`, or a key in words.
fn says_yes(value: &Value) -> bool {
    match value {
        Value::Bool(is) => *is,
        Value::String(text) => !text.is_empty(),
        _ => false,
    }
}
