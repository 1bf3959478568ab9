//! `[policies.NAME]`: from the tree to a policy that can be run, and whether it can be run here.

use retrial_policy::config::PolicyFile;
use retrial_policy::{Instant, Policy};

use super::deserialize::from_node;
use super::diagnostic::Diagnostic;
use super::key_path::place_of;
use super::node::Node;
use super::schema::ExperimentFile;
use super::suggest;
use crate::model::fault::Fault;
use crate::model::route::Route;
use crate::model::scenario::Scenario;

/// The policy called `name`.
///
/// # Errors
///
/// The first key that is unknown or impossible.
pub fn policy(name: &str, node: &Node) -> Result<Policy, Diagnostic> {
    let file: PolicyFile = from_node(node).map_err(|fault| Diagnostic {
        message: format!("policy `{name}`: {}", fault.message),
        ..fault
    })?;
    file.into_policy().map_err(|error| {
        let place = place_of(node, &error.key).unwrap_or(node.place);
        Diagnostic::new(format!("policy `{name}`: {error}")).at(Some(place))
    })
}

/// Refuses retries that could go on for ever without any time passing.
///
/// # Errors
///
/// Neither the policy nor the world bounds them.
pub fn check_ends(
    name: &str,
    policy: &Policy,
    scenario: &Scenario,
    root: &Node,
) -> Result<(), Diagnostic> {
    let at_once =
        scenario.network.delay.is_zero() && scenario.routes.iter().any(Route::may_answer_at_once);
    if !(policy.may_spin() && at_once) {
        return Ok(());
    }
    let message = format!(
        "policy `{name}` may retry for ever without time passing: no delay, no limit on attempts \
         or time, and a network that takes no time"
    );
    Err(Diagnostic::new(message)
        .at(place_of(root, &format!("policies.\"{name}\".backoff")))
        .help("limit max_attempts or deadline, or give the network a delay"))
}

/// Refuses runs that nothing ends: retries without bound against a fault without end.
///
/// # Errors
///
/// There is such a fault, and neither the policy nor the experiment says when to stop.
pub fn check_stops(
    name: &str,
    policy: &Policy,
    scenario: &Scenario,
    root: &Node,
) -> Result<(), Diagnostic> {
    let bounded = !policy.may_never_end() || scenario.stop_after != Instant::MAX;
    let lasting = scenario.routes.first().is_some_and(|route| {
        let fault = |fault: &Fault| fault.until == Instant::MAX && fault.share >= 1.0;
        route.faults.iter().any(|f| fault(f) && (f.refuse.is_some() || f.workers == Some(0)))
    });
    if bounded || !lasting {
        return Ok(());
    }
    let message = format!(
        "policy `{name}` retries without bound against a fault without end: the run never ends"
    );
    let key = format!("policies.\"{name}\".limits");
    Err(Diagnostic::new(message)
        .at(place_of(root, &key))
        .help("say when to stop, such as stop_after = \"120s\", or bound attempts or time"))
}

/// Refuses fallbacks to routes that are not there, or to the first one.
///
/// # Errors
///
/// The first such route.
pub fn check_routes(
    name: &str,
    policy: &Policy,
    file: &ExperimentFile,
    root: &Node,
) -> Result<(), Diagnostic> {
    let further: Vec<_> = file.route.iter().skip(1).map(|route| route.name.as_str()).collect();
    let missing = |route: &&String| !further.contains(&route.as_str());
    let first = policy.layers().enumerate().find_map(|(depth, layer)| {
        let mut lists = layer.fallback().lists().into_iter();
        let (list, route) =
            lists.find_map(|(key, list)| Some((key, list.iter().find(missing)?)))?;
        Some((key_in_layer(name, depth, &format!("fallback.{list}")), route))
    });
    let Some((key, missing)) = first else { return Ok(()) };
    let message = format!("policy `{name}` falls back to `{missing}`, which is no further route");
    let help = match suggest::nearest(missing, further.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "routes after the first are defined by further [[route]] tables".to_string(),
    };
    Err(Diagnostic::new(message).at(place_of(root, &key)).help(help))
}

/// The experiment's routes by their number in the policy: the first one, whatever it is called,
/// then those of the fallback lists.
pub fn route_numbers(policy: &Policy, file: &ExperimentFile) -> Vec<u16> {
    let place = |name: &String| file.route.iter().position(|route| route.name == *name);
    let fallbacks = policy.routing_layer().route_names().iter().skip(1).filter_map(place);
    std::iter::once(0).chain(fallbacks).map(|index| index as u16).collect()
}

/// The dotted key in the experiment of `key` in the layer at `depth` of a policy.
pub fn key_in_layer(policy: &str, depth: usize, key: &str) -> String {
    format!("policies.\"{policy}\".{}{key}", "inner.".repeat(depth))
}
