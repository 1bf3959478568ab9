//! A decoder of Server-Sent Events that also takes NDJSON, fed in chunks of any size.
//!
//! It follows "interpreting an event stream" of
//! <https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation>,
//! except where a browser's reader would let an error pass:
//! - an event is also given out if the stream ends without the blank line behind it, and if it has
//!   a name but no data;
//! - a line that begins with `{` or `[` is an event of its own. No field begins so; Ollama and the
//!   first Cohere interface stream JSON in lines, and proxies print a bare error into an open stream.
//!
//! `id`, `retry`, other fields and comments are skipped. Memory is bounded: of a long JSON string
//! only the beginning is kept, and an event that is longer than [`LONGEST_EVENT`] without it is
//! dropped and counted. Time is linear in the bytes; no bytes make it panic.

use alloc::string::String;
use alloc::vec::Vec;

use super::event::Event;
use super::long_strings::LongStrings;

/// Bytes of data that an event may have.
pub(super) const LONGEST_EVENT: usize = 1 << 20;
/// Bytes that are kept of an event's name.
const LONGEST_NAME: usize = 256;
/// Bytes of the longest field name that is understood, `event`.
const LONGEST_FIELD: usize = 5;

const BYTE_ORDER_MARK: [u8; 3] = [0xEF, 0xBB, 0xBF];

/// Where in its line the next byte is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Position {
    /// In the byte order mark that may begin the stream; so many bytes of it were there.
    Mark(usize),
    /// At the beginning.
    Start,
    /// In the name of the field.
    FieldName,
    /// Behind the colon, where one space is skipped.
    Colon(Field),
    /// In the value.
    Value(Field),
    /// In a line of JSON.
    Json,
    /// In a line without meaning.
    Skipped,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Field {
    Data,
    Event,
}

/// See the module.
#[derive(Clone, Debug)]
pub(super) struct Decoder {
    position: Position,
    /// The last line ended with a carriage return, so a line feed that follows belongs to it.
    after_return: bool,
    /// The field's name so far.
    field: Vec<u8>,
    /// Of the event so far.
    name: Vec<u8>,
    data: Vec<u8>,
    has_data: bool,
    strings: LongStrings,
    /// The event is too long, and skipped until it ends.
    dropping: bool,
    dropped: usize,
}

impl Decoder {
    pub(super) fn new() -> Self {
        Decoder {
            position: Position::Mark(0),
            after_return: false,
            field: Vec::new(),
            name: Vec::new(),
            data: Vec::new(),
            has_data: false,
            strings: LongStrings::default(),
            dropping: false,
            dropped: 0,
        }
    }

    /// How many events were too long.
    pub(super) fn dropped(&self) -> usize {
        self.dropped
    }

