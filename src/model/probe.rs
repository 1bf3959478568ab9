//! What a run tells whoever listens.

use retrial_policy::{Instant, TerminalOutcome};

/// An attempt of a client's logical request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttemptId {
    /// The client.
    pub client: u32,
    /// Its logical request, from 0.
    pub request: u32,
    /// The attempt, from 1.
    pub attempt: u32,
}

/// Listens to a run. Only [`Probe::arrived`] and [`Probe::rejected`] come in the order of time;
/// what concerns one client alone may be told ahead, but never past the end of the run.
pub trait Probe {
    /// A logical request began.
    fn began(&mut self, at: Instant, client: u32, request: u32);

    /// An attempt leaves its client.
    fn sent(&mut self, at: Instant, id: AttemptId);

    /// An attempt reached its route.
    fn arrived(&mut self, at: Instant, id: AttemptId);

    /// The route refused the attempt that just arrived.
    fn rejected(&mut self, at: Instant, id: AttemptId);

    /// The reply to an attempt reached its client, with this status.
    fn replied(&mut self, at: Instant, id: AttemptId, status: u16);

    /// A logical request waits between two attempts; the end of the wait may lie past the end of
    /// the run.
    fn waits(&mut self, from: Instant, until: Instant, id: AttemptId);

    /// A logical request ended; `id` is its last attempt.
    fn ended(&mut self, at: Instant, id: AttemptId, end: End);
}

/// The end of a logical request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct End {
    /// When it was to begin.
    pub planned: Instant,
    /// Whether it ended within its deadline.
    pub in_time: bool,
    /// How it ended.
    pub outcome: TerminalOutcome,
}
