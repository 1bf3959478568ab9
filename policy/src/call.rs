//! [`Call`]: the state of one logical request between its attempts.
//!
//! A driver starts a call, sends the attempt it gets, reports the outcome with
//! [`Call::on_outcome`], waits as told, and asks [`Call::next_attempt`] for the next one. The
//! state is one cache line, holds no generator and no clock, and is the same in production and in
//! a simulation of a million clients.

use crate::branch::{Branch, RouteId};
use crate::budget::{Admission, Budget, Draw, Passage, Permit, Probes, Settlement};
use crate::class::Class;
use crate::decision::{Action, DelaySource};
use crate::key::CallKey;
use crate::observer::Observer;
use crate::policy::Policy;
use crate::record::DecisionRecord;
use crate::routes::RouteSet;
use crate::stop::{Stop, StopReason};
use crate::time::{Instant, Nanos};

/// What the driver knows about a logical request before it is sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Request {
    /// An end earlier than the policy's own deadline, such as the caller's.
    pub deadline: Option<Instant>,
    /// The caller can make the request smaller.
    pub reducible: bool,
    /// The surrounding workflow may already have committed a durable effect: an unknown outcome
    /// always reconciles.
    pub possible_effect: bool,
    /// The caller declared a checkpoint from which a partial response can be resumed.
    pub resumable: bool,
    /// Fallback routes that the request must never take: see
    /// [`Qualification`](crate::Qualification).
    pub unqualified: RouteSet,
}

/// One request on the wire, to be sent now (or after `hold`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// Counted from 1.
    pub number: u32,
    /// Where it goes.
    pub route: RouteId,
    /// The path that led to it.
    pub branch: Branch,
    /// How long to hold it back first; a send limiter asks for this, mostly it is zero.
    pub hold: Nanos,
    /// Its own timeout: the policy's, or what is left of the deadline. `None` is unlimited.
    pub timeout: Option<Nanos>,
    /// The budget does not let it leave: don't send it, and report a
    /// [`Signal::NotAdmitted`](crate::Signal::NotAdmitted) at once. Only a circuit breaker does this.
    pub refused: bool,
}

/// The state of one logical request. At most 64 bytes. Not `Copy`: it holds a permit.
#[derive(Clone, Debug)]
pub struct Call {
    pub(crate) key: CallKey,
    pub(crate) started: Instant,
    pub(crate) deadline: Instant,
    /// The delay before the last same-route retry: the state of decorrelated growth.
    pub(crate) previous_delay: Nanos,
    /// Attempts made, the one in flight included.
    pub(crate) attempts: u32,
    /// Attempts on the current route.
    pub(crate) attempts_on_route: u32,
    /// Same-route retries on the current route: the n of the backoff.
    pub(crate) retries_on_route: u32,
    /// Routes never to turn to: the unqualified ones, and those that were left, since no call goes
    /// round in a circle.
    pub(crate) closed: RouteSet,
    pub(crate) route: RouteId,
    pub(crate) branch: Branch,
    pub(crate) permit: Option<Permit>,
    pub(crate) reducible: bool,
    pub(crate) possible_effect: bool,
    pub(crate) resumable: bool,
    /// A retry that its table row allows only once has been made.
    pub(crate) bound_used: bool,
    /// An attempt is in flight; if not, the call waits for its next one.
    pub(crate) sent: bool,
    /// The attempt announced last must not be sent, so that it has no place in the budget's books.
    pub(crate) withheld: bool,
    /// What the attempt in flight is to the parts of the budget.
    pub(crate) probes: Probes,
    /// The attempt that ended last, once one has.
    pub(crate) last: LastAttempt,
}

/// What a record says of an attempt that is over.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LastAttempt {
    pub(crate) class: Class,
    pub(crate) branch: Branch,
    pub(crate) route: RouteId,
}

const _: () = assert!(size_of::<Call>() <= 64, "a call must fit in one cache line");

impl Call {
    /// Begins a logical request at `now`, and gives its first attempt.
    ///
    /// A request whose own deadline has passed already, or passes while the attempt is held, gets
    /// an attempt with a timeout of zero: report it as timed out without sending it.
    #[inline]
    pub fn start<B: Budget + ?Sized>(
        policy: &Policy,
        request: Request,
        key: CallKey,
        budget: &mut B,
        now: Instant,
    ) -> (Call, Attempt) {
        budget.on_request(now);
        let mut call = Call::begin(policy, request, key, now);
        let attempt = call.attempt(policy, budget, Nanos::ZERO, now);
        (call, attempt)
    }

    /// A call that begins at `started`, with its first attempt due.
    #[inline]
    pub(crate) fn begin(policy: &Policy, request: Request, key: CallKey, started: Instant) -> Call {
        let deadline = policy.limits().deadline_from(started);
        Call {
            key,
            started,
            deadline: request.deadline.map_or(deadline, |own| own.min(deadline)),
            previous_delay: Nanos::ZERO,
            attempts: 1,
            attempts_on_route: 1,
            retries_on_route: 0,
            closed: request.unqualified.with(RouteId::PRIMARY),
            route: RouteId::PRIMARY,
            branch: Branch::FirstTry,
            permit: None,
            reducible: request.reducible,
            possible_effect: request.possible_effect,
            resumable: request.resumable,
            bound_used: false,
            sent: true,
            withheld: false,
            probes: Probes::NONE,
            last: LastAttempt {
                class: Class::Unknown,
                branch: Branch::FirstTry,
                route: RouteId::PRIMARY,
            },
        }
    }

