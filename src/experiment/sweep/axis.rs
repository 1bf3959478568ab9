//! An axis of a sweep: a key, and the values it takes.

use std::collections::BTreeSet;

use super::range::{Range, Steps};
use crate::experiment::diagnostic::Diagnostic;
use crate::experiment::key_path::KeyPath;
use crate::experiment::node::{Key, Node, Value};
use crate::experiment::source::Place;

/// A swept key and its values.
#[derive(Clone, Debug)]
pub struct Axis {
    /// The key.
    pub path: KeyPath,
    /// Where it was written.
    pub place: Place,
    values: Values,
}

#[derive(Clone, Debug)]
enum Values {
    /// These, in order.
    List(Vec<Node>),
    /// All between two ends.
    Range(Range, Option<Steps>),
}

/// Keys that hold for the whole study and cannot differ from point to point.
const SAME_AT_EVERY_POINT: [&str; 8] =
    ["title", "seed", "replications", "stop", "sweep", "thresholds", "tune", "gate"];

impl Axis {
    /// The axis that an entry of `[sweep]` says.
    ///
    /// # Errors
    ///
    /// It is neither a list of different values nor a range, or its key can't be swept.
    pub fn read(key: &Key, node: &Node) -> Result<Axis, Diagnostic> {
        let fault = |message: String| Diagnostic::new(message).at(Some(node.place));
        let values = match &node.value {
            Value::Array(values) if values.is_empty() => {
                return Err(fault(format!("`{}` is swept over no value at all", key.name)));
            }
            Value::Array(values) => Values::List(values.clone()),
            Value::Table(table) if ["from", "to"].iter().any(|end| table.get(end).is_some()) => {
                let (range, steps) = Range::read(node)?;
                Values::Range(range, steps)
            }
            Value::Table(_) => {
                let help = "a dotted key is quoted here: \"workload.clients\" = [50, 100]";
                return Err(Diagnostic::new("an axis is a list of values or a range, not a table")
                    .at(Some(key.place))
                    .help(help));
            }
            _ => {
                let help = "such as [50, 100] or { from = 50, to = 200, steps = 4 }";
                return Err(fault("an axis is a list of values or a range".into()).help(help));
            }
        };
        if let Values::List(values) = &values {
            let mut seen = BTreeSet::new();
            if let Some(twice) = values.iter().find(|value| !seen.insert(value.to_inline())) {
                let message = format!("the value {} stands here twice", twice.to_inline());
                return Err(Diagnostic::new(message).at(Some(twice.place)));
            }
        }
        let path: KeyPath = key.name.parse().map_err(|d: Diagnostic| d.at(Some(key.place)))?;
        let first = path.parts().first().map_or("", String::as_str);
        if SAME_AT_EVERY_POINT.contains(&first) {
            let message = format!("`{first}` can't be swept: it is the same at every point");
            return Err(Diagnostic::new(message).at(Some(key.place)));
        }
        Ok(Axis { path, place: key.place, values })
    }

    /// Its values, in order.
    ///
    /// # Errors
    ///
    /// A range whose steps are missing, too many or too few.
    pub fn values(&self) -> Result<Vec<Node>, Diagnostic> {
        match &self.values {
            Values::List(values) => Ok(values.clone()),
            Values::Range(range, Some(steps)) => range.values(*steps),
            Values::Range(range, None) => {
                let help = "say how many values, such as steps = 5, or sample all axes: sample = { \
                            design = \"sobol\", points = 64 }";
                let message = "a range needs `steps`";
                Err(Diagnostic::new(message).at(Some(range.place())).help(help))
            }
        }
    }

    /// Refuses what has no meaning where points are drawn.
    ///
    /// # Errors
    ///
    /// A range with steps.
    pub fn can_be_sampled(&self) -> Result<(), Diagnostic> {
        match &self.values {
            Values::Range(_, Some(steps)) => {
                let message = "`steps` has no meaning where points are sampled: leave it out";
                Err(Diagnostic::new(message).at(Some(steps.place)))
            }
            Values::List(_) | Values::Range(_, None) => Ok(()),
        }
    }

    /// The value at `share` of the axis, in [0, 1): values of a list have equal shares.
    pub fn sample(&self, share: f64) -> Node {
        match &self.values {
            Values::Range(range, _) => range.sample(share),
            Values::List(values) => {
                let index = (share * values.len() as f64) as usize;
                // A list is never empty, and rounding may reach its end.
                values[index.min(values.len() - 1)].clone()
            }
        }
    }
}
