//! However the bytes are split, the stream ends the same; and no bytes do any harm.

use proptest::prelude::*;
use retrial_policy::stream::{Protocol, StreamGuard};

use super::labelled_cases::Case;
use super::{feed, sse};

/// `bytes` split after each of these positions.
fn split<'a>(bytes: &'a [u8], at: &[usize]) -> Vec<&'a [u8]> {
    let mut at: Vec<_> = at.iter().map(|at| at % (bytes.len() + 1)).collect();
    at.sort_unstable();
    at.push(bytes.len());
    let starts = std::iter::once(0).chain(at.clone());
    starts.zip(&at).map(|(from, &to)| &bytes[from..to]).collect()
}

/// The text cases with every end of line that there is.
fn texts() -> Vec<(Case, String)> {
    let cases = || Case::all().into_iter().filter(Case::is_text);
    let with = |end: &'static str| {
        cases().map(move |case| {
            let text = sse(&case.events()).replace('\n', end);
            (case, text)
        })
    };
    with("\n").chain(with("\r\n")).chain(with("\r")).collect()
}

#[test]
fn a_split_anywhere_changes_nothing() {
    for (case, text) in texts() {
        let bytes = text.as_bytes();
        let whole = feed(StreamGuard::detect(), &[bytes]);
        case.expect(&whole);
        for at in 0..=bytes.len() {
            let (one, other) = bytes.split_at(at);
            assert_eq!(feed(StreamGuard::detect(), &[one, other]), whole, "{} at {at}", case.id);
        }
        let one_by_one: Vec<_> = bytes.chunks(1).collect();
        assert_eq!(feed(StreamGuard::detect(), &one_by_one), whole, "{}", case.id);
    }
}

#[test]
fn the_blank_line_behind_the_last_event_may_be_missing() {
    for (case, text) in texts() {
        let whole = feed(StreamGuard::detect(), &[text.as_bytes()]);
        let cut = text.trim_end().as_bytes();
        assert_eq!(feed(StreamGuard::detect(), &[cut]), whole, "{}", case.id);
    }
}

/// Pieces that streams are made of, so that arbitrary bytes get further than the first line.
fn pieces() -> impl Strategy<Value = Vec<u8>> {
    let known = prop::sample::select(vec![
        &b"data: "[..],
        b"event: error\n",
        b"\n\n",
        b"\r\n",
        b"\xEF\xBB\xBF",
        b"[DONE]",
        b"{\"choices\":[{\"index\":0,\"delta\":{\"content\":\"a\"},\"finish_reason\":\"stop\"}]}",
        b"{\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"}}",
        b"{\"type\":\"response.completed\",\"response\":{\"status\":7}}",
        b"{\"candidates\":{}}",
        b"[{\"candidates\":[{\"index\":-1,\"finishReason\":[]}]}]",
        b"{\"event_type\":\"interaction.completed\"}",
        b"{\"model\":\"m\",\"done\":true}",
        b"{\"messageStop\":null}",
        b"{\"type\":\"message-end\",\"delta\":[]}",
        b"{\"error\":",
        b"{\"type\":null}",
    ]);
    let piece = prop_oneof![
        3 => known.prop_map(<[u8]>::to_vec),
        1 => prop::collection::vec(any::<u8>(), 0..20),
    ];
    prop::collection::vec(piece, 0..30).prop_map(|pieces| pieces.concat())
}

fn guards() -> Vec<StreamGuard> {
    use Protocol::*;
    let all = [Anthropic, OpenAiChat, OpenAiResponses, Gemini, Bedrock, Cohere, Ollama];
    let known = all.into_iter().map(StreamGuard::new);
    known.chain([StreamGuard::detect()]).collect()
}

proptest! {
    #[test]
    fn random_chunks_change_nothing(
        index in any::<prop::sample::Index>(),
        at in prop::collection::vec(any::<usize>(), 0..40),
    ) {
        let texts = texts();
        let (case, text) = &texts[index.index(texts.len())];
        let whole = feed(StreamGuard::detect(), &[text.as_bytes()]);
        let split = split(text.as_bytes(), &at);
        prop_assert_eq!(feed(StreamGuard::detect(), &split), whole, "{}", case.id);
    }

    #[test]
    fn arbitrary_bytes_in_arbitrary_chunks_never_panic_and_read_the_same(
        bytes in prop_oneof![pieces(), prop::collection::vec(any::<u8>(), 0..400)],
        at in prop::collection::vec(any::<usize>(), 0..20),
    ) {
        for (one, other) in guards().into_iter().zip(guards()) {
            let whole = feed(one, &[&bytes]);
            prop_assert_eq!(feed(other, &split(&bytes, &at)), whole);
        }
    }

    #[test]
    fn arbitrary_events_never_panic(
        data in "\\PC{0,40}",
        name in proptest::option::of("[a-zA-Z_.]{0,20}"),
        header in proptest::option::of("(message|event|exception)"),
    ) {
        let headers: Vec<_> =
            header.iter().map(|what| (format!(":{what}-type"), data.clone())).collect();
        for mut guard in guards() {
            let event = retrial_policy::stream::Event {
                name: name.as_deref(),
                headers: &headers,
                ..retrial_policy::stream::Event::data(&data)
            };
            guard.event(&event);
            guard.finish();
        }
    }
}
