//! Time, the event queue and random streams: the machinery under every simulation, without any
//! idea of clients or servers.
//!
//! # The slot model
//!
//! A *slot* holds at most one pending event: a live attempt, a request's wait, an arrival stream.
//! Scheduling a slot again replaces its event, cancelling it leaves nothing behind. A queue over
//! slots is therefore an array with a tournament over it, not a heap that grows.
//!
//! # The order of events
//!
//! Events come in the order of (time, rank). The rank is a hash of what the event *is* (client,
//! request, attempt, kind), so neither a low client number nor the slot an event happens to use
//! ever wins a tie. At one instant, steps that only their own client can see go first: whether
//! such a step is an event of its own or fused into the one before it makes no difference then.
//!
//! # Random numbers
//!
//! Every draw is a function of (seed, replication, client, request, attempt, purpose) and a
//! counter. Nothing about the policy enters a key, so all policies meet the same world.

pub mod distribution;
pub mod fingerprint;
pub mod heap_queue;
pub mod queue;
pub mod rank;
pub mod sample;
pub mod storm_guard;
pub mod stream;
pub mod winner_tree;
