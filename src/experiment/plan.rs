//! The runs that an experiment stands for: every policy at every sweep point.

use std::collections::BTreeSet;

use retrial_policy::config::{NOT_SUPPORTED, OrUnlimited, PolicyFile};
use retrial_policy::{Class, Instant, Nanos, Policy, StatusTable};
use serde::Deserialize;
use serde::de::IntoDeserializer;
use serde::de::value::StrDeserializer;

use super::check::check;
use super::deserialize::from_node;
use super::diagnostic::{Diagnostic, Report};
use super::key_path::{KeyPath, place_of};
use super::load::Loaded;
use super::node::{Node, Table, Value};
use super::schema::{DistributionForm, ExperimentFile, Rate};
use super::source::Place;
use crate::engine::distribution::Distribution;
use crate::model::occ_row::CONFLICT;
use crate::model::scenario::Scenario;

/// An experiment, ready to run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The experiment's name.
    pub name: String,
    /// The line for people; the name if there is none.
    pub title: String,
    /// The file as it was found.
    pub text: String,
    /// The experiment as it is run: one line, independent of order and comments.
    pub effective: String,
    /// Where all random numbers come from.
    pub seed: u64,
    /// Runs of each cell.
    pub replications: u64,
    /// The swept keys.
    pub axes: Vec<String>,
    /// Combinations of their values; one without values if nothing is swept.
    pub points: Vec<Point>,
    /// The policies' names, in the order of the file.
    pub policies: Vec<String>,
    /// Every policy at every point, points of one policy together.
    pub cells: Vec<Cell>,
}

/// One combination of swept values, in the order of the axes.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// The values.
    pub values: Vec<AxisValue>,
}

/// A swept value.
#[derive(Clone, Debug, PartialEq)]
pub struct AxisValue {
    /// As result files show it.
    pub text: String,
    /// On an axis of a chart: durations in milliseconds, rates per second. `None` for words.
    pub number: Option<f64>,
    /// The unit of the number.
    pub unit: &'static str,
    /// As JSON shows it: a number if it was written as one.
    pub json: serde_json::Value,
}

/// A policy at a point.
#[derive(Clone, Debug)]
pub struct Cell {
    /// Index of the policy.
    pub policy_index: usize,
    /// Index of the point.
    pub point_index: usize,
    /// The world.
    pub scenario: Scenario,
    /// What is on trial.
    pub policy: Policy,
    /// What replies mean.
    pub classifier: StatusTable,
    /// Everything that determines the results of the cell's runs, apart from the program.
    pub identity: String,
}

/// Keys that hold for the whole study and cannot differ from point to point.
const SAME_AT_EVERY_POINT: [&str; 7] =
    ["title", "seed", "replications", "sweep", "thresholds", "tune", "gate"];

/// Keys that say how often and how to judge, but change no run.
const NOT_PART_OF_A_RUN: [&str; 7] =
    ["title", "replications", "policies", "sweep", "thresholds", "tune", "gate"];

impl Plan {
    /// Expands an experiment.
    ///
    /// # Errors
    ///
    /// The first fault in the file, a policy or the sweep.
    pub fn new(loaded: &Loaded) -> Result<Plan, Report> {
        expand(loaded).map_err(|diagnostic| diagnostic.report(&loaded.sources))
    }
}

fn expand(loaded: &Loaded) -> Result<Plan, Diagnostic> {
    let root = &loaded.root;
    let file: ExperimentFile = from_node(root)?;
    check(&file, root)?;
    let axes = axes(root)?;
    let policies: Vec<String> = entries(root, "policies").map(|(name, _)| name.into()).collect();
    let mut points = Vec::new();
    let mut by_point = Vec::new();
    for choice in choices(&axes) {
        let mut root = root.clone();
        for (axis, value) in axes.iter().zip(&choice) {
            axis.path.set(&mut root, value, axis.place)?;
            if !entries(&root, "policies").map(|(name, _)| name).eq(&policies) {
                let message = format!("`{}` changes which policies there are", axis.path);
                let help = format!("the policies are {}", policies.join(", "));
                return Err(Diagnostic::new(message).at(Some(axis.place)).help(help));
            }
        }
        let values = choice.iter().map(AxisValue::of).collect();
        by_point.push(cells_of_point(&root, points.len())?);
        points.push(Point { values });
    }
    let by_policy = (0..policies.len())
        .flat_map(|policy| by_point.iter().map(move |cells: &Vec<Cell>| cells[policy].clone()));
    Ok(Plan {
        name: loaded.name.clone(),
        title: file.title.clone().unwrap_or_else(|| loaded.name.clone()),
        text: loaded.text.clone(),
        effective: without(root, &["title", "replications"]).to_inline(),
        seed: file.seed,
        replications: file.replications.into(),
        axes: axes.iter().map(|axis| axis.path.to_string()).collect(),
        cells: by_policy.collect(),
        points,
        policies,
    })
}

/// A swept key and its values.
struct Axis {
    path: KeyPath,
    place: Place,
    values: Vec<Node>,
}

fn axes(root: &Node) -> Result<Vec<Axis>, Diagnostic> {
    let sweep = root.as_table().and_then(|table| table.get("sweep")).and_then(Node::as_table);
    let mut axes = Vec::new();
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
        axes.push(Axis { path, place: key.place, values });
    }
    Ok(axes)
}

