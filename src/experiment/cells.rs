//! The cells of all points. What points have in common is read, checked and kept once: an axis of
//! a policy leaves the world as it is, and an axis of the world the policies.

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::sync::Arc;

use retrial_policy::Policy;
use sha2::{Digest, Sha256};

use super::cell::{Cell, PolicyOfRoutes};
use super::check::check;
use super::contracts::{callers, qualification};
use super::deserialize::from_node;
use super::diagnostic::Diagnostic;
use super::node::Node;
use super::policy::{check_ends, check_routes, check_stops, policy, route_numbers};
use super::scenario::Worlds;
use super::schema::ExperimentFile;
use crate::model::scenario::Scenario;

/// Keys that say how often and how to judge, but change no run.
const NOT_PART_OF_A_RUN: [&str; 8] =
    ["title", "replications", "stop", "policies", "sweep", "thresholds", "tune", "gate"];

/// Builds cells, point by point.
#[derive(Debug)]
pub struct Cells<'a> {
    worlds: &'a Worlds,
    /// By their text.
    built: BTreeMap<String, World>,
}

/// What all policies meet at some points.
#[derive(Debug)]
struct World {
    file: ExperimentFile,
    scenario: Arc<Scenario>,
    /// Of everything that determines it.
    hash: Sha256,
    /// Policies that were found to suit it, by their text.
    policies: BTreeMap<String, Suited>,
}

/// A policy, and the routes of a world by their number in it.
#[derive(Clone, Debug)]
struct Suited {
    policy: Arc<Policy>,
    routes: Vec<u16>,
}

impl<'a> Cells<'a> {
    /// For points of one experiment.
    pub fn of(worlds: &'a Worlds) -> Self {
        Cells { worlds, built: BTreeMap::new() }
    }

    /// The cells of all policies at the point whose values `root` has, in the order of the file.
    ///
    /// # Errors
    ///
    /// The first fault in the experiment or a policy.
    pub fn at_point(&mut self, root: &Node, point_index: usize) -> Result<Vec<Cell>, Diagnostic> {
        let text = root.inline_without(&NOT_PART_OF_A_RUN);
        if !self.built.contains_key(&text) {
            let world = World::build(root, &text, self.worlds)?;
            self.built.insert(text.clone(), world);
        }
        // It was put there if it was missing.
        let Some(world) = self.built.get_mut(&text) else { return Ok(Vec::new()) };
        world.cells(root, point_index)
    }
}

impl World {
    fn build(root: &Node, text: &str, worlds: &Worlds) -> Result<World, Diagnostic> {
        let file: ExperimentFile = from_node(root)?;
        check(&file, root)?;
        let scenario = worlds.build(&file).map_err(|problem| problem.placed(root))?;
        let mut hash = Sha256::new_with_prefix(text);
        for (path, content) in worlds.files() {
            hash.update(format!(" {path} {content}"));
        }
        Ok(World { file, scenario: Arc::new(scenario), hash, policies: BTreeMap::new() })
    }

    fn cells(&mut self, root: &Node, point_index: usize) -> Result<Vec<Cell>, Diagnostic> {
        let mut policies = BTreeMap::new();
        for (name, node) in root.entries("policies") {
            let text = node.to_inline();
            let suited = match self.policies.get(&text) {
                Some(suited) => suited.clone(),
                None => {
                    let suited = self.suited(name, node, root)?;
                    self.policies.insert(text.clone(), suited.clone());
                    suited
                }
            };
            policies.insert(name, (suited, text));
        }
        let callers = callers(&self.file);
        let mut hash = self.hash.clone();
        for name in callers.iter().filter_map(|caller| caller.policy) {
            hash.update(policies.get(name).map_or("", |(_, text)| text));
        }
        let cells = root.entries("policies").enumerate().map(|(policy_index, (name, _))| {
            let (Suited { policy, .. }, text) = &policies[name];
            let identity = hash.clone().chain_update(" ").chain_update(text).finalize();
            let of_caller = callers.iter().map(|caller| {
                let (suited, _) = &policies[caller.policy.unwrap_or(name)];
                let Suited { policy, routes } = suited.clone();
                let qualification = qualification(&policy, &self.file, caller);
                let is_on_trial = caller.policy.is_none();
                PolicyOfRoutes { policy, routes, qualification, is_on_trial }
            });
            Cell {
                policy_index,
                point_index,
                scenario: self.scenario.clone(),
                policies: of_caller.collect(),
                layers: layers(policy),
                identity: identity.iter().map(|byte| format!("{byte:02x}")).collect(),
            }
        });
        Ok(cells.collect())
    }

    fn suited(&self, name: &str, node: &Node, root: &Node) -> Result<Suited, Diagnostic> {
        let policy = policy(name, node)?;
        check_ends(name, &policy, &self.scenario, root)?;
        check_stops(name, &policy, &self.scenario, root)?;
        check_routes(name, &policy, &self.file, root)?;
        let routes = route_numbers(&policy, &self.file);
        Ok(Suited { policy: Arc::new(policy), routes })
    }
}

/// Attempts at most by layer, if there are several.
fn layers(policy: &Policy) -> Vec<Option<NonZeroU32>> {
    match policy.inner() {
        None => Vec::new(),
        Some(_) => policy.layers().map(|layer| layer.limits().max_attempts).collect(),
    }
}
