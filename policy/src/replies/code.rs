//! The typed error code in a body, and where providers put it.

use serde_json::Value;

/// A code is a name, not a sentence; the longest known one has 43 characters.
const LONGEST: usize = 128;

/// The object that speaks: Google and Vertex wrap it in a list of one, the events of OpenAI's
/// Responses in a `response`.
pub(super) fn unwrapped(body: &Value) -> &Value {
    let one = match body.as_array().map(alloc::vec::Vec::as_slice) {
        Some([one]) => one,
        _ => body,
    };
    match one.get("response") {
        Some(response) if response.get("error").is_some_and(Value::is_object) => response,
        _ => one,
    }
}

/// The most specific code of an unwrapped body.
///
/// `fails` says that status or stream tell of a failure; only then do `type` and `code` outside an
/// error object count, because successful answers have a `type` as well.
pub(super) fn of_body(root: &Value, fails: bool) -> Option<&str> {
    let error = root.get("error").unwrap_or(&Value::Null);
    // In the order of how much they say. Sources: Anthropic; OpenAI and its kin; OpenRouter;
    // Google's ErrorInfo; the coarser `type` of Anthropic and OpenAI; Google's canonical status.
    let inside = text(error, "/details/error_code")
        .or_else(|| text(error, "/code"))
        .or_else(|| text(error, "/metadata/error_type"))
        .or_else(|| detail(error).find_map(|detail| text(detail, "/reason")))
        .or_else(|| text(error, "/type"))
        .or_else(|| text(error, "/status"))
        .or_else(|| error.as_str().and_then(typed));
    let beside = || text(root, "/code").or_else(|| text(root, "/type"));
    inside.or_else(|| fails.then(beside).flatten())
}

/// `error.param`, if it names one.
pub(super) fn rejected_param(root: &Value) -> Option<&str> {
    root.pointer("/error/param").and_then(Value::as_str).filter(|name| is_name(name))
}

/// The entries of Google's `error.details`.
pub(super) fn detail(error: &Value) -> impl Iterator<Item = &Value> {
    error.get("details").and_then(Value::as_array).into_iter().flatten()
}

fn text<'a>(value: &'a Value, pointer: &str) -> Option<&'a str> {
    value.pointer(pointer)?.as_str().and_then(typed)
}

/// `name`, if it can be a code: gateways put prose, addresses and the status there too.
pub(super) fn typed(name: &str) -> Option<&str> {
    let is_status = name.len() == 3 && name.bytes().all(|byte| byte.is_ascii_digit());
    let is_envelope = matches!(name, "error" | "response.failed");
    (is_name(name) && !is_status && !is_envelope && !name.contains("://")).then_some(name)
}

/// One word; `None` is how Python proxies print an absent one.
fn is_name(name: &str) -> bool {
    let is_word = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_graphic());
    is_word && name.len() <= LONGEST && name != "None"
}

#[cfg(test)]
mod tests {
    use alloc::string::String;

    use super::*;

    fn read(body: &str, fails: bool) -> Option<String> {
        let value: Value = serde_json::from_str(body).unwrap();
        of_body(unwrapped(&value), fails).map(String::from)
    }

    /// Source: the envelopes on the providers' error pages.
    #[test]
    fn the_most_specific_code_is_read_from_every_envelope() {
        for (body, expected) in [
            (
                r#"{"error":{"type":"rate_limit_error","details":{"error_code":"ramp_limit_exceeded"}}}"#,
                "ramp_limit_exceeded",
            ),
            (r#"{"error":{"type":"tokens","code":"rate_limit_exceeded"}}"#, "rate_limit_exceeded"),
            (
                r#"{"error":{"code":402,"metadata":{"error_type":"payment_required"}}}"#,
                "payment_required",
            ),
            (
                r#"{"error":{"status":"RESOURCE_EXHAUSTED","details":[{"x":1},{"reason":"QUOTA_EXHAUSTED"}]}}"#,
                "QUOTA_EXHAUSTED",
            ),
            (r#"{"type":"error","error":{"type":"overloaded_error"}}"#, "overloaded_error"),
            (r#"[{"error":{"code":503,"status":"UNAVAILABLE"}}]"#, "UNAVAILABLE"),
            (r#"{"object":"error","type":"rate_limited","code":null}"#, "rate_limited"),
            (r#"{"type":"error","code":"server_is_overloaded"}"#, "server_is_overloaded"),
            (r#"{"error":"invalid_grant"}"#, "invalid_grant"),
            (r#"{"response":{"error":{"code":"server_error"}}}"#, "server_error"),
        ] {
            assert_eq!(read(body, true).as_deref(), Some(expected), "{body}");
        }
    }

    #[test]
    fn what_is_no_code_is_not_taken_for_one() {
        for body in [
            r#"{"error":{"code":"429","type":"None"}}"#,
            r#"{"error":{"code":"","status":"Too Many Requests"}}"#,
            r#"{"error":"Incorrect API key provided","code":"Client specified an invalid argument"}"#,
            r#"{"type":"https://example.com/errors/522"}"#,
            r#"{"type":"error"}"#,
            r#"[{"error":{"code":"a"}},{"error":{"code":"b"}}]"#,
            r#""insufficient_quota""#,
            "[]",
            "null",
        ] {
            assert_eq!(read(body, true), None, "{body}");
        }
    }

    #[test]
    fn an_answer_has_a_type_that_is_no_error() {
        assert_eq!(read(r#"{"type":"message","code":"x"}"#, false), None);
        assert_eq!(read(r#"{"object":"response","error":null}"#, false), None);
        let failed = r#"{"status":"failed","error":{"code":"server_error"}}"#;
        assert_eq!(read(failed, false).as_deref(), Some("server_error"));
    }
}