/// All combinations of the axes' values; the last axis changes fastest.
fn choices(axes: &[Axis]) -> Vec<Vec<Node>> {
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

fn cells_of_point(root: &Node, point_index: usize) -> Result<Vec<Cell>, Diagnostic> {
    let file: ExperimentFile = from_node(root)?;
    check(&file, root)?;
    let scenario = scenario(&file);
    let world = without(root, &NOT_PART_OF_A_RUN).to_inline();
    let mut cells = Vec::new();
    for (policy_index, (name, node)) in entries(root, "policies").enumerate() {
        let policy = policy(name, node)?;
        check_ends(name, &policy, &scenario, root)?;
        check_fallback(name, &policy, &file, root)?;
        cells.push(Cell {
            policy_index,
            point_index,
            scenario: scenario.clone(),
            policy,
            // The published study retries a version mismatch like any transient failure.
            classifier: StatusTable::generic().with(CONFLICT, Class::Transient),
            identity: format!("{world} {}", node.to_inline()),
        });
    }
    Ok(cells)
}

fn policy(name: &str, node: &Node) -> Result<Policy, Diagnostic> {
    if let Some(table) = node.as_table()
        && let Some(key) = table.key("preset")
    {
        let message = format!("`preset` is {NOT_SUPPORTED}");
        return Err(Diagnostic::new(message).at(Some(key.place)));
    }
    let file: PolicyFile = from_node(node).map_err(|fault| Diagnostic {
        message: format!("policy `{name}`: {}", fault.message),
        ..fault
    })?;
    let unlimited =
        |limit: Option<OrUnlimited<Nanos>>| limit.and_then(OrUnlimited::bound).is_none();
    let timed = [
        ("limits.deadline", !unlimited(Some(file.limits.deadline))),
        ("limits.attempt_timeout", !unlimited(file.limits.attempt_timeout)),
    ];
    let refuse = |key: &str, message: String| {
        let place = place_of(node, key).unwrap_or(node.place);
        Diagnostic::new(format!("policy `{name}`: {message}")).at(Some(place))
    };
    let policy = file.into_policy().map_err(|e| refuse(&e.key, e.to_string()))?;
    // An attempt that outlives its client's patience is a matter of the server's queue, which
    // the one kind of route there is does not have.
    match timed.into_iter().find(|(_, used)| *used) {
        Some((key, _)) => Err(refuse(
            key,
            format!(
                "{key}: client timeouts on a route of kind \"occ\" are {NOT_SUPPORTED}; \
                     write \"unlimited\""
            ),
        )),
        None => Ok(policy),
    }
}

/// Refuses retries that could go on for ever without any time passing.
fn check_ends(
    name: &str,
    policy: &Policy,
    scenario: &Scenario,
    root: &Node,
) -> Result<(), Diagnostic> {
    if !(policy.may_spin() && scenario.network.is_zero()) {
        return Ok(());
    }
    let message = format!(
        "policy `{name}` may retry for ever without time passing: no delay, no limit on attempts \
         or time, and a network that takes no time"
    );
    let place = place_of(root, &format!("policies.\"{name}\".backoff")).unwrap_or(root.place);
    Err(Diagnostic::new(message)
        .at(Some(place))
        .help("limit max_attempts or deadline, or give the network a delay"))
}

/// Refuses fallbacks to routes that are not there.
fn check_fallback(
    name: &str,
    policy: &Policy,
    file: &ExperimentFile,
    root: &Node,
) -> Result<(), Diagnostic> {
    let others = || file.route.iter().skip(1).map(|route| &route.name);
    let missing = |route: &&String| !others().any(|other| other == *route);
    let Some(missing) = policy.fallback().routes.iter().find(missing) else { return Ok(()) };
    let message = format!("policy `{name}` falls back to `{missing}`, which is no further route");
    let place = place_of(root, &format!("policies.\"{name}\".fallback.routes"));
    Err(Diagnostic::new(message)
        .at(Some(place.unwrap_or(root.place)))
        .help("routes after the first are defined by further [[route]] tables"))
}

fn scenario(file: &ExperimentFile) -> Scenario {
    let stop_after = file.stop_after.and_then(OrUnlimited::bound);
    let delay = file.network.delay.as_ref();
    Scenario {
        clients: file.workload.as_ref().map_or(0, |workload| workload.clients),
        network: delay.and_then(DistributionForm::sampler).unwrap_or(Distribution::ZERO),
        stop_after: stop_after
            .map_or(Instant::MAX, |stop| Instant::from_nanos(0).saturating_add(stop)),
        bin: file.bin,
    }
}

impl AxisValue {
    fn of(node: &Node) -> AxisValue {
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

fn entries<'a>(root: &'a Node, key: &str) -> impl Iterator<Item = (&'a str, &'a Node)> {
    let table = root.as_table().and_then(|table| table.get(key)).and_then(Node::as_table);
    table.into_iter().flat_map(Table::iter).map(|(key, node)| (key.name.as_str(), node))
}

fn without(root: &Node, keys: &[&str]) -> Node {
    let mut root = root.clone();
    if let Some(table) = root.as_table_mut() {
        for key in keys {
            table.remove(key);
        }
    }
    root
}
