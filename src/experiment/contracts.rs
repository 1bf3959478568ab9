//! Contracts of routes and needs of requests: who may be sent where, and what to say of it before
//! anything is simulated.

use retrial_policy::{Capabilities, Gap, Policy, Qualification};

use super::check::problem::{Check, Problem, problem_with_help};
use super::schema::{ExperimentFile, Route};

/// What contracts must know of a population.
pub struct Caller<'a> {
    /// The key of its table.
    key: String,
    /// What messages call its requests.
    requests: String,
    /// Its own policy, if it does not follow the one on trial.
    pub policy: Option<&'a str>,
    needs: Option<&'a Capabilities>,
}

impl Caller<'_> {
    fn needs(&self) -> Capabilities {
        self.needs.cloned().unwrap_or_default()
    }
}

/// The populations of `file` in their order.
pub fn callers(file: &ExperimentFile) -> Vec<Caller<'_>> {
    if let Some(workload) = &file.workload {
        let (key, requests) = ("workload".to_string(), "requests".to_string());
        return vec![Caller { key, requests, policy: None, needs: workload.needs.as_ref() }];
    }
    let groups = file.group.iter().enumerate().map(|(index, group)| Caller {
        key: format!("group.{index}"),
        requests: format!("requests of `{}`", group.name),
        policy: group.policy.as_deref(),
        needs: group.needs.as_ref(),
    });
    groups.collect()
}

/// The routes of `policy` that the requests of `caller` may take.
pub fn qualification(policy: &Policy, file: &ExperimentFile, caller: &Caller<'_>) -> Qualification {
    let contract = |name: &str| {
        let route = file.route.iter().find(|route| route.name == name);
        route.and_then(|route| route.contract.as_ref())
    };
    Qualification::new(policy, &caller.needs(), contract)
}

/// Refuses a first route whose contract says that it can't serve who calls it.
pub(super) fn check_first_route(file: &ExperimentFile) -> Check {
    let Some(Route { name, contract: Some(contract), .. }) = file.route.first() else {
        return Ok(());
    };
    for caller in callers(file) {
        let needs = caller.needs();
        let gaps = contract.gaps(&needs);
        if !gaps.is_empty() {
            let message = format!(
                "{} need what the first route `{name}` does not serve: {}",
                caller.requests,
                listed(&gaps)
            );
            let help = "every request goes there first: extend its contract, or need less";
            return problem_with_help(format!("{}.needs", caller.key), message, help);
        }
    }
    Ok(())
}

/// Fallback routes that are never taken, since what they serve falls short.
pub(super) fn unqualified(
    file: &ExperimentFile,
    policies: &[(String, Policy)],
    found: &mut Vec<Problem>,
) {
    let nothing = Capabilities::default();
    for caller in callers(file) {
        let needs = caller.needs();
        let follows = |name: &str| caller.policy.is_none_or(|own| own == name);
        for (index, route) in file.route.iter().enumerate().skip(1) {
            let lists_it = |policy: &Policy| {
                let names = policy.routing_layer().route_names();
                names.iter().skip(1).any(|name| *name == route.name)
            };
            let gaps = route.contract.as_ref().unwrap_or(&nothing).gaps(&needs);
            let lists_it = policies.iter().any(|(name, policy)| follows(name) && lists_it(policy));
            if gaps.is_empty() || !lists_it {
                continue;
            }
            let message = format!(
                "no fallback to `{}`: {} need what its contract does not cover: {}",
                route.name,
                caller.requests,
                listed(&gaps)
            );
            let (key, help) = match route.contract {
                Some(_) => ("contract", "extend the contract if the route was tested for that"),
                None => ("name", "give the route a contract: what it was tested to serve"),
            };
            let help = Some(help.to_string());
            found.push(Problem { key: format!("route.{index}.{key}"), message, help });
        }
    }
}

fn listed(gaps: &[Gap<'_>]) -> String {
    gaps.iter().map(Gap::to_string).collect::<Vec<_>>().join(", ")
}
