//! The JSON Schema (draft 2020-12) of the files people write: editors complete and check with it.
//!
//! It is derived from the structs that read the files, so it can't fall behind them.

use retrial_policy::config::PolicyFile;
use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, Schema};
use serde_json::{Value, json};

use super::schema::ExperimentFile;

/// Of an experiment file.
pub fn of_experiment() -> Schema {
    of::<ExperimentFile>(
        "Retrial experiment",
        "An experiment: who calls what, how, and which retry policies are on trial.",
    )
}

/// Of a policy file.
pub fn of_policy() -> Schema {
    of::<PolicyFile>("Retrial policy", "A retry policy, as it is simulated and as it ships.")
}

fn of<T: JsonSchema>(title: &str, description: &str) -> Schema {
    let settings = SchemaSettings::draft2020_12().with_transform(RecursiveTransform(as_toml));
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    schema.insert("title".into(), title.into());
    schema.insert("description".into(), description.into());
    schema
}

/// Takes out what TOML does not have (null: an optional key is left out) and what validators do
/// not know (formats such as `uint32`; the bounds say the same).
fn as_toml(schema: &mut Schema) {
    schema.remove("format");
    if let Some(kinds) = schema.get_mut("type")
        && let Value::Array(list) = kinds
    {
        list.retain(|kind| kind != "null");
        if let [only] = &list[..] {
            *kinds = only.clone();
        }
    }
    if let Some(Value::Array(values)) = schema.get_mut("enum") {
        values.retain(|value| !value.is_null());
    }
    if let Some(Value::Array(forms)) = schema.get_mut("anyOf") {
        forms.retain(|form| *form != json!({ "type": "null" }));
        if forms.len() == 1
            && let Some(Value::Array(forms)) = schema.remove("anyOf")
        {
            // What is said of the key goes before what is said of its type.
            for (keyword, value) in forms.into_iter().filter_map(into_object).flatten() {
                schema.ensure_object().entry(keyword).or_insert(value);
            }
        }
    }
}

fn into_object(value: Value) -> Option<serde_json::Map<String, Value>> {
    match value {
        Value::Object(object) => Some(object),
        _ => None,
    }
}
