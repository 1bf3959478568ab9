//! One policy at one sweep point: what the study runs.

use retrial_policy::config::{NOT_SUPPORTED, OrUnlimited, PolicyFile};
use retrial_policy::{Class, Instant, Nanos, Policy, StatusTable};

use super::check::check;
use super::deserialize::from_node;
use super::diagnostic::Diagnostic;
use super::key_path::place_of;
use super::node::Node;
use super::schema::ExperimentFile;
use crate::engine::distribution::Distribution;
use crate::model::occ_row::CONFLICT;
use crate::model::scenario::Scenario;

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

/// Keys that say how often and how to judge, but change no run.
const NOT_PART_OF_A_RUN: [&str; 7] =
    ["title", "replications", "policies", "sweep", "thresholds", "tune", "gate"];

/// The cells of all policies at the point whose values `root` has, in the order of the file.
///
/// # Errors
///
/// The first fault in the experiment or a policy.
pub fn cells_of_point(root: &Node, point_index: usize) -> Result<Vec<Cell>, Diagnostic> {
    let file: ExperimentFile = from_node(root)?;
    check(&file, root)?;
    let scenario = scenario(&file);
    let world = root.without(&NOT_PART_OF_A_RUN).to_inline();
    let mut cells = Vec::new();
    for (policy_index, (name, node)) in root.entries("policies").enumerate() {
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
        network: delay.and_then(|delay| delay.sampler(&|_| None)).unwrap_or(Distribution::ZERO),
        stop_after: stop_after
            .map_or(Instant::MAX, |stop| Instant::from_nanos(0).saturating_add(stop)),
        bin: file.bin,
    }
}
