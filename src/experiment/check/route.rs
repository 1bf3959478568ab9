//! Routes, limits and faults that no server can have.

use retrial_policy::Nanos;

use super::distribution::{possible_distribution, possible_share};
use super::problem::{Check, Problem, problem, problem_with_help};
use crate::experiment::scenario::broken_stream;
use crate::experiment::schema::{Fault, Limit, LimitAmount, Route, RouteKind};
use crate::experiment::tables;

/// Faults are told apart by a byte.
const MAX_FAULTS: usize = 256;

/// Billionths of it fit in a word.
const MAX_AMOUNT: f64 = 1e10;

pub(super) fn possible_route(index: usize, route: &Route) -> Check {
    let key = |rest: &str| format!("route.{index}.{rest}");
    if route.name.is_empty() {
        return problem(key("name"), "a route needs a name: policies and charts call it by that");
    }
    if let Some(provider) = &route.provider {
        tables::find(provider).map_err(|unknown| Problem {
            key: key("provider"),
            message: unknown.message,
            help: unknown.help,
        })?;
    }
    if route.kind == Some(RouteKind::Occ) {
        possible_row(&key, route)?;
    }
    let loses_workers = route.fault.iter().any(|fault| fault.workers.is_some());
    if route.queue.is_some() && route.workers.is_none() && !loses_workers {
        let message = "a queue forms before workers: without a number of them nobody ever waits";
        let help = "give `workers`, such as workers = 50";
        return problem_with_help(key("queue"), message, help);
    }
    if let Some(full) = &route.full
        && let Some(latency) = &full.latency
    {
        possible_distribution(&key("full.latency"), latency)?;
    }
    if let Some(service) = &route.service {
        possible_distribution(&key("service"), service)?;
    }
    if route.fault.len() > MAX_FAULTS {
        return problem(key("fault"), format!("a route may have at most {MAX_FAULTS} faults"));
    }
    for (number, limit) in route.limit.iter().enumerate() {
        possible_limit(&key(&format!("limit.{number}")), limit)?;
    }
    for (number, fault) in route.fault.iter().enumerate() {
        possible_fault(&key(&format!("fault.{number}")), fault)?;
    }
    Ok(())
}

/// A row answers at once, whoever asks.
fn possible_row(key: &dyn Fn(&str) -> String, route: &Route) -> Check {
    for (name, given) in [
        ("workers", route.workers.is_some()),
        ("queue", route.queue.is_some()),
        ("abandoned", route.abandoned.is_some()),
        ("full", route.full.is_some()),
        ("service", route.service.is_some()),
        ("limit", !route.limit.is_empty()),
        ("fault", !route.fault.is_empty()),
    ] {
        if given {
            let message = format!(
                "a route of kind \"occ\" has no `{name}`: it is a row that \
                                   answers at once, and contention is for its version"
            );
            return problem(key(name), message);
        }
    }
    Ok(())
}

fn possible_limit(key: &str, limit: &Limit) -> Check {
    let Some((amount, much)) = limit.amount() else {
        return problem_with_help(
            key,
            "a limit bounds exactly one amount",
            "give one of requests, input_tokens, output_tokens, tokens, spend",
        );
    };
    let bounds = [(amount.key(), Some(much)), ("burst", limit.burst)];
    for (name, much) in bounds {
        let Some(much) = much else { continue };
        if much.is_nan() || much <= 0.0 {
            let help = "a limit of nothing is an outage: write a [[route.fault]] with a reply";
            let message = format!("`{name}` must be above zero");
            return problem_with_help(format!("{key}.{name}"), message, help);
        }
        if much > MAX_AMOUNT {
            let message = format!("`{name}` must be at most {MAX_AMOUNT:e}");
            return problem(format!("{key}.{name}"), message);
        }
    }
    let at_once = limit.burst.unwrap_or(much);
    if amount == LimitAmount::Requests && at_once < 1.0 {
        let message = format!("at most {at_once} of a request at once: none could ever pass");
        let help = "one every two seconds is requests = 1, per = \"2s\"";
        return problem_with_help(format!("{key}.requests"), message, help);
    }
    if limit.window.is_some() && limit.burst.is_some() {
        let message = "a window that starts over has no burst: its amount may come at once";
        return problem(format!("{key}.burst"), message);
    }
    let hint = limit.over.as_ref().and_then(|over| over.retry_after.as_ref());
    if hint.is_some_and(|hint| !hint.is_possible()) {
        let help = "allowed: exact, window, none, or a duration such as \"30s\"";
        return problem_with_help(format!("{key}.over.retry_after"), "this is no hint", help);
    }
    if limit.per == Nanos::ZERO {
        return problem(format!("{key}.per"), "`per` must be above zero");
    }
    Ok(())
}

fn possible_fault(key: &str, fault: &Fault) -> Check {
    possible_share(&format!("{key}.share"), fault.share.unwrap_or(1.0))?;
    if fault.slow.is_some_and(|slow| slow.is_nan() || slow <= 0.0) {
        return problem(format!("{key}.slow"), "`slow` must be above zero");
    }
    let from = fault.from.unwrap_or_default();
    if let Some(until) = fault.until
        && until <= from
    {
        let message = format!("the fault ends ({until}) before it starts ({from})");
        return problem(format!("{key}.until"), message);
    }
    let effects = [
        fault.reply.is_some(),
        fault.slow.is_some(),
        fault.workers.is_some(),
        fault.silent == Some(true),
        fault.stream.is_some(),
    ];
    if fault.workers.is_some() && fault.share.is_some_and(|share| share != 1.0) {
        let message = "workers are lost to all attempts: `share` goes with reply, slow, silent \
                       and stream";
        return problem(format!("{key}.share"), message);
    }
    if fault.reply.is_some() && fault.silent == Some(true) {
        let message = "an attempt gets a reply or none: `reply` and `silent` exclude each other";
        return problem(format!("{key}.silent"), message);
    }
    if fault.latency.is_some() && fault.reply.is_none() {
        return problem(format!("{key}.latency"), "`latency` is that of a `reply`");
    }
    if let Some(latency) = &fault.latency {
        possible_distribution(&format!("{key}.latency"), latency)?;
    }
    if let Some(stream) = &fault.stream
        && broken_stream(stream).is_none()
    {
        let message = format!("`{stream}` is no way for a stream to end");
        let help = "allowed: truncated, error_after_N with the number of chunks before it";
        return problem_with_help(format!("{key}.stream"), message, help);
    }
    if !effects.contains(&true) {
        let help = "give one of reply, slow, workers, silent, stream";
        return problem_with_help(key, "the fault has no effect", help);
    }
    Ok(())
}
