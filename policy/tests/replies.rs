//! Real replies, read and classified: every case of `data/error_cases.csv` is in the catalogue,
//! is read without a panic, and its class is held against the one that a person gave it.
#![cfg(feature = "replies")]

use std::collections::BTreeMap;

use proptest::prelude::*;
use retrial_policy::replies::{self, Reading, Reply};
use retrial_policy::*;
use serde_json::json;

/// How many of the 153 cases got exactly the right class when this was written. The rest needs the
/// tables of the providers, the message, or the acceptance check of a success.
const RIGHT: usize = 109;
/// How many got the right class or one that the case tolerates.
const RIGHT_OR_TOLERATED: usize = 114;
/// How many the status alone gets exactly right.
const RIGHT_BY_STATUS: usize = 82;

struct Case {
    id: String,
    status: Option<u16>,
    class: String,
    also: Vec<String>,
}

fn cases() -> Vec<Case> {
    let mut reader = csv::Reader::from_reader(&include_bytes!("data/error_cases.csv")[..]);
    let cases: Vec<_> = reader
        .deserialize()
        .map(|row| {
            let (id, status, class, also): (String, Option<u16>, String, String) =
                row.expect("the file has four columns");
            Case { id, status, class, also: also.split_whitespace().map(Into::into).collect() }
        })
        .collect();
    assert_eq!(cases.len(), 153);
    cases
}

fn reply(id: &str) -> Reply {
    replies::find(id).unwrap_or_else(|| panic!("{id} is not in the catalogue"))
}

fn classify(reply: &Reply) -> Classification {
    StatusTable::generic().classify(&reply.read().outcome())
}

fn response(status: u16, headers: &[(&str, &str)], body: &str) -> Reply {
    let headers = headers.iter().map(|(name, value)| (name.to_string(), value.to_string()));
    Reply::response(status, headers, body.to_string())
}

/// Whether a call may be sent again as it is.
fn repeats(read: Classification) -> bool {
    let repeated = [
        Class::Transient,
        Class::Throttled,
        Class::Conflict,
        Class::OutcomeUnknown,
        Class::Unknown,
    ];
    repeated.contains(&read.class) && read.bound != Bound::Never
}

#[test]
fn every_case_is_in_the_catalogue_with_its_status() {
    for case in cases() {
        assert_eq!(reply(&case.id).status(), case.status, "{}", case.id);
    }
}

#[test]
fn the_first_classifier_reads_as_many_cases_right_as_when_it_was_measured() {
    let (mut right, mut tolerated, mut by_status) = (0, 0, 0);
    let mut wrong = Vec::new();
    for case in cases() {
        let reply = reply(&case.id);
        let class = classify(&reply).class.as_str();
        if class == case.class {
            right += 1;
        } else if case.also.iter().any(|also| also == class) {
            tolerated += 1;
        } else {
            wrong.push(format!("{}: {class}, labelled {}", case.id, case.class));
        }
        let uncoded = Reading { code: None, ..reply.read() };
        let class = StatusTable::generic().classify(&uncoded.outcome()).class.as_str();
        by_status += usize::from(class == case.class);
    }
    let wrong = wrong.join("\n");
    assert!(right >= RIGHT, "{right} right; wrong:\n{wrong}");
    assert!(right + tolerated >= RIGHT_OR_TOLERATED, "{tolerated} tolerated; wrong:\n{wrong}");
    assert_eq!(by_status, RIGHT_BY_STATUS, "the codes must not be what the status says");
}

#[test]
fn a_dead_request_with_a_code_that_says_so_is_never_repeated() {
    let mut vetoed = 0;
    for case in cases() {
        let reply = reply(&case.id);
        let code = reply.read().code;
        let says_so = code.as_deref().and_then(TypedCode::of).and_then(TypedCode::terminal);
        let dead = ["exhausted", "auth", "invalid_request"].contains(&case.class.as_str());
        if dead && says_so.is_some() {
            vetoed += 1;
            assert!(!repeats(classify(&reply)), "{}: {code:?}", case.id);
        }
    }
    assert!(vetoed >= 25, "only {vetoed} cases were put to the test");
}

/// What only the message or a field of one provider tells apart is still repeated. The list is
/// exact, so that it changes knowingly.
#[test]
fn the_dead_requests_that_are_still_repeated_are_known() {
    let repeated: Vec<_> = cases()
        .into_iter()
        .filter(|case| ["exhausted", "auth", "invalid_request"].contains(&case.class.as_str()))
        .filter(|case| repeats(classify(&reply(&case.id))))
        .map(|case| case.id)
        .collect();
    let known = [
        "gemini-429-help-only-no-quotafailure",
        "anthropic-429-extra-usage-required",
        "openrouter-429-free-per-day",
        "openrouter-429-free-tier-daily-limit-source",
        "gateway-429-free-per-day-flat",
        "relay-gemini-quota-exhausted-5h59m",
        "cohere-429-trial-per-month",
        "gemini-429-limit-zero",
    ];
    assert_eq!(repeated, known);
}

