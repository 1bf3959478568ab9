//! What a run tells whoever listens.

use std::ops::Range;

use retrial_policy::{
    Branch, Class, DecisionRecord, Instant, Observer, Outcome, Ratio, TerminalOutcome,
};

/// A client's logical request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RequestId {
    /// The client.
    pub client: u32,
    /// Its logical request, from 0.
    pub request: u32,
    /// When it was to begin.
    pub planned: Instant,
}

/// An attempt of a logical request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttemptId {
    /// The request.
    pub of: RequestId,
    /// The attempt, from 1; 0 for a request that has made none.
    pub number: u32,
}

/// Whose a retry budget is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum BudgetOwner {
    /// A client's.
    Client(u32),
    /// That of all clients of a population.
    Population(u16),
}

/// Listens to a run. What happens at routes ([`Probe::arrived`], [`Probe::rejected`],
/// [`Probe::queue`], [`Probe::busy`], [`Probe::executed`]) comes in the order of time; what
/// concerns one client alone may be told ahead, but never past the end of the run. What a listener
/// does not name passes it by.
pub trait Probe {
    /// A logical request began.
    fn began(&mut self, _at: Instant, _id: RequestId) {}

    /// An attempt leaves its client; `early` before the route's last hint ran out.
    fn sent(&mut self, _at: Instant, _id: AttemptId, _early: bool) {}

    /// An attempt that leaves its client is a new one for these layers of the policy on trial, by
    /// depth. Told of policies with inner ones only.
    fn tried(&mut self, _at: Instant, _id: AttemptId, _layers: Range<usize>) {}

    /// An attempt counts: when it is sent, or for a row under optimistic concurrency control when
    /// its write arrives.
    fn counted(&mut self, _at: Instant, _id: AttemptId, _branch: Branch) {}

    /// An attempt reached the route of this number.
    fn arrived(&mut self, _at: Instant, _id: AttemptId, _route: u16) {}

    /// The route refused the attempt that arrived.
    fn rejected(&mut self, _at: Instant, _id: AttemptId) {}

    /// So many attempts wait in the queues of all routes from now on.
    fn queue(&mut self, _at: Instant, _waiting: u64) {}

    /// So many workers of the routes that have a number of them are busy from now on.
    fn busy(&mut self, _at: Instant, _workers: u64) {}

    /// A route carried an attempt out; `again` if that had happened before and no key told it.
    fn executed(&mut self, _at: Instant, _id: AttemptId, _again: bool) {}

    /// An attempt was charged so many tokens.
    fn charged(&mut self, _at: Instant, _id: AttemptId, _tokens: u64) {}

    /// The reply to an attempt reached its client; `result` is its status, or below 100 what else
    /// it was (see `result_number`).
    fn replied(&mut self, _at: Instant, _id: AttemptId, _result: u16) {}

    /// The client gave an attempt up.
    fn timed_out(&mut self, _at: Instant, _id: AttemptId) {}

    /// Whether it listens to [`Probe::decided`]. Making records takes time, so nobody makes them for
    /// a listener that does not.
    #[inline]
    fn hears_decisions(&self) -> bool {
        false
    }

    /// The policy decided after attempt `id`, in its layer of this depth; the outermost has depth 0.
    fn decided(&mut self, _at: Instant, _id: AttemptId, _depth: usize, _: &DecisionRecord<'_>) {}

    /// Whether it listens to [`Probe::budget`].
    #[inline]
    fn hears_budgets(&self) -> bool {
        false
    }

    /// What a decision has left of a retry budget that keeps a stock: 1 is full.
    fn budget(&mut self, _at: Instant, _of: BudgetOwner, _level: Ratio) {}

    /// A logical request waits between two attempts; the end of the wait may lie past the end of
    /// the run.
    fn waits(&mut self, _from: Instant, _until: Instant, _id: AttemptId) {}

    /// A logical request ended; `id` is its last attempt.
    fn ended(&mut self, _at: Instant, _id: AttemptId, _end: &End<'_>) {}
}

/// Passes the policy core's records on to a listener, with when and after which attempt they were
/// made.
pub(super) struct Decisions<'a, P> {
    pub probe: &'a mut P,
    pub at: Instant,
    pub id: AttemptId,
}

impl<P: Probe> Observer for Decisions<'_, P> {
    fn decided(&mut self, record: &DecisionRecord<'_>) {
        self.decided_in_layer(0, record);
    }

    fn decided_in_layer(&mut self, depth: usize, record: &DecisionRecord<'_>) {
        self.probe.decided(self.at, self.id, depth, record);
    }
}

/// The end of a logical request.
#[derive(Clone, Copy, Debug)]
pub struct End<'a> {
    /// Whether it ended within its deadline.
    pub in_time: bool,
    /// How it ended.
    pub outcome: TerminalOutcome,
    /// What its last outcome meant.
    pub class: Class,
    /// The outcome of its last attempt; `None` if the end came before another was made.
    pub last: Option<&'a Outcome<'a>>,
}
