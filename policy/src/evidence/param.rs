//! The parameter that a provider rejected.

use alloc::string::String;
use alloc::vec::Vec;
use std::sync::LazyLock;

use serde_json::Value;

use super::Place;
use super::at::at;

/// Where it stands, if a row knows no better place: OpenAI and its kin, Google, Anthropic, and
/// frameworks that list what they found wrong.
const PLACES: [&str; 6] = [
    "error.param",
    "param",
    "error.details[].fieldViolations[].field",
    "error.details.paths[]",
    "error.details.param",
    "error.parameter",
];

static COMPILED: LazyLock<Vec<Place>> = LazyLock::new(|| {
    // The places are constants, and a test of this file reads all of them.
    PLACES.iter().filter_map(|text| text.parse().ok()).collect()
});

/// Names are short; what is longer is something else.
const LONGEST: usize = 256;

/// The name that any of `bodies` gives, at the row's `own_place` first.
pub(crate) fn rejected_param(bodies: &[&Value], own_place: Option<&Place>) -> Option<String> {
    let named = |place: &Place| {
        bodies.iter().flat_map(|body| place.values(body)).filter_map(Value::as_str).find_map(name)
    };
    let usual = || COMPILED.iter().find_map(named);
    own_place
        .and_then(named)
        .or_else(usual)
        .or_else(|| bodies.iter().find_map(|body| location(body)))
}

/// FastAPI, and with it many proxies: `{"detail": [{"loc": ["body", "model"], …}]}`.
fn location(body: &Value) -> Option<String> {
    let steps = at(body, "/detail/0/loc")?.as_array()?;
    let step = |step: &Value| match step {
        Value::String(key) => Some(key.clone()),
        Value::Number(index) => Some(alloc::format!("{index}")),
        _ => None,
    };
    let steps: Vec<String> = steps.iter().filter_map(step).collect();
    name(&steps.join("."))
}

fn name(text: &str) -> Option<String> {
    let is_name = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic());
    (is_name && text.len() <= LONGEST && text != "None").then(|| text.into())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_rejected_parameter_is_found() {
        for (body, expected) in [
            (json!({"error": {"param": "reasoning.summary"}}), Some("reasoning.summary")),
            (
                json!({"error": {"details": {"paths": ["messages.0.content.1"]}}}),
                Some("messages.0.content.1"),
            ),
            (
                json!({"error": {"details": [{"fieldViolations": [{"field": "contents"}]}]}}),
                Some("contents"),
            ),
            (
                json!({"detail": [{"loc": ["body", "messages", 0], "msg": "m"}]}),
                Some("body.messages.0"),
            ),
            (json!({"error": {"param": null}}), None),
            (json!({"error": {"param": "None"}}), None),
            (json!({"error": {"param": "two words"}}), None),
        ] {
            assert_eq!(rejected_param(&[&body], None).as_deref(), expected, "{body}");
        }
    }

    #[test]
    fn the_row_knows_better() {
        let body = json!({"error": {"param": "a", "details": {"field": "b"}}});
        let place: Place = "error.details.field".parse().unwrap();
        assert_eq!(rejected_param(&[&body], Some(&place)).as_deref(), Some("b"));
    }
}
