//! JSON Schema of distributions: a bare value, or a table with the name of one law.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Value, json};

use super::{
    Count, Empirical, Exponential, Form, Gamma, Lognormal, Normal, Pareto, PerToken, Uniform, Unit,
};

impl JsonSchema for Count {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Count".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "number", "minimum": 0 })
    }
}

impl<U: Unit + JsonSchema> JsonSchema for Form<U> {
    fn schema_name() -> Cow<'static, str> {
        format!("DistributionOf{}", U::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut parameters = vec![
            ("exponential", generator.subschema_for::<Exponential<U>>()),
            ("normal", generator.subschema_for::<Normal<U>>()),
            ("lognormal", generator.subschema_for::<Lognormal<U>>()),
            ("uniform", generator.subschema_for::<Uniform<U>>()),
            ("gamma", generator.subschema_for::<Gamma<U>>()),
            ("weibull", generator.subschema_for::<Gamma<U>>()),
            ("pareto", generator.subschema_for::<Pareto<U>>()),
            ("empirical", generator.subschema_for::<Empirical>()),
        ];
        if U::LAWS.contains(&"tokens") {
            parameters.push(("tokens", generator.subschema_for::<PerToken<U>>()));
        }
        let law = |(name, parameters): (&str, Schema)| {
            json!({
                "type": "object",
                "properties": { name: parameters },
                "required": [name],
                "additionalProperties": false,
            })
        };
        let mut forms = vec![generator.subschema_for::<U>().to_value()];
        forms.extend(parameters.into_iter().map(law));
        json_schema!({ "description": U::EXAMPLES, "anyOf": Value::Array(forms) })
    }
}
