//! JSON for people: objects over lines, lists of numbers on one, whole numbers without a fraction.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::{CompactFormatter, Formatter, PrettyFormatter};

/// `document` as text that ends with a line break.
pub fn text(document: &impl Serialize) -> String {
    let mut bytes = Vec::new();
    let mut serializer = Serializer::with_formatter(&mut bytes, ForPeople::default());
    // Our documents are structs of strings, numbers and lists, written to memory.
    let _never_fails = document.serialize(&mut serializer);
    bytes.push(b'\n');
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Objects as the pretty formatter has them, everything else as the compact one.
#[derive(Default)]
struct ForPeople {
    objects: PrettyFormatter<'static>,
}

impl Formatter for ForPeople {
    fn write_f64<W: ?Sized + Write>(&mut self, writer: &mut W, value: f64) -> io::Result<()> {
        // `Display` of a float is its shortest form, and that of 500.0 is 500.
        write!(writer, "{value}")
    }

    fn begin_array_value<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        CompactFormatter.begin_array_value(writer, first)?;
        if first { Ok(()) } else { writer.write_all(b" ") }
    }

    fn begin_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.objects.begin_object(writer)
    }

    fn end_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.objects.end_object(writer)
    }

    fn begin_object_key<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        self.objects.begin_object_key(writer, first)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.objects.begin_object_value(writer)
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.objects.end_object_value(writer)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn lists_stay_on_a_line_and_whole_numbers_are_whole() {
        let document = json!({ "a": [1.0, 2.5, null], "b": [{ "c": "d\"" }, {}], "e": {} });
        let shown = "{\n  \"a\": [1, 2.5, null],\n  \"b\": [{\n    \"c\": \"d\\\"\"\n  }, {}],\n  \"e\": {}\n}\n";
        assert_eq!(text(&document), shown);
    }
}
