//! Replies of the catalogue, and made-up ones, as a table reads them: how they ended, how long to
//! wait, what they name.
#![cfg(feature = "replies")]

use std::collections::BTreeMap;

use retrial_policy::providers::Provider;
use retrial_policy::replies::{self, Reading, Recorded, Reply};
use retrial_policy::*;
use serde_json::json;

fn reply(id: &str) -> Reply {
    replies::find(id).unwrap_or_else(|| panic!("{id} is not in the catalogue"))
}

/// By the table of any HTTP API.
fn read(reply: &Reply) -> Reading {
    Provider::find("generic").unwrap().read(reply)
}

fn response(status: u16, headers: &[(&str, &str)], body: &str) -> Reply {
    let headers = headers.iter().map(|(name, value)| (name.to_string(), value.to_string()));
    Reply::response(status, headers, body.to_string())
}

#[test]
fn every_recorded_case_is_in_the_catalogue_and_read_alike() {
    for line in include_str!("data/error_cases.jsonl").lines() {
        let case = Recorded::from_json(line).unwrap();
        assert_eq!(reply(&case.id).status(), case.reply.status(), "{}", case.id);
        assert_eq!(reply(&case.id).is_stream(), case.reply.is_stream(), "{}", case.id);
        let provider = Provider::find(&case.provider).unwrap();
        // A header that a frame carries in its JSON is passed over once or twice.
        let read = |reply: &Reply| {
            let mut reading = provider.read(reply);
            reading.ignored.dedup();
            reading
        };
        assert_eq!(read(&reply(&case.id)), read(&case.reply), "{}", case.id);
    }
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
        ("generic-409", Class::Conflict),
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
        assert_eq!(read(&reply(id)).classification.class, *class, "{id}");
    }
    assert_eq!(replies::ids().len(), 153 + expected.len());
}

/// Source: RFC 9110 on what these statuses mean, and the rule of `providers/README.md` for them.
#[test]
fn what_a_final_status_refuses_no_code_has_repeated() {
    for status in [
        400, 401, 402, 403, 404, 405, 406, 410, 411, 413, 414, 415, 416, 417, 422, 426, 428, 431,
        451, 501, 505, 511,
    ] {
        for code in ["overloaded_error", "api_error", "rate_limit_error", "server_error"] {
            let body = json!({"error": {"type": code, "message": ""}}).to_string();
            let Classification { class, bound, .. } =
                read(&response(status, &[], &body)).classification;
            let repeats = matches!(class, Class::Transient | Class::Throttled | Class::Conflict)
                || class == Class::Unknown && bound != Bound::Never;
            assert!(!repeats, "{status} {code}: {class}");
        }
    }
}

#[test]
fn a_spent_account_goes_before_a_rate() {
    for (kind, code) in
        [("insufficient_quota", "rate_limit_exceeded"), ("rate_limit_error", "insufficient_quota")]
    {
        let body = json!({"error": {"type": kind, "code": code, "message": ""}}).to_string();
        let reading = read(&response(429, &[("retry-after", "2")], &body));
        assert_eq!(reading.classification.class, Class::Exhausted, "{body}");
        assert_eq!(reading.code.as_deref(), Some("insufficient_quota"));
    }
    // A general type does not take back what the code says.
    let body = r#"{"error":{"type":"invalid_request_error","code":"rate_limit_error"}}"#;
    assert_eq!(read(&response(429, &[], body)).classification.class, Class::Throttled);
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
        ("anthropic-sse-pause-turn", Signal::TurnPaused, Sent, Some("pause_turn")),
        ("gemini-sse-finish-stop-no-done", Signal::Response(200), Sent, None),
        ("anthropic-sse-refusal", Signal::Response(200), Sent, Some("refusal")),
        ("transport-dns-failure", Signal::ConnectError, NotSent, None),
    ] {
        let reading = read(&reply(id));
        assert_eq!(
            (reading.signal, reading.progress, reading.code.as_deref()),
            (signal, progress, code)
        );
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
        assert_eq!(read(&reply(id)).hint, hint, "{id}");
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
    assert_eq!(read(&response(429, &headers, "")).hint, Some(Hint(Nanos::from_millis(494))));
    let millis = |name| read(&response(429, &[(name, "5000"), ("retry-after", "9")], "")).hint;
    for name in ["retry-after-ms", "x-ms-retry-after-ms", "x-amz-retry-after"] {
        assert_eq!(millis(name), Some(Hint(Nanos::from_secs(5))), "{name}");
    }
    let spoilt = [("retry-after-ms", "NaN"), ("retry-after", "2")];
    assert_eq!(read(&response(429, &spoilt, "")).hint, Some(Hint(Nanos::from_secs(2))));
    let both = read(&response(429, &[("retry-after", "7")], &retry_info("26s")));
    assert_eq!(both.hint, Some(Hint(Nanos::from_secs(7))));
    let body = read(&response(429, &[], &retry_info("26s")));
    assert_eq!(body.hint, Some(Hint(Nanos::from_secs(26))));
    assert_eq!(read(&response(429, &[], &retry_info("-26s"))).hint, None);
}

fn retry_info(delay: &str) -> String {
    let kind = "type.googleapis.com/google.rpc.RetryInfo";
    json!([{ "error": { "details": [{}, { "@type": kind, "retryDelay": delay }] } }]).to_string()
}

#[test]
fn veto_request_id_and_rejected_parameter_are_read() {
    assert!(read(&reply("anthropic-429-should-retry-false")).vetoed);
    let invited = read(&response(503, &[("x-should-retry", "true")], ""));
    assert!(!invited.vetoed && invited.outcome().granted);
    assert!(read(&response(503, &[("X-Should-Retry", "False")], "")).vetoed);

    let id = |headers: &[_], body| read(&response(429, headers, body)).request_id;
    let body = r#"{"request_id":"of the body"}"#;
    assert_eq!(id(&[("Request-Id", "a"), ("x-request-id", "b")], body).as_deref(), Some("a"));
    assert_eq!(id(&[("X-Request-ID", "b")], body).as_deref(), Some("b"));
    assert_eq!(id(&[], body).as_deref(), Some("of the body"));
    assert_eq!(id(&[], ""), None);

    let reading = read(&reply("openai-400-context-length-in-completion"));
    assert_eq!(reading.rejected_param.as_deref(), Some("messages"));
    assert_eq!(reading.outcome().code, Some("context_length_exceeded"));
    assert_eq!(reading.outcome().rejected_param, Some("messages"));
}

#[test]
fn no_more_headers_are_looked_at_than_any_server_sends() {
    let after = |before: usize| {
        let mut headers = vec![("x-other", "1"); before];
        headers.extend([("retry-after", "7"), ("x-should-retry", "false"), ("x-request-id", "r")]);
        read(&response(429, &headers, ""))
    };
    let (last, beyond) = (after(253), after(256));
    assert_eq!(last.hint, Some(Hint(Nanos::from_secs(7))));
    assert!(last.vetoed && last.request_id.is_some());
    assert!(beyond.hint.is_none() && !beyond.vetoed && beyond.request_id.is_none());
}

#[test]
fn a_reading_with_another_hint_is_an_outcome_with_another_hint() {
    let mut reading = read(&reply("anthropic-429-rate"));
    reading.hint = Some(Hint(Nanos::from_secs(30)));
    assert_eq!(reading.outcome().hint, Some(Hint(Nanos::from_secs(30))));
    assert_eq!(reading.outcome().status(), Some(429));
}
