//! The catalogue: replies that real servers have sent or document, embedded from
//! `policy/replies/*.toml`.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use std::sync::LazyLock;

use serde::Deserialize;

use super::Reply;
use super::reply::Ending;
use crate::outcome::{Progress, Signal};
use crate::stream::{self, StreamEnd};

macro_rules! files {
    ($($name:literal),* $(,)?) => {
        [$(($name, include_str!(concat!("../../replies/", $name, ".toml")))),*]
    };
}

const FILES: [(&str, &str); 16] = files![
    "anthropic",
    "azure",
    "bedrock",
    "cohere",
    "cometapi",
    "deepseek",
    "gateways",
    "generic",
    "google",
    "groq",
    "mistral",
    "openai",
    "openrouter",
    "sume",
    "together",
    "xai",
];

/// One file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    reply: Vec<Entry>,
}

/// One `[[reply]]`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    /// Unique in the catalogue.
    id: String,
    /// The HTTP status, if there was a response.
    status: Option<u16>,
    #[serde(default)]
    headers: BTreeMap<String, String>,
    /// Of a stream, the data of the event that decided how it ended.
    #[serde(default)]
    body: String,
    /// How a stream ended.
    stream: Option<StreamName>,
    /// Content had reached the caller when it did.
    #[serde(default)]
    content_started: bool,
    /// What broke, if there was no response.
    transport: Option<TransportName>,
    /// The request had left, or may have.
    sent: Option<bool>,
    /// Where it is from; for readers of the file.
    #[serde(rename = "source")]
    _source: String,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum StreamName {
    Complete,
    ErrorEvent,
    Truncated,
    Paused,
    Refused,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum TransportName {
    ConnectError,
    DnsError,
    ConnectionReset,
    ReadTimeout,
}

impl Entry {
    /// `None` if it says neither or both of status and transport.
    fn into_named_reply(self) -> Option<(String, Reply)> {
        let ending = match (self.status, self.stream, self.transport) {
            (Some(status), None, None) => Ending::Response(status),
            (Some(status), Some(name), None) => {
                let end = match name {
                    StreamName::Complete | StreamName::Refused | StreamName::Paused => {
                        StreamEnd::Complete
                    }
                    StreamName::ErrorEvent => StreamEnd::ErrorEvent,
                    StreamName::Truncated => StreamEnd::Truncated,
                };
                let content_started = self.content_started;
                let stop_reasons = stop_reasons(&self.body);
                Ending::Stream { status, end, content_started, stop_reasons }
            }
            (None, None, Some(name)) => {
                let signal = match name {
                    TransportName::ConnectError | TransportName::DnsError => Signal::ConnectError,
                    TransportName::ConnectionReset => Signal::ConnectionReset,
                    TransportName::ReadTimeout => Signal::AttemptTimeout,
                };
                let sent = self.sent.unwrap_or(signal != Signal::ConnectError);
                Ending::Transport(signal, if sent { Progress::Sent } else { Progress::NotSent })
            }
            _ => return None,
        };
        Some((self.id, Reply::ended(ending, self.headers.into_iter().collect(), self.body)))
    }
}

/// Why the answer ended whose last event this is.
fn stop_reasons(event: &str) -> Vec<String> {
    let event = serde_json::from_str(event).unwrap_or_default();
    match stream::answer_in(&event) {
        stream::Answer::Ended(reasons) => reasons.into_iter().map(Into::into).collect(),
        stream::Answer::NoStopReason | stream::Answer::NotAnAnswer => Vec::new(),
    }
}

static CATALOGUE: LazyLock<BTreeMap<String, Reply>> = LazyLock::new(|| {
    let mut all = BTreeMap::new();
    for (name, text) in FILES {
        // The text is part of the build, and a test of this file loads all of it.
        let file: File = toml::from_str(text)
            .unwrap_or_else(|error| panic!("replies/{name}.toml is embedded and tested: {error}"));
        all.extend(file.reply.into_iter().filter_map(Entry::into_named_reply));
    }
    all
});

/// The reply with this id.
pub fn find(id: &str) -> Option<Reply> {
    CATALOGUE.get(id).cloned()
}

/// Every id, sorted.
pub fn ids() -> Vec<&'static str> {
    CATALOGUE.keys().map(String::as_str).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_entry_of_every_file_is_in_the_catalogue_once() {
        let mut entries = 0;
        for (name, text) in FILES {
            let file: File = toml::from_str(text).unwrap();
            entries += file.reply.len();
            for entry in file.reply {
                let id = entry.id.clone();
                assert!(entry._source.starts_with("https://"), "{name}: {id}");
                assert!(entry.into_named_reply().is_some(), "{name}: {id}");
            }
        }
        assert_eq!(ids().len(), entries, "no id occurs twice");
    }

    #[test]
    fn ids_are_sorted_and_found() {
        assert!(ids().is_sorted());
        assert!(ids().into_iter().all(|id| find(id).is_some()));
        assert_eq!(find("generic-999"), None);
    }
}