    /// Decodes `bytes` and gives out the events that they complete.
    pub(super) fn feed(&mut self, bytes: &[u8], on_event: &mut impl FnMut(&Event<'_>)) {
        let mut rest = bytes;
        while let Some((&byte, behind)) = rest.split_first() {
            let after_return = core::mem::take(&mut self.after_return);
            if after_return && byte == b'\n' {
                rest = behind;
                continue;
            }
            if matches!(byte, b'\n' | b'\r') {
                self.end_line(on_event);
                self.after_return = byte == b'\r';
                rest = behind;
                continue;
            }
            rest = match self.position {
                Position::Mark(met) if BYTE_ORDER_MARK.get(met) == Some(&byte) => {
                    let is_whole = met + 1 == BYTE_ORDER_MARK.len();
                    self.position =
                        if is_whole { Position::Start } else { Position::Mark(met + 1) };
                    behind
                }
                // A part of the mark is the beginning of a field that nobody knows.
                Position::Mark(met) => {
                    self.position = if met == 0 { Position::Start } else { Position::Skipped };
                    rest
                }
                Position::Start => {
                    self.begin_line(byte, on_event);
                    rest
                }
                Position::FieldName => {
                    self.extend_field_name(byte);
                    behind
                }
                Position::Colon(field) => {
                    self.position = Position::Value(field);
                    if byte == b' ' { behind } else { rest }
                }
                Position::Value(_) | Position::Json | Position::Skipped => self.take_value(rest),
            };
        }
    }

    /// The stream has ended: gives out the event that no blank line followed.
    pub(super) fn end(&mut self, on_event: &mut impl FnMut(&Event<'_>)) {
        self.end_line(on_event);
        self.end_event(on_event);
    }

    /// Decides by its first byte what a line is, without taking that byte.
    fn begin_line(&mut self, byte: u8, on_event: &mut impl FnMut(&Event<'_>)) {
        self.position = match byte {
            b':' => Position::Skipped,
            b'{' | b'[' => {
                if self.has_data || self.dropping {
                    self.end_event(on_event);
                }
                self.has_data = true;
                Position::Json
            }
            _ => {
                self.field.clear();
                Position::FieldName
            }
        };
    }

    fn extend_field_name(&mut self, byte: u8) {
        if byte == b':' {
            self.position = match self.known_field() {
                Some(field) => {
                    self.begin_value(field);
                    Position::Colon(field)
                }
                None => Position::Skipped,
            };
        } else if self.field.len() == LONGEST_FIELD {
            self.position = Position::Skipped;
        } else {
            self.field.push(byte);
        }
    }

    fn known_field(&self) -> Option<Field> {
        match self.field.as_slice() {
            b"data" => Some(Field::Data),
            b"event" => Some(Field::Event),
            _ => None,
        }
    }

    /// Lines of data are joined; of several names the last counts.
    fn begin_value(&mut self, field: Field) {
        match field {
            Field::Event => self.name.clear(),
            Field::Data if self.has_data => self.append_data(b"\n"),
            Field::Data => self.has_data = true,
        }
    }

    /// Takes the value up to the end of the line or of `bytes`; returns what is behind.
    fn take_value<'a>(&mut self, bytes: &'a [u8]) -> &'a [u8] {
        let end = bytes.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
        let (value, behind) = bytes.split_at(end.unwrap_or(bytes.len()));
        match self.position {
            Position::Value(Field::Data) | Position::Json => self.append_data(value),
            Position::Value(Field::Event) => {
                let space = LONGEST_NAME - self.name.len().min(LONGEST_NAME);
                self.name.extend(value.iter().take(space));
            }
            _ => {}
        }
        behind
    }

    fn append_data(&mut self, bytes: &[u8]) {
        // In pieces, so that one chunk of any size does not pass the limit by more than a piece.
        for piece in bytes.chunks(1 << 12) {
            if self.dropping {
                return;
            }
            self.strings.append(piece, &mut self.data);
            if self.data.len() > LONGEST_EVENT {
                self.dropping = true;
                self.dropped += 1;
                self.data = Vec::new();
            }
        }
    }

    fn end_line(&mut self, on_event: &mut impl FnMut(&Event<'_>)) {
        match self.position {
            Position::Start | Position::Mark(0) | Position::Json => self.end_event(on_event),
            // A field without a colon has an empty value.
            Position::FieldName => {
                if let Some(field) = self.known_field() {
                    self.begin_value(field);
                }
            }
            Position::Mark(_) | Position::Colon(_) | Position::Value(_) | Position::Skipped => {}
        }
        self.position = Position::Start;
    }

    fn end_event(&mut self, on_event: &mut impl FnMut(&Event<'_>)) {
        if !self.dropping && (self.has_data || !self.name.is_empty()) {
            let name = String::from_utf8_lossy(&self.name);
            let data = String::from_utf8_lossy(&self.data);
            let name = (!name.is_empty()).then_some(&*name);
            on_event(&Event { name, data: &data, ..Event::default() });
        }
        self.name.clear();
        self.data.clear();
        self.has_data = false;
        self.strings = LongStrings::default();
        self.dropping = false;
    }
}

#[cfg(test)]
mod tests;
