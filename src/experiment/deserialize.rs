//! Fills serde structs from a tree, with the place of whatever does not fit.

use std::fmt::Display;

use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Expected, MapAccess, SeqAccess, Unexpected,
    VariantAccess, Visitor, value::StrDeserializer,
};
use serde::{Deserialize, forward_to_deserialize_any};

use super::diagnostic::Diagnostic;
use super::node::{Key, Node, Value};
use super::suggest;

/// A value of type `T` from `node`.
///
/// # Errors
///
/// A key that `T` does not have, a value of the wrong form, a missing key.
pub fn from_node<'a, T: Deserialize<'a>>(node: &'a Node) -> Result<T, Diagnostic> {
    T::deserialize(node).map_err(|error| error.0)
}

/// A diagnostic on its way out through serde.
#[derive(Debug)]
pub struct Fault(Diagnostic);

impl Fault {
    fn at(self, node: &Node) -> Self {
        Fault(self.0.at(Some(node.place)))
    }
}

impl Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0.message)
    }
}

impl std::error::Error for Fault {}

impl serde::de::Error for Fault {
    fn custom<T: Display>(message: T) -> Self {
        Fault(Diagnostic::new(message.to_string()))
    }

    fn invalid_type(unexpected: Unexpected<'_>, expected: &dyn Expected) -> Self {
        let expected = plain(expected);
        let message = format!("expected {expected}, found {}", found(unexpected));
        match (expected.as_str(), unexpected) {
            ("a list", Unexpected::Map) => {
                let help = "a list of tables is written [[NAME]], with two pairs of brackets";
                Fault(Diagnostic::new(message).help(help))
            }
            _ => Fault::custom(message),
        }
    }

    fn invalid_value(unexpected: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Fault::invalid_type(unexpected, expected)
    }

    fn unknown_field(field: &str, expected: &'static [&'static str]) -> Self {
        Fault(
            Diagnostic::new(format!("unknown key `{field}`")).help(suggest::help(field, expected)),
        )
    }

    fn unknown_variant(variant: &str, expected: &'static [&'static str]) -> Self {
        Fault(
            Diagnostic::new(format!("unknown value `{variant}`"))
                .help(suggest::help(variant, expected)),
        )
    }

    fn missing_field(field: &'static str) -> Self {
        Fault::custom(format!("missing key `{field}`"))
    }

    fn duplicate_field(field: &'static str) -> Self {
        Fault::custom(format!("key `{field}` stands here twice"))
    }
}

/// Rust's names for what was expected, in words.
fn plain(expected: &dyn Expected) -> String {
    match expected.to_string().as_str() {
        "u32" => "a whole number from 0 to 4,294,967,295".into(),
        "a nonzero u32" => "a whole number of at least 1".into(),
        "u16" => "a whole number from 0 to 65,535".into(),
        "u64" => "a whole number, not negative".into(),
        "f64" => "a number".into(),
        "a boolean" => "true or false".into(),
        "a sequence" => "a list".into(),
        "a map" => "a table".into(),
        "newtype variant" => "a table with this key and its value".into(),
        other if other.starts_with("struct ") => "a table".into(),
        other => other.into(),
    }
}

fn found(unexpected: Unexpected<'_>) -> String {
    match unexpected {
        Unexpected::Str(text) => format!("the string {text:?}"),
        Unexpected::Signed(number) => format!("the number {number}"),
        Unexpected::Unsigned(number) => format!("the number {number}"),
        Unexpected::Float(number) => format!("the number {number}"),
        Unexpected::Bool(truth) => format!("{truth}"),
        Unexpected::Map => "a table".into(),
        Unexpected::Seq => "a list".into(),
        Unexpected::UnitVariant => "the key alone".into(),
        other => other.to_string(),
    }
}

