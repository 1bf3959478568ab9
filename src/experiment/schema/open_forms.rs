//! JSON Schema of the keys whose tables have no fixed keys, or that are kept as trees.

use std::borrow::Cow;

use retrial_policy::config::PolicyFile;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Value, json};

use crate::measure::metric;

/// `[policies]`: policies by name.
pub(super) fn policies(generator: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "object",
        "additionalProperties": generator.subschema_for::<PolicyEntry>(),
    })
}

/// `[policies.NAME]`: the keys of a policy file, or where they come from with some replaced.
enum PolicyEntry {}

impl JsonSchema for PolicyEntry {
    fn schema_name() -> Cow<'static, str> {
        "Policy".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = PolicyFile::json_schema(generator);
        let table = schema.ensure_object();
        if let Some(Value::Object(properties)) = table.get_mut("properties") {
            let file = "A policy file; keys given beside it replace its own.";
            properties.insert("file".into(), json!({ "type": "string", "description": file }));
        }
        let description = "A policy: a policy file, a preset, or the keys of a policy file.";
        table.insert("description".into(), description.into());
        if let Some(Value::Array(forms)) = table.get_mut("anyOf") {
            forms.insert(0, json!({ "required": ["file"] }));
        }
        schema
    }
}

/// `[sweep]`: values by dotted key.
pub(super) fn axes(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "object",
        "additionalProperties": {
            "anyOf": [{ "type": "array", "minItems": 1, "uniqueItems": true }, range()],
        },
    })
}

/// `[tune.space]`: ranges and lists of choices by dotted key of the policy.
pub(super) fn ranges(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "object",
        "additionalProperties": {
            "anyOf": [{ "type": "array", "minItems": 1, "uniqueItems": true }, range()],
        },
    })
}

fn range() -> Value {
    let end = json!({ "type": ["string", "number"] });
    json!({
        "type": "object",
        "properties": { "from": end, "to": end, "scale": { "enum": ["linear", "log"] } },
        "required": ["from", "to"],
    })
}

/// `[thresholds]`: conditions by policy.
pub(super) fn conditions_by_policy(generator: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "object", "additionalProperties": conditions(generator) })
}

/// Conditions on metrics.
pub(super) fn conditions(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "array",
        "items": {
            "type": "string",
            "pattern": r"^\s*[a-z0-9_]+\s*(<=|>=|<|>)\s*[-+.0-9eE]+\s*$",
            "examples": ["amplification <= 1.5", "success_ratio >= 0.99"],
        },
    })
}

/// The name of a metric.
pub(super) fn metric(_: &mut SchemaGenerator) -> Schema {
    let names: Vec<_> = metric::ALL.iter().map(|metric| metric.name).collect();
    json_schema!({ "enum": names })
}
