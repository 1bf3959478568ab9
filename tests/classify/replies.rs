//! Single replies, with `--json`.

use serde_json::{Value, json};

use super::{Folder, assert_says, classified};

const QUOTA: &str = r#"{"error":{"message":"You exceeded your current quota, please check your plan and billing details.","type":"insufficient_quota","param":null,"code":"insufficient_quota"}}"#;

/// Scripts rely on the keys and their order.
#[test]
fn the_object_has_exactly_the_documented_keys_in_their_order() {
    let arguments = ["--provider", "openai", "--status", "429", "--header", "x-request-id: req_7"];
    let (text, _) = classified(&arguments, QUOTA);
    assert_eq!(
        text,
        concat!(
            r#"{"class":"exhausted","action":"stop","retry_after_s":null,"table":"openai","#,
            r#""rule":"quota-spent","raw_status":429,"raw_code":"insufficient_quota","#,
            r#""request_id":"req_7","rejected_param":null,"owner":"account","#,
            r#""reason":"not_retryable"}"#,
            "\n"
        )
    );
}

#[test]
fn the_body_may_be_a_file_or_be_piped_in() {
    let folder = Folder::new().with("reply.json", QUOTA);
    let by_file = ["--provider", "openai", "--status", "429", "--json", "--body"];
    let from_file = folder.classify(&[&by_file[..], &["reply.json"]].concat(), "");
    assert_eq!(from_file, folder.classify(&[&by_file[..], &["-"]].concat(), QUOTA));
    assert_eq!(from_file, folder.classify(&by_file[..5], QUOTA));
}

/// A gateway wrapped what Azure said into a message: the innermost word counts.
#[test]
fn what_a_gateway_wrapped_is_unwrapped() {
    let message = "litellm.RateLimitError: AzureException RateLimitError - Error code: 429 - \
                   {'error': {'code': '429', 'message': 'Requests have exceeded token rate limit of your \
                   current AIServices S0 pricing tier. Please retry after 60 seconds.'}}";
    let body = json!({"error": {"message": message, "type": "throttling_error", "code": "429"}});
    let (_, object) = classified(&["--provider", "litellm", "--status", "429"], &body.to_string());
    assert_says(
        &object,
        &[
            ("class", json!("throttled")),
            ("action", json!("retry_after_hint")),
            ("retry_after_s", json!(60.0)),
        ],
    );
}

#[test]
fn a_rejected_parameter_is_named() {
    let body = r#"{"error":{"message":"Unsupported parameter: 'max_tokens'.","type":"invalid_request_error","param":"max_tokens","code":"unsupported_parameter"}}"#;
    let (_, object) = classified(&["--provider", "openai", "--status", "400"], body);
    assert_says(
        &object,
        &[
            ("class", json!("invalid_request")),
            ("rejected_param", json!("max_tokens")),
            ("owner", json!("caller")),
        ],
    );
}

#[test]
fn a_server_may_forbid_a_retry() {
    let veto = ["--status", "503", "--header", "x-should-retry: false"];
    let (_, object) = classified(&veto, "");
    assert_says(&object, &[("action", json!("fallback")), ("reason", json!("transient"))]);
    let (_, object) = classified(&[&veto[..], &["--no-fallback"]].concat(), "");
    assert_says(
        &object,
        &[
            ("action", json!("stop")),
            ("owner", json!("route")),
            ("reason", json!("server_forbade")),
        ],
    );
}

/// 300 s are accepted.
#[test]
fn a_wait_that_is_too_long_leads_elsewhere() {
    let asked = |seconds: &str, more: &[&str]| {
        let header = format!("retry-after: {seconds}");
        let all =
            [&["--provider", "generic", "--status", "429", "--header", &header], more].concat();
        classified(&all, "").1
    };
    assert_says(&asked("300", &[]), &[("action", json!("retry_after_hint"))]);
    let over = [("retry_after_s", json!(301.0)), ("action", json!("fallback"))];
    assert_says(&asked("301", &[]), &over);
    let stopped = [("reason", json!("hint_over_cap")), ("owner", json!("route"))];
    assert_says(&asked("301", &["--no-fallback"]), &stopped);
}

/// "Too long" is a number, never infinity and never absent.
#[test]
fn a_wait_beyond_the_clock_is_a_large_number() {
    let header = ["--status", "429", "--header", "retry-after: 99999999999999999999999999"];
    let (_, object) = classified(&header, "");
    assert!(object["retry_after_s"].as_f64().unwrap() > 1e10, "{object}");
    assert_says(&object, &[("action", json!("fallback"))]);
}

/// Waits given as dates count from the response's own `Date`.
#[test]
fn dates_are_compared_with_the_date_of_the_response() {
    let until = "retry-after: Thu, 13 Aug 2026 15:37:13 GMT";
    let date = "date: Thu, 13 Aug 2026 15:36:43 GMT";
    let (_, object) = classified(&["--status", "503", "--header", until, "--header", date], "");
    assert_says(&object, &[("retry_after_s", json!(30.0))]);
    let (_, object) = classified(&["--status", "503", "--header", until], "");
    assert_says(&object, &[("retry_after_s", Value::Null), ("action", json!("retry_same_route"))]);
}

#[test]
fn providers_are_spelt_with_either_dash() {
    let [dash, line] = ["azure-openai", "azure_openai"]
        .map(|name| classified(&["--provider", name, "--status", "503"], "").0);
    assert_eq!(dash, line);
}

/// Bytes that are no text don't hide what the rest says.
#[test]
fn bodies_in_other_encodings_are_read_as_far_as_they_can_be() {
    let body = b"{\"error\":{\"message\":\"caf\xe9\",\"type\":\"insufficient_quota\",\"code\":\"insufficient_quota\"}}";
    let folder = Folder::new().with("latin1.json", body);
    let flags = ["--provider", "openai", "--status", "429", "--body", "latin1.json", "--json"];
    assert!(folder.classify(&flags, "").starts_with(r#"{"class":"exhausted""#));
}
