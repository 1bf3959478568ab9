//! Values inside prose: proxies print an upstream error into their own message, as JSON, as a
//! Python dictionary or bytes literal, escaped once more, or cut off in the middle.
//!
//! No JSON library reads these. The reader here takes what it can understand from the front,
//! keeps what is complete when the text ends early, and never goes back, so it is linear.

use alloc::string::String;
use alloc::vec::Vec;

use serde_json::{Map, Value};

/// Errors are shallow; what is deeper is left out.
const DEEPEST: usize = 16;

/// How many opening brackets are tried before the text counts as prose alone.
const MOST_STARTS: usize = 8;

/// The first object in `text` that holds anything, and where it begins.
pub(super) fn first_object(text: &str) -> Option<(usize, Value)> {
    let mut at = 0;
    for _ in 0..MOST_STARTS {
        at += text.get(at..)?.find('{')?;
        let mut reader = Reader { text, at };
        match reader.value(DEEPEST) {
            Some(Value::Object(map)) if !map.is_empty() => return Some((at, Value::Object(map))),
            // Whatever it was has been read once; going on behind it keeps the time linear.
            _ => at = reader.at.max(at + 1),
        }
        while !text.is_char_boundary(at) {
            at += 1;
        }
    }
    None
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Reader<'t> {
    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_space(&mut self) {
        loop {
            match self.peek() {
                Some(b' ' | b'\t' | b'\n' | b'\r') => self.at += 1,
                // A newline that a bytes literal shows as two characters.
                Some(b'\\') if self.is_escaped_space() => self.at += 2,
                _ => return,
            }
        }
    }

    fn is_escaped_space(&self) -> bool {
        let second = self.text.as_bytes().get(self.at + 1);
        second.is_some_and(|byte| b"ntr".contains(byte))
    }

    /// A value; `None` if there is none here, or it ends before it says anything.
    fn value(&mut self, depth: usize) -> Option<Value> {
        self.skip_space();
        match self.peek()? {
            b'{' if depth > 0 => Some(Value::Object(self.object(depth - 1))),
            b'[' if depth > 0 => Some(Value::Array(self.array(depth - 1))),
            b'"' | b'\'' | b'\\' => self.string().map(Value::String),
            b'b' | b'u' | b'r' if self.is_prefix() => {
                self.at += 1;
                self.string().map(Value::String)
            }
            _ => self.word(),
        }
    }

    /// Python writes `b'...'` for bytes.
    fn is_prefix(&self) -> bool {
        self.text.as_bytes().get(self.at + 1).is_some_and(|next| b"'\"".contains(next))
    }

    fn object(&mut self, depth: usize) -> Map<String, Value> {
        let mut map = Map::new();
        self.at += 1;
        loop {
            self.skip_space();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b'}') => {
                    self.at += 1;
                    return map;
                }
                Some(b'"' | b'\'' | b'\\') => {
                    let Some(key) = self.string() else { return map };
                    self.skip_space();
                    if self.peek() != Some(b':') {
                        return map;
                    }
                    self.at += 1;
                    let Some(value) = self.value(depth) else { return map };
                    map.insert(key, value);
                }
                _ => return map,
            }
        }
    }

    fn array(&mut self, depth: usize) -> Vec<Value> {
        let mut list = Vec::new();
        self.at += 1;
        loop {
            self.skip_space();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b']') => {
                    self.at += 1;
                    return list;
                }
                _ => match self.value(depth) {
                    Some(value) => list.push(value),
                    None => return list,
                },
            }
        }
    }

    /// A string in quotes, themselves perhaps escaped: it ends at the same quotes.
    fn string(&mut self) -> Option<String> {
        let slashes = self.rest().bytes().take_while(|byte| *byte == b'\\').count();
        let quote = *self.text.as_bytes().get(self.at + slashes)?;
        if quote != b'"' && quote != b'\'' {
            return None;
        }
        self.at += slashes + 1;
        let mut out = String::new();
        let begin = self.at;
        let mut run = 0_usize;
        for (offset, c) in self.rest().char_indices() {
            self.at = begin + offset + c.len_utf8();
            match c {
                '\\' => run += 1,
                _ if c == char::from(quote) && run == slashes => return Some(out),
                _ => {
                    push_escaped(&mut out, c, run, slashes);
                    run = 0;
                }
            }
        }
        // Cut off: what there is of it still says something.
        (!out.is_empty()).then_some(out)
    }

    /// A number or a word: `null`, `None`, `true`, `True`.
    fn word(&mut self) -> Option<Value> {
        let rest = self.rest();
        let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '+' | '.' | '_');
        let word = rest.split(|c| !is_part(c)).next().filter(|word| !word.is_empty())?;
        self.at += word.len();
        Some(match word {
            "null" | "None" => Value::Null,
            "true" | "True" => Value::Bool(true),
            "false" | "False" => Value::Bool(false),
            word => serde_json::from_str(word).unwrap_or(Value::Null),
        })
    }
}

/// Adds `c` after `run` backslashes, where `slashes` of them belong to the quoting.
fn push_escaped(out: &mut String, c: char, run: usize, slashes: usize) {
    if run <= slashes {
        out.push(c);
        return;
    }
    match c {
        'n' => out.push('\n'),
        'r' => out.push('\r'),
        't' => out.push('\t'),
        // Nothing that decides a class is spelled in escapes, so the others stay as they stand.
        'u' | 'x' => out.extend(['\\', c]),
        other => out.push(other),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(text: &str) -> Option<Value> {
        first_object(text).map(|(_, value)| value)
    }

    /// Sources: the forms that proxies print, as posted in their issue trackers.
    #[test]
    fn objects_in_prose_are_read_in_every_form() {
        for (text, expected) in [
            (
                "Error code: 429 - {'error': {'code': '429', 'x': None}}\nmore",
                json!({"error": {"code": "429", "x": null}}),
            ),
            (r#"b'[{\n  "error": {\n    "code": 429\n  }\n}\n]'"#, json!({"error": {"code": 429}})),
            (
                r#"{\"error\": {\"message\": \"a \\\"b\\\"\"}}"#,
                json!({"error": {"message": "a \"b\""}}),
            ),
            (r#"it's {"message": "don't", 'ok': True}"#, json!({"message": "don't", "ok": true})),
            (
                r#"{"a": [1, 2.5, {"b": "c"}], "d": -1}"#,
                json!({"a": [1, 2.5, {"b": "c"}], "d": -1}),
            ),
            ("{'data': b'bytes'}", json!({"data": "bytes"})),
            ("try {} or {x} or {'a': 1}", json!({"a": 1})),
        ] {
            assert_eq!(read(text), Some(expected), "{text}");
        }
    }

    #[test]
    fn what_is_cut_off_keeps_what_is_complete() {
        assert_eq!(
            read(r#"{"error": {"code": "insufficient_quota", "message": "You exc"#),
            Some(json!({"error": {"code": "insufficient_quota", "message": "You exc"}}))
        );
        assert_eq!(read(r#"{"a": {"b": 1}, "c"#), Some(json!({"a": {"b": 1}})));
    }

    #[test]
    fn prose_is_no_object() {
        for text in ["", "no brackets", "{", "{}", "{ }", "{{{{{{{{{{", "{'", "a } b"] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn what_is_too_deep_is_left_out() {
        let text = alloc::format!("{}1{}", "{'a':".repeat(100), "}".repeat(100));
        assert!(read(&text).is_some());
    }
}
