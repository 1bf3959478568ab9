//! The runs that an experiment stands for: every policy at every sweep point.

use std::collections::BTreeMap;

use super::cell::{Cell, cells_of_point};
use super::check::check;
use super::check::warnings::warnings;
use super::condition::Condition;
use super::deserialize::from_node;
use super::diagnostic::{Diagnostic, Report};
use super::key_path::place_of;
use super::load::Loaded;
use super::node::Node;
use super::scenario::Worlds;
use super::schema::ExperimentFile;
use super::sweep::{Axis, AxisValue, Point, axes, choices};

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
    /// Conditions on metrics, each with the index of its policy.
    pub thresholds: Vec<(usize, Condition)>,
    /// The policy that the others are compared with, if one was named.
    pub against: Option<usize>,
    /// What is allowed and probably not meant.
    pub warnings: Vec<Report>,
    /// What was done to the input, such as spreading a trace over its clock's ticks.
    pub notes: Vec<String>,
    /// Data files and the hashes of their content.
    pub files: BTreeMap<String, String>,
}

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
    let policies: Vec<String> = root.entries("policies").map(|(name, _)| name.into()).collect();
    check_size(&axes, policies.len(), file.replications, root)?;
    let worlds = Worlds::of(&loaded.folder);
    let mut points = Vec::new();
    let mut by_point = Vec::new();
    for choice in choices(&axes) {
        let mut root = root.clone();
        for (axis, value) in axes.iter().zip(&choice) {
            axis.path.set(&mut root, value, axis.place)?;
            if !root.entries("policies").map(|(name, _)| name).eq(&policies) {
                let message = format!("`{}` names no policy there is, or removes one", axis.path);
                let help = format!("the policies are {}", policies.join(", "));
                return Err(Diagnostic::new(message).at(Some(axis.place)).help(help));
            }
        }
        for (name, added) in &loaded.added {
            let policies = root.as_table_mut().and_then(|table| table.get_mut("policies"));
            let policy = policies.and_then(Node::as_table_mut).and_then(|all| all.get_mut(name));
            if let Some(policy) = policy {
                *policy = added.clone();
            }
        }
        let values = choice.iter().map(AxisValue::of).collect();
        by_point.push(cells_of_point(&root, points.len(), &worlds)?);
        points.push(Point { values });
    }
    let warnings = warnings(&file, root)?;
    let index = |name: &str| policies.iter().position(|policy| policy == name);
    let thresholds = file.thresholds.iter().flat_map(|(policy, conditions)| {
        let conditions = conditions.iter().filter_map(|text| Condition::parse(text).ok());
        conditions.filter_map(move |condition| Some((index(policy)?, condition)))
    });
    let thresholds = thresholds.collect();
    let by_policy = (0..policies.len())
        .flat_map(|policy| by_point.iter().map(move |cells: &Vec<Cell>| cells[policy].clone()));
    Ok(Plan {
        name: loaded.name.clone(),
        title: file.title.clone().unwrap_or_else(|| loaded.name.clone()),
        text: loaded.text.clone(),
        effective: root.without(&["title", "replications"]).to_inline(),
        seed: file.seed,
        replications: file.replications.into(),
        axes: axes.iter().map(|axis| axis.path.to_string()).collect(),
        cells: by_policy.collect(),
        points,
        thresholds,
        against: loaded.against.as_deref().and_then(index),
        warnings: warnings.into_iter().map(|w| w.report(&loaded.sources)).collect(),
        notes: worlds.notes(),
        files: worlds.files(),
        policies,
    })
}

/// Refuses studies whose results would not fit in memory.
fn check_size(
    axes: &[Axis],
    policies: usize,
    replications: u32,
    root: &Node,
) -> Result<(), Diagnostic> {
    let points: usize = axes.iter().map(|axis| axis.values.len()).product();
    let runs = points as u128 * policies as u128 * u128::from(replications);
    if runs <= MAX_RUNS {
        return Ok(());
    }
    let message = format!(
        "{points} points, {policies} policies and {replications} replications are {runs} runs"
    );
    let place = place_of(root, "replications").unwrap_or(root.place);
    Err(Diagnostic::new(message).at(Some(place)).help(format!("at most {MAX_RUNS} are possible")))
}

/// A run's metrics take about a kilobyte of memory.
const MAX_RUNS: u128 = 10_000_000;
