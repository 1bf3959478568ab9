//! The rules of ending that hold for every protocol, by name.

use retrial_policy::stream::{Event, Protocol, StreamEnd, StreamGuard};

use super::{feed, named, outcome, unnamed};

const HELLO: &str = r#"{"choices":[{"index":0,"delta":{"content":"Hello"},"finish_reason":null}]}"#;
const STOP: &str = r#"{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"#;
const ERROR: &str =
    r#"{"error":{"message":"Provider disconnected","code":"provider_disconnected"}}"#;

#[test]
fn an_error_event_after_three_chunks() {
    let chunk =
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"a"}}"#;
    let error = r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#;
    let ended = outcome(Protocol::Anthropic, &named(&[chunk, chunk, chunk, error]));
    assert_eq!((ended.end, ended.content_started), (StreamEnd::ErrorEvent, true));
    assert_eq!(ended.data, error);
}

#[test]
fn a_stream_that_simply_stops() {
    let ended = outcome(Protocol::OpenAiChat, &unnamed(&[HELLO, HELLO, HELLO]));
    assert_eq!((ended.end, ended.content_started), (StreamEnd::Truncated, true));
    assert_eq!((ended.stop_reasons, ended.data), (vec![], String::new()));
}

#[test]
fn a_stream_without_any_event() {
    for text in
        ["", ": keep-alive\n\n", "data: no JSON\n\n", "event: ping\ndata: {\"type\":\"ping\"}\n\n"]
    {
        let ended = outcome(Protocol::OpenAiChat, text);
        assert_eq!((ended.end, ended.content_started), (StreamEnd::Truncated, false), "{text:?}");
    }
}

#[test]
fn an_end_marker_without_a_finish_reason_proves_nothing() {
    let ended = outcome(Protocol::OpenAiChat, &unnamed(&[HELLO, "[DONE]"]));
    assert_eq!(ended.end, StreamEnd::Truncated);
    let ended = outcome(Protocol::OpenAiChat, &unnamed(&["[DONE]"]));
    assert_eq!((ended.end, ended.content_started), (StreamEnd::Truncated, false));
}

#[test]
fn a_finish_reason_without_an_end_marker_is_an_end() {
    let ended = outcome(Protocol::OpenAiChat, &unnamed(&[HELLO, STOP]));
    assert_eq!((ended.end, ended.data.as_str()), (StreamEnd::Complete, STOP));
}

#[test]
fn where_an_error_stands_decides() {
    for (events, end) in [
        (&[HELLO, ERROR, "[DONE]"][..], StreamEnd::ErrorEvent),
        (&[HELLO, STOP, ERROR, "[DONE]"], StreamEnd::ErrorEvent),
        (&[HELLO, "[DONE]", ERROR], StreamEnd::ErrorEvent),
        (&[HELLO, STOP, "[DONE]", ERROR], StreamEnd::Complete),
        (&[HELLO, ERROR, STOP, "[DONE]"], StreamEnd::ErrorEvent),
    ] {
        assert_eq!(outcome(Protocol::OpenAiChat, &unnamed(events)).end, end, "{events:?}");
    }
}

#[test]
fn keep_alive_comments_and_pings_are_noise() {
    let plain = unnamed(&[HELLO, STOP, "[DONE]"]);
    let noisy =
        format!(": OPENROUTER PROCESSING\n\n{}", plain.replace("\n\n", "\n\n: keep-alive\n\n"));
    assert_eq!(outcome(Protocol::OpenAiChat, &noisy), outcome(Protocol::OpenAiChat, &plain));

    let mut guard = StreamGuard::detect();
    guard.event(&Event::comment("keep-alive"));
    guard.event(&Event::named("ping", r#"{"type":"ping"}"#));
    assert!(!guard.content_started() && !guard.is_over());
}

#[test]
fn a_broken_connection_truncates_only_what_is_not_complete() {
    for (events, end) in
        [(&[HELLO][..], StreamEnd::Truncated), (&[HELLO, STOP], StreamEnd::Complete)]
    {
        let mut guard = StreamGuard::new(Protocol::OpenAiChat);
        guard.feed(unnamed(events).as_bytes());
        assert!(!guard.is_over());
        guard.transport_error();
        assert!(guard.is_over());
        assert_eq!(guard.finish().end, end, "{events:?}");
    }
}

#[test]
fn it_is_over_with_the_terminal_event_or_an_error() {
    let mut guard = StreamGuard::detect();
    for (event, is_over) in [(HELLO, false), (STOP, false), ("[DONE]", true)] {
        guard.event(&Event::data(event));
        assert_eq!(guard.is_over(), is_over, "{event}");
    }
    let mut guard = StreamGuard::detect();
    guard.event(&Event::data(ERROR));
    assert!(guard.is_over());
}

#[test]
fn what_is_of_no_known_form_may_have_been_handed_on() {
    let odd = r#"{"chunk":"Hello"}"#;
    let ended = feed(StreamGuard::detect(), &[unnamed(&[odd]).as_bytes()]);
    assert_eq!((ended.end, ended.content_started), (StreamEnd::Truncated, true));
    let recognised = feed(StreamGuard::detect(), &[unnamed(&[odd, ERROR]).as_bytes()]);
    assert_eq!((recognised.end, recognised.content_started), (StreamEnd::ErrorEvent, true));
    let start = r#"{"type":"message_start","message":{"content":[]}}"#;
    let recognised = feed(StreamGuard::detect(), &[unnamed(&[odd, start]).as_bytes()]);
    assert!(!recognised.content_started, "what Anthropic's stream began with was no content");
}

/// Source of the form: Gemini's image models send the picture and the `finishReason` in one event.
#[test]
fn a_picture_of_megabytes_does_not_hide_the_finish_reason() {
    let picture = "A".repeat(5 << 20);
    let event = format!(
        r#"{{"candidates":[{{"content":{{"parts":[{{"inlineData":{{"data":"{picture}"}}}}]}},"finishReason":"STOP"}}]}}"#
    );
    let ended = outcome(Protocol::Gemini, &unnamed(&[&event]));
    assert_eq!((ended.end, ended.content_started), (StreamEnd::Complete, true));
    assert_eq!(ended.stop_reasons, ["STOP"]);
    assert!(ended.data.len() < 1 << 17, "{} bytes are kept", ended.data.len());
}

#[test]
fn an_event_too_large_to_be_looked_at_is_content() {
    let large = format!("[{}]", "1,".repeat(1 << 20));
    let ended = feed(StreamGuard::detect(), &[unnamed(&[&large]).as_bytes()]);
    assert_eq!((ended.end, ended.content_started), (StreamEnd::Truncated, true));
}
