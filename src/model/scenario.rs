//! What a run is made of, apart from the policy: plain data, validated where it was read.

use retrial_policy::{Instant, Nanos};

use crate::engine::distribution::Distribution;

/// The world of one run: `clients` that start together, each with one logical request, and one
/// contended row that all of them want to write.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    /// Clients.
    pub clients: u32,
    /// One way through the network.
    pub network: Distribution,
    /// When to stop; [`Instant::MAX`] when nothing is left to do.
    pub stop_after: Instant,
    /// The narrowest bins of a recorded series.
    pub bin: Nanos,
}

/// Which run of a scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunId {
    /// The experiment's seed.
    pub seed: u64,
    /// The number of the replication.
    pub replication: u64,
}
