//! Reading fields of JSON: what is there, and what says something.

use serde_json::Value;

/// The string under `key`, unless it is empty.
pub(super) fn text<'a>(value: &'a Value, key: &str) -> Option<&'a str> {
    value.get(key)?.as_str().filter(|text| !text.is_empty())
}

/// Whether `value` holds text, at any depth, beside that under the `ignored` keys.
///
/// This is how content is told from the shell around it, without a list of the kinds of content:
/// `{"type": "text", "text": ""}` opens a block, while any text, name of a tool or piece of its
/// input is one that the caller has seen. Numbers and booleans are positions and flags.
pub(super) fn says_something(value: &Value, ignored: &[&str]) -> bool {
    match value {
        Value::String(text) => !text.is_empty(),
        Value::Array(list) => list.iter().any(|one| says_something(one, ignored)),
        Value::Object(fields) => fields
            .iter()
            .any(|(key, one)| !ignored.contains(&key.as_str()) && says_something(one, ignored)),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

/// [`says_something`] of the field under `key`.
pub(super) fn field_says_something(value: &Value, key: &str, ignored: &[&str]) -> bool {
    value.get(key).is_some_and(|field| says_something(field, ignored))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_shell_says_nothing() {
        for shell in [
            json!({"type": "text", "text": "", "citations": null}),
            json!({"type": "tool", "input": {}, "index": 3, "last": true}),
            json!([[], {}, ""]),
        ] {
            assert!(!says_something(&shell, &["type"]), "{shell}");
        }
    }

    #[test]
    fn text_at_any_depth_says_something() {
        for content in [json!({"text": "a"}), json!([{"function": {"arguments": "{"}}])] {
            assert!(says_something(&content, &["type"]), "{content}");
        }
    }
}
