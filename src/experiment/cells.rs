//! The cells of all points. What points have in common is read, checked and kept once: an axis of
//! a policy leaves the world as it is, and an axis of the world the policies.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
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
    /// By the hash of their text.
    built: BTreeMap<Hash, World>,
    policies: Policies,
}

/// The policies that were built, by the hash of their text.
type Policies = BTreeMap<Hash, Arc<Policy>>;

type Hash = [u8; 32];

/// What all policies meet at some points.
#[derive(Debug)]
struct World {
    file: ExperimentFile,
    scenario: Arc<Scenario>,
    /// Of everything that determines it.
    hash: Sha256,
    /// The world's routes by their number in each policy that was found to suit it.
    routes: BTreeMap<Hash, Vec<u16>>,
}

/// A policy in a world.
struct Suited {
    policy: Arc<Policy>,
    routes: Vec<u16>,
    hash: Hash,
}

impl<'a> Cells<'a> {
    /// For points of one experiment.
    pub fn of(worlds: &'a Worlds) -> Self {
        Cells { worlds, built: BTreeMap::new(), policies: BTreeMap::new() }
    }

    /// The cells of all policies at the point whose values `root` has, in the order of the file.
    ///
    /// # Errors
    ///
    /// The first fault in the experiment or a policy.
    pub fn at_point(&mut self, root: &Node, point_index: usize) -> Result<Vec<Cell>, Diagnostic> {
        let text = root.inline_without(&NOT_PART_OF_A_RUN);
        let world = match self.built.entry(Sha256::digest(&text).into()) {
            Entry::Occupied(built) => built.into_mut(),
            Entry::Vacant(missing) => missing.insert(World::build(root, &text, self.worlds)?),
        };
        world.cells(root, point_index, &mut self.policies)
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
        Ok(World { file, scenario: Arc::new(scenario), hash, routes: BTreeMap::new() })
    }

    fn cells(
        &mut self,
        root: &Node,
        point_index: usize,
        built: &mut Policies,
    ) -> Result<Vec<Cell>, Diagnostic> {
        let mut policies = BTreeMap::new();
        for (name, node) in root.entries("policies") {
            policies.insert(name, self.suited(name, node, root, built)?);
        }
        let callers = callers(&self.file);
        let mut world = self.hash.clone();
        for policy in callers.iter().filter_map(|caller| policies.get(caller.policy?)) {
            world.update(policy.hash);
        }
        let cells = root.entries("policies").enumerate().map(|(policy_index, (name, _))| {
            let on_trial = &policies[name];
            let identity = world.clone().chain_update(on_trial.hash).finalize();
            let of_caller = callers.iter().map(|caller| {
                let suited = &policies[caller.policy.unwrap_or(name)];
                PolicyOfRoutes {
                    policy: suited.policy.clone(),
                    routes: suited.routes.clone(),
                    qualification: qualification(&suited.policy, &self.file, caller),
                    is_on_trial: caller.policy.is_none(),
                }
            });
            Cell {
                policy_index,
                point_index,
                scenario: self.scenario.clone(),
                policies: of_caller.collect(),
                layers: layers(&on_trial.policy),
                identity: identity.iter().map(|byte| format!("{byte:02x}")).collect(),
            }
        });
        Ok(cells.collect())
    }

    /// The policy called `name`, which suits this world.
    fn suited(
        &mut self,
        name: &str,
        node: &Node,
        root: &Node,
        built: &mut Policies,
    ) -> Result<Suited, Diagnostic> {
        let hash: Hash = Sha256::digest(node.to_inline()).into();
        let policy = match built.entry(hash) {
            Entry::Occupied(built) => built.get().clone(),
            Entry::Vacant(missing) => missing.insert(Arc::new(policy(name, node)?)).clone(),
        };
        let routes = match self.routes.entry(hash) {
            Entry::Occupied(known) => known.get().clone(),
            Entry::Vacant(unknown) => {
                check_ends(name, &policy, &self.scenario, root)?;
                check_stops(name, &policy, &self.scenario, root)?;
                check_routes(name, &policy, &self.file, root)?;
                unknown.insert(route_numbers(&policy, &self.file)).clone()
            }
        };
        Ok(Suited { policy, routes, hash })
    }
}

/// Attempts at most by layer, if there are several.
fn layers(policy: &Policy) -> Vec<Option<NonZeroU32>> {
    match policy.inner() {
        None => Vec::new(),
        Some(_) => policy.layers().map(|layer| layer.limits().max_attempts).collect(),
    }
}
