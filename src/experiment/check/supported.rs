//! What is valid but not built yet.

use retrial_policy::Nanos;
use retrial_policy::config::NOT_SUPPORTED;

use super::problem::{Check, problem, problem_with_help};
use crate::experiment::schema::{DistributionForm, ExperimentFile, Route, Start, Workload};

pub(super) fn supported(file: &ExperimentFile) -> Check {
    for (key, used) in [
        ("group", !file.group.is_empty()),
        ("warmup", file.warmup != Nanos::ZERO),
        ("network.lost", file.network.lost != 0.0),
        ("network.lost_replies", file.network.lost_replies != 0.0),
        ("route.1", file.route.len() > 1),
        ("thresholds", !file.thresholds.is_empty()),
        ("tune", file.tune.is_some()),
        ("gate", file.gate.is_some()),
    ] {
        if used {
            return not_supported(key);
        }
    }
    if let Some(workload) = &file.workload {
        supported_workload(workload)?;
    }
    if let Some(DistributionForm::Law(law)) = &file.network.delay
        && law.sampler(&|_| None).is_none()
    {
        return not_supported(format!("network.delay.{}", law.name()));
    }
    file.route.iter().enumerate().try_for_each(|(index, route)| supported_route(index, route))
}

fn supported_workload(workload: &Workload) -> Check {
    let closed = workload.closed.as_ref();
    let requests = closed.and_then(|closed| closed.requests);
    for (key, used) in [
        ("workload.open", workload.open.is_some()),
        ("workload.trace", workload.trace.is_some()),
        ("workload.tokens", workload.tokens.is_some()),
        ("workload.concurrency", workload.concurrency.is_some()),
        (
            "workload.closed.requests",
            requests.is_some_and(|r| r.bound().is_none_or(|n| n.get() != 1)),
        ),
        ("workload.closed.start", closed.is_some_and(|c| !matches!(c.start, Start::Together))),
        ("workload.closed.think", closed.is_some_and(|c| c.think.is_some())),
    ] {
        if used {
            return not_supported(key);
        }
    }
    Ok(())
}

fn supported_route(index: usize, route: &Route) -> Check {
    let key = |rest: &str| format!("route.{index}.{rest}");
    for (name, used) in [
        ("provider", route.provider.is_some()),
        ("table", route.table.is_some()),
        ("workers", route.workers.is_some()),
        ("queue", route.queue.is_some()),
        ("abandoned", route.abandoned.is_some()),
        ("full", route.full.is_some()),
        ("service", route.service.is_some()),
        ("limit", !route.limit.is_empty()),
        ("fault", !route.fault.is_empty()),
    ] {
        if used {
            return not_supported(key(name));
        }
    }
    match route.kind {
        Some(_) => Ok(()),
        None => problem_with_help(
            format!("route.{index}.name"),
            format!("a route with workers and a queue is {NOT_SUPPORTED}"),
            "kind = \"occ\" is: one row under optimistic concurrency control",
        ),
    }
}

fn not_supported(key: impl Into<String>) -> Check {
    let key = key.into();
    let message = format!("`{key}` is {NOT_SUPPORTED}");
    problem(key, message)
}
