//! Who calls, and when: plain data.

use std::sync::Arc;

use retrial_policy::{Instant, Nanos};

use super::trace::Trace;
use crate::engine::distribution::Distribution;

/// Clients that behave alike.
#[derive(Clone, Debug, PartialEq)]
pub struct Population {
    /// How many.
    pub clients: u32,
    /// When their requests begin.
    pub workload: Workload,
    /// Logical requests that a client has in flight at most; `None` is unlimited. What is above
    /// waits in the client.
    pub concurrency: Option<u32>,
    /// Sizes of requests, where the workload has none of its own.
    pub tokens: Option<Tokens>,
}

/// When requests begin.
#[derive(Clone, Debug, PartialEq)]
pub enum Workload {
    /// Whether or not earlier ones have ended.
    Open(Vec<OpenStream>),
    /// After the end of the client's last one.
    Closed(Closed),
    /// As they once did.
    Trace(Replay),
}

/// A recorded workload, replayed.
#[derive(Clone, Debug, PartialEq)]
pub struct Replay {
    /// What was recorded; row i goes to client i mod clients.
    pub trace: Arc<Trace>,
    /// How many times as fast.
    pub speed: f64,
}

/// A stream of arrivals over the whole population, dealt to its clients at random.
#[derive(Clone, Debug, PartialEq)]
pub struct OpenStream {
    /// Its law.
    pub arrivals: Arrivals,
    /// When it starts.
    pub from: Instant,
    /// When it has ended; [`Instant::MAX`] for never.
    pub until: Instant,
}

/// The law of a stream.
#[derive(Clone, Debug, PartialEq)]
pub enum Arrivals {
    /// Independent gaps; the first one lies before the first arrival.
    Renewal(Distribution),
    /// Equal gaps; the first arrival is at the start.
    Every(Nanos),
    /// Each client once a period, counted from the stream's start, late by up to `spread`.
    Cron {
        /// From one start to the next.
        period: Nanos,
        /// How far a client may be late.
        spread: Nanos,
    },
}

/// A closed workload.
#[derive(Clone, Debug, PartialEq)]
pub struct Closed {
    /// Requests a client; `None` for no end.
    pub requests: Option<u32>,
    /// The first ones begin at random within this time; all at once if it is zero.
    pub start_over: Nanos,
    /// From the end of a request to the start of the next.
    pub think: Distribution,
}

/// Sizes of requests.
#[derive(Clone, Debug, PartialEq)]
pub struct Tokens {
    /// Tokens sent.
    pub input: Distribution,
    /// Tokens received.
    pub output: Distribution,
}

impl Population {
    /// Whether its requests have sizes.
    pub fn counts_tokens(&self) -> bool {
        match &self.workload {
            Workload::Trace(replay) => replay.trace.has_tokens || self.tokens.is_some(),
            Workload::Open(_) | Workload::Closed(_) => self.tokens.is_some(),
        }
    }
}
