//! Retry budgets: how many further attempts a client, or a group of clients, may make.
//!
//! A budget is asked when a further attempt is decided, never after the wait, and a refusal ends
//! the call. What it grants is a [`Permit`], which comes back in full if the attempt is not made
//! after all. Some budgets also bound how many logical requests are in flight at once, and some
//! have a say when an attempt is about to leave: they hold it back, or keep it from leaving.
//!
//! | kind | further attempts | every attempt |
//! |---|---|---|
//! | [`token_bucket`] | cost tokens that successes pay back | |
//! | [`aws_quota`] | cost tokens that *their* success pays back | |
//! | [`grpc`] | only while failures have not halved the tokens | |
//! | [`ratio`] | a share of requests within a window | |
//! | [`concurrent`] | a share of the requests in flight | |
//! | [`sre_adaptive`] | refused by chance, as a route accepts less than it is sent | |
//! | [`circuit_breaker`] | none to a route that is open | refused by a route that is open |
//! | [`cooldown_gate`] | | held until the server's hint is over |
//! | [`aws_adaptive`] | | held to a rate that follows throttling |
//! | [`aimd`] | | fewer requests in flight after throttling |
//!
//! All state is integer: counts, nanoseconds, billionths. A decision allocates nothing, and an
//! idle budget owes nothing to the time that passed.

pub mod aimd;
pub mod aws_adaptive;
pub mod aws_quota;
pub mod circuit_breaker;
pub mod concurrent;
pub mod cooldown_gate;
pub mod grpc;
mod kind;
mod passage;
pub mod ratio;
mod slices;
pub mod sre_adaptive;
mod stack;
mod state;
pub mod token_bucket;

pub use self::kind::{BudgetKind, BudgetSpec, Scope};
pub use self::passage::{Admission, Draw, Passage, Probes};
pub use self::stack::BudgetStack;
pub use self::state::BudgetState;

use crate::branch::RouteId;
use crate::class::Class;
use crate::ratio::Ratio;
use crate::time::{Instant, Nanos};

/// A budget granted one further attempt. Small, because every waiting call holds one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Permit {
    /// The class of the failure that asked for it; some budgets charge by class.
    pub class: Class,
}

/// How an attempt ended, for the budget's books.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Settlement {
    /// With an accepted answer.
    Succeeded,
    /// With a failure of this class.
    Failed(Class),
    /// With a paused turn, which is neither.
    Paused,
    /// The caller gave the call up while it was in flight.
    Cancelled,
}

/// A shared allowance of further attempts.
pub trait Budget {
    /// A call began.
    fn on_request(&mut self, _now: Instant) {}

    /// A call is over.
    fn on_request_end(&mut self, _now: Instant) {}

    /// Whether attempts may go to `route` at all. Where not, another route is due at once.
    fn is_available(&self, _route: RouteId, _now: Instant) -> bool {
        true
    }

    /// An attempt, the first included, is about to leave.
    fn admit(&mut self, _passage: Passage, _draw: Draw, _now: Instant) -> Admission {
        Admission::AT_ONCE
    }

    /// An attempt that was admitted does not leave after all. Its permit, if it has one, comes
    /// back on its own.
    fn recall(&mut self, _passage: Passage, _now: Instant) {}

    /// The reply from `route`, read as `class`, asked to wait for `hint`. Said before the attempt
    /// is settled.
    fn on_hint(&mut self, _route: RouteId, _class: Class, _hint: Nanos, _now: Instant) {}

    /// Asks for a further attempt after a failure of `class`. `draw` is 64 random bits for
    /// budgets that refuse by chance. `None` is a refusal, and nothing was taken.
    fn try_withdraw(&mut self, class: Class, draw: u64, now: Instant) -> Option<Permit>;

    /// Gives a permit back in full: the attempt it allowed was never made.
    fn restore(&mut self, permit: Permit, now: Instant);

    /// An attempt is over. Called once for each attempt that was sent, with the passage it had
    /// when it left.
    fn settle(&mut self, _passage: Passage, _how: Settlement, _now: Instant) {}

    /// How many logical requests may be in flight now. Whoever drives the calls holds back what is
    /// above; those in flight already are not called off.
    fn concurrency(&self) -> u32 {
        u32::MAX
    }

    /// How much of its stock of retries is left: 1 when it is full, 0 when it would refuse the
    /// next one. `None` for budgets that keep no stock. For displays; decisions never ask.
    fn level(&self) -> Option<Ratio> {
        None
    }
}

/// Grants everything.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unlimited;

impl Budget for Unlimited {
    fn try_withdraw(&mut self, class: Class, _draw: u64, _now: Instant) -> Option<Permit> {
        Some(Permit { class })
    }

    fn restore(&mut self, _permit: Permit, _now: Instant) {}
}
