//! Swept values as results show them.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};

use super::quantity::Quantity;
use crate::experiment::node::{Node, Value};

/// The name of a unit. Under its own name `serde` does not take it for a text to borrow.
pub type UnitName = &'static str;

/// A swept value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AxisValue {
    /// As result files show it.
    pub text: String,
    /// On an axis of a chart: durations in milliseconds, rates per second. `None` for words.
    pub number: Option<f64>,
    /// The unit of the number.
    #[serde(deserialize_with = "unit")]
    pub unit: UnitName,
    /// As JSON shows it: a number if it was written as one.
    pub json: serde_json::Value,
}

impl AxisValue {
    /// The value as result files and charts show it.
    pub fn of(node: &Node) -> AxisValue {
        let text = node.as_str().map_or_else(|| node.to_inline(), str::to_string);
        let quantity = Quantity::read(node).map(|quantity| quantity.on_axis());
        let (number, unit) = quantity.map_or((None, ""), |(number, unit)| (Some(number), unit));
        let json = match &node.value {
            Value::Integer(integer) => (*integer).into(),
            Value::Float(float) => (*float).into(),
            Value::Boolean(truth) => (*truth).into(),
            _ => text.clone().into(),
        };
        AxisValue { text, number, unit, json }
    }
}

/// A unit that [`Quantity::on_axis`] gives.
fn unit<'de, D: Deserializer<'de>>(deserializer: D) -> Result<UnitName, D::Error> {
    let text = String::deserialize(deserializer)?;
    let known = ["", "ms", "1/s"].into_iter().find(|unit| *unit == text);
    known.ok_or_else(|| D::Error::custom(format!("no axis has the unit `{text}`")))
}
