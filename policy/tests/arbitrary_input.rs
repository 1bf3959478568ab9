//! Replies that nobody promised: arbitrary bytes as bodies, headers and streams, JSON made of the
//! names that the reader looks for, and real errors in envelopes that they did not come in.
//!
//! The same with coverage to guide it is in `fuzz/`.

use std::sync::LazyLock;

use proptest::prelude::*;
use retrial_policy::providers::{Library, Provider};
use retrial_policy::replies::{Reading, Recorded, Reply};
use retrial_policy::stream::{StreamEnd, StreamGuard};
use retrial_policy::*;
use serde_json::{Value, json};

static PROVIDERS: LazyLock<Vec<Provider>> = LazyLock::new(|| {
    let library = Library::embedded();
    library.tables().iter().map(|table| library.provider(table.name()).unwrap()).collect()
});

fn provider() -> impl Strategy<Value = &'static Provider> {
    (0..PROVIDERS.len()).prop_map(|index| &PROVIDERS[index])
}

/// Names that the reader looks for, in shapes that nobody promised.
fn odd_json() -> impl Strategy<Value = Value> {
    let name = prop::sample::select(
        &[
            "error",
            "code",
            "type",
            "status",
            "details",
            "error_code",
            "metadata",
            "raw",
            "message",
            "error_type",
            "reason",
            "retryDelay",
            "retry_after",
            "response",
            "param",
            "request_id",
            "choices",
            "finish_reason",
            "candidates",
        ][..],
    );
    let word = prop::sample::select(
        &[
            "rate_limit_exceeded",
            "invalid_request_error",
            "insufficient_quota",
            "overloaded_error",
            "RESOURCE_EXHAUSTED",
            "stop",
            "Please try again in 2s",
            "Error code: 429 - {'error': {'code': 'insufficient_quota'}}",
        ][..],
    );
    let leaf = prop_oneof![
        Just(json!(null)),
        any::<bool>().prop_map(|b| json!(b)),
        any::<f64>().prop_map(|n| json!(n)),
        (100_u16..=600).prop_map(|n| json!(n)),
        any::<String>().prop_map(|s| json!(s)),
        word.prop_map(|s| json!(s)),
        "[0-9.]{0,30}s?".prop_map(|s| json!(s)),
    ];
    leaf.prop_recursive(6, 64, 5, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(|list| json!(list)),
            prop::collection::btree_map(name.clone(), inner.clone(), 0..6)
                .prop_map(|map| json!(map)),
            // JSON in a string, as deep as it goes.
            inner.prop_map(|value| json!({ "error": { "message": value.to_string() } })),
        ]
    })
}

fn odd_body() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        prop::collection::vec(any::<u8>(), 0..200)
            .prop_map(|bytes| String::from_utf8_lossy(&bytes).into_owned()),
        odd_json().prop_map(|json| json.to_string()),
        // Cut off.
        (odd_json(), any::<prop::sample::Index>()).prop_map(|(json, at)| {
            let text = json.to_string();
            text.chars().take(at.index(text.len() + 1)).collect()
        }),
        // Deeper than any parser's stack should go.
        (0_usize..2_000).prop_map(|depth| "[".repeat(depth)),
        (0_usize..2_000).prop_map(|depth| "{\"error\":".repeat(depth)),
    ]
}

fn odd_header() -> impl Strategy<Value = (String, String)> {
    let name = prop_oneof![
        prop::sample::select(
            &[
                "retry-after",
                "Retry-After-Ms",
                "x-amzn-errortype",
                ":exception-type",
                "date",
                "content-type",
                "server",
                "x-should-retry",
                "x-ratelimit-reset-tokens",
                "x-ratelimit-remaining-tokens",
            ][..]
        )
        .prop_map(String::from),
        any::<String>(),
    ];
    let value = prop_oneof![
        any::<String>(),
        "[-+]?[0-9]{0,40}[.]?[0-9]{0,40}",
        any::<f64>().prop_map(|n| n.to_string()),
        prop::sample::select(
            &["true", "false", "0", "text/html", "ThrottlingException", "1m2s"][..]
        )
        .prop_map(String::from),
    ];
    (name, value)
}

