//! Transcripts of streams: the status says 200, the events say how it ended.

use serde_json::{Value, json};

use super::{Folder, assert_says};

const DELTA: &str = "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\
                     \"delta\":{\"type\":\"text_delta\",\"text\":\"Par\"}}\n\n";
const START: &str = "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"content\":\
                     [],\"stop_reason\":null}}\n\n";
const OVERLOADED: &str = "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\
                          \"overloaded_error\",\"message\":\"Overloaded\"}}\n\n";

fn ended(reason: &str) -> String {
    format!(
        "event: message_delta\ndata: {{\"type\":\"message_delta\",\"delta\":{{\"stop_reason\":\
         \"{reason}\"}}}}\n\nevent: message_stop\ndata: {{\"type\":\"message_stop\"}}\n\n"
    )
}

fn classified(transcript: &str) -> Value {
    let folder = Folder::new().with("transcript.txt", transcript);
    let flags = ["--provider", "anthropic", "--stream", "transcript.txt", "--json"];
    let text = folder.classify(&flags, "");
    serde_json::from_str(&text).unwrap()
}

#[test]
fn an_error_after_content_is_never_repeated_blindly() {
    let object = classified(&[START, DELTA, DELTA, DELTA, OVERLOADED].concat());
    assert_says(
        &object,
        &[
            ("class", json!("transient")),
            ("action", json!("reconcile")),
            ("raw_status", json!(200)),
            ("raw_code", json!("overloaded_error")),
            ("owner", json!("caller")),
            ("reason", json!("partial_response")),
        ],
    );
}

#[test]
fn an_error_before_content_is_as_good_as_a_status() {
    let object = classified(&[START, OVERLOADED].concat());
    assert_says(&object, &[("class", json!("transient")), ("action", json!("retry_same_route"))]);
}

#[test]
fn a_stream_that_breaks_off_is_no_success() {
    let object = classified(&[START, DELTA].concat());
    assert_says(&object, &[("rule", json!("stream-truncated")), ("action", json!("reconcile"))]);
}

#[test]
fn a_paused_turn_is_continued() {
    let object = classified(&[START, DELTA, &ended("pause_turn")].concat());
    assert_says(&object, &[("class", json!("ok")), ("action", json!("continue_turn"))]);
}

#[test]
fn a_whole_answer_is_accepted_and_a_refusal_is_not() {
    let object = classified(&[START, DELTA, &ended("end_turn")].concat());
    assert_says(&object, &[("class", json!("ok")), ("action", json!("accept"))]);
    let object = classified(&[START, DELTA, &ended("refusal")].concat());
    assert_says(&object, &[("class", json!("content")), ("action", json!("fallback"))]);
}

/// Objects a line, as Ollama streams them, piped in.
#[test]
fn lines_of_json_are_a_stream_too() {
    let line = |done: bool| json!({"model": "m", "message": {"role": "assistant", "content": "a"}, "done": done});
    let mut last = line(true);
    last["done_reason"] = json!("stop");
    let flags = ["--provider", "ollama", "--stream", "-", "--json"];
    let whole = Folder::new().classify(&flags, &format!("{}\n{last}\n", line(false)));
    assert!(whole.starts_with(r#"{"class":"ok","action":"accept""#), "{whole}");
    let cut = Folder::new().classify(&flags, &format!("{}\n", line(false)));
    assert!(cut.starts_with(r#"{"class":"outcome_unknown","action":"reconcile""#), "{cut}");
}
