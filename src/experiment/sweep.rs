//! `[sweep]`: the keys that vary, and the points they span.

use std::collections::BTreeSet;

use retrial_policy::Nanos;
use retrial_policy::config::NOT_SUPPORTED;
use serde::de::IntoDeserializer;
use serde::de::value::StrDeserializer;
use serde::{Deserialize, Deserializer, Serialize};

use super::diagnostic::Diagnostic;
use super::key_path::KeyPath;
use super::node::{Node, Table, Value};
use super::schema::Rate;
use super::source::Place;

/// One combination of swept values, in the order of the axes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// The values.
    pub values: Vec<AxisValue>,
}

impl Point {
    /// The point as people read it: `workload.clients = 200`; empty if nothing is swept.
    pub fn describe(&self, axes: &[String]) -> String {
        let parts = axes.iter().zip(&self.values).map(|(axis, v)| format!("{axis} = {}", v.text));
        parts.collect::<Vec<_>>().join(", ")
    }
}

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

/// Keys that hold for the whole study and cannot differ from point to point.
const SAME_AT_EVERY_POINT: [&str; 7] =
    ["title", "seed", "replications", "sweep", "thresholds", "tune", "gate"];

/// A swept key and its values.
pub struct Axis {
    /// The key.
    pub path: KeyPath,
    /// Where it was written.
    pub place: Place,
    /// Its values, in order.
    pub values: Vec<Node>,
}

/// The axes of an experiment, in the order of the file.
///
/// # Errors
///
/// The first axis that is not a list of different values, or that can't be swept.
pub fn axes(root: &Node) -> Result<Vec<Axis>, Diagnostic> {
    let sweep = root.as_table().and_then(|table| table.get("sweep")).and_then(Node::as_table);
    let mut axes: Vec<Axis> = Vec::new();
    for (key, node) in sweep.into_iter().flat_map(Table::iter) {
        let fault = |message: String| Diagnostic::new(message).at(Some(node.place));
        let values = match &node.value {
            Value::Array(values) if values.is_empty() => {
                return Err(fault(format!("`{}` is swept over no value at all", key.name)));
            }
            Value::Array(values) => values.clone(),
            Value::Table(range) if range.get("from").is_some() => {
                return Err(fault(format!("ranges are {NOT_SUPPORTED}: list the values")));
            }
            Value::Table(_) => {
                let help = "a dotted key is quoted here: \"workload.clients\" = [50, 100]";
                return Err(Diagnostic::new("an axis is a list of values, not a table")
                    .at(Some(key.place))
                    .help(help));
            }
            _ => return Err(fault("an axis is a list of values".to_string())),
        };
        let mut seen = BTreeSet::new();
        if let Some(twice) = values.iter().find(|value| !seen.insert(value.to_inline())) {
            let message = format!("the value {} stands here twice", twice.to_inline());
            return Err(Diagnostic::new(message).at(Some(twice.place)));
        }
        let path: KeyPath = key.name.parse().map_err(|d: Diagnostic| d.at(Some(key.place)))?;
        let first = path.parts().first().map_or("", String::as_str);
        if SAME_AT_EVERY_POINT.contains(&first) {
            let message = format!("`{first}` can't be swept: it is the same at every point");
            return Err(Diagnostic::new(message).at(Some(key.place)));
        }
        if let Some(other) = axes.iter().find(|axis| axis.path.meets(&path)) {
            let message = format!("`{path}` and `{}` set the same key at every point", other.path);
            return Err(Diagnostic::new(message).at(Some(key.place)));
        }
        axes.push(Axis { path, place: key.place, values });
        let points = axes.iter().try_fold(1_usize, |n, axis| n.checked_mul(axis.values.len()));
        if points.is_none_or(|points| points > MAX_POINTS) {
            let message = format!("the sweep has more than {MAX_POINTS} points");
            return Err(Diagnostic::new(message).at(Some(key.place)));
        }
    }
    Ok(axes)
}

/// Each point is a copy of the experiment, and its results take a file of their own.
const MAX_POINTS: usize = 10_000;

/// All combinations of the axes' values; the last axis changes fastest.
pub fn choices(axes: &[Axis]) -> Vec<Vec<Node>> {
    axes.iter().fold(vec![Vec::new()], |choices, axis| {
        let extended = choices.iter().flat_map(|choice| {
            axis.values.iter().map(move |value| {
                let mut longer = choice.clone();
                longer.push(value.clone());
                longer
            })
        });
        extended.collect()
    })
}

impl AxisValue {
    /// The value as result files and charts show it.
    pub fn of(node: &Node) -> AxisValue {
        let text = node.as_str().map_or_else(|| node.to_inline(), str::to_string);
        let (number, unit) = match &node.value {
            Value::Integer(integer) => (Some(*integer as f64), ""),
            Value::Float(float) => (Some(*float), ""),
            Value::String(text) => measured(text),
            Value::Boolean(_) | Value::Datetime(_) | Value::Array(_) | Value::Table(_) => {
                (None, "")
            }
        };
        let json = match &node.value {
            Value::Integer(integer) => (*integer).into(),
            Value::Float(float) => (*float).into(),
            Value::Boolean(truth) => (*truth).into(),
            _ => text.clone().into(),
        };
        AxisValue { text, number, unit, json }
    }
}

/// A unit that [`measured`] gives.
fn unit<'de, D: Deserializer<'de>>(deserializer: D) -> Result<UnitName, D::Error> {
    let text = String::deserialize(deserializer)?;
    let known = ["", "ms", "1/s"].into_iter().find(|unit| *unit == text);
    known.ok_or_else(|| serde::de::Error::custom(format!("no axis has the unit `{text}`")))
}

/// The number and unit of a text that is a duration or a rate.
fn measured(text: &str) -> (Option<f64>, &'static str) {
    let text_as_value: StrDeserializer<'_, serde::de::value::Error> = text.into_deserializer();
    if let Ok(span) = Nanos::deserialize(text_as_value) {
        (Some(span.as_millis_f64()), "ms")
    } else if let Ok(rate) = text.parse::<Rate>() {
        (Some(rate.count * 1e9 / rate.per.get() as f64), "1/s")
    } else {
        (None, "")
    }
}
