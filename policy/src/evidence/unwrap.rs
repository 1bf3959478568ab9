//! Taking a body out of everything that proxies wrapped around it.
//!
//! A list of one (Google's streaming endpoints), JSON in a string (a client library that throws
//! the body as its message), `metadata.raw` (OpenRouter), `upstreamResponse` (relays), a prose
//! prefix such as `Error code: 429 - ` before JSON or a Python literal.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use serde_json::{Map, Value};

use super::Layer;
use super::at::at;
use super::literal::first_object;
use super::status::says_failure;

/// What is read of a body; no provider's error comes near.
const LONGEST: usize = 64 * 1024;

/// Envelopes inside one another: a provider, its gateway, and two proxies in front.
const DEEPEST: usize = 4;

/// What a body is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BodyKind {
    /// Nothing.
    Empty,
    /// A page for people.
    Html,
    /// JSON, whole or cut off.
    Json,
    /// Anything else.
    Text,
}

/// A body, unwrapped.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Body {
    /// What it is made of.
    pub(crate) kind: BodyKind,
    /// The envelopes, innermost first. Empty if the body is.
    pub(crate) layers: Vec<Layer>,
    /// The whole body as JSON, if it is that.
    pub(crate) whole: Option<Value>,
}

impl Body {
    /// Reads the first 64 KiB of `text`; an answer, which may be longer, whole.
    pub(crate) fn read(text: &str, is_success: bool) -> Body {
        let whole = text.trim_start_matches('\u{feff}').trim();
        let text = cut(whole, LONGEST);
        if is_success
            && text.len() < whole.len()
            && let Ok(answer) = serde_json::from_str::<Value>(whole)
            && !says_failure(&answer)
        {
            return Body { kind: BodyKind::Json, layers: Vec::new(), whole: Some(answer) };
        }
        if text.is_empty() {
            return Body { kind: BodyKind::Empty, layers: Vec::new(), whole: None };
        }
        if let Ok(whole) = serde_json::from_str::<Value>(text) {
            let layers = layers(&whole);
            return Body { kind: BodyKind::Json, layers, whole: Some(whole) };
        }
        if text.starts_with('<') {
            let page = Layer::of(Value::String(title(text).into()));
            return Body { kind: BodyKind::Html, layers: Vec::from([page]), whole: None };
        }
        let is_json = text.starts_with(['{', '[']);
        let whole = Value::String(text.into());
        Body {
            kind: if is_json { BodyKind::Json } else { BodyKind::Text },
            layers: layers(&whole),
            whole: None,
        }
    }
}

