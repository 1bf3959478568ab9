//! What production would have called somebody for, and what to change.

use super::figures;
use crate::measure::telemetry::{Repeated, Rising, Runaway};
use crate::study::results::{CellResults, Results};

/// A line for each alert and each signature at one point; all are of replication 0.
pub fn lines(results: &Results, point: usize) -> Vec<String> {
    results.at_point(point).flat_map(|cell| of_cell(results, cell)).collect()
}

fn of_cell(results: &Results, cell: &CellResults) -> Vec<String> {
    let (name, signals) = (&results.policies[cell.policy], &cell.signals);
    let mut lines = Vec::new();
    if let [dead, more @ ..] = &signals.dead_branches[..] {
        let requests = signals.bins.iter().map(|bin| bin.requests).sum();
        lines.push(dead_branch(name, dead, more.len(), requests));
    }
    lines.extend(signals.runaway.as_ref().map(|found| runaway(name, found)));
    // A dead branch says more of the same stop.
    let is_dead =
        |stop: &&Repeated| signals.dead_branches.iter().any(|dead| dead.what == stop.what);
    let stops: Vec<_> = signals.repeated.iter().filter(|stop| !is_dead(stop)).collect();
    if let [stop, more @ ..] = &stops[..] {
        lines.push(repeated(name, stop, more.len()));
    }
    lines.extend(signals.rising.as_ref().map(|found| rising(name, found)));
    lines
}

fn dead_branch(name: &str, dead: &Repeated, more: usize, requests: u64) -> String {
    let change = match (dead.not_replayable, dead.status) {
        (true, _) => {
            "send an idempotency key (`replay.idempotency_key`), or say that repeating does \
                      no harm (`replay.safe`)"
                .to_string()
        }
        (false, Some(status)) => {
            format!(
                "add {status} to `retry_on.statuses`, or leave `retry_on` out: classes decide then"
            )
        }
        (false, None) => "add it to `retry_on.transport`, or leave `retry_on` out: classes decide \
                          then"
            .to_string(),
    };
    format!(
        "Dead branch: `{name}` stopped {} of {} requests with {}{} and repeated none of them: \
         {change}.",
        count(dead.count),
        count(requests),
        dead.what,
        others(more),
    )
}

fn runaway(name: &str, found: &Runaway) -> String {
    let change = if found.most.concerns_availability {
        "retries feed a route that answers nobody: bound them with a retry budget or a circuit breaker"
    } else {
        "no retry of that can succeed: stop on it; without `retry_on` classes decide, and they do"
    };
    format!(
        "Runaway: from {} to {} `{name}` spent all attempts of {} requests, {} attempts for each \
         first try, and none succeeded (mostly {}): {change}.",
        figures::milliseconds(found.from_ms),
        figures::milliseconds(found.until_ms),
        count(found.requests),
        match found.first_tries {
            0 => "unlimited".to_string(),
            tries => figures::plain(found.attempts as f64 / tries as f64),
        },
        found.most.what,
    )
}

fn repeated(name: &str, stop: &Repeated, more: usize) -> String {
    let cause = match &*stop.owner {
        "account" => "configuration or account",
        "credentials" => "configuration or credentials",
        "caller" => "the request itself",
        _ => "configuration or route",
    };
    format!(
        "Alert: `{name}` stopped {} requests with {}{}: {cause}, not availability.",
        count(stop.count),
        stop.what,
        others(more),
    )
}

fn rising(name: &str, found: &Rising) -> String {
    format!(
        "Alert: at {} the fallbacks of `{name}` rose to {} in {} requests, from {} in {} before: \
         configuration or route, not availability.",
        figures::milliseconds(found.at_ms),
        count(found.fallbacks),
        count(found.requests),
        count(found.usual_fallbacks),
        count(found.usual_requests),
    )
}

fn others(more: usize) -> String {
    if more == 0 { String::new() } else { format!(" (and {more} more such kinds)") }
}

fn count(n: u64) -> String {
    figures::with_decimals(n as f64, 0)
}