    /// The attempt that the last decision announced, now that its wait is over.
    ///
    /// Timers fire late, so the deadline is checked again and the attempt's timeout is computed
    /// from the time that is really left.
    ///
    /// # Errors
    ///
    /// The deadline has passed meanwhile: the attempt must not be sent, its permit went back, the
    /// call is over and `observer` was told.
    #[inline]
    pub fn next_attempt<B: Budget + ?Sized, O: Observer + ?Sized>(
        &mut self,
        policy: &Policy,
        now: Instant,
        budget: &mut B,
        observer: &mut O,
    ) -> Result<Attempt, Stop> {
        if now < self.deadline {
            return Ok(self.attempt(policy, budget, Nanos::ZERO, now));
        }
        let LastAttempt { class, branch, route } = self.last;
        let reason = StopReason::DeadlineExceeded { needed: Nanos::ZERO, remaining: Nanos::ZERO };
        let stop = Stop { class, reason };
        self.attempts = self.attempts.saturating_sub(1);
        self.end_unsent(budget, now);
        observer.decided(&DecisionRecord {
            logical_request_id: self.key,
            attempt: self.attempts,
            branch,
            route: policy.route_name(route),
            model: None,
            class,
            reason: reason.as_str(),
            status: None,
            code: None,
            request_id: None,
            rejected_param: None,
            delay: None,
            delay_source: DelaySource::None,
            fallback_reason: None,
            remaining_attempts: policy.limits().attempts_left(self.attempts),
            remaining_time: Some(Nanos::ZERO),
            elapsed: now.saturating_since(self.started),
            sent: false,
            attempts_on_wire: self.attempts,
            action: Action::Stop,
            terminal_outcome: Some(stop.terminal_outcome()),
            stop: Some(stop),
        });
        Err(stop)
    }

    /// Gives up the call: during a wait the unused permit goes back, but an attempt in flight has
    /// cost what it cost.
    pub fn cancel<B: Budget + ?Sized>(mut self, budget: &mut B, now: Instant) {
        if self.sent {
            let passage = self.passage();
            budget.settle(passage, Settlement::Cancelled, now);
            budget.on_request_end(now);
        } else {
            self.end_unsent(budget, now);
        }
    }

    /// Whether a further copy of the attempt in flight may be sent.
    pub(crate) fn may_send_copy(&self, policy: &Policy, now: Instant) -> bool {
        let left = policy.limits().attempts_left(self.attempts);
        self.sent && now < self.deadline && left != Some(0) && !self.possible_effect
    }

    /// A further copy of the attempt in flight, sent at `now`.
    pub(crate) fn copy(&mut self, policy: &Policy, now: Instant) -> Attempt {
        self.attempts = self.attempts.saturating_add(1);
        let remaining =
            (self.deadline != Instant::MAX).then(|| self.deadline.saturating_since(now));
        let timeout = shorter(policy.limits().attempt_timeout, remaining);
        let (number, route, hold) = (self.attempts, self.route, Nanos::ZERO);
        Attempt { number, route, branch: Branch::Hedge, hold, timeout, refused: false }
    }

    /// The seed of the call.
    pub fn key(&self) -> CallKey {
        self.key
    }

    /// When the call began.
    pub fn started(&self) -> Instant {
        self.started
    }

    /// When the call is over; [`Instant::MAX`] without a deadline.
    pub fn deadline(&self) -> Instant {
        self.deadline
    }

    /// Attempts made, the one in flight or announced included.
    pub fn attempts(&self) -> u32 {
        self.attempts
    }

    /// The attempt in flight in the budget's books.
    #[inline]
    pub(crate) fn passage(&self) -> Passage {
        Passage { route: self.route, permit: self.permit, probes: self.probes }
    }

    /// The attempt that is due at `now`, which a layer outside holds back for `held`.
    #[inline]
    pub(crate) fn attempt<B: Budget + ?Sized>(
        &mut self,
        policy: &Policy,
        budget: &mut B,
        held: Nanos,
        now: Instant,
    ) -> Attempt {
        self.probes = Probes::NONE;
        let draw = Draw::new(self.key, self.attempts);
        let (hold, refused) = match budget.admit(self.passage(), draw, now) {
            Admission::Granted { hold, probes } => {
                self.probes = probes;
                (hold.max(held), false)
            }
            Admission::Refused => (Nanos::ZERO, true),
        };
        let sent = now.saturating_add(hold);
        let remaining =
            (self.deadline != Instant::MAX).then(|| self.deadline.saturating_since(sent));
        let timeout = shorter(policy.limits().attempt_timeout, remaining);
        let late = timeout == Some(Nanos::ZERO);
        if late && !refused {
            budget.recall(self.passage(), now);
        }
        self.withheld = refused || late;
        self.sent = !self.withheld;
        let (number, route, branch) = (self.attempts, self.route, self.branch);
        Attempt { number, route, branch, hold, timeout, refused }
    }

    fn end_unsent<B: Budget + ?Sized>(&mut self, budget: &mut B, now: Instant) {
        if let Some(permit) = self.permit.take() {
            budget.restore(permit, now);
        }
        budget.on_request_end(now);
    }
}

/// The shorter of two timeouts, where `None` is none.
#[inline]
fn shorter(own: Option<Nanos>, remaining: Option<Nanos>) -> Option<Nanos> {
    match (own, remaining) {
        (Some(own), Some(remaining)) => Some(own.min(remaining)),
        (own, remaining) => own.or(remaining),
    }
}