/// Nor is a 200 checked for a finish reason or a shape yet. Exact for the same reason.
#[test]
fn the_failures_inside_a_success_that_are_still_accepted_are_known() {
    let accepted = |case: &Case| {
        let class = classify(&reply(&case.id)).class;
        case.class != "ok" && class == Class::Ok
    };
    assert_eq!(cases().iter().filter(|case| accepted(case)).count(), 14);
}

/// Source: the design's classes for statuses, and the providers' error pages for the typed ones.
#[test]
fn the_generic_replies_mean_what_their_status_says() {
    let expected = BTreeMap::from([
        ("ok", Class::Ok),
        ("generic-400", Class::InvalidRequest),
        ("generic-401", Class::Auth),
        ("generic-402", Class::Exhausted),
        ("generic-403", Class::Auth),
        ("generic-404", Class::InvalidRequest),
        ("generic-408", Class::Transient),
        ("generic-409", Class::Unknown),
        ("generic-413", Class::TooLarge),
        ("generic-422", Class::InvalidRequest),
        ("generic-429", Class::Throttled),
        ("generic-500", Class::Unknown),
        ("generic-502", Class::Transient),
        ("generic-503", Class::Transient),
        ("generic-504", Class::Transient),
        ("generic-529", Class::Transient),
        ("anthropic-529-overloaded", Class::Transient),
        ("anthropic-429-rate", Class::Throttled),
        ("openai-429-rate", Class::Throttled),
        ("openai-429-quota", Class::Exhausted),
        ("openai-500", Class::Transient),
        ("openai-503-overloaded", Class::Transient),
    ]);
    for (id, class) in &expected {
        assert_eq!(classify(&reply(id)).class, *class, "{id}");
    }
    assert_eq!(replies::ids().len(), 153 + expected.len());
}

/// Source: the providers' pages on streaming, which name the terminal and the error events.
#[test]
fn the_end_of_a_stream_becomes_a_signal() {
    use Progress::{NotSent, PartialResponse, Sent};
    for (id, signal, progress, code) in [
        (
            "anthropic-sse-overloaded-before-content",
            Signal::StreamError,
            Sent,
            Some("overloaded_error"),
        ),
        (
            "anthropic-sse-error-after-three-chunks",
            Signal::StreamError,
            PartialResponse,
            Some("overloaded_error"),
        ),
        (
            "openai-responses-sse-overloaded-before-content",
            Signal::StreamError,
            Sent,
            Some("server_is_overloaded"),
        ),
        (
            "openai-responses-failed-after-content",
            Signal::StreamError,
            PartialResponse,
            Some("server_error"),
        ),
        ("bedrock-stream-throttling", Signal::StreamError, Sent, Some("throttlingException")),
        ("anthropic-sse-stops-after-three-chunks", Signal::StreamTruncated, PartialResponse, None),
        ("anthropic-sse-pause-turn", Signal::TurnPaused, PartialResponse, None),
        ("gemini-sse-finish-stop-no-done", Signal::Response(200), Sent, None),
        ("anthropic-sse-refusal", Signal::Response(200), Sent, None),
        ("transport-dns-failure", Signal::ConnectError, NotSent, None),
    ] {
        let read = reply(id).read();
        assert_eq!((read.signal, read.progress, read.code.as_deref()), (signal, progress, code));
        assert_eq!(
            reply(id).is_stream(),
            id.contains("sse") || id.starts_with("openai-resp") || id.contains("stream")
        );
    }
}

/// Source: the headers and bodies of the cases, read by a person.
#[test]
fn a_wait_is_read_from_every_typed_spelling() {
    let nanos = |n| Some(Hint(Nanos::new(n)));
    for (id, hint) in [
        ("groq-429-headers-go-duration", nanos(2_000_000_000)),
        ("azure-retry-after-fractional", nanos(941_641_000)),
        ("gemini-cloudcode-429-reset-0s-but-539ms", nanos(539_477_544)),
        ("gemini-429-retry-delay-301s", nanos(301_000_000_000)),
        ("sume-429-queue-full", nanos(12_000_000_000)),
        ("openrouter-402-in-flight-budget", nanos(5_000_000_000)),
        ("gateway-429-retry-after-negative", None),
        ("gateway-429-http-date-past", None),
        ("anthropic-429-rate", None),
    ] {
        assert_eq!(reply(id).read().hint, hint, "{id}");
    }
}

