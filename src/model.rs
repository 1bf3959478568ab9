//! The simulated world: clients that share an API.
//!
//! The model moves requests about and asks the policy core what to do next. It contains no delay,
//! budget or class of its own: every further attempt comes from a [`retrial_policy::Decision`].

pub mod occ_row;
pub mod probe;
pub mod scenario;
pub mod subject;
pub mod world;