/// Headers of different names.
fn odd_headers() -> impl Strategy<Value = Vec<(String, String)>> {
    prop::collection::vec(odd_header(), 0..6).prop_map(|mut headers| {
        headers.sort_by_key(|(name, _)| name.to_ascii_lowercase());
        headers.dedup_by_key(|(name, _)| name.to_ascii_lowercase());
        headers
    })
}

const WHOLE: &str = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Hello\"},\
    \"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";

fn odd_bytes() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        prop::collection::vec(any::<u8>(), 0..300),
        odd_json().prop_map(|json| format!("event: error\ndata: {json}\n\n").into_bytes()),
        odd_json().prop_map(|json| format!("{json}\n").into_bytes()),
        odd_body().prop_map(|body| format!("data: {body}\n\ndata: [DONE]\n\n").into_bytes()),
        // A whole answer.
        Just(WHOLE.into()),
    ]
}

fn action(reading: &Reading) -> Action {
    let policy = Policy::new(PolicySpec {
        replay: Replay { safe: true, idempotency_key: true },
        ..PolicySpec::default()
    })
    .unwrap();
    let (request, now) = (Request::default(), Instant::from_nanos(0));
    let (mut call, _) = Call::start(&policy, request, CallKey::new(7), &mut Unlimited, now);
    call.on_outcome(&policy, reading, &reading.outcome(), now, &mut Unlimited, &mut ()).action()
}

/// All that a decision is made of.
fn gist(reading: &Reading) -> (Classification, Option<Hint>, bool, bool, Option<&str>) {
    let Reading { classification, hint, vetoed, granted, request_id, .. } = reading;
    (*classification, *hint, *vetoed, *granted, request_id.as_deref())
}

/// `value`, and the error in it, with keys that nobody looks for.
fn with_unknown_keys(mut value: Value, extra: &Value) -> Value {
    if let Some(Value::Object(error)) = value.get_mut("error") {
        error.insert("x_unknown".into(), extra.clone());
    }
    if let Value::Object(map) = &mut value {
        map.insert("a_unknown".into(), extra.clone());
        map.insert("z_unknown".into(), extra.clone());
    }
    value
}

proptest! {
    #[test]
    fn a_response_is_read_without_panic_and_no_failure_is_accepted(
        status in prop_oneof![any::<u16>(), 200_u16..600],
        provider in provider(),
        headers in prop::collection::vec(odd_header(), 0..6),
        body in odd_body(),
    ) {
        let reading = provider.read(&Reply::response(status, headers, body));
        prop_assert_ne!(reading.hint, Some(Hint(Nanos::ZERO)));
        prop_assert_eq!(reading.hint.is_some(), reading.wait_source.is_some());
        let action = action(&reading);
        if status >= 300 {
            prop_assert_ne!(action, Action::Accept);
            prop_assert_ne!(action, Action::ContinueTurn);
        }
        let class = reading.classification.class;
        if let Class::InvalidRequest | Class::Auth | Class::Exhausted | Class::Content = class {
            prop_assert_eq!(action, Action::Stop);
        }
    }

    #[test]
    fn a_stream_is_read_without_panic_in_any_chunks(
        status in prop_oneof![Just(200), any::<u16>(), 200_u16..600],
        provider in provider(),
        headers in prop::collection::vec(odd_header(), 0..3),
        events in prop_oneof![
            prop::collection::vec(odd_bytes(), 0..6),
            Just(vec![WHOLE.into()]),
        ],
        lengths in prop::collection::vec(1_usize..100, 1..20),
    ) {
        let bytes = events.concat();
        let mut whole = StreamGuard::detect();
        whole.feed(&bytes);
        let mut chunked = StreamGuard::detect();
        let mut rest = &bytes[..];
        for length in lengths.iter().cycle() {
            let (chunk, behind) = rest.split_at(rest.len().min(*length));
            chunked.feed(chunk);
            rest = behind;
            if rest.is_empty() {
                break;
            }
        }
        let outcome = whole.finish();
        prop_assert_eq!(&outcome, &chunked.finish());
        let end = outcome.end;
        let reading = provider.read(&Reply::stream(status, headers, outcome));
        let whole = end == StreamEnd::Complete && (200..=299).contains(&status);
        prop_assert!(action(&reading) != Action::Accept || whole, "{end:?} under {status}");
        prop_assert!(reading.stream.is_some());
        prop_assert_ne!(reading.hint, Some(Hint(Nanos::ZERO)));
    }

    #[test]
    fn keys_that_nobody_knows_change_nothing(
        status in 300_u16..600,
        provider in provider(),
        body in odd_json(),
        extra in odd_json(),
    ) {
        let read = |body: &Value| provider.read(&Reply::response(status, [], body.to_string()));
        let (plain, more) = (read(&body), read(&with_unknown_keys(body.clone(), &extra)));
        prop_assert_eq!(gist(&plain), gist(&more));
        prop_assert_eq!(plain.code, more.code);
    }

    #[test]
    fn neither_case_nor_order_of_headers_changes_anything(
        status in any::<u16>(),
        provider in provider(),
        headers in odd_headers(),
        body in odd_body(),
        turn in 0_usize..6,
    ) {
        let read = |headers: Vec<_>| provider.read(&Reply::response(status, headers, body.clone()));
        let plain = read(headers.clone());
        let upper = |(name, value): &(String, String)| (name.to_ascii_uppercase(), value.clone());
        let shouted = read(headers.iter().map(upper).collect());
        prop_assert_eq!(&plain, &shouted);
        let mut turned = headers;
        let by = turn.min(turned.len());
        turned.rotate_left(by);
        let turned = read(turned);
        prop_assert_eq!(gist(&plain), gist(&turned));
    }
}

