//! JSON Schema of the keys whose tables have no fixed keys, or that are kept as trees.

use std::borrow::Cow;

use retrial_policy::config::PolicyFile;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value, json};

use crate::experiment::gate::Slack;
use crate::experiment::stop;
use crate::measure::metric::{self, Better};

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

/// `[sweep]`: values by dotted key, how points are drawn, and how many runs there may be.
pub(super) fn axes(_: &mut SchemaGenerator) -> Schema {
    let mut steps = range();
    steps["properties"]["steps"] = json!({ "type": "integer", "minimum": 2, "maximum": 10_000 });
    json_schema!({
        "type": "object",
        "properties": {
            "sample": {
                "description": "Draw points from the axes instead of combining all their values.",
                "type": "object",
                "properties": {
                    "design": { "enum": ["sobol", "latin_hypercube", "lhs", "random"] },
                    "points": { "type": "integer", "minimum": 1, "maximum": 10_000 },
                },
                "required": ["design", "points"],
                "additionalProperties": false,
            },
            "max_runs": {
                "description": "Refuse a study of more runs.",
                "type": "integer",
                "minimum": 0,
            },
        },
        "additionalProperties": {
            "anyOf": [{ "type": "array", "minItems": 1, "uniqueItems": true }, steps],
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

/// `[thresholds]`: conditions by policy, each of which may begin with `warn:`.
pub(super) fn conditions_by_policy(_: &mut SchemaGenerator) -> Schema {
    let mut conditions = list_of_conditions(r"(warn:\s*)?", &["warn: amplification <= 1.4"]);
    let description = "What must hold; one that begins with `warn:` is told and fails nothing.";
    conditions.insert("description".to_string(), description.into());
    json_schema!({ "type": "object", "additionalProperties": conditions })
}

/// Conditions on metrics.
pub(super) fn conditions(_: &mut SchemaGenerator) -> Schema {
    list_of_conditions("", &[]).into()
}

fn list_of_conditions(prefix: &str, more: &[&str]) -> Map<String, Value> {
    let examples = [&["amplification <= 1.5", "success_ratio >= 0.99"], more].concat();
    let items = json!({
        "type": "string",
        "pattern": format!(r"^\s*{prefix}[a-z0-9_]+\s*(<=|>=|<|>)\s*[-+.0-9eE]+\s*$"),
        "examples": examples,
    });
    Map::from_iter([("type".to_string(), "array".into()), ("items".to_string(), items)])
}

/// `stop.metrics`: names of metrics.
pub(super) fn metrics(generator: &mut SchemaGenerator) -> Schema {
    let default = stop::METRICS;
    json_schema!({
        "type": "array", "items": metric(generator), "minItems": 1, "default": default,
    })
}

/// `[gate]`: by how much each metric may become worse.
pub(super) fn gates(generator: &mut SchemaGenerator) -> Schema {
    let directed = metric::ALL.iter().filter(|metric| metric.better != Better::Neither);
    let names: Vec<_> = directed.map(|metric| metric.name).collect();
    json_schema!({
        "type": "object",
        "propertyNames": { "enum": names },
        "additionalProperties": generator.subschema_for::<Slack>(),
    })
}

/// The name of a metric.
pub(super) fn metric(_: &mut SchemaGenerator) -> Schema {
    let names: Vec<_> = metric::ALL.iter().map(|metric| metric.name).collect();
    json_schema!({ "enum": names })
}
