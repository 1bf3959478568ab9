//! The APIs that are called: plain data.

use retrial_policy::Nanos;

use super::fault::Fault;
use super::limit::Limit;
use super::refusal::Refusal;
use crate::engine::distribution::Distribution;

/// A provider and model.
#[derive(Clone, Debug, PartialEq)]
pub struct Route {
    /// How it serves.
    pub kind: RouteKind,
    /// Rate limits, asked in order.
    pub limits: Vec<Limit>,
    /// Disturbances, asked in order.
    pub faults: Vec<Fault>,
}

/// How a route serves.
#[derive(Clone, Debug, PartialEq)]
pub enum RouteKind {
    /// One row under optimistic concurrency control.
    Occ,
    /// Workers and a queue.
    Server(ServerSpec),
}

/// Workers and a queue.
#[derive(Clone, Debug, PartialEq)]
pub struct ServerSpec {
    /// Attempts served at once; `None` is unlimited.
    pub workers: Option<u32>,
    /// Attempts that may wait; `None` is unlimited.
    pub queue: Option<u32>,
    /// An attempt whose client has given up leaves queue and worker at once, as if the server knew
    /// in the same instant.
    pub drops_abandoned: bool,
    /// What the one after the last waiting one gets.
    pub full: Refusal,
    /// Time in service.
    pub service: Service,
}

/// Time in service.
#[derive(Clone, Debug, PartialEq)]
pub enum Service {
    /// Whatever the request.
    Law(Distribution),
    /// By the size of the request.
    PerToken {
        /// Before anything else.
        first: Nanos,
        /// A token sent.
        per_input: Nanos,
        /// A token received.
        per_output: Nanos,
    },
}

impl Route {
    /// A row under optimistic concurrency control.
    pub fn occ() -> Self {
        Route { kind: RouteKind::Occ, limits: Vec::new(), faults: Vec::new() }
    }

    /// Its workers, if it has a number of them.
    pub fn workers(&self) -> Option<u64> {
        match &self.kind {
            RouteKind::Occ => None,
            RouteKind::Server(server) => server.workers.map(u64::from),
        }
    }

    /// Whether an attempt whose client has given up stops costing anything.
    pub(super) fn drops_abandoned(&self) -> bool {
        match &self.kind {
            RouteKind::Occ => false,
            RouteKind::Server(server) => server.drops_abandoned,
        }
    }

    /// Whether it may answer an attempt the moment it arrives.
    pub fn may_answer_at_once(&self) -> bool {
        match &self.kind {
            RouteKind::Occ => true,
            RouteKind::Server(server) => {
                let at_once = |refusal: &Refusal| refusal.latency.is_zero();
                let bounded = server.queue.is_some() && at_once(&server.full);
                let refusals = self.faults.iter().filter_map(|fault| fault.refuse.as_ref());
                let limits = self.limits.iter().map(|limit| &limit.over);
                let refuses = refusals.chain(limits).any(at_once);
                let instant = match &server.service {
                    Service::Law(law) => law.is_zero(),
                    Service::PerToken { first, .. } => *first == Nanos::ZERO,
                };
                bounded || refuses || instant
            }
        }
    }
}
