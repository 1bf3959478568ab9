//! Whole replies: what they say together.

use serde_json::{Value, json};

use super::*;

/// What there is to obey: the wait, where it stands, and its name.
fn best(said: &Said<'_>) -> Option<(Nanos, Place, String)> {
    waits(said).found.into_iter().next().map(|found| (found.hint.0, found.place, found.name))
}

fn places(waits: &Waits) -> Vec<Place> {
    waits.found.iter().map(|found| found.place).collect()
}

/// Sent by OpenAI. The last is the time to a full bucket.
#[test]
fn three_headers_of_openai_ask_for_494_milliseconds() {
    let waits = waits(&Said {
        headers: &[
            ("x-ratelimit-remaining-tokens", "0"),
            ("x-ratelimit-reset-tokens", "1m0.052s"),
            ("retry-after", "1"),
            ("retry-after-ms", "494"),
        ],
        ..Said::default()
    });
    let found: Vec<_> = waits.found.iter().map(|found| (&*found.name, found.hint.0)).collect();
    let expected =
        [("retry-after-ms", Nanos::from_millis(494)), ("retry-after", Nanos::from_secs(1))];
    assert_eq!(found, expected);
    let ignored: Vec<_> =
        waits.ignored.iter().map(|ignored| (&*ignored.name, ignored.why)).collect();
    assert_eq!(ignored, [("x-ratelimit-reset-tokens", why::RETRY_AFTER)]);
}

/// Sent by Groq: the `requests` bucket is per day, and not empty.
#[test]
fn the_headers_of_groq_ask_for_two_seconds() {
    let headers = [
        ("retry-after", "2"),
        ("x-ratelimit-limit-requests", "14400"),
        ("x-ratelimit-remaining-requests", "14370"),
        ("x-ratelimit-reset-requests", "2m59.56s"),
        ("x-ratelimit-remaining-tokens", "0"),
        ("x-ratelimit-reset-tokens", "7.66s"),
    ];
    let two_seconds = Some((Nanos::from_secs(2), Place::Header, "retry-after".into()));
    assert_eq!(best(&Said { headers: &headers, ..Said::default() }), two_seconds);
    let waits = waits(&Said { headers: &headers[1..], ..Said::default() });
    let found: Vec<_> = waits.found.iter().map(|found| (found.place, &*found.value)).collect();
    assert_eq!(found, [(Place::Reset, "7.66s")], "without retry-after");
    assert_eq!(waits.ignored[0].why, why::NOT_EMPTY);
}

#[test]
fn places_come_in_order_of_precedence() {
    let body = json!({"error": {"retry_after": 1}});
    let (headers, bodies) = ([("ratelimit-reset", "1")], [&body]);
    let said = Said { headers: &headers, bodies: &bodies, texts: &["retry in 1s"], received: None };
    assert_eq!(places(&waits(&said)), [Place::Body, Place::Message, Place::Reset]);
    let headers = [("ratelimit-reset", "1"), ("retry-after", "9"), ("x-amz-retry-after", "9000")];
    let waits = waits(&Said { headers: &headers, ..said });
    assert_eq!(places(&waits), [Place::Header, Place::Header, Place::Body, Place::Message]);
    assert_eq!(waits.found[0].name, "x-amz-retry-after");
}

#[test]
fn a_retry_after_that_is_no_wait_counts_as_absent() {
    for value in ["0", "-1", "NaN", "Wed, 21 Oct 2015 07:28:00 GMT"] {
        let headers = [("retry-after", value), ("ratelimit-reset", "6")];
        let received = Some(UnixTime::from_secs(1_787_824_800));
        let best = best(&Said { headers: &headers, received, ..Said::default() });
        assert_eq!(
            best,
            Some((Nanos::from_secs(6), Place::Reset, "ratelimit-reset".into())),
            "{value}"
        );
    }
}

#[test]
fn the_date_of_the_response_goes_before_the_clock_of_the_driver() {
    let at = ("retry-after", "Thu, 13 Aug 2026 15:37:13 GMT");
    // 15:36:43, by `date -d`.
    let received = Some(UnixTime::from_secs(1_786_635_403));
    let said = Said { headers: &[at], received, ..Said::default() };
    assert_eq!(best(&said).map(|best| best.0), Some(Nanos::from_secs(30)));
    let headers = [at, ("date", "Thu, 13 Aug 2026 15:37:03 GMT")];
    let said = Said { headers: &headers, ..said };
    assert_eq!(best(&said).map(|best| best.0), Some(Nanos::from_secs(10)));
    let headers = [at, ("date", "today")];
    let said = Said { headers: &headers, ..said };
    assert_eq!(best(&said).map(|best| best.0), Some(Nanos::from_secs(30)), "no date at all");
}

