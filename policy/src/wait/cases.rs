//! Posted and documented replies, and the waits they ask for, by hand.

use serde_json::{Value, json};

use super::*;

/// A reply, and the wait in nanoseconds.
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
        let waits = waits(&Said { headers, bodies: &bodies, texts, received: None });
        let best = waits.found.first().map(|found| (found.hint.0.get(), found.place));
        assert_eq!(best, wait, "{name}");
    }
}
