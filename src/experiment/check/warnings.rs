//! What is allowed and probably not meant.

use retrial_policy::Policy;
use retrial_policy::config::OrUnlimited;

use super::problem::Problem;
use crate::experiment::contracts::unqualified;
use crate::experiment::diagnostic::Diagnostic;
use crate::experiment::node::Node;
use crate::experiment::policy::{key_in_layer, policy};
use crate::experiment::schema::{ExperimentFile, LimitAmount, Workload};

/// What to warn of in `file`, which was read from `root`.
///
/// # Errors
///
/// A policy that can't be read.
pub fn warnings(file: &ExperimentFile, root: &Node) -> Result<Vec<Diagnostic>, Diagnostic> {
    let mut policies = Vec::new();
    for (name, node) in root.entries("policies") {
        policies.push((name.to_string(), policy(name, node)?));
    }
    let mut found = Vec::new();
    unused_routes(file, &policies, &mut found);
    unqualified(file, &policies, &mut found);
    sizeless(file, &mut found);
    late_faults(file, &mut found);
    for (name, policy) in &policies {
        unrepeatable(name, policy, &mut found);
        endless_waits(file, name, policy, &mut found);
        multiplying(name, policy, &mut found);
    }
    Ok(found.into_iter().map(|problem| problem.placed(root)).collect())
}

fn warn(found: &mut Vec<Problem>, key: String, message: String, help: &str) {
    found.push(Problem { key, message, help: Some(help.to_string()) });
}

/// Routes after the first that no policy falls back to.
fn unused_routes(file: &ExperimentFile, policies: &[(String, Policy)], found: &mut Vec<Problem>) {
    for (index, route) in file.route.iter().enumerate().skip(1) {
        let names = |policy: &Policy| {
            let lists = policy.routing_layer().fallback().lists();
            lists.into_iter().any(|(_, list)| list.contains(&route.name))
        };
        if !policies.iter().any(|(_, policy)| names(policy)) {
            let message = format!("no policy falls back to the route `{}`", route.name);
            let help = format!("list it: fallback = {{ routes = [\"{}\"] }}", route.name);
            warn(found, format!("route.{index}.name"), message, &help);
        }
    }
}

/// Limits and services by the size of requests that have none.
fn sizeless(file: &ExperimentFile, found: &mut Vec<Problem>) {
    let groups: Vec<Workload> = file.group.iter().map(Workload::from).collect();
    let sized = |workload: &Workload| workload.tokens.is_some() || workload.trace.is_some();
    if file.workload.iter().chain(&groups).any(sized) {
        return;
    }
    let help = "give them: tokens = { input = 1000, output = 200 }";
    for (index, route) in file.route.iter().enumerate() {
        if route.service.as_ref().is_some_and(|form| form.per_token().is_some()) {
            let message = "requests have no size, so that all take the time before the first token";
            warn(found, format!("route.{index}.service"), message.to_string(), help);
        }
        for (number, limit) in route.limit.iter().enumerate() {
            match limit.amount() {
                None | Some((LimitAmount::Requests, _)) => {}
                Some((amount, _)) => {
                    let message = "requests have no size, so that this limit never refuses one";
                    let key = format!("route.{index}.limit.{number}.{}", amount.key());
                    warn(found, key, message.to_string(), help);
                }
            }
        }
    }
}

/// Faults that start after the end.
fn late_faults(file: &ExperimentFile, found: &mut Vec<Problem>) {
    let Some(OrUnlimited::Bound(stop)) = file.stop_after else { return };
    for (index, route) in file.route.iter().enumerate() {
        for (number, fault) in route.fault.iter().enumerate() {
            let from = fault.from.unwrap_or_default();
            if from >= stop {
                let message = format!("the fault starts ({from}) when the run is over ({stop})");
                let key = format!("route.{index}.fault.{number}.from");
                warn(found, key, message, "let it start earlier, or raise stop_after");
            }
        }
    }
}

/// Attempts that time out, of calls that may not be repeated then.
fn unrepeatable(name: &str, policy: &Policy, found: &mut Vec<Problem>) {
    // What one layer may not repeat, one outside may.
    if policy.layers().any(|layer| layer.replay().is_harmless()) {
        return;
    }
    // A list of what is repeated does not ask what a timeout may have done.
    let times_out =
        |layer: &Policy| layer.limits().attempt_timeout.is_some() && layer.retry_on().is_none();
    if let Some(depth) = policy.layers().position(times_out) {
        let message = format!(
            "policy `{name}` times attempts out but may not repeat them: every timeout reconciles"
        );
        let help = "say [replay] safe = true for calls without side effects, or \
                    idempotency_key = true";
        warn(found, key_in_layer(name, depth, "limits.attempt_timeout"), message, help);
    }
}

/// Attempts that are never answered, of policies that wait for ever.
fn endless_waits(file: &ExperimentFile, name: &str, policy: &Policy, found: &mut Vec<Problem>) {
    let has_end = |layer: &Policy| {
        layer.limits().attempt_timeout.is_some() || layer.limits().deadline.is_some()
    };
    if policy.layers().any(has_end) {
        return;
    }
    let mut silent = Vec::new();
    if file.network.lost > 0.0 {
        silent.push("network.lost".to_string());
    }
    if file.network.lost_replies > 0.0 {
        silent.push("network.lost_replies".to_string());
    }
    for (index, route) in file.route.iter().enumerate() {
        let faults = route.fault.iter().enumerate();
        let quiet = faults.filter(|(_, fault)| fault.silent == Some(true));
        silent.extend(quiet.map(|(number, _)| format!("route.{index}.fault.{number}.silent")));
    }
    for key in silent {
        let message = format!("policy `{name}` waits for ever for an answer that never comes");
        warn(found, key, message, "give the policy an attempt_timeout or a deadline");
    }
}

/// Attempts of one request that nobody questions.
const MAX_PRODUCT: u64 = 10;

/// Layers that make many attempts of one request: each of them looks modest.
fn multiplying(name: &str, policy: &Policy, found: &mut Vec<Problem>) {
    if policy.inner().is_none() {
        return;
    }
    let product = match policy.max_wire_attempts() {
        Some(product) if product <= MAX_PRODUCT => return,
        Some(product) => format!("up to {product} attempts of one request"),
        None => "attempts without bound".to_string(),
    };
    let factor = |layer: &Policy| match layer.limits().max_attempts {
        Some(max) => max.to_string(),
        None => "unlimited".to_string(),
    };
    let factors: Vec<_> = policy.layers().map(factor).collect();
    let message =
        format!("the layers of policy `{name}` multiply: {} = {product}", factors.join(" × "));
    let help = "retry in one layer only, and set max_attempts = 1 in the others";
    warn(found, key_in_layer(name, 0, "inner"), message, help);
}
