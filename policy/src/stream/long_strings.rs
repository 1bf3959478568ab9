//! Cutting long strings out of JSON while it is received.
//!
//! An event with a picture in it has megabytes, and the one field that tells how the answer ended
//! often stands behind them (Gemini sends the picture and its `finishReason` in one event, OpenAI
//! repeats whole outputs in `response.completed`). Cutting the string instead of dropping the event
//! keeps the JSON valid and the memory small.

use alloc::vec::Vec;

/// Bytes that are kept of one string. No stop reason and no error message comes near.
const KEPT: usize = 1 << 16;

/// The longest escape, `\u0041`.
const ESCAPE: usize = 6;

/// Where in the JSON of one event the next byte is.
#[derive(Clone, Debug, Default)]
pub(super) struct LongStrings {
    in_string: bool,
    /// The byte before was a backslash that escapes this one.
    escaped: bool,
    /// Bytes since the last backslash, itself counted.
    since_backslash: usize,
    /// Bytes of this string so far.
    length: usize,
    cutting: bool,
}

impl LongStrings {
    /// Appends `bytes` to `out`, without what is too much of a string.
    ///
    /// A cut begins at a plain ASCII byte outside any escape, so what is kept ends with a whole
    /// character, and lasts until the string's closing quote.
    pub(super) fn append(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        for &byte in bytes {
            if !self.in_string {
                if byte == b'"' {
                    *self =
                        LongStrings { in_string: true, since_backslash: ESCAPE, ..Self::default() };
                }
                out.push(byte);
                continue;
            }
            let closes = byte == b'"' && !self.escaped;
            let is_plain = byte.is_ascii() && byte != b'\\' && self.since_backslash >= ESCAPE;
            self.cutting |= self.length >= KEPT && is_plain && !closes;
            if closes || !self.cutting {
                out.push(byte);
            }
            let begins_escape = byte == b'\\' && !self.escaped;
            self.since_backslash =
                if begins_escape { 1 } else { self.since_backslash.saturating_add(1) };
            self.escaped = begins_escape;
            self.length += 1;
            self.in_string = !closes;
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::String;

    use serde_json::Value;

    use super::*;

    fn cut(text: &str, chunk: usize) -> String {
        let (mut strings, mut out) = (LongStrings::default(), Vec::new());
        text.as_bytes().chunks(chunk).for_each(|bytes| strings.append(bytes, &mut out));
        String::from_utf8(out).expect("a cut leaves whole characters")
    }

    #[test]
    fn short_strings_stay_as_they_are() {
        let text = r#"{"a\"b": ["\\", "\ud83d\ude00", "é"], "c": "}"}"#;
        assert_eq!(cut(text, 1), text);
    }

    #[test]
    fn of_a_long_string_the_beginning_is_kept_and_the_rest_of_the_json() {
        for filling in ["A", "é.", "\\\"x123456", "\\ud83d\\ude00abc", "\\\\yyyyyy"] {
            let text = format!(r#"{{"data":"{}","end":"STOP"}}"#, filling.repeat(100_000));
            let out = cut(&text, 7);
            let parsed: Value = serde_json::from_str(&out).unwrap();
            assert_eq!(parsed["end"], "STOP", "{filling}");
            assert!((KEPT..KEPT + 100).contains(&out.len()), "{filling}: {}", out.len());
            assert_eq!(out, cut(&text, 1000), "{filling}");
        }
    }
}
