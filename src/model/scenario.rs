//! What a run is made of, apart from the policies: plain data, validated where it was read.

use retrial_policy::{Instant, Nanos};

use super::network::Network;
use super::population::{Population, Workload};
use super::reply::Replies;
use super::route::{Route, RouteKind};

/// The world of one run.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    /// Who calls. Clients are numbered through, population by population.
    pub populations: Vec<Population>,
    /// What is between clients and routes.
    pub network: Network,
    /// The APIs; policies name them by their place here.
    pub routes: Vec<Route>,
    /// Every reply that routes may give.
    pub replies: Replies,
    /// When to stop; [`Instant::MAX`] when nothing is left to do.
    pub stop_after: Instant,
    /// Requests that begin earlier are simulated but not measured.
    pub warmup: Instant,
    /// The narrowest bins of a recorded series.
    pub bin: Nanos,
}

/// A time in which something is out of the ordinary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Disturbance {
    /// When the first one begins.
    pub from: Instant,
    /// When the last one has ended.
    pub until: Instant,
}

impl Scenario {
    /// All clients.
    pub fn clients(&self) -> u64 {
        self.populations.iter().map(|population| u64::from(population.clients)).sum()
    }

    /// The workers of all routes that have a number of them.
    pub fn workers(&self) -> Option<u64> {
        let workers: Vec<u64> = self.routes.iter().filter_map(Route::workers).collect();
        (!workers.is_empty()).then(|| workers.iter().sum())
    }

    /// Whether some route has a queue.
    pub fn has_servers(&self) -> bool {
        self.routes.iter().any(|route| route.kind != RouteKind::Occ)
    }

    /// Whether requests have sizes.
    pub fn counts_tokens(&self) -> bool {
        self.populations.iter().any(Population::counts_tokens)
    }

    /// From the beginning of the first to the end of the last disturbance: faults that end, and
    /// arrival streams that end while others go on. A fault without end is how things are.
    pub fn disturbance(&self) -> Option<Disturbance> {
        let faults = self.routes.iter().flat_map(|route| &route.faults);
        let faults = faults.map(|fault| (fault.from, fault.until));
        let streams = self.populations.iter().flat_map(|population| match &population.workload {
            Workload::Open(streams) => &streams[..],
            Workload::Closed(_) | Workload::Trace(_) => &[],
        });
        let streams: Vec<_> = streams.map(|stream| (stream.from, stream.until)).collect();
        let others = self.populations.iter().any(|population| match population.workload {
            Workload::Open(_) => false,
            Workload::Closed(_) | Workload::Trace(_) => true,
        });
        let goes_on = |until: Instant| others || streams.iter().any(|(_, other)| *other > until);
        let bursts = streams.iter().copied().filter(|(_, until)| goes_on(*until));
        let ending = faults.chain(bursts).filter(|(_, until)| *until != Instant::MAX);
        ending.fold(None, |all, (from, until)| {
            let all = all.unwrap_or(Disturbance { from, until });
            Some(Disturbance { from: all.from.min(from), until: all.until.max(until) })
        })
    }
}