/// OpenAI has sent these three together; the last is the time to a full bucket.
#[test]
fn the_finest_header_decides_the_wait() {
    let headers = [
        ("Retry-After", "1"),
        ("x-ratelimit-reset-tokens", "1m0.052s"),
        ("Retry-After-Ms", " 494 "),
    ];
    assert_eq!(response(429, &headers, "").read().hint, Some(Hint(Nanos::from_millis(494))));
    let millis = |name| response(429, &[(name, "5000"), ("retry-after", "9")], "").read().hint;
    for name in ["retry-after-ms", "x-ms-retry-after-ms", "x-amz-retry-after"] {
        assert_eq!(millis(name), Some(Hint(Nanos::from_secs(5))), "{name}");
    }
    let spoilt = [("retry-after-ms", "NaN"), ("retry-after", "2")];
    assert_eq!(response(429, &spoilt, "").read().hint, Some(Hint(Nanos::from_secs(2))));
    let both = response(429, &[("retry-after", "7")], &retry_info("26s")).read();
    assert_eq!(both.hint, Some(Hint(Nanos::from_secs(7))));
    let body = response(429, &[], &retry_info("26s")).read();
    assert_eq!(body.hint, Some(Hint(Nanos::from_secs(26))));
    assert_eq!(response(429, &[], &retry_info("-26s")).read().hint, None);
}

fn retry_info(delay: &str) -> String {
    let kind = "type.googleapis.com/google.rpc.RetryInfo";
    json!([{ "error": { "details": [{}, { "@type": kind, "retryDelay": delay }] } }]).to_string()
}

#[test]
fn veto_request_id_and_rejected_parameter_are_read() {
    assert!(reply("anthropic-429-should-retry-false").read().vetoed);
    let invited = response(503, &[("x-should-retry", "true")], "").read();
    assert!(!invited.vetoed && invited.outcome().granted);
    assert!(response(503, &[("X-Should-Retry", "False")], "").read().vetoed);

    let id = |headers: &[_], body| response(429, headers, body).read().request_id;
    let body = r#"{"request_id":"of the body"}"#;
    assert_eq!(id(&[("Request-Id", "a"), ("x-request-id", "b")], body).as_deref(), Some("a"));
    assert_eq!(id(&[("X-Request-ID", "b")], body).as_deref(), Some("b"));
    assert_eq!(id(&[], body).as_deref(), Some("of the body"));
    assert_eq!(id(&[], ""), None);

    let read = reply("openai-400-context-length-in-completion").read();
    assert_eq!(read.rejected_param.as_deref(), Some("messages"));
    assert_eq!(read.outcome().code, Some("context_length_exceeded"));
    assert_eq!(read.outcome().rejected_param, Some("messages"));
}

#[test]
fn a_reading_with_another_hint_is_an_outcome_with_another_hint() {
    let mut read = reply("anthropic-429-rate").read();
    read.hint = Some(Hint(Nanos::from_secs(30)));
    assert_eq!(read.outcome().hint, Some(Hint(Nanos::from_secs(30))));
    assert_eq!(read.outcome().status(), Some(429));
}

/// Names that the reader looks for, in shapes that nobody promised.
fn odd_json() -> impl Strategy<Value = serde_json::Value> {
    let name = prop::sample::select(
        &[
            "error",
            "code",
            "type",
            "status",
            "details",
            "error_code",
            "metadata",
            "error_type",
            "reason",
            "retryDelay",
            "response",
            "param",
            "request_id",
        ][..],
    );
    let leaf = prop_oneof![
        Just(json!(null)),
        any::<bool>().prop_map(|b| json!(b)),
        any::<f64>().prop_map(|n| json!(n)),
        any::<String>().prop_map(|s| json!(s)),
        "[0-9.]{0,30}s?".prop_map(|s| json!(s)),
    ];
    leaf.prop_recursive(6, 64, 5, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(|list| json!(list)),
            prop::collection::btree_map(name.clone(), inner, 0..6).prop_map(|map| json!(map)),
        ]
    })
}

fn odd_body() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        prop::collection::vec(any::<u8>(), 0..200)
            .prop_map(|bytes| String::from_utf8_lossy(&bytes).into_owned()),
        odd_json().prop_map(|json| json.to_string()),
        // Deeper than any parser's stack should go.
        (0_usize..2_000).prop_map(|depth| "[".repeat(depth)),
        (0_usize..2_000).prop_map(|depth| "{\"error\":".repeat(depth)),
    ]
}

fn odd_header() -> impl Strategy<Value = (String, String)> {
    let name = prop_oneof![
        prop::sample::select(
            &["retry-after", "Retry-After-Ms", "x-amzn-errortype", ":exception-type", "date"][..]
        )
        .prop_map(String::from),
        any::<String>(),
    ];
    let value = prop_oneof![
        any::<String>(),
        "[-+]?[0-9]{0,40}[.]?[0-9]{0,40}",
        any::<f64>().prop_map(|n| n.to_string()),
    ];
    (name, value)
}

proptest! {
    #[test]
    fn no_body_and_no_header_makes_reading_panic(
        status in any::<u16>(),
        headers in prop::collection::vec(odd_header(), 0..6),
        body in odd_body(),
    ) {
        let read = Reply::response(status, headers, body).read();
        prop_assert_ne!(read.hint, Some(Hint(Nanos::ZERO)));
        let _class = StatusTable::generic().classify(&read.outcome());
    }
}