/// The longest beginning of `text` that has at most `most` bytes.
fn cut(text: &str, most: usize) -> &str {
    let mut end = most.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// What an HTML page calls itself.
fn title(page: &str) -> &str {
    let after = |text: &'_ str, tag: &str| text.find(tag).map(|at| at + tag.len());
    let Some(begin) = after(page, "<title>") else { return "" };
    let rest = &page[begin..];
    rest[..rest.find("</title>").unwrap_or(0)].trim()
}

fn layers(whole: &Value) -> Vec<Layer> {
    let mut found = Vec::new();
    let mut next = Some(Layer::of(whole.clone()));
    while let Some(layer) = next.take().filter(|_| found.len() < DEEPEST) {
        let layer = opened(layer);
        next = inside(&layer.value);
        found.push(layer);
    }
    found.reverse();
    found
}

/// The object that speaks in a list, in an event of OpenAI's Responses or of AWS, or in a text.
fn opened(layer: Layer) -> Layer {
    let Layer { stated, value } = layer;
    match value {
        Value::Array(list) => {
            let is_error = |entry: &&Value| entry.get("error").is_some_and(|e| !e.is_null());
            let speaks = list.iter().find(is_error).or_else(|| list.last());
            Layer { stated, value: speaks.cloned().unwrap_or(Value::Null) }
        }
        Value::Object(map) if is_exception(&map) => {
            let named = map.into_iter().find_map(|(name, payload)| {
                let Value::Object(mut payload) = payload else { return None };
                payload.insert("__type".into(), Value::String(name));
                Some(payload)
            });
            Layer { stated, value: named.map_or(Value::Null, Value::Object) }
        }
        Value::Object(mut map) => match map.remove("response") {
            Some(response) if response.get("error").is_some_and(Value::is_object) => {
                Layer { stated, value: response }
            }
            Some(response) => {
                map.insert("response".into(), response);
                Layer { stated, value: Value::Object(map) }
            }
            None => Layer { stated, value: Value::Object(map) },
        },
        Value::String(text) => match in_text(&text) {
            Some(inner) => Layer { stated: stated.or(inner.stated), value: inner.value },
            None => Layer { stated, value: Value::String(text) },
        },
        other => Layer { stated, value: other },
    }
}

/// `{"throttlingException": {"message": "…"}}`: an exception of AWS as its SDKs hand it on.
fn is_exception(map: &Map<String, Value>) -> bool {
    map.len() == 1
        && map.iter().all(|(name, payload)| name.ends_with("Exception") && payload.is_object())
}

/// The next envelope inside `value`.
fn inside(value: &Value) -> Option<Layer> {
    // In the order of how surely they hold the upstream's own words.
    const OBJECTS: [&str; 6] = [
        "/error/metadata/raw",
        "/error/upstreamResponse",
        "/upstreamResponse",
        "/error/error",
        "/error/body",
        "/detail/error",
    ];
    const TEXTS: [&str; 5] = ["/error/message", "/message", "/error", "/detail", "/errorMessage"];
    let wrapped = OBJECTS.iter().find_map(|place| match at(value, place)? {
        Value::String(text) => {
            Some(in_text(text).unwrap_or_else(|| Layer::of(Value::String(text.clone()))))
        }
        object @ Value::Object(_) if *place == "/error/error" || *place == "/detail/error" => {
            // The object is the error itself, without its envelope.
            let mut envelope = Map::new();
            envelope.insert("error".into(), object.clone());
            Some(Layer::of(Value::Object(envelope)))
        }
        object @ (Value::Object(_) | Value::Array(_)) => Some(Layer::of(object.clone())),
        _ => None,
    });
    wrapped.or_else(|| TEXTS.iter().find_map(|place| in_text(at(value, place)?.as_str()?)))
}

/// An envelope inside a text, with the status that is stated before it.
fn in_text(text: &str) -> Option<Layer> {
    let unquoted: Cow<'_, str> = match serde_json::from_str::<Value>(text) {
        Ok(Value::String(inner)) => Cow::Owned(inner),
        Ok(value @ (Value::Object(_) | Value::Array(_))) => return Some(Layer::of(value)),
        _ => Cow::Borrowed(text),
    };
    let (at, value) = first_object(&unquoted)?;
    let stated = stated_before(&unquoted[..at]);
    is_envelope(&value).then_some(Layer { stated, value })
}

/// Whether an object in prose can be an error, and not a piece of the caller's own request.
fn is_envelope(value: &Value) -> bool {
    const KEYS: [&str; 8] =
        ["error", "Error", "errors", "message", "Message", "msg", "detail", "__type"];
    let names = |key: &str| value.get(key).is_some_and(Value::is_string);
    KEYS.iter().any(|key| value.get(*key).is_some()) || names("code") || names("type")
}

