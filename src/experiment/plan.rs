//! The runs that an experiment stands for: every policy at every sweep point.

use std::ops::Deref;

use super::cell::Cell;
use super::cells::Cells;
use super::check::warnings::warnings;
use super::check::{check, given_replications};
use super::condition::Threshold;
use super::deserialize::from_node;
use super::diagnostic::{Diagnostic, Report};
use super::key_path::place_of;
use super::load::Loaded;
use super::node::Node;
use super::outline::Outline;
use super::scenario::Worlds;
use super::schema::ExperimentFile;
use super::stop::Stop;
use super::sweep::{AxisValue, Point, Sweep};

/// An experiment, ready to run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// What its results are written from.
    pub outline: Outline,
    /// Every policy at every point, points of one policy together.
    pub cells: Vec<Cell>,
    /// What is allowed and probably not meant.
    pub warnings: Vec<Report>,
}

/// Whatever asks for the outline of a study takes its plan.
impl Deref for Plan {
    type Target = Outline;

    fn deref(&self) -> &Outline {
        &self.outline
    }
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
    let sweep = Sweep::of(root, file.seed)?;
    let policies: Vec<String> = root.entries("policies").map(|(name, _)| name.into()).collect();
    let stop = file.stop.as_ref().map(|form| Stop::new(form, given_replications(&file, root)));
    let replications = stop.as_ref().map_or(file.replications.into(), |stop| stop.first);
    let most = stop.as_ref().map_or(replications, |stop| stop.max);
    check_size(&sweep, policies.len() as u64, most, root)?;
    let worlds = Worlds::of(&loaded.folder);
    let mut cells = Cells::of(&worlds);
    let mut by_point = Vec::with_capacity(sweep.points.len());
    // Every point has a tree of its own, since an axis may change the very name that its key goes
    // by; the axes, which can be long, are not part of it.
    let fixed = root.without(&["sweep"]);
    for values in &sweep.points {
        let mut at_point = fixed.clone();
        for ((path, place), value) in sweep.axes.iter().zip(values) {
            path.set(&mut at_point, value, *place)?;
            if !at_point.entries("policies").map(|(name, _)| name).eq(&policies) {
                let message = format!("`{path}` names no policy there is, or removes one");
                let help = format!("the policies are {}", policies.join(", "));
                return Err(Diagnostic::new(message).at(Some(*place)).help(help));
            }
        }
        for (name, added) in &loaded.added {
            let policies = at_point.as_table_mut().and_then(|table| table.get_mut("policies"));
            let policy = policies.and_then(Node::as_table_mut).and_then(|all| all.get_mut(name));
            if let Some(policy) = policy {
                *policy = added.clone();
            }
        }
        let cells = cells.at_point(&at_point, by_point.len());
        by_point.push(cells.map_err(|fault| sweep.explain(fault, values))?);
    }
    let warnings = warnings(&file, root)?;
    let index = |name: &str| policies.iter().position(|policy| policy == name);
    let thresholds = file.thresholds.iter().flat_map(|(policy, conditions)| {
        let thresholds = conditions.iter().filter_map(|text| Threshold::parse(text).ok());
        thresholds.filter_map(move |threshold| Some((index(policy)?, threshold)))
    });
    let thresholds = thresholds.collect();
    let point = |values: &Vec<Node>| Point { values: values.iter().map(AxisValue::of).collect() };
    let mut notes = worlds.notes();
    notes.extend(sweep.repeated_points());
    let mut by_policy: Vec<Vec<Cell>> = policies.iter().map(|_| Vec::new()).collect();
    for (policy, cell) in by_point.into_iter().flat_map(|cells| cells.into_iter().enumerate()) {
        by_policy[policy].push(cell);
    }
    let outline = Outline {
        name: loaded.name.clone(),
        title: file.title.clone().unwrap_or_else(|| loaded.name.clone()),
        version: env!("CARGO_PKG_VERSION").into(),
        text: loaded.text.clone(),
        flags: loaded.flags.clone(),
        effective: root.inline_without(&["title", "replications"]),
        seed: file.seed,
        replications,
        stop,
        axes: sweep.axes.iter().map(|(path, _)| path.to_string()).collect(),
        points: sweep.points.iter().map(point).collect(),
        thresholds,
        against: loaded.against.as_deref().and_then(index),
        notes,
        files: worlds.files(),
        policies,
    };
    let warnings = warnings.into_iter().map(|w| w.report(&loaded.sources)).collect();
    Ok(Plan { outline, cells: by_policy.into_iter().flatten().collect(), warnings })
}

/// Refuses studies that have more runs than were allowed, or whose results would not fit in memory.
fn check_size(
    sweep: &Sweep,
    policies: u64,
    replications: u64,
    root: &Node,
) -> Result<(), Diagnostic> {
    let points = sweep.points.len() as u64;
    // Points, policies and replications are bounded by 10^4, what a file holds, and 10^6.
    let runs = points * policies * replications;
    let replications_place = place_of(root, "replications").unwrap_or(root.place);
    let (most, place, possible) = match sweep.max_runs {
        Some((most, place)) if most < MAX_RUNS => (most, place, "allowed"),
        _ => (MAX_RUNS, replications_place, "possible"),
    };
    if runs <= most {
        return Ok(());
    }
    let message = format!(
        "{points} points, {policies} policies and {replications} replications are {runs} runs"
    );
    let fewer = |most: u64, what| (most > 0).then(|| format!("{most} {what}"));
    let fitting = [
        fewer(most / (points * policies), "replications"),
        fewer(most / (policies * replications), "points"),
    ];
    let fitting: Vec<_> = fitting.into_iter().flatten().collect();
    let help = match fitting.is_empty() {
        true => format!("at most {most} are {possible}"),
        false => format!("at most {most} are {possible}: {} would fit", fitting.join(", or ")),
    };
    Err(Diagnostic::new(message).at(Some(place)).help(help))
}

/// The most runs of a study: the metrics of one take about a kilobyte of memory.
pub const MAX_RUNS: u64 = 10_000_000;
