//! JSON Schema of the values that have a form of their own in policy files.

use alloc::borrow::Cow;
use alloc::format;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use super::{OrUnlimited, StatusName};
use crate::ratio::Ratio;
use crate::time::Nanos;

/// One or more numbers with a unit, or a bare zero: what humantime reads.
const DURATION: &str = concat!(
    r"^\s*(0|([0-9]+(\.[0-9]+)?\s*",
    "(nanos|nsec|ns|usec|us|µs|millis|msec|ms|seconds|second|secs|sec|s",
    "|minutes|minute|mins|min|m|hours|hour|hrs|hr|h|days|day|d|weeks|week|wks|wk|w",
    "|months|month|M|years|year|yrs|yr|y)",
    r"\s*)+)$",
);

impl JsonSchema for Nanos {
    fn schema_name() -> Cow<'static, str> {
        "Duration".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "pattern": DURATION,
            "description": "A duration: numbers with a unit, such as \"200ms\" or \"1m30s\".",
            "examples": ["200ms", "1m30s"],
        })
    }
}

impl JsonSchema for Ratio {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Ratio".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "number", "minimum": 0, "maximum": 1_000_000_000 })
    }
}

impl<T: JsonSchema> JsonSchema for OrUnlimited<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        format!("{}OrUnlimited", T::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let bound = generator.subschema_for::<T>();
        json_schema!({ "anyOf": [bound, { "const": "unlimited" }] })
    }
}

impl JsonSchema for StatusName {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Status".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "anyOf": [
                { "type": "integer", "minimum": 100, "maximum": 599 },
                { "type": "string", "pattern": "^([1-5]xx|[1-5][0-9]{2}-[1-5][0-9]{2})$" },
            ],
        })
    }
}
