//! About how many requests a run has: how long it takes, before it is run.

use super::population::{Arrivals, Closed, OpenStream, Population, Workload};
use super::route::{Route, RouteKind, Service};
use super::scenario::Scenario;

impl Scenario {
    /// Requests to expect of a run, from rates and durations; at least one. A closed workload
    /// without end is taken to find all routes idle.
    pub fn expected_requests(&self) -> f64 {
        let requests = self.populations.iter().map(|population| self.requests_of(population));
        requests.sum::<f64>().max(1.0)
    }

    fn requests_of(&self, population: &Population) -> f64 {
        let clients = f64::from(population.clients);
        match &population.workload {
            Workload::Open(streams) => {
                streams.iter().map(|stream| self.requests_in(stream, clients)).sum()
            }
            Workload::Closed(Closed { requests: Some(requests), .. }) => {
                clients * f64::from(*requests)
            }
            Workload::Closed(Closed { requests: None, think, .. }) => {
                let service = self.routes.first().map_or(0.0, mean_service);
                let each = think.mean() + 2.0 * self.network.delay.mean() + service;
                clients * self.stop_after.as_nanos() as f64 / each.max(SHORTEST)
            }
            Workload::Trace(replay) => {
                let end = self.stop_after.as_nanos() as f64 * replay.speed;
                replay.trace.rows.partition_point(|row| (row.at.get() as f64) < end) as f64
            }
        }
    }

    fn requests_in(&self, stream: &OpenStream, clients: f64) -> f64 {
        let end = stream.until.min(self.stop_after);
        let span = end.saturating_since(stream.from).get() as f64;
        match &stream.arrivals {
            Arrivals::Renewal(gaps) => span / gaps.mean().max(SHORTEST),
            Arrivals::Every(gap) => span / (gap.get() as f64).max(SHORTEST),
            Arrivals::Cron { period, .. } => {
                clients * (span / (period.get() as f64).max(SHORTEST)).ceil()
            }
        }
    }
}

/// A nanosecond: nothing happens faster.
const SHORTEST: f64 = 1.0;

fn mean_service(route: &Route) -> f64 {
    match &route.kind {
        RouteKind::Occ => 0.0,
        RouteKind::Server(server) => match &server.service {
            Service::Law(law) => law.mean(),
            Service::PerToken { first, .. } => first.get() as f64,
        },
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use retrial_policy::{Instant, Nanos};

    use super::*;
    use crate::engine::distribution::Distribution;
    use crate::model::network::Network;
    use crate::model::population::Replay;
    use crate::model::reply::Replies;
    use crate::model::trace::{Row, Trace};

    fn expected(workload: Workload) -> f64 {
        let clients = Population { clients: 20, workload, concurrency: None, tokens: None };
        let delay = Distribution::Constant(Nanos::from_millis(200));
        let scenario = Scenario {
            populations: vec![clients],
            network: Network { delay, lost: 0.0, lost_replies: 0.0 },
            routes: vec![Route::occ()],
            replies: Replies::default(),
            stop_after: Instant::from_nanos(120_000_000_000),
            warmup: Instant::from_nanos(0),
            bin: Nanos::from_millis(100),
        };
        scenario.expected_requests()
    }

    #[test]
    fn requests_are_clients_times_requests_or_time_times_rate() {
        let gap = Nanos::from_millis(500);
        let stream = |arrivals, until| {
            let from = Instant::from_nanos(20_000_000_000);
            Workload::Open(vec![OpenStream { arrivals, from, until }])
        };
        let closed =
            |requests, think| Workload::Closed(Closed { requests, start_over: Nanos::ZERO, think });
        let row = |seconds| Row { at: Nanos::from_secs(seconds), input: 0, output: 0 };
        let rows = vec![row(1), row(239), row(241)];
        let trace = Arc::new(Trace { rows, has_tokens: false, tick: Nanos::ZERO });
        let cron = Arrivals::Cron { period: Nanos::from_secs(30), spread: Nanos::ZERO };
        for (workload, requests) in [
            // 20 clients with 3 requests each.
            (closed(Some(3), Distribution::ZERO), 60.0),
            // 20 clients, each once in 0.6 s of thinking and 0.4 s of network, for 120 s.
            (closed(None, Distribution::Constant(Nanos::from_millis(600))), 2400.0),
            // From 20 s to the end of the run, and to its own end.
            (stream(Arrivals::Every(gap), Instant::MAX), 200.0),
            (stream(Arrivals::Every(gap), Instant::from_nanos(30_000_000_000)), 20.0),
            (
                stream(Arrivals::Renewal(Distribution::Exponential { mean: 1e9 }), Instant::MAX),
                100.0,
            ),
            // At 20, 50, 80 and 110 s.
            (stream(cron, Instant::MAX), 80.0),
            // Twice as fast, the row at 239 s comes before 120 s.
            (Workload::Trace(Replay { trace, speed: 2.0 }), 2.0),
        ] {
            assert_eq!(expected(workload.clone()), requests, "{workload:?}");
        }
    }
}
