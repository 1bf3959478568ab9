//! Streams from public reports and documentation, labelled by a person: the streams of `data/error_cases.jsonl`.

use retrial_policy::stream::{Protocol, StreamEnd, StreamGuard, StreamOutcome};
use serde::Deserialize;
use serde_json::Value;

use super::{Sent, feed, follow, ndjson, sse};

/// One line of the file.
#[derive(Deserialize)]
pub struct Case {
    pub id: String,
    provider: String,
    stream: Vec<Part>,
    stream_outcome: String,
    content_started: bool,
}

#[derive(Deserialize)]
struct Part {
    event: Option<String>,
    data: Option<Value>,
    comment: Option<String>,
    #[serde(default)]
    headers: std::collections::BTreeMap<String, String>,
    transport_error: Option<String>,
}

impl Case {
    pub fn all() -> Vec<Case> {
        let lines = include_str!("../data/error_cases.jsonl").lines();
        let lines = lines.filter(|line| line.contains("\"stream\":"));
        let cases: Vec<_> = lines
            .map(|line| serde_json::from_str(line).expect("a stream has five fields"))
            .collect();
        assert_eq!(cases.len(), 23);
        cases
    }

    /// All that the stream brought before the connection broke or closed.
    pub fn events(&self) -> Vec<Sent> {
        let parts = self.stream.iter().filter(|part| part.transport_error.is_none());
        let sent = parts.map(|part| Sent {
            name: part.event.clone(),
            data: part.data.as_ref().map(super::as_text).unwrap_or_default(),
            headers: part.headers.clone().into_iter().collect(),
            comment: part.comment.clone(),
        });
        sent.collect()
    }

    pub fn breaks(&self) -> bool {
        self.stream.iter().any(|part| part.transport_error.is_some())
    }

    /// Frames of an AWS event stream are binary: the guard takes them decoded.
    pub fn is_text(&self) -> bool {
        self.stream.iter().all(|part| part.headers.is_empty())
    }

    pub fn protocol(&self) -> Protocol {
        match (self.provider.as_str(), self.id.as_str()) {
            ("anthropic" | "anthropic_vertex", _) => Protocol::Anthropic,
            ("openai" | "openai_codex", _) => Protocol::OpenAiResponses,
            ("proxy_openai_compat" | "litellm" | "openrouter" | "xai", _) => Protocol::OpenAiChat,
            ("gemini", _) => Protocol::Gemini,
            ("bedrock", _) => Protocol::Bedrock,
            ("ollama", _) => Protocol::Ollama,
            (provider, id) => panic!("{id}: which protocol does {provider} speak?"),
        }
    }

    /// The label. A pause and a refusal are stop reasons of complete answers.
    fn end(&self) -> StreamEnd {
        match self.stream_outcome.as_str() {
            "complete" | "paused" | "refused" => StreamEnd::Complete,
            "error_event" => StreamEnd::ErrorEvent,
            "truncated" => StreamEnd::Truncated,
            label => panic!("{}: {label}", self.id),
        }
    }

    pub fn expect(&self, outcome: &StreamOutcome) {
        assert_eq!(outcome.end, self.end(), "{}", self.id);
        assert_eq!(outcome.content_started, self.content_started, "{}", self.id);
    }
}

#[test]
fn every_case_ends_as_labelled_event_by_event_and_byte_by_byte() {
    for case in Case::all() {
        for (how, guard) in [
            ("known", (|case: &Case| StreamGuard::new(case.protocol())) as fn(&Case) -> _),
            ("recognised", |_| StreamGuard::detect()),
        ] {
            let mut by_event = guard(&case);
            case.events().iter().for_each(|sent| by_event.event(&sent.event()));
            if case.breaks() {
                by_event.transport_error();
            }
            let by_event = by_event.finish();
            case.expect(&by_event);
            if case.is_text() {
                let text = sse(&case.events());
                assert_eq!(feed(guard(&case), &[text.as_bytes()]), by_event, "{how}: {}", case.id);
            }
        }
    }
}

#[test]
fn ollamas_lines_are_read_as_they_are() {
    let case = Case::all().into_iter().find(|case| case.id == "ollama-ndjson-error-line").unwrap();
    let text = ndjson(&case.events());
    case.expect(&feed(StreamGuard::detect(), &[text.as_bytes()]));
}

#[test]
fn an_answer_that_is_paused_or_refused_is_complete_and_says_so() {
    for (id, reason) in [
        ("anthropic-sse-pause-turn", "pause_turn"),
        ("anthropic-sse-refusal", "refusal"),
        ("anthropic-sse-context-window-exceeded", "model_context_window_exceeded"),
        ("gemini-sse-finish-stop-no-done", "STOP"),
        ("openrouter-sse-keepalive-comments-complete", "stop"),
    ] {
        let case = Case::all().into_iter().find(|case| case.id == id).unwrap();
        let outcome = follow(StreamGuard::detect(), &case.events());
        assert_eq!(outcome.stop_reasons, [reason], "{id}");
        assert!(outcome.data.contains(reason), "{id}: the deciding event is {}", outcome.data);
    }
}

#[test]
fn the_frame_that_decides_brings_its_headers() {
    let of = |id: &str| {
        let case = Case::all().into_iter().find(|case| case.id == id).unwrap();
        follow(StreamGuard::detect(), &case.events())
    };
    let header = |outcome: &StreamOutcome, name: &str| {
        let found = outcome.headers.iter().find(|(given, _)| given == name);
        found.map(|(_, value)| value.clone()).unwrap_or_default()
    };
    let bedrock = of("bedrock-stream-throttling");
    assert_eq!(header(&bedrock, ":exception-type"), "throttlingException");
    let codex = of("codex-ws-usage-limit-status-in-body");
    assert_eq!(header(&codex, "X-Codex-Primary-Reset-After-Seconds"), "13873");
    assert!(codex.data.contains("usage_limit_reached"));
}
