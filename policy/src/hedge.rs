//! Hedging: a further copy of a slow request, sent before the first one has failed.
//!
//! A part that a driver may put beside a [`Call`]; nothing else knows of it. A [`Hedge`] says when
//! copies leave and how many, [`Latencies`] what is slow, and [`Hedged`] follows one attempt:
//!
//! ```
//! use retrial_policy::*;
//!
//! let policy = Policy::new(PolicySpec {
//!     replay: Replay { safe: true, ..Replay::default() },
//!     ..PolicySpec::default()
//! })?;
//! // One request in twenty may be hedged, once it takes longer than 95 % of those before it.
//! let hedge = Hedge { after: HedgeAfter::Percentile(Ratio::from_percent(95)), max_copies: 1 };
//! let mut copies = TokenBucket::full(TokenBucketSpec {
//!     capacity: Ratio::from_percent(1000),
//!     retry_cost: Ratio::from_percent(100),
//!     success_refund: Ratio::from_percent(5),
//! });
//! let mut latencies = Latencies::default();
//! (1..=100).for_each(|n| latencies.record(Nanos::from_millis(n)));
//!
//! let now = Instant::from_nanos(0);
//! let (mut call, attempt) =
//!     Call::start(&policy, Request::default(), CallKey::new(1), &mut Unlimited, now);
//! let mut hedged = Hedged::start(&hedge, &latencies, &policy, now.saturating_add(attempt.hold));
//! // Nothing has come back by then: a copy may leave.
//! let due = hedged.next_at().expect("there is a percentile");
//! let copy = hedged.copy(&hedge, &mut call, &policy, &mut copies, due).expect("it is granted");
//! assert_eq!((copy.number, copy.branch, copy.route), (2, Branch::Hedge, attempt.route));
//! assert_eq!(hedged.next_at(), None, "one copy is all");
//! # Ok::<(), ConfigError>(())
//! ```
//!
//! The driver races the copies. The first answer is the outcome of the attempt, and the other
//! copies are called off. A copy that fails while others are in flight is reported with
//! [`Hedged::on_failure`]; the last one to fail is the outcome. Either goes to
//! [`Call::on_outcome`] once, as if there had been one attempt, and a retry starts a new `Hedged`.
//!
//! A copy counts as an attempt, against the same cap, and takes from a budget of its own, which
//! should be no more than a few per cent of requests: hedging is for the tail of a healthy API, and
//! adds load when it is slow as a whole. A budget that is spent denies the new copy and leaves those
//! in flight alone. Calls that may not be repeated are never hedged: two copies may both take effect.
//!
//! The forms follow gRPC (a fixed delay; a failure brings the next copy at once) and Finagle (a
//! percentile of latency, at least 1 ms).

mod latencies;

pub use self::latencies::Latencies;

use crate::budget::Budget;
use crate::call::{Attempt, Call};
use crate::class::Class;
use crate::key::Purpose;
use crate::policy::Policy;
use crate::ratio::Ratio;
use crate::time::{Instant, Nanos};

/// A copy before this would be sent of nearly every request.
const SHORTEST: Nanos = Nanos::from_millis(1);

/// When copies leave, and how many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hedge {
    /// How long an attempt, or the copy before, is waited for.
    pub after: HedgeAfter,
    /// Copies of one attempt, beyond the first sending.
    pub max_copies: u32,
}

/// How long an attempt is waited for before a copy leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HedgeAfter {
    /// So long.
    Fixed(Nanos),
    /// As long as this share of the attempts before took, at least 1 ms; none leaves before
    /// [`Latencies::ENOUGH`] are known.
    Percentile(Ratio),
}

/// One attempt and its copies.
#[derive(Clone, Copy, Debug)]
pub struct Hedged {
    copies: u32,
    wait: Nanos,
    next: Option<Instant>,
}

impl Hedged {
    /// Follows an attempt that left at `sent`.
    pub fn start(hedge: &Hedge, latencies: &Latencies, policy: &Policy, sent: Instant) -> Self {
        let wait = match hedge.after {
            HedgeAfter::Fixed(wait) => Some(wait),
            HedgeAfter::Percentile(share) => latencies.percentile(share).map(|p| p.max(SHORTEST)),
        };
        let may = policy.replay().is_harmless() && hedge.max_copies > 0;
        let next = wait.filter(|_| may).map(|wait| sent.saturating_add(wait));
        Hedged { copies: 0, wait: wait.unwrap_or_default(), next }
    }

    /// When to ask for the next copy, if nothing has come back by then.
    pub fn next_at(&self) -> Option<Instant> {
        self.next
    }

    /// Copies that left.
    pub fn copies(&self) -> u32 {
        self.copies
    }

    /// A copy failed while others are in flight: the next one is due at once.
    pub fn on_failure(&mut self, now: Instant) {
        self.next = self.next.map(|next| next.min(now));
    }

    /// The next copy, if it is due at `now` and the attempt cap, the deadline and `budget`, the one
    /// for copies, allow it. A refusal is final for this attempt.
    pub fn copy<B: Budget + ?Sized>(
        &mut self,
        hedge: &Hedge,
        call: &mut Call,
        policy: &Policy,
        budget: &mut B,
        now: Instant,
    ) -> Option<Attempt> {
        let _due = self.next.filter(|due| *due <= now)?;
        self.next = None;
        let draw = call.key().draw(Purpose::Budget, call.attempts());
        if !call.may_send_copy(policy, now) {
            return None;
        }
        budget.try_withdraw(Class::Transient, draw, now)?;
        self.copies += 1;
        if self.copies < hedge.max_copies {
            self.next = Some(now.saturating_add(self.wait));
        }
        Some(call.copy(policy, now))
    }
}
