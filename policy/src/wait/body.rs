//! Typed fields of a body, and where they stand.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::cmp::Reverse;

use serde_json::{Map, Value};

use super::field::Form;
use super::unix_time::UnixTime;
use super::{Place, Waits};

/// In order of precedence: where two fields differ, the more precise one is right, and a duration
/// is right whatever the clock says.
const FIELDS: [(&str, Form); 9] = [
    ("retryDelay", Form::Duration),      // Google's RetryInfo
    ("quotaResetDelay", Form::Duration), // Google's Code Assist, in ErrorInfo
    ("retry_after_ms", Form::Milliseconds),
    ("retry_after", Form::Seconds), // Cloudflare
    ("retry_after_seconds", Form::Seconds),
    ("retryAfter", Form::Seconds),
    ("resets_in_seconds", Form::Seconds), // the Codex backend
    ("quotaResetTimeStamp", Form::Date),
    ("resets_at", Form::Date),
];

/// No error goes into more; whoever sends more is not listened to.
const MOST_DETAILS: usize = 64;

/// A field that occurs several times comes with the innermost body's first, and in one body with
/// its longest wait.
pub(super) fn read(bodies: &[&Value], now: Option<UnixTime>, waits: &mut Waits) {
    let objects: Vec<Vec<Object<'_>>> = bodies.iter().map(|body| objects(body)).collect();
    for (field, form) in FIELDS {
        for objects in &objects {
            let mut all: Vec<_> = objects
                .iter()
                .filter_map(|object| {
                    let value = object.fields.get(field).filter(|value| !value.is_null())?;
                    Some((format!("{}{field}", object.path), value, form.read(value, now)))
                })
                .collect();
            all.sort_by_key(|(_, _, read)| Reverse(read.ok()));
            for (name, value, read) in all {
                waits.push(Place::Body, &name, &as_written(value), read);
            }
        }
    }
}

/// An object that may hold one of the fields.
struct Object<'a> {
    /// As far as the name of the field: `error.details[0].`.
    path: String,
    fields: &'a Map<String, Value>,
}

/// The body and its `error`, and of each its `metadata` and `details`, and of those their
/// `metadata`.
fn objects(body: &Value) -> Vec<Object<'_>> {
    let mut all = Vec::new();
    let error = body.get("error");
    for (path, value) in [("", Some(body)), ("error.", error)] {
        let Some(value) = value else { continue };
        add(&mut all, String::from(path), value);
        match value.get("details") {
            Some(Value::Array(list)) => {
                for (index, detail) in list.iter().enumerate().take(MOST_DETAILS) {
                    add(&mut all, format!("{path}details[{index}]."), detail);
                }
            }
            Some(detail) => add(&mut all, format!("{path}details."), detail),
            None => {}
        }
    }
    all
}

/// Adds `value` and its `metadata`, if they are objects.
fn add<'a>(all: &mut Vec<Object<'a>>, path: String, value: &'a Value) {
    if let Some(fields) = value.get("metadata").and_then(Value::as_object) {
        all.push(Object { path: format!("{path}metadata."), fields });
    }
    if let Some(fields) = value.as_object() {
        all.push(Object { path, fields });
    }
}

fn as_written(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => format!("{other}"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::time::Nanos;

    const NOW: UnixTime = UnixTime::from_secs(1_777_900_000);

    fn read_all(bodies: &[&Value]) -> Waits {
        let mut waits = Waits::default();
        read(bodies, Some(NOW), &mut waits);
        waits
    }

    #[test]
    fn every_field_is_read_in_every_place() {
        for (body, name, nanos) in [
            (json!({"retry_after": 120}), "retry_after", 120_000_000_000_u64),
            (json!({"retryAfter": 1.5}), "retryAfter", 1_500_000_000),
            (
                json!({"error": {"retry_after_seconds": "7"}}),
                "error.retry_after_seconds",
                7_000_000_000,
            ),
            (json!({"error": {"retry_after": "30s"}}), "error.retry_after", 30_000_000_000),
            (
                json!({"error": {"metadata": {"retry_after_ms": 494}}}),
                "error.metadata.retry_after_ms",
                494_000_000,
            ),
            (json!({"details": {"retryAfter": 2}}), "details.retryAfter", 2_000_000_000),
            (
                json!({"error": {"resets_in_seconds": 602_705}}),
                "error.resets_in_seconds",
                602_705_000_000_000,
            ),
            (json!({"error": {"resets_at": 1_777_936_568}}), "error.resets_at", 36_568_000_000_000),
            (json!({"error": {"resets_at": "1777936568"}}), "error.resets_at", 36_568_000_000_000),
            (
                json!({"error": {"details": [{}, {"retryDelay": "0.539477544s"}]}}),
                "error.details[1].retryDelay",
                539_477_544,
            ),
            (json!({"details": [{"retryDelay": "26s"}]}), "details[0].retryDelay", 26_000_000_000),
            (
                json!({"error": {"details": [{"retryDelay": {"seconds": 26, "nanos": 5}}]}}),
                "error.details[0].retryDelay",
                26_000_000_005,
            ),
            (
                json!({"error": {"details": [{"retryDelay": {"seconds": "26"}}]}}),
                "error.details[0].retryDelay",
                26_000_000_000,
            ),
            (
                json!({"error": {"details": [{"metadata": {"quotaResetDelay": "5h59m59.96s"}}]}}),
                "error.details[0].metadata.quotaResetDelay",
                21_599_960_000_000,
            ),
            (
                json!({"error": {"details": [{"metadata": {"quotaResetTimeStamp": "2026-05-04T13:06:41Z"}}]}}),
                "error.details[0].metadata.quotaResetTimeStamp",
                1_000_000_000,
            ),
            (json!({"retry_after": 1e-12}), "retry_after", 1),
            (json!({"retry_after": 1e300}), "retry_after", u64::MAX),
            (json!({"retry_after": u64::MAX}), "retry_after", u64::MAX),
        ] {
            let waits = read_all(&[&body]);
            assert_eq!(waits.ignored, [], "{body}");
            assert_eq!(waits.found.len(), 1, "{body}");
            assert_eq!(waits.found[0].name, name);
            assert_eq!(waits.found[0].place, Place::Body);
            assert_eq!(waits.found[0].hint.0, Nanos::new(nanos), "{body}");
        }
    }

    #[test]
    fn what_says_nothing_is_passed_over() {
        for body in [
            json!({"retry_after": null, "error": {"details": null, "metadata": 5}}),
            json!({"error": "retry_after", "details": [5, "retryDelay", null]}),
            json!({"elsewhere": {"retry_after": 5}}),
            json!({"Retry_After": 5}),
            json!([{"retry_after": 5}]),
            json!("retry_after"),
        ] {
            assert_eq!(read_all(&[&body]), Waits::default(), "{body}");
        }
    }

    #[test]
    fn the_more_precise_field_comes_first_then_the_innermost_then_the_longest() {
        let inner = json!({"error": {"retry_after": 2, "details": [
            {"metadata": {"quotaResetDelay": "3s"}},
            {"retryDelay": "4s"},
            {"retryDelay": "5s"},
        ]}});
        let outer = json!({"retry_after": 60, "resets_at": 1_777_900_007});
        let waits = read_all(&[&inner, &outer]);
        let found: Vec<_> = waits.found.iter().map(|found| found.value.as_str()).collect();
        assert_eq!(found, ["5s", "4s", "3s", "2", "60", "1777900007"]);
    }
}
