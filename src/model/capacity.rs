//! What a route can serve at most: the line that a timeline is held against.

use retrial_policy::Instant;

use super::limit::{Amount, Limit};
use super::population::Workload;
use super::route::{Route, RouteKind, Service};
use super::scenario::Scenario;

/// Mean tokens of a request, sent and received.
#[derive(Clone, Copy, Debug)]
struct MeanSize {
    input: f64,
    output: f64,
}

/// What the first route of a scenario can serve.
#[derive(Clone, Copy, Debug)]
pub struct Capacity<'a> {
    route: Option<&'a Route>,
    size: Option<MeanSize>,
}

impl Capacity<'_> {
    /// Attempts per second that it can serve at `now` in the mean, faults and rate limits
    /// considered; `None` is unlimited.
    pub fn per_s(&self, now: Instant) -> Option<f64> {
        let Capacity { route: Some(route), size } = *self else { return None };
        let limits = route.limits.iter().filter_map(|limit| limit_per_s(limit, size));
        let bounds = limits.chain(served_per_s(route, size, now));
        bounds.chain(faults_per_s(route, now)).min_by(f64::total_cmp)
    }
}

impl Scenario {
    /// What its first route can serve.
    pub fn capacity(&self) -> Capacity<'_> {
        Capacity { route: self.routes.first(), size: self.mean_size() }
    }

    /// `None` where requests have no size.
    fn mean_size(&self) -> Option<MeanSize> {
        let population = self.populations.iter().find(|population| population.counts_tokens())?;
        if let Workload::Trace(replay) = &population.workload
            && replay.trace.has_tokens
        {
            let rows = &replay.trace.rows;
            let mean = |sum: u64| sum as f64 / rows.len().max(1) as f64;
            return Some(MeanSize {
                input: mean(rows.iter().map(|row| u64::from(row.input)).sum()),
                output: mean(rows.iter().map(|row| u64::from(row.output)).sum()),
            });
        }
        let tokens = population.tokens.as_ref()?;
        Some(MeanSize { input: tokens.input.mean(), output: tokens.output.mean() })
    }
}

/// What a rate limit lets through.
fn limit_per_s(limit: &Limit, size: Option<MeanSize>) -> Option<f64> {
    let each = match limit.amount {
        Amount::Requests => 1.0,
        Amount::InputTokens => size?.input,
        Amount::OutputTokens => size?.output,
        Amount::Tokens => size?.input + size?.output,
    };
    // Both are in billionths, of the amount and of a second.
    let per_s = limit.rate as f64 / limit.per.get() as f64 / each;
    // An account without a refill has a stock, not a rate.
    (per_s > 0.0 && per_s.is_finite()).then_some(per_s)
}

/// What the workers get done.
fn served_per_s(route: &Route, size: Option<MeanSize>, now: Instant) -> Option<f64> {
    let RouteKind::Server(server) = &route.kind else { return None };
    let on = || route.faults.iter().filter(move |fault| fault.is_on(now));
    let left = on().filter_map(|fault| fault.workers).min();
    let workers = left.or(server.workers)?;
    let mean_ns = match &server.service {
        Service::Law(law) => law.mean(),
        Service::PerToken { first, per_input, per_output } => {
            let size = size?;
            let part = |each: retrial_policy::Nanos, tokens: f64| each.get() as f64 * tokens;
            first.get() as f64 + part(*per_input, size.input) + part(*per_output, size.output)
        }
    };
    // A fault that hits a share slows that share down.
    let slow: f64 = on().map(|fault| 1.0 + (fault.slow - 1.0) * fault.share).product();
    let per_s = f64::from(workers) * 1e9 / (mean_ns * slow);
    (per_s.is_finite() && mean_ns.is_finite()).then_some(per_s)
}

/// An outage serves nothing.
fn faults_per_s(route: &Route, now: Instant) -> Option<f64> {
    let is_outage = route.faults.iter().any(|fault| {
        fault.is_on(now) && fault.share >= 1.0 && (fault.refuse.is_some() || fault.silent)
    });
    is_outage.then_some(0.0)
}
