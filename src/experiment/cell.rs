//! One policy at one sweep point: what the study runs.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroU32;
use std::sync::Arc;

use retrial_policy::{Policy, Qualification};

use super::check::check;
use super::contracts::{callers, qualification};
use super::deserialize::from_node;
use super::diagnostic::Diagnostic;
use super::node::Node;
use super::policy::{check_ends, check_routes, check_stops, policy, route_numbers};
use super::scenario::Worlds;
use super::schema::ExperimentFile;
use crate::engine::storm_guard::EndlessInstant;
use crate::measure::decision_log::{RequestNumber, RequestTrace, log_decisions};
use crate::measure::recorder::{Measurements, measure};
use crate::measure::request_log::{RequestRow, log_requests};
use crate::model::layers_on_trial::LayersOnTrial;
use crate::model::run_id::RunId;
use crate::model::scenario::Scenario;
use crate::model::subject::PolicyOnTrial;

/// A policy at a point.
#[derive(Clone, Debug)]
pub struct Cell {
    /// Index of the policy.
    pub policy_index: usize,
    /// Index of the point.
    pub point_index: usize,
    /// The world.
    pub scenario: Arc<Scenario>,
    /// What each population follows: the policy on trial, or one of its own.
    pub policies: Vec<PolicyOfRoutes>,
    /// Attempts at most of a call of each layer of the policy on trial, the outermost first; `None`
    /// is unlimited. Empty for a policy without inner ones.
    pub layers: Vec<Option<NonZeroU32>>,
    /// Everything that determines the results of the cell's runs, apart from the program.
    pub identity: String,
}

/// A policy, and where its routes are.
#[derive(Clone, Debug)]
pub struct PolicyOfRoutes {
    /// The policy.
    pub policy: Arc<Policy>,
    /// The scenario's routes by their number in the policy.
    pub routes: Vec<u16>,
    /// Which of them the population's requests may take.
    pub qualification: Qualification,
    /// It is the policy on trial, not one of a population's own.
    pub is_on_trial: bool,
}

impl PolicyOfRoutes {
    /// Its outermost layer.
    fn outermost(&self) -> PolicyOnTrial<'_> {
        let PolicyOfRoutes { policy, routes, qualification, .. } = self;
        PolicyOnTrial { policy, routes, qualification: Some(qualification) }
    }
}

impl Cell {
    /// Runs it once and measures it; `with_series` records what happened when, too.
    ///
    /// # Errors
    ///
    /// Time stands still: retries without delay or bound.
    pub fn measure(&self, run: RunId, with_series: bool) -> Result<Measurements, EndlessInstant> {
        if self.has_layers() {
            measure(&self.scenario, &self.layered_subjects(), run, with_series)
        } else {
            measure(&self.scenario, &self.subjects(), run, with_series)
        }
    }

    /// Runs it once and lists its requests.
    ///
    /// # Errors
    ///
    /// As [`Cell::measure`].
    pub fn log_requests(&self, run: RunId) -> Result<Vec<RequestRow>, EndlessInstant> {
        if self.has_layers() {
            log_requests(&self.scenario, &self.layered_subjects(), run)
        } else {
            log_requests(&self.scenario, &self.subjects(), run)
        }
    }

    /// Runs it once and follows chosen requests.
    ///
    /// # Errors
    ///
    /// As [`Cell::measure`].
    pub fn log_decisions(
        &self,
        run: RunId,
        chosen: &BTreeSet<RequestNumber>,
    ) -> Result<Vec<RequestTrace>, EndlessInstant> {
        if self.has_layers() {
            log_decisions(&self.scenario, &self.layered_subjects(), run, chosen)
        } else {
            log_decisions(&self.scenario, &self.subjects(), run, chosen)
        }
    }

    /// What is on trial, by population, if no policy has an inner one.
    pub fn subjects(&self) -> Vec<PolicyOnTrial<'_>> {
        let subjects = self.policies.iter().map(PolicyOfRoutes::outermost);
        subjects
            .inspect(|subject| {
                debug_assert!(subject.policy.inner().is_none(), "only one layer would run");
            })
            .collect()
    }

    /// What is on trial with all its layers, by population.
    fn layered_subjects(&self) -> Vec<LayersOnTrial<'_>> {
        let subjects = self.policies.iter().map(|of_routes| {
            let is_counted = of_routes.is_on_trial && of_routes.policy.inner().is_some();
            LayersOnTrial::new(of_routes.outermost(), is_counted)
        });
        subjects.collect()
    }

    fn has_layers(&self) -> bool {
        self.policies.iter().any(|of_routes| of_routes.policy.inner().is_some())
    }
}

/// Keys that say how often and how to judge, but change no run.
const NOT_PART_OF_A_RUN: [&str; 8] =
    ["title", "replications", "stop", "policies", "sweep", "thresholds", "tune", "gate"];

/// The cells of all policies at the point whose values `root` has, in the order of the file.
///
/// # Errors
///
/// The first fault in the experiment or a policy.
pub fn cells_of_point(
    root: &Node,
    point_index: usize,
    worlds: &Worlds,
) -> Result<Vec<Cell>, Diagnostic> {
    let file: ExperimentFile = from_node(root)?;
    check(&file, root)?;
    let scenario = worlds.build(&file).map_err(|problem| problem.placed(root))?;
    let scenario = Arc::new(scenario);
    let mut policies = BTreeMap::new();
    for (name, node) in root.entries("policies") {
        let policy = policy(name, node)?;
        check_ends(name, &policy, &scenario, root)?;
        check_stops(name, &policy, &scenario, root)?;
        check_routes(name, &policy, &file, root)?;
        let routes = route_numbers(&policy, &file);
        policies.insert(name, (Arc::new(policy), routes));
    }
    let callers = callers(&file);
    let mut world = root.without(&NOT_PART_OF_A_RUN).to_inline();
    for (path, hash) in worlds.files() {
        world.push_str(&format!(" {path} {hash}"));
    }
    for name in callers.iter().filter_map(|caller| caller.policy) {
        let node = root.entries("policies").find(|(policy, _)| *policy == name);
        world.push_str(&node.map_or_else(String::new, |(_, node)| node.to_inline()));
    }
    let cells = root.entries("policies").enumerate().map(|(policy_index, (name, node))| Cell {
        policy_index,
        point_index,
        scenario: scenario.clone(),
        policies: callers
            .iter()
            .map(|caller| {
                let (policy, routes) = policies[caller.policy.unwrap_or(name)].clone();
                let qualification = qualification(&policy, &file, caller);
                let is_on_trial = caller.policy.is_none();
                PolicyOfRoutes { policy, routes, qualification, is_on_trial }
            })
            .collect(),
        layers: layers(&policies[name].0),
        identity: format!("{world} {}", node.to_inline()),
    });
    Ok(cells.collect())
}

/// Attempts at most by layer, if there are several.
fn layers(policy: &Policy) -> Vec<Option<NonZeroU32>> {
    match policy.inner() {
        None => Vec::new(),
        Some(_) => policy.layers().map(|layer| layer.limits().max_attempts).collect(),
    }
}
