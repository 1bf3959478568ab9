//! How exact figures must be: `"5%"`, or one precision a metric.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, Error, MapAccess, Visitor};

use crate::measure::metric;

/// How wide half an interval may be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Precision {
    /// So large a part of the mean; of the whole scale from 0 to 1 for rates, whose mean may be 0.
    Relative(f64),
    /// So much, in the metric's unit.
    Absolute(f64),
}

/// One precision for all metrics, or one each.
#[derive(Clone, Debug, PartialEq)]
pub enum HalfWidth {
    /// For all.
    Same(Precision),
    /// By the metric's name.
    ByMetric(BTreeMap<String, Precision>),
}

const RIGHT: &str = "write a percentage between 0 and 100, such as \"5%\"";

impl std::str::FromStr for Precision {
    type Err = String;

    /// A percentage.
    fn from_str(text: &str) -> Result<Self, String> {
        let number =
            text.trim().strip_suffix('%').and_then(|number| number.trim().parse::<f64>().ok());
        match number {
            Some(percent) if percent > 0.0 && percent < 100.0 => {
                Ok(Precision::Relative(percent / 100.0))
            }
            _ => Err(format!("`{text}` is no precision: {RIGHT}")),
        }
    }
}

impl<'de> Deserialize<'de> for Precision {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct V;
        impl Visitor<'_> for V {
            type Value = Precision;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a percentage such as \"5%\", or a number in the metric's unit")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Precision, E> {
                text.parse().map_err(E::custom)
            }

            fn visit_f64<E: Error>(self, number: f64) -> Result<Precision, E> {
                if number > 0.0 && number.is_finite() {
                    Ok(Precision::Absolute(number))
                } else {
                    Err(E::custom(format!("`{number}` is no precision: it must be above zero")))
                }
            }

            fn visit_i64<E: Error>(self, number: i64) -> Result<Precision, E> {
                self.visit_f64(number as f64)
            }

            fn visit_u64<E: Error>(self, number: u64) -> Result<Precision, E> {
                self.visit_f64(number as f64)
            }
        }
        deserializer.deserialize_any(V)
    }
}

impl<'de> Deserialize<'de> for HalfWidth {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct V;
        impl<'de> Visitor<'de> for V {
            type Value = HalfWidth;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a percentage such as \"5%\", or a table of metrics")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<HalfWidth, E> {
                text.parse().map(HalfWidth::Same).map_err(E::custom)
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<HalfWidth, A::Error> {
                BTreeMap::deserialize(MapAccessDeserializer::new(map)).map(HalfWidth::ByMetric)
            }
        }
        deserializer.deserialize_any(V)
    }
}

impl JsonSchema for HalfWidth {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "HalfWidth".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let percentage = serde_json::json!({
            "type": "string",
            "pattern": r"^\s*[+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?\s*%\s*$",
            "description": "A part of the mean, or of the scale from 0 to 1 for rates.",
            "examples": ["5%"],
        });
        let names: Vec<_> = metric::ALL.iter().map(|metric| metric.name).collect();
        json_schema!({ "anyOf": [percentage, {
            "type": "object",
            "propertyNames": { "enum": names },
            "additionalProperties": { "anyOf": [percentage, {
                "type": "number",
                "exclusiveMinimum": 0,
                "description": "In the metric's unit.",
            }] },
        }] })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentages_are_read_and_nothing_else() {
        assert_eq!("5%".parse(), Ok(Precision::Relative(0.05)));
        assert_eq!(" 12.5 % ".parse(), Ok(Precision::Relative(0.125)));
        for bad in ["5", "0%", "100%", "-1%", "nan%", "%", "x%"] {
            assert!(bad.parse::<Precision>().unwrap_err().contains("is no precision"), "{bad}");
        }
    }
}
