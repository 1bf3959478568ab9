//! The decoder against the specification's own examples, and against what is not in it.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use super::*;

type Decoded = (Option<String>, String);

fn decode(chunks: &[&[u8]]) -> (Vec<Decoded>, usize) {
    let mut events = Vec::new();
    let mut on_event = |event: &Event<'_>| {
        events.push((event.name.map(str::to_string), event.data.to_string()));
    };
    let mut decoder = Decoder::new();
    chunks.iter().for_each(|chunk| decoder.feed(chunk, &mut on_event));
    decoder.end(&mut on_event);
    (events, decoder.dropped())
}

/// The events of `text`, the same for every split in two and byte by byte.
fn events(text: &str) -> Vec<Decoded> {
    let bytes = text.as_bytes();
    let (whole, _) = decode(&[bytes]);
    for at in 0..=bytes.len() {
        assert_eq!(decode(&[&bytes[..at], &bytes[at..]]).0, whole, "split at {at}: {text:?}");
    }
    assert_eq!(decode(&bytes.chunks(1).collect::<Vec<_>>()).0, whole, "byte by byte: {text:?}");
    whole
}

fn data(texts: &[&str]) -> Vec<Decoded> {
    texts.iter().map(|text| (None, text.to_string())).collect()
}

/// Source: the examples in section 9.2.6 of the HTML standard.
#[test]
fn the_examples_of_the_standard() {
    assert_eq!(events("data: YHOO\ndata: +2\ndata: 10\n\n"), data(&["YHOO\n+2\n10"]));
    assert_eq!(
        events(
            ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n"
        ),
        data(&["first event", "second event", " third event"]),
        "unlike there, the last one counts although no blank line follows"
    );
    assert_eq!(events("data\n\ndata\ndata\n\ndata:"), data(&["", "\n", ""]));
    assert_eq!(events("data:test\n\ndata: test\n\n"), data(&["test", "test"]));
}

#[test]
fn every_end_of_line_ends_a_line_once() {
    for text in
        ["data: a\n\ndata: b\n\n", "data: a\r\rdata: b\r\r", "data: a\r\n\r\ndata: b\r\n\r\n"]
    {
        assert_eq!(events(text), data(&["a", "b"]), "{text:?}");
    }
    assert_eq!(events("data: a\r\ndata: b\n\rdata: c"), data(&["a\nb", "c"]));
}

#[test]
fn a_byte_order_mark_is_skipped_at_the_beginning_only() {
    assert_eq!(events("\u{feff}data: a\n\n\u{feff}data: b\n\n"), data(&["a"]));
    let (broken, _) = decode(&[b"\xEF\xBBdata: a\n\ndata: b\n\n"]);
    assert_eq!(broken, data(&["b"]));
}

#[test]
fn names_belong_to_their_event() {
    let expected = [
        (Some("error".to_string()), "{}".to_string()),
        (None, "x".to_string()),
        (Some("error".to_string()), String::new()),
    ];
    assert_eq!(
        events("event: ping\nevent: error\ndata: {}\n\ndata: x\n\nevent:error\n\n"),
        expected
    );
}

#[test]
fn characters_may_be_split_and_bytes_may_be_no_characters() {
    assert_eq!(events("data: äöü 😀\n\n"), data(&["äöü 😀"]));
    assert_eq!(decode(&[b"data: a\xFFb\n\n"]).0, data(&["a\u{fffd}b"]));
}

#[test]
fn a_line_of_json_is_an_event_of_its_own() {
    assert_eq!(
        events("{\"a\":1}\n{\"b\":\"data: x\"}"),
        data(&[r#"{"a":1}"#, r#"{"b":"data: x"}"#])
    );
    assert_eq!(
        events("data: half\n{\"error\":\"gone\"}\n\n"),
        data(&["half", r#"{"error":"gone"}"#]),
        "a proxy's bare error in an open event"
    );
}

#[test]
fn comments_and_unknown_fields_are_skipped() {
    assert_eq!(
        events(": keep-alive\n\n:\nretry: 10\nid: 7\ndatas: no\ndat: no\ndata: a\n\n"),
        data(&["a"])
    );
}

#[test]
fn an_event_that_is_too_long_is_dropped_and_counted_and_the_next_one_is_not() {
    let long = "x".repeat(LONGEST_EVENT + 1);
    let text = format!("data: a\n\ndata: {long}\ndata: {long}\n\ndata: b\n\n[{long}\n{{}}\n");
    for size in [1 << 10, 4097, usize::MAX] {
        let chunks: Vec<_> = text.as_bytes().chunks(size.min(text.len())).collect();
        assert_eq!(decode(&chunks), (data(&["a", "b", "{}"]), 2), "chunks of {size}");
    }
    let fits = "x".repeat(LONGEST_EVENT);
    assert_eq!(decode(&[format!("data: {fits}").as_bytes()]), (data(&[&fits]), 0));
    assert_eq!(decode(&["data\n".repeat(LONGEST_EVENT + 2).as_bytes()]), (vec![], 1));
}

#[test]
fn a_long_string_is_cut_and_its_event_is_not_dropped() {
    let picture = "A".repeat(3 * LONGEST_EVENT);
    let text = format!("data: {{\"picture\":\"{picture}\",\"end\":\"STOP\"}}\n\n");
    let (events, dropped) = decode(&[text.as_bytes()]);
    assert_eq!(dropped, 0);
    assert!(events[0].1.ends_with("A\",\"end\":\"STOP\"}"), "what is behind it is kept");
}
