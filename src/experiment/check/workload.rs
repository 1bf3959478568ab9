//! Workloads that no population can have.

use retrial_policy::config::OrUnlimited;

use super::distribution::possible_distribution;
use super::problem::{Check, problem, problem_with_help};
use crate::experiment::schema::{Arrivals, ExperimentFile, Open, Workload};

/// A client takes some 200 bytes: more than these need more memory than a machine has to spare.
const MAX_CLIENTS: u32 = 20_000_000;

pub(super) fn possible_workload(file: &ExperimentFile, workload: &Workload) -> Check {
    if workload.clients == 0 {
        return problem("workload.clients", "`clients` must be at least 1");
    }
    if workload.clients > MAX_CLIENTS {
        return problem("workload.clients", format!("`clients` must be at most {MAX_CLIENTS}"));
    }
    let kinds = [
        ("open", workload.open.is_some()),
        ("closed", workload.closed.is_some()),
        ("trace", workload.trace.is_some()),
    ];
    let given: Vec<_> = kinds.iter().filter(|(_, given)| *given).map(|(key, _)| *key).collect();
    match given[..] {
        [] => {
            return problem_with_help(
                "workload",
                "the workload says who calls, but not when",
                "give one of `open`, `closed` and `trace`, such as closed = { requests = 1 }",
            );
        }
        [_] => {}
        [_, second, ..] => {
            let message = "`open`, `closed` and `trace` exclude each other";
            return problem(format!("workload.{second}"), message);
        }
    }
    let endless = workload.open.as_ref().is_some_and(|open| open.until.is_none())
        || workload
            .closed
            .as_ref()
            .is_some_and(|closed| closed.requests == Some(OrUnlimited::Unlimited));
    if endless && !matches!(file.stop_after, Some(OrUnlimited::Bound(_))) {
        return problem_with_help(
            "workload",
            "this workload never ends by itself",
            "say when to stop, such as stop_after = \"120s\"",
        );
    }
    if let Some(open) = &workload.open {
        possible_open(open)?;
    }
    let think = workload.closed.as_ref().and_then(|closed| closed.think.as_ref());
    think.map_or(Ok(()), |think| possible_distribution("workload.closed.think", think))
}

fn possible_open(open: &Open) -> Check {
    let from = open.from.unwrap_or_default();
    if let Some(until) = open.until
        && until <= from
    {
        let message = format!("the arrivals end ({until}) before they start ({from})");
        return problem("workload.open.until", message);
    }
    match &open.arrivals {
        Arrivals::Gamma(renewal) | Arrivals::Weibull(renewal)
            if renewal.cv.is_nan() || renewal.cv <= 0.0 =>
        {
            problem("workload.open.arrivals", "the coefficient of variation must be above zero")
        }
        _ => Ok(()),
    }
}
