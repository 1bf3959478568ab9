//! `[sweep]`: the keys that vary, and the points they span.

mod arguments;
mod axis;
mod axis_value;
mod quantity;
mod range;
mod sample;

use serde::{Deserialize, Serialize};

pub use self::arguments::SweepFlag;
pub(super) use self::arguments::change;
use self::axis::Axis;
pub use self::axis_value::AxisValue;
use self::sample::sample;
use super::deserialize::from_node;
use super::diagnostic::Diagnostic;
use super::key_path::KeyPath;
use super::node::{Node, Table};
use super::pattern::is_pattern;
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

/// A sweep as it is run.
#[derive(Clone, Debug)]
pub struct Sweep {
    /// The swept keys and where they were written, in the order of the file.
    pub axes: Vec<(KeyPath, Place)>,
    /// The values of the axes at each point; one without values if nothing is swept.
    pub points: Vec<Vec<Node>>,
    /// The most runs that may be made, and where that was written.
    pub max_runs: Option<(u64, Place)>,
    /// Points that were drawn more than once and stand here once.
    repeated: usize,
}

/// The results of a study are held in memory, point by point.
const MAX_POINTS: usize = 10_000;

/// Keys of `[sweep]` that are no axes.
const SAMPLE: &str = "sample";
const MAX_RUNS: &str = "max_runs";

impl Sweep {
    /// The sweep of an experiment; `seed` draws its points if they are drawn.
    ///
    /// # Errors
    ///
    /// The first axis that is neither a list of different values nor a range, or that can't be
    /// swept; too many points.
    pub fn of(root: &Node, seed: u64) -> Result<Sweep, Diagnostic> {
        let sweep = root.as_table().and_then(|table| table.get("sweep")).and_then(Node::as_table);
        let entry = |name| sweep.and_then(|sweep| sweep.get(name));
        let mut axes: Vec<Axis> = Vec::new();
        for (key, node) in sweep.into_iter().flat_map(Table::iter) {
            if [SAMPLE, MAX_RUNS].contains(&key.name.as_str()) {
                continue;
            }
            let axis = Axis::read(key, node)?;
            if let Some(other) = axes.iter().find(|other| other.path.meets(&axis.path)) {
                let (own, other) = (&axis.path, &other.path);
                let message = format!("`{own}` and `{other}` set the same key at every point");
                return Err(Diagnostic::new(message).at(Some(key.place)));
            }
            axes.push(axis);
        }
        let (points, repeated) = match entry(SAMPLE) {
            Some(node) => sample(node, &axes, seed)?,
            None => (combinations(&axes)?, 0),
        };
        let max_runs = match entry(MAX_RUNS) {
            Some(node) => Some((from_node(node)?, node.place)),
            None => None,
        };
        let axes = axes.into_iter().map(|axis| (axis.path, axis.place)).collect();
        Ok(Sweep { axes, points, max_runs, repeated })
    }

    /// What to know of points that were drawn more than once, if there are any.
    pub fn repeated_points(&self) -> Option<String> {
        (self.repeated > 0).then(|| {
            let (points, drawn) = (self.points.len(), self.points.len() + self.repeated);
            format!("of {drawn} points drawn {points} are different: each is run once")
        })
    }

    /// Adds to a fault at the point with these values what may be behind it: an axis that sets a key
    /// of several policies although one of them can't have it.
    pub fn explain(&self, fault: Diagnostic, values: &[Node]) -> Diagnostic {
        let behind = self.axes.iter().zip(values).find(|((path, place), value)| {
            let [first, name, ..] = path.parts() else { return false };
            first == "policies"
                && is_pattern(name)
                && [Some(*place), Some(value.place)].contains(&fault.place)
        });
        match behind {
            Some(((path, _), _)) if fault.help.is_none() => {
                let help = format!(
                    "`{path}` sets it for every policy whose name fits: name one policy, or a \
                     pattern such as full-*"
                );
                fault.help(help)
            }
            _ => fault,
        }
    }
}

/// All combinations of the axes' values; the last axis changes fastest.
fn combinations(axes: &[Axis]) -> Result<Vec<Vec<Node>>, Diagnostic> {
    let mut points = vec![Vec::new()];
    for axis in axes {
        let values = axis.values()?;
        if points.len().saturating_mul(values.len()) > MAX_POINTS {
            let message = format!("the sweep has more than {MAX_POINTS} points");
            let help = "sweep fewer values, or draw points: --sample sobol:64";
            return Err(Diagnostic::new(message).at(Some(axis.place)).help(help));
        }
        let longer = points.iter().flat_map(|point| {
            values.iter().map(move |value| {
                let mut longer = point.clone();
                longer.push(value.clone());
                longer
            })
        });
        points = longer.collect();
    }
    Ok(points)
}
