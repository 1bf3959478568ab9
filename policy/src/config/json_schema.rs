//! JSON Schema of the values that have a form of their own in policy files.

use alloc::borrow::Cow;
use alloc::format;
use alloc::vec::Vec;

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

/// Beside a file or a preset a table need not be whole; the policy says where it must.
pub(super) fn in_part(schema: &mut Schema) {
    schema.remove("required");
}

/// A policy that builds on no preset must be whole.
pub(super) fn preset_or_whole(schema: &mut Schema) {
    require(schema, [from_preset(), whole()].into());
}

/// A policy that comes from nowhere else must be whole.
pub(super) fn file_preset_or_whole(schema: &mut Schema) {
    let file = json_schema!({ "required": ["file"] });
    require(schema, [file, from_preset(), whole()].into());
}

fn require(schema: &mut Schema, forms: Vec<Schema>) {
    schema.remove("required");
    schema.insert("anyOf".into(), forms.into_iter().map(Schema::to_value).collect());
}

fn from_preset() -> Schema {
    json_schema!({ "required": ["preset"], "properties": { "preset": { "type": "string" } } })
}

fn whole() -> Schema {
    json_schema!({
        "required": ["backoff", "limits"],
        "properties": {
            "backoff": { "required": ["kind"] },
            "limits": { "required": ["deadline"] },
            "retry_on": { "required": ["mode"] },
        },
    })
}
