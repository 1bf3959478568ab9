//! Swept values as results show them.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::quantity::Quantity;
use crate::experiment::node::{Node, Value};

/// A swept value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AxisValue {
    /// As result files show it.
    pub text: String,
    /// On an axis of a chart: durations in milliseconds, rates per second. `None` for words.
    pub number: Option<f64>,
    /// The unit of the number.
    pub unit: Cow<'static, str>,
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
        AxisValue { text, number, unit: unit.into(), json }
    }
}