impl<'de> Deserializer<'de> for &'de Node {
    type Error = Fault;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        let result = match &self.value {
            Value::String(text) | Value::Datetime(text) => visitor.visit_borrowed_str(text),
            Value::Integer(number) => visitor.visit_i64(*number),
            Value::Float(number) => visitor.visit_f64(*number),
            Value::Boolean(truth) => visitor.visit_bool(*truth),
            Value::Array(items) => visitor.visit_seq(Items { items: items.iter() }),
            Value::Table(table) => {
                let entries = Box::new(table.iter());
                visitor.visit_map(Entries { entries, value: None })
            }
        };
        result.map_err(|fault| fault.at(self))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Fault> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        let result = match &self.value {
            Value::String(name) => visitor.visit_enum(StrDeserializer::new(name)),
            Value::Table(table) => {
                let mut entries = table.iter();
                match (entries.next(), entries.next()) {
                    (Some((key, node)), None) => visitor.visit_enum(Variant { key, node }),
                    _ => Err(serde::de::Error::custom(format!(
                        "expected a table with exactly one of the keys {}",
                        variants.join(", ")
                    ))),
                }
            }
            other => Err(serde::de::Error::custom(format!(
                "expected one of {}, found {}",
                variants.join(", "),
                match other {
                    Value::Integer(number) => format!("the number {number}"),
                    Value::Float(number) => format!("the number {number}"),
                    Value::Boolean(truth) => truth.to_string(),
                    _ => "a list".to_string(),
                }
            ))),
        };
        result.map_err(|fault: Fault| fault.at(self))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}

struct Items<'de> {
    items: std::slice::Iter<'de, Node>,
}

impl<'de> SeqAccess<'de> for Items<'de> {
    type Error = Fault;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Fault> {
        self.items
            .next()
            .map(|item| seed.deserialize(item).map_err(|fault| fault.at(item)))
            .transpose()
    }
}

struct Entries<'de> {
    entries: Box<dyn Iterator<Item = (&'de Key, &'de Node)> + 'de>,
    value: Option<&'de Node>,
}

impl<'de> MapAccess<'de> for Entries<'de> {
    type Error = Fault;

    fn size_hint(&self) -> Option<usize> {
        let (low, high) = self.entries.size_hint();
        high.filter(|high| *high == low)
    }

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Fault> {
        let Some((key, node)) = self.entries.next() else { return Ok(None) };
        self.value = Some(node);
        let name = seed.deserialize(StrDeserializer::new(&key.name));
        name.map(Some).map_err(|fault: Fault| Fault(fault.0.at(Some(key.place))))
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Fault> {
        match self.value.take() {
            Some(node) => seed.deserialize(node).map_err(|fault| fault.at(node)),
            None => Err(serde::de::Error::custom("a value was asked for before its key")),
        }
    }
}

/// A table with one key, read as a variant with its content.
struct Variant<'de> {
    key: &'de Key,
    node: &'de Node,
}

impl<'de> EnumAccess<'de> for Variant<'de> {
    type Error = Fault;
    type Variant = &'de Node;

    fn variant_seed<V: DeserializeSeed<'de>>(
        self,
        seed: V,
    ) -> Result<(V::Value, &'de Node), Fault> {
        let name = seed.deserialize(StrDeserializer::new(&self.key.name));
        let name = name.map_err(|fault: Fault| Fault(fault.0.at(Some(self.key.place))))?;
        Ok((name, self.node))
    }
}

impl<'de> VariantAccess<'de> for &'de Node {
    type Error = Fault;

    fn unit_variant(self) -> Result<(), Fault> {
        let message = "this word stands alone, as a string: it takes no value";
        Err(Fault(Diagnostic::new(message)).at(self))
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Fault> {
        seed.deserialize(self).map_err(|fault| fault.at(self))
    }

    fn tuple_variant<V: Visitor<'de>>(self, _len: usize, visitor: V) -> Result<V::Value, Fault> {
        self.deserialize_any(visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        self.deserialize_any(visitor)
    }
}
