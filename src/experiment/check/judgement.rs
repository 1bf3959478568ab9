//! Thresholds, gates, tuning and stopping: metrics that must exist, of policies that must exist.

use std::collections::BTreeMap;

use super::MAX_REPLICATIONS;
use super::problem::{Check, Problem, problem, problem_with_help};
use crate::experiment::condition::{Condition, NoCondition, Threshold};
use crate::experiment::gate::Gate;
use crate::experiment::schema::{ExperimentFile, HalfWidth, StopForm, Tune};
use crate::experiment::stop::{FIRST, MAX};
use crate::experiment::suggest;
use crate::measure::metric::{self, Better};

pub(super) fn possible_thresholds(file: &ExperimentFile) -> Check {
    for (policy, conditions) in &file.thresholds {
        possible_policy(file, &format!("thresholds.\"{policy}\""), policy)?;
        for (index, condition) in conditions.iter().enumerate() {
            let key = format!("thresholds.\"{policy}\".{index}");
            Threshold::parse(condition).map_err(|fault| problem_of(key, fault))?;
        }
    }
    Ok(())
}

pub(super) fn possible_gates(file: &ExperimentFile) -> Check {
    for (metric, slack) in &file.gate {
        if let Err(NoCondition { message, help }) = Gate::on(metric, *slack) {
            return Err(Problem { key: format!("gate.\"{metric}\""), message, help });
        }
    }
    Ok(())
}

pub(super) fn possible_tune(file: &ExperimentFile, tune: &Tune) -> Check {
    possible_policy(file, "tune.policy", &tune.policy)?;
    possible_objective("tune.minimise".to_string(), &tune.minimise)?;
    for (index, condition) in tune.subject_to.iter().enumerate() {
        possible_condition(format!("tune.subject_to.{index}"), condition)?;
    }
    Ok(())
}

/// `given` are the replications that the experiment itself names.
pub(super) fn possible_stop(stop: &StopForm, given: Option<u32>) -> Check {
    let by_metric = match &stop.half_width {
        HalfWidth::ByMetric(by_metric) => Some(by_metric),
        HalfWidth::Same(_) => None,
    };
    for name in by_metric.iter().flat_map(|by_metric| by_metric.keys()) {
        possible_metric(format!("stop.half_width.{name}"), name)?;
    }
    let names = stop.metrics.as_deref();
    for (index, name) in names.unwrap_or_default().iter().enumerate() {
        possible_metric(format!("stop.metrics.{index}"), name)?;
    }
    if by_metric.is_some() && names.is_some() {
        let message = "`half_width` names the metrics already";
        return problem("stop.metrics", message);
    }
    if by_metric.is_some_and(BTreeMap::is_empty) || names.is_some_and(<[_]>::is_empty) {
        return problem("stop", "`stop` names no metric that must be exact");
    }
    if let Some(given) = given.filter(|given| *given < FIRST) {
        let message = format!("`stop` first looks after {given} replications: that is too few");
        let help = format!("it takes {FIRST} or more; leave `replications` out for {FIRST}");
        return problem_with_help("replications", message, help);
    }
    let (first, max) = (given.unwrap_or(FIRST), stop.max.unwrap_or(MAX));
    if max < first {
        let message =
            format!("`max` ({max}) is below the replications of the first look ({first})");
        return problem(if stop.max.is_some() { "stop.max" } else { "replications" }, message);
    }
    if max > MAX_REPLICATIONS {
        return problem("stop.max", format!("`max` must be at most {MAX_REPLICATIONS}"));
    }
    Ok(())
}

fn possible_policy(file: &ExperimentFile, key: &str, policy: &str) -> Check {
    if file.policies.contains_key(policy) {
        return Ok(());
    }
    let names: Vec<_> = file.policies.keys().map(String::as_str).collect();
    let message = format!("there is no policy `{policy}`");
    problem_with_help(key, message, suggest::help(policy, &names))
}

fn possible_condition(key: String, condition: &str) -> Check {
    Condition::parse(condition).map(|_| ()).map_err(|fault| problem_of(key, fault))
}

fn problem_of(key: String, fault: NoCondition) -> Problem {
    let NoCondition { message, help } = fault;
    Problem { key, message, help }
}

fn possible_metric(key: String, name: &str) -> Check {
    if metric::by_name(name).is_some() {
        return Ok(());
    }
    let near = suggest::nearest(name, metric::ALL.iter().map(|metric| metric.name));
    let help = near.map(|near| format!("did you mean `{near}`?"));
    Err(Problem { key, message: format!("no metric is called `{name}`"), help })
}

fn possible_objective(key: String, name: &str) -> Check {
    possible_metric(key.clone(), name)?;
    match metric::by_name(name).map(|index| metric::ALL[index].better) {
        Some(Better::Higher) => {
            let message =
                format!("`{name}` is better when it is higher: it is not to be minimised");
            let help = format!("bound it from below: subject_to = [\"{name} >= 0.99\"]");
            problem_with_help(key, message, help)
        }
        Some(Better::Lower | Better::Neither) | None => Ok(()),
    }
}