#[test]
fn values_are_cut_and_names_of_places_are_those_of_tables() {
    let long = "é".repeat(100);
    let waits = waits(&Said { headers: &[("retry-after", &long)], ..Said::default() });
    assert_eq!(waits.ignored[0].value.chars().count(), 80);
    let names = [Place::Header, Place::Body, Place::Message, Place::Reset].map(Place::as_str);
    assert_eq!(names, ["header", "body", "message", "reset"]);
}

/// A posted or documented reply: its headers, its body from the outside in, what else is said in
/// it, and the wait in nanoseconds.
struct Case {
    name: &'static str,
    headers: &'static [(&'static str, &'static str)],
    bodies: Vec<Value>,
    texts: &'static [&'static str],
    wait: Option<(u64, Place)>,
}

fn case(name: &'static str) -> Case {
    Case { name, headers: &[], bodies: Vec::new(), texts: &[], wait: None }
}

/// By hand.
fn cases() -> Vec<Case> {
    const S: u64 = duration::SECOND;
    let quota_details = |delay: &str, retry: &str| {
        json!([
            {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "RATE_LIMIT_EXCEEDED",
             "metadata": {"model": "gemini-2.5-pro", "quotaResetDelay": delay}},
            {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": retry},
        ])
    };
    alloc::vec![
        Case {
            texts: &[
                "Rate limit reached for gpt-4 in organization org-PLACEHOLDER on tokens per min (TPM): Limit 10000, Used 8554, Requested 3082. Please try again in 9.816s. Visit https://platform.openai.com/account/rate-limits to learn more."
            ],
            wait: Some((9_816_000_000, Place::Message)),
            ..case("OpenAI, tokens per minute")
        },
        Case {
            bodies: alloc::vec![
                json!({"error": {"code": "rate_limit_exceeded", "message": "Rate limit reached. Please try again in 2.5s."}})
            ],
            texts: &["Rate limit reached. Please try again in 2.5s."],
            wait: Some((2_500_000_000, Place::Message)),
            ..case("OpenAI, a response that failed")
        },
        Case {
            bodies: alloc::vec![
                json!({"error": {"code": 429, "details": [{"detail": "APP_ERROR(8) You exceeded your current quota. Please retry in 44.097740004s."}]}})
            ],
            texts: &[
                "You exceeded your current quota, please check your plan and billing details.\n* Quota exceeded for metric: generativelanguage.googleapis.com/generate_content_free_tier_requests, limit: 2\nPlease retry in 44.097740004s."
            ],
            wait: Some((44_097_740_004, Place::Message)),
            ..case("Gemini, text only")
        },
        Case {
            bodies: alloc::vec![
                json!({"error": {"details": quota_details("539.477544ms", "0.539477544s")}})
            ],
            texts: &[
                "You have exhausted your capacity on this model. Your quota will reset after 0s."
            ],
            wait: Some((539_477_544, Place::Body)),
            ..case("Code Assist, zero in the text")
        },
        Case {
            bodies: alloc::vec![
                json!({"error": {"code": 429, "details": quota_details("5h59m59.960323804s", "21599.960323804s")}}),
                json!({"error": {"type": "api_error", "upstreamStatus": 429}}),
            ],
            texts: &[
                "You have exhausted your capacity on this model. Your quota will reset after 5h59m59s."
            ],
            wait: Some((21_599_960_323_804, Place::Body)),
            ..case("a relay of Code Assist")
        },
        Case {
            bodies: alloc::vec![
                json!({"error": {"details": [{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "301s"}]}})
            ],
            texts: &["Too many requests"],
            wait: Some((301 * S, Place::Body)),
            ..case("Gemini, five minutes")
        },
        Case {
            bodies: alloc::vec![
                json!({"error": {"details": [{"@type": "type.googleapis.com/google.rpc.QuotaFailure", "violations": [{"description": "per minute limit", "quotaId": "RequestsPerMinute-limit"}]}]}})
            ],
            texts: &["Quota exceeded"],
            ..case("Gemini, a minute's quota without a wait")
        },
        Case {
            texts: &[
                "Requests to the ChatCompletions_Create Operation under Azure OpenAI API version 2024-05-01-preview have exceeded token rate limit of your current OpenAI S0 pricing tier. Please retry after 86400 seconds. Please go here: https://aka.ms/oai/quotaincrease if you would like to further increase the default rate limit."
            ],
            wait: Some((86_400 * S, Place::Message)),
            ..case("Azure, a day")
        },
        Case {
            texts: &[
                "Requests to the Creates a completion for the chat message Operation under Azure OpenAI API version 2023-03-15-preview have exceeded call rate limit of your current OpenAI S0 pricing tier. Please retry after 3 seconds."
            ],
            wait: Some((3 * S, Place::Message)),
            ..case("Azure, three seconds")
        },
        Case {
            texts: &[
                "The system is currently experiencing high demand and cannot process your request. Your request exceeds the maximum usage size allowed during peak load. Please retry after 20 seconds. For improved latency reliability, consider switching to Provisioned Throughput."
            ],
            wait: Some((20 * S, Place::Message)),
            ..case("Azure, peak load")
        },
        Case {
            texts: &[
                "litellm.RateLimitError: AzureException RateLimitError - Error code: 429 - {'error': {'code': '429', 'message': 'Requests to the ChatCompletions_Create Operation under Azure OpenAI API version 2023-05-15 have exceeded token rate limit of your current AIServices S0 pricing tier. Please retry after 86400 seconds.'}}\nReceived Model Group=azure-gpt-4o-mini"
            ],
            wait: Some((86_400 * S, Place::Message)),
            ..case("litellm around Azure")
        },
        Case {
            texts: &[
                "No deployments available for selected model, Try again in 5 seconds. Passed model=claude-haiku. pre-call-checks=True, cooldown_list=['dep-a']"
            ],
            wait: Some((5 * S, Place::Message)),
            ..case("litellm itself")
        },
        Case {
            headers: &[
                ("X-Codex-Primary-Used-Percent", "100"),
                ("X-Codex-Primary-Window-Minutes", "300"),
                ("X-Codex-Primary-Reset-After-Seconds", "13873"),
                ("X-Codex-Credits-Has-Credits", "False"),
            ],
            bodies: alloc::vec![
                json!({"type": "error", "error": {"type": "usage_limit_reached", "resets_at": 1_777_936_568, "resets_in_seconds": 13_872}, "status_code": 429})
            ],
            texts: &["The usage limit has been reached"],
            wait: Some((13_872 * S, Place::Body)),
            ..case("a frame of the Codex backend")
        },
        Case {
            bodies: alloc::vec![
                json!({"type": "https://developers.cloudflare.com/support/", "status": 522, "retryable": true, "retry_after": 120})
            ],
            texts: &["Cloudflare could not establish a TCP connection to the origin server."],
            wait: Some((120 * S, Place::Body)),
            ..case("Cloudflare's problem document")
        },
        Case {
            headers: &[("retry-after", "0.941641")],
            texts: &["too many requests"],
            wait: Some((941_641_000, Place::Header)),
            ..case("Azure, a fraction")
        },
        Case {
            headers: &[
                ("retry-after", "Wed, 21 Oct 2015 07:28:00 GMT"),
                ("date", "Thu, 27 Aug 2026 10:00:00 GMT")
            ],
            ..case("a gateway, a date in the past")
        },
        Case { headers: &[("retry-after", "-1")], ..case("a gateway, negative") },
        Case {
            headers: &[("retry-after", "12")],
            bodies: alloc::vec![json!({"error": {"code": "queue_full", "details": {}}})],
            wait: Some((12 * S, Place::Header)),
            ..case("Sume, a full queue")
        },
        Case {
            headers: &[("retry-after", "30")],
            bodies: alloc::vec![
                json!({"error": {"details": {"error_code": "ramp_limit_exceeded"}}})
            ],
            wait: Some((30 * S, Place::Header)),
            ..case("Anthropic, a ramp limit")
        },
        Case {
            bodies: alloc::vec![
                json!({"error": {"details": {"error_code": "thread_continue_in_flight"}}})
            ],
            texts: &["Another request is still continuing"],
            ..case("Anthropic, a conflict without a wait")
        },
        Case {
            headers: &[("retry-after", "5")],
            bodies: alloc::vec![
                json!({"error": {"code": 402, "metadata": {"limit_source": "openrouter_in_flight_budget"}}})
            ],
            wait: Some((5 * S, Place::Header)),
            ..case("OpenRouter, an in-flight budget")
        },
        Case {
            headers: &[("x-ratelimit-reset", "3")],
            bodies: alloc::vec![json!({"error": {"type": "dynamic_token_limited"}})],
            wait: Some((3 * S, Place::Reset)),
            ..case("Together, a dynamic limit")
        },
        Case {
            headers: &[
                ("date", "Tue, 28 Apr 2026 23:00:00 GMT"),
                ("X-RateLimit-Limit", "50"),
                ("X-RateLimit-Remaining", "0"),
                ("X-RateLimit-Reset", "1777420800000"),
            ],
            wait: Some((3_600 * S, Place::Reset)),
            ..case("OpenRouter, a free day")
        },
        Case {
            headers: &[
                ("anthropic-ratelimit-unified-status", "allowed"),
                ("anthropic-ratelimit-unified-5h-reset", "1786553400"),
                ("date", "Tue, 28 Apr 2026 23:00:00 GMT"),
            ],
            texts: &["Overloaded"],
            ..case("Anthropic, overloaded, the plan has room")
        },
    ]
}

#[test]
fn replies_ask_for_what_they_mean() {
    for Case { name, headers, bodies, texts, wait } in cases() {
        let bodies: Vec<_> = bodies.iter().collect();
        let best = best(&Said { headers, bodies: &bodies, texts, received: None });
        let best = best.map(|(wait, place, _)| (wait.get(), place));
        assert_eq!(best, wait, "{name}");
    }
}
