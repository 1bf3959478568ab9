//! Refuses experiments that are well formed but impossible.

mod distribution;
mod judgement;
pub(super) mod problem;
mod route;
pub(super) mod warnings;
mod workload;

use retrial_policy::Nanos;
use retrial_policy::config::OrUnlimited;

use self::distribution::{possible_distribution, possible_share};
use self::judgement::{possible_gates, possible_stop, possible_thresholds, possible_tune};
use self::problem::{Check, problem};
use self::route::possible_route;
use self::workload::{possible_groups, possible_workload};
use super::contracts::check_first_route;
use super::diagnostic::Diagnostic;
use super::key_path::place_of;
use super::node::Node;
use super::schema::ExperimentFile;
use super::space::Space;

/// Routes, and groups, are told apart by two bytes; nobody has so many.
const MAX_ROUTES: usize = 10_000;

/// A replication takes about a kilobyte.
const MAX_REPLICATIONS: u32 = 1_000_000;

/// Checks `file`, which was read from `root`.
///
/// # Errors
///
/// The first key whose value is impossible.
pub fn check(file: &ExperimentFile, root: &Node) -> Result<(), Diagnostic> {
    possible(file, root).map_err(|problem| problem.placed(root))?;
    Space::of(root).map(|_| ())
}

fn possible(file: &ExperimentFile, root: &Node) -> Check {
    if file.replications == 0 {
        return problem("replications", "`replications` must be at least 1");
    }
    if file.replications > MAX_REPLICATIONS {
        return problem(
            "replications",
            format!("`replications` must be at most {MAX_REPLICATIONS}"),
        );
    }
    if file.bin == Nanos::ZERO {
        return problem("bin", "`bin` must be above zero");
    }
    if let Some(OrUnlimited::Bound(stop)) = file.stop_after {
        if stop == Nanos::ZERO {
            return problem("stop_after", "`stop_after` must be above zero");
        }
        if file.warmup >= stop {
            let message =
                format!("the warm-up ({}) lasts as long as the run ({stop})", file.warmup);
            return problem("warmup", message);
        }
    }
    if file.route.len() > MAX_ROUTES || file.group.len() > MAX_ROUTES {
        return problem("route", format!("there may be at most {MAX_ROUTES} routes and groups"));
    }
    match (&file.workload, file.group.is_empty()) {
        (Some(workload), true) => possible_workload("workload", file, workload)?,
        (None, true) => return problem("workload", "missing key `workload`: who calls?"),
        (Some(_), false) => {
            return problem("group", "`[workload]` and `[[group]]` exclude each other");
        }
        (None, false) => possible_groups(file)?,
    }
    for (key, share) in
        [("network.lost", file.network.lost), ("network.lost_replies", file.network.lost_replies)]
    {
        possible_share(key, share)?;
    }
    if let Some(delay) = &file.network.delay {
        possible_distribution("network.delay", delay)?;
    }
    if file.route.is_empty() {
        return problem("route", "missing `[[route]]`: whom do the clients call?");
    }
    for (index, route) in file.route.iter().enumerate() {
        if file.route[..index].iter().any(|other| other.name == route.name) {
            let message = format!("two routes are called `{}`", route.name);
            return problem(format!("route.{index}.name"), message);
        }
        possible_route(index, route)?;
    }
    check_first_route(file)?;
    if file.policies.is_empty() {
        return problem("policies", "missing `[policies.NAME]`: what is on trial?");
    }
    for name in file.policies.keys() {
        if name.is_empty() || name.contains(char::is_control) {
            let message = format!("{name:?} can't be a policy's name: it would break tables");
            return problem("policies", message);
        }
    }
    if file.title.as_ref().is_some_and(|title| title.contains(char::is_control)) {
        return problem("title", "a title is one line");
    }
    if let Some(tune) = &file.tune {
        possible_tune(file, tune)?;
    }
    if let Some(stop) = &file.stop {
        possible_stop(stop, given_replications(file, root))?;
    }
    possible_gates(file)?;
    possible_thresholds(file)
}

/// The replications that the experiment itself names: `stop` has another default.
pub fn given_replications(file: &ExperimentFile, root: &Node) -> Option<u32> {
    place_of(root, "replications").map(|_| file.replications)
}