/// A way to put an error into another body.
type Envelope = fn(u16, &str) -> String;

/// Source: the envelopes that `evidence` names; [`Recorded`] cases show each of them.
const ENVELOPES: [(&str, Envelope); 5] = [
    ("a list of one", |_, body| format!("[{body}]")),
    ("JSON in a message", |_, body| json!({ "error": { "message": body } }).to_string()),
    ("metadata.raw", |status, body| {
        json!({ "error": { "message": "", "code": status, "metadata": { "raw": body } } })
            .to_string()
    }),
    ("prose before it", |status, body| format!("Error code: {status} - {body}")),
    ("prose in a message", |status, body| {
        json!({ "error": { "message": format!("Error code: {status} - {body}") } }).to_string()
    }),
];

/// What an envelope must leave as it is.
fn meaning(classification: Classification) -> (Class, Bound, RowReplay) {
    let Classification { class, bound, replay, .. } = classification;
    (class, bound, replay)
}

#[test]
fn an_envelope_does_not_change_the_class() {
    let table = Provider::find("generic_openai").unwrap();
    let mut differ = Vec::new();
    let mut seen = 0;
    for line in include_str!("data/error_cases.jsonl").lines() {
        let Recorded { id, reply, .. } = Recorded::from_json(line).unwrap();
        let Some(status) = reply.status().filter(|status| *status >= 300) else { continue };
        let is_object =
            |body: &str| serde_json::from_str::<Value>(body).is_ok_and(|b| b.is_object());
        if reply.is_stream() || !is_object(reply.body()) {
            continue;
        }
        let plain = table.read(&reply).classification;
        for (name, envelope) in ENVELOPES {
            let body = envelope(status, reply.body());
            let wrapped =
                table.read(&Reply::response(status, reply.headers().iter().cloned(), body));
            if meaning(wrapped.classification) != meaning(plain) {
                differ.push(format!(
                    "{id} in {name}: {:?} instead of {:?} by {}/{}",
                    meaning(wrapped.classification),
                    meaning(plain),
                    wrapped.decided_by.table,
                    wrapped.decided_by.row
                ));
            }
        }
        seen += 1;
    }
    assert!(seen >= 50, "only {seen} cases have an object for a body");
    assert!(differ.is_empty(), "{differ:#?}");
}
