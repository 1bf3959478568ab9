//! Which run of a scenario: all that its random numbers come from.

/// Which run of a scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunId {
    /// The experiment's seed.
    pub seed: u64,
    /// The number of the replication.
    pub replication: u64,
}
