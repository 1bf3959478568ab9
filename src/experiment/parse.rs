//! From TOML text to a tree with places.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::diagnostic::Diagnostic;
use super::node::{Key, Node, Table, Value};
use super::source::{Place, SourceId};

/// The tree of a whole file.
///
/// # Errors
///
/// The text is not TOML.
pub fn parse(text: &str, source: SourceId) -> Result<Node, Diagnostic> {
    let reader = Reader { source, offset: 0 };
    let root = DeTable::parse(text).map_err(|error| reader.fault(&error))?;
    let value = Value::Table(reader.table(root.into_inner())?);
    // A fault of the file as a whole is shown at its first line.
    Ok(Node { value, place: reader.place(0..0) })
}

/// The tree of one value that begins at `offset` of its source; text that is not TOML is a bare
/// string.
pub fn parse_value(text: &str, source: SourceId, offset: usize) -> Node {
    let reader = Reader { source, offset };
    DeValue::parse(text).ok().and_then(|value| reader.node(value).ok()).unwrap_or_else(|| Node {
        value: Value::String(text.to_string()),
        place: reader.place(0..text.len()),
    })
}

struct Reader {
    source: SourceId,
    offset: usize,
}

impl Reader {
    fn place(&self, span: Range<usize>) -> Place {
        Place { source: self.source, start: self.offset + span.start, end: self.offset + span.end }
    }

    fn fault(&self, error: &toml::de::Error) -> Diagnostic {
        let message = error.message().trim().replace('\n', "; ");
        Diagnostic::new(message).at(Some(self.place(error.span().unwrap_or_default())))
    }

    fn table(&self, table: DeTable<'_>) -> Result<Table, Diagnostic> {
        let mut entries = Vec::new();
        for (key, value) in table {
            let place = self.place(key.span());
            entries.push((Key { name: key.into_inner().into_owned(), place }, self.node(value)?));
        }
        // The parser sorts keys by name; people expect policies in the order they wrote them.
        entries.sort_by_key(|(key, _)| key.place.start);
        Ok(entries.into_iter().collect())
    }

    fn node(&self, value: Spanned<DeValue<'_>>) -> Result<Node, Diagnostic> {
        let place = self.place(value.span());
        let out_of_range = |number: &str| {
            Diagnostic::new(format!("`{number}` is not a number that fits in 64 bits"))
                .at(Some(place))
        };
        let value = match value.into_inner() {
            DeValue::String(text) => Value::String(text.into_owned()),
            DeValue::Integer(number) => {
                let parsed = i64::from_str_radix(number.as_str(), number.radix());
                Value::Integer(parsed.map_err(|_| out_of_range(number.as_str()))?)
            }
            DeValue::Float(number) => {
                let parsed = number.as_str().parse();
                Value::Float(parsed.map_err(|_| out_of_range(number.as_str()))?)
            }
            DeValue::Boolean(truth) => Value::Boolean(truth),
            DeValue::Datetime(datetime) => Value::Datetime(datetime.to_string()),
            DeValue::Array(items) => {
                let items = items.into_iter().map(|item| self.node(item));
                Value::Array(items.collect::<Result<_, _>>()?)
            }
            DeValue::Table(table) => Value::Table(self.table(table)?),
        };
        Ok(Node { value, place })
    }
}
