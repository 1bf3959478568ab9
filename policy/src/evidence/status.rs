//! The status that a body names, and whether it speaks of a failure at all.

use serde_json::Value;

use super::Layer;
use super::at::at;
use super::unwrap::plain;

/// Where bodies repeat, or contradict, the status of the response. AWS's `originalStatusCode` is
/// the model's own, OpenRouter's and Google's `code` is the one that a 200 hides.
const PLACES: [&str; 13] = [
    "/originalStatusCode",
    "/error/originalStatusCode",
    "/error/code",
    "/error/status",
    "/error/status_code",
    "/error/upstreamStatus",
    "/ResponseMetadata/HTTPStatusCode",
    "/status_code",
    "/statusCode",
    "/raw_status_code",
    "/status",
    "/code",
    "/error_code",
];

/// The status of an error that `layer` names: a number, or three digits in quotes.
pub(crate) fn in_body(layer: &Layer) -> Option<u16> {
    let named = PLACES.iter().find_map(|place| match at(&layer.value, place)? {
        Value::Number(number) => number.as_u64().and_then(error_status),
        Value::String(digits) if digits.len() == 3 => digits.parse().ok().and_then(error_status),
        _ => None,
    });
    named.or(layer.stated)
}

fn error_status(number: u64) -> Option<u16> {
    u16::try_from(number).ok().filter(|status| (400..=599).contains(status))
}

/// Whether an envelope under a success speaks of a failure: it holds an error, denies success, or
/// names the status of an error beside a message.
pub(crate) fn says_failure(value: &Value) -> bool {
    if plain(value).is_some() {
        return false;
    }
    let is_something = |value: &Value| match value {
        Value::Null => false,
        Value::Bool(is) => *is,
        Value::String(text) => !text.is_empty(),
        Value::Object(map) => !map.is_empty(),
        Value::Array(list) => !list.is_empty(),
        Value::Number(_) => true,
    };
    let says = |key: &str, word: &str| value.get(key).and_then(Value::as_str) == Some(word);
    ["error", "Error", "errors", "cloudflare_error"]
        .iter()
        .any(|key| value.get(*key).is_some_and(is_something))
        || says("type", "error")
        || says("object", "error")
        || says("status", "error")
        || ["success", "ok"].iter().any(|key| value.get(*key) == Some(&Value::Bool(false)))
        || is_failed_envelope(value)
}

/// `{"code": 401, "msg": "…"}`, as some APIs answer with 200 whatever happened; a code of their own
/// such as 1113 counts too, unless the message says that all is well.
fn is_failed_envelope(value: &Value) -> bool {
    let mut messages = ["message", "msg", "detail"].iter().filter_map(|key| value[*key].as_str());
    let Some(message) = messages.next() else { return false };
    let mut statuses = ["status", "statusCode", "status_code"].iter();
    let is_well =
        ["ok", "success", "succeeded"].iter().any(|word| message.eq_ignore_ascii_case(word));
    let fails = |code: i64| code != 0 && !(200..=299).contains(&code) && !is_well;
    value["code"].as_i64().is_some_and(fails)
        || statuses.any(|key| value[*key].as_u64().and_then(error_status).is_some())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_status_in_a_body_is_found() {
        for (body, status) in [
            (json!({"error": {"code": 429}}), Some(429)),
            (json!({"error": {"code": "429"}}), Some(429)),
            (json!({"message": "m", "originalStatusCode": 400}), Some(400)),
            (json!({"type": "error", "error": {}, "status_code": 429}), Some(429)),
            (json!({"error_code": 522, "status": 522}), Some(522)),
            (json!({"error": {"code": 1300}}), None),
            (json!({"error": {"code": "rate_limit_exceeded"}}), None),
            (json!({"error": {"code": 200}}), None),
            (json!({"status": -5}), None),
        ] {
            assert_eq!(in_body(&Layer::of(body.clone())), status, "{body}");
        }
    }

    #[test]
    fn an_answer_says_no_failure() {
        assert!(!says_failure(
            &json!({"object": "response", "error": null, "status": "completed"})
        ));
        assert!(!says_failure(&json!({"type": "message", "content": []})));
        assert!(!says_failure(&json!("error")));
        assert!(!says_failure(&json!({"code": 200, "msg": "ok", "data": {}})));
        assert!(!says_failure(&json!({"status": 429, "data": [1]})));
        assert!(!says_failure(&json!({"code": 10_000, "msg": "Success", "data": {}})));
        assert!(!says_failure(&json!({"code": 0, "message": "done"})));
        assert!(says_failure(&json!({"code": 401, "msg": "token is invalid"})));
        assert!(says_failure(&json!({"data": [], "code": 1113, "msg": "insufficient balance"})));
        assert!(says_failure(&json!({"status": "error", "message": "m"})));
        assert!(says_failure(&json!({"ok": false})));
        assert!(says_failure(&json!({"error": "an error was encountered"})));
        assert!(says_failure(&json!({"type": "error", "message": "m"})));
        assert!(says_failure(&json!({"object": "error", "message": "m"})));
    }
}
