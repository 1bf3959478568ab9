//! Routes, limits and faults that no server can have.

use retrial_policy::Nanos;

use super::distribution::{possible_distribution, possible_share};
use super::problem::{Check, problem, problem_with_help};
use crate::experiment::schema::{Fault, Limit, Route};

pub(super) fn possible_route(index: usize, route: &Route) -> Check {
    let key = |rest: &str| format!("route.{index}.{rest}");
    if let Some(service) = &route.service {
        possible_distribution(&key("service"), service)?;
    }
    for (number, limit) in route.limit.iter().enumerate() {
        possible_limit(&key(&format!("limit.{number}")), limit)?;
    }
    for (number, fault) in route.fault.iter().enumerate() {
        possible_fault(&key(&format!("fault.{number}")), fault)?;
    }
    Ok(())
}

fn possible_limit(key: &str, limit: &Limit) -> Check {
    let amounts = [
        ("requests", limit.requests),
        ("input_tokens", limit.input_tokens),
        ("output_tokens", limit.output_tokens),
        ("tokens", limit.tokens),
        ("spend", limit.spend),
    ];
    let given: Vec<_> = amounts.iter().filter_map(|(name, a)| a.map(|a| (name, a))).collect();
    let [(name, amount)] = given[..] else {
        return problem_with_help(
            key,
            "a limit bounds exactly one amount",
            "give one of requests, input_tokens, output_tokens, tokens, spend",
        );
    };
    if amount.is_nan() || amount <= 0.0 {
        return problem(format!("{key}.{name}"), "a limit must be above zero");
    }
    if limit.burst.is_some_and(|burst| burst.is_nan() || burst <= 0.0) {
        return problem(format!("{key}.burst"), "`burst` must be above zero");
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
        fault.silent.is_some(),
        fault.stream.is_some(),
    ];
    if !effects.contains(&true) {
        let help = "give one of reply, slow, workers, silent, stream";
        return problem_with_help(key, "the fault has no effect", help);
    }
    Ok(())
}
