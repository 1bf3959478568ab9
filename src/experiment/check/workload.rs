//! Workloads that no population can have.

use std::collections::BTreeSet;

use retrial_policy::Nanos;
use retrial_policy::config::OrUnlimited;

use super::distribution::{CV, cv_out_of_range, possible_distribution};
use super::problem::{Check, problem, problem_with_help};
use crate::experiment::schema::{Arrivals, ExperimentFile, Open, Trace, Workload};
use crate::experiment::suggest;

/// A client takes some 300 bytes: more than these need more memory than a machine has to spare.
const MAX_CLIENTS: u32 = 10_000_000;

/// Streams are told apart by a byte.
const MAX_STREAMS: usize = 256;

pub(super) fn possible_groups(file: &ExperimentFile) -> Check {
    let mut names = BTreeSet::new();
    let mut clients = 0_u64;
    for (index, group) in file.group.iter().enumerate() {
        let key = format!("group.{index}");
        if group.name.is_empty() {
            return problem(format!("{key}.name"), "a group needs a name");
        }
        if !names.insert(&group.name) {
            let message = format!("two groups are called `{}`", group.name);
            return problem(format!("{key}.name"), message);
        }
        if let Some(policy) = &group.policy
            && !file.policies.contains_key(policy)
        {
            let policies: Vec<_> = file.policies.keys().map(String::as_str).collect();
            let message = format!("there is no policy `{policy}`");
            let help = suggest::help(policy, &policies);
            return problem_with_help(format!("{key}.policy"), message, help);
        }
        possible_workload(&key, file, &group.into())?;
        clients += u64::from(group.clients);
    }
    if clients > u64::from(MAX_CLIENTS) {
        return problem("group", format!("there may be at most {MAX_CLIENTS} clients in all"));
    }
    Ok(())
}

pub(super) fn possible_workload(key: &str, file: &ExperimentFile, workload: &Workload) -> Check {
    let at = |rest: &str| format!("{key}.{rest}");
    if workload.clients == 0 {
        return problem(at("clients"), "`clients` must be at least 1");
    }
    if workload.clients > MAX_CLIENTS {
        return problem(at("clients"), format!("`clients` must be at most {MAX_CLIENTS}"));
    }
    let kinds = [
        ("open", workload.open.is_some()),
        ("closed", workload.closed.is_some()),
        ("trace", workload.trace.is_some()),
    ];
    let given: Vec<_> = kinds.iter().filter(|(_, given)| *given).map(|(key, _)| *key).collect();
    if workload.open.as_ref().is_some_and(|open| open.0.is_empty()) {
        return problem(at("open"), "a list of streams without any: nobody ever calls");
    }
    match given[..] {
        [] => {
            return problem_with_help(
                key,
                "the workload says who calls, but not when",
                "give one of `open`, `closed` and `trace`, such as closed = { requests = 1 }",
            );
        }
        [_] => {}
        [_, second, ..] => {
            let message = "`open`, `closed` and `trace` exclude each other";
            return problem(at(second), message);
        }
    }
    let streams = workload.open.as_ref().map_or(&[][..], |open| &open.0);
    let endless = streams.iter().any(|open| open.until.is_none())
        || workload
            .closed
            .as_ref()
            .is_some_and(|closed| closed.requests == Some(OrUnlimited::Unlimited));
    if endless && !has_end(file) {
        return problem_with_help(
            key,
            "this workload never ends by itself",
            "say when to stop, such as stop_after = \"120s\"",
        );
    }
    possible_streams(&at("open"), streams)?;
    if let Some(trace) = &workload.trace {
        possible_trace(&at("trace"), trace)?;
    }
    if let Some(tokens) = &workload.tokens {
        possible_distribution(&at("tokens.input"), &tokens.input)?;
        possible_distribution(&at("tokens.output"), &tokens.output)?;
    }
    let think = workload.closed.as_ref().and_then(|closed| closed.think.as_ref());
    think.map_or(Ok(()), |think| possible_distribution(&at("closed.think"), think))
}

fn has_end(file: &ExperimentFile) -> bool {
    match file.stop_after {
        Some(OrUnlimited::Bound(_)) => true,
        Some(OrUnlimited::Unlimited) | None => false,
    }
}

fn possible_streams(key: &str, streams: &[Open]) -> Check {
    if streams.len() > MAX_STREAMS {
        return problem(key, format!("there may be at most {MAX_STREAMS} streams"));
    }
    for (index, open) in streams.iter().enumerate() {
        let key = match streams {
            [_] => key.to_string(),
            _ => format!("{key}.{index}"),
        };
        possible_open(&key, open)?;
    }
    Ok(())
}

fn possible_open(key: &str, open: &Open) -> Check {
    let from = open.from.unwrap_or_default();
    if let Some(until) = open.until
        && until <= from
    {
        let message = format!("the arrivals end ({until}) before they start ({from})");
        return problem(format!("{key}.until"), message);
    }
    let key = format!("{key}.arrivals");
    let rate = match &open.arrivals {
        Arrivals::Poisson(rate) => Some(rate),
        Arrivals::Gamma(renewal) | Arrivals::Weibull(renewal) => Some(&renewal.rate),
        Arrivals::Every(_) | Arrivals::Cron(_) => None,
    };
    if rate.is_some_and(|rate| rate.count > MAX_PER_NANO * rate.per.get() as f64) {
        return problem(key, "more than a million arrivals a millisecond don't fit in its clock");
    }
    match &open.arrivals {
        Arrivals::Gamma(renewal) | Arrivals::Weibull(renewal) if !CV.contains(&renewal.cv) => {
            problem(key, cv_out_of_range(renewal.cv))
        }
        Arrivals::Every(Nanos::ZERO) => problem(key, "the distance must be above zero"),
        Arrivals::Cron(cron) if cron.period == Nanos::ZERO => {
            problem(key, "the period must be above zero")
        }
        Arrivals::Cron(cron) if cron.spread > cron.period => {
            let message = format!(
                "a client that is late by up to {} is overtaken by its next start, {} later",
                cron.spread, cron.period
            );
            problem(key, message)
        }
        _ => Ok(()),
    }
}

/// The clock ticks in nanoseconds.
const MAX_PER_NANO: f64 = 1.0;

fn possible_trace(key: &str, trace: &Trace) -> Check {
    match trace.speed {
        Some(speed) if !speed.is_finite() || speed <= 0.0 => {
            problem(format!("{key}.speed"), "`speed` must be above zero: 2.0 is twice as fast")
        }
        _ => Ok(()),
    }
}