/// The last number of three digits that is called an error's status, as in `Status 429 Body ` and
/// `Error code: 429 - `.
fn stated_before(prose: &str) -> Option<u16> {
    const NAMES: [&str; 4] = ["code", "status", "error", "http"];
    let mut words =
        prose.rsplit(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let mut after: Option<u16> = None;
    words.find_map(|word| {
        let stated = after.filter(|_| NAMES.iter().any(|name| word.eq_ignore_ascii_case(name)));
        after = word.parse().ok().filter(|status| (400..=599).contains(status));
        stated
    })
}

/// The text of a layer that is nothing but text.
pub(super) fn plain(value: &Value) -> Option<&String> {
    match value {
        Value::String(text) => Some(text),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use serde_json::json;

    use super::*;

    fn values(text: &str) -> Vec<Value> {
        Body::read(text, false).layers.into_iter().map(|layer| layer.value).collect()
    }

    /// Sources: bodies posted in the issue trackers of the proxies.
    #[test]
    fn the_innermost_envelope_comes_first() {
        let inner = json!({"error": {"code": 503, "status": "UNAVAILABLE"}});
        let outer = json!({"error": {"message": inner.to_string(), "code": 503}});
        assert_eq!(values(&outer.to_string()), [inner.clone(), outer]);
        assert_eq!(values(&json!([inner]).to_string()), core::slice::from_ref(&inner));
        let relay = json!({"error": {"type": "api_error", "upstreamResponse": inner}});
        assert_eq!(values(&relay.to_string()), [inner.clone(), relay]);
        let raw = json!({"error": {"code": 429, "metadata": {"raw": "slow down"}}});
        assert_eq!(values(&raw.to_string()), [json!("slow down"), raw]);
        let event = json!({"type": "response.failed", "response": {"error": {"code": "x"}}});
        assert_eq!(values(&event.to_string()), [json!({"error": {"code": "x"}})]);
        let member = json!({"throttlingException": {"message": "m"}});
        let named = json!({"message": "m", "__type": "throttlingException"});
        assert_eq!(values(&member.to_string()), [named]);
    }

    #[test]
    fn a_status_before_an_embedded_error_is_kept() {
        for (text, stated) in [
            ("Error code: 429 - {'error': {'code': 'x'}}", Some(429)),
            (
                "API error occurred: Status 503 Content-Type text Body {\"message\":\"m\"}",
                Some(503),
            ),
            ("gpt-4 400k said {\"message\":\"m\"}", None),
            ("schema error at column 500: {\"message\":\"m\"}", None),
        ] {
            let body = json!({"error": {"message": text}}).to_string();
            assert_eq!(Body::read(&body, false).layers[0].stated, stated, "{text}");
        }
    }

    #[test]
    fn a_body_is_of_one_kind() {
        for (text, kind) in [
            ("", BodyKind::Empty),
            (" \n", BodyKind::Empty),
            ("<!DOCTYPE html><title>504 Gateway Time-out</title>", BodyKind::Html),
            ("error code: 524", BodyKind::Text),
            ("{\"a\":1}", BodyKind::Json),
            ("{\"a\":1, \"b\": \"cut o", BodyKind::Json),
        ] {
            assert_eq!(Body::read(text, false).kind, kind, "{text}");
        }
        let page = Body::read("<html><title>504 Gateway Time-out</title>", false);
        assert_eq!(page.layers[0].value, json!("504 Gateway Time-out"));
    }

    #[test]
    fn no_more_than_four_envelopes_and_64_kib_are_read() {
        let mut nested = json!({"error": {"message": "innermost"}});
        for _ in 0..8 {
            nested = json!({"error": {"message": nested.to_string()}});
        }
        assert_eq!(values(&nested.to_string()).len(), DEEPEST);
        let long = json!({"error": {"code": "kept", "message": "ä".repeat(LONGEST)}}).to_string();
        let body = Body::read(&long, false);
        assert_eq!(body.layers[0].value.pointer("/error/code"), Some(&json!("kept")));
        let late = json!({"error": {"a": "ä".repeat(LONGEST), "code": "late"}}).to_string();
        let body = Body::read(&late, false);
        assert_eq!(body.layers[0].value.pointer("/error/code"), None, "it stands behind the cut");
        let answer = json!({"choices": ["a".repeat(LONGEST)]}).to_string();
        assert!(Body::read(&answer, true).whole.is_some(), "an answer is read whole");
    }
}
