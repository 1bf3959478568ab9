//! [`LayeredCall`]: the state of one logical request under a policy with inner ones.

use alloc::vec::Vec;

use super::at_layer::AtLayer;
use super::budgets::LayerBudgets;
use crate::branch::{Branch, RouteId};
use crate::call::{Attempt, Call, Request};
use crate::class::Class;
use crate::classify::{Classification, Classify};
use crate::decide::read;
use crate::decision::{Decision, Wait};
use crate::key::CallKey;
use crate::observer::Observer;
use crate::outcome::{Outcome, Progress, Signal};
use crate::policy::Policy;
use crate::time::Instant;

/// The state of one logical request under all layers of a policy: a [`Call`] for each.
///
/// It is driven as a [`Call`] is, with the outermost policy. An outcome goes to the innermost call
/// first. If that grants a further attempt, nothing else happens; if it accepts, all layers do; if
/// it stops or reconciles, its last outcome is the outcome of the attempt of the layer outside,
/// which decides by its own rules. When that one grants, the calls inside start anew: with a count
/// of attempts and a key of their own, so that their jitter differs from the last time.
///
/// Attempts and waits are numbered as they go on the wire. The memory of all layers is allocated
/// when the call starts; no decision allocates.
#[derive(Clone, Debug)]
pub struct LayeredCall {
    outermost: Call,
    /// The calls inside that are not over, from the outside in. While an attempt is in flight each
    /// layer has one; during a wait the last one is that of the layer that waits, and where an
    /// attempt must not leave, that of the layer that keeps it.
    inside: Vec<Call>,
    /// Attempts on the wire.
    attempts: u32,
    /// The layer that decided on the last attempt: it is a new one for this layer and all inside.
    layer: usize,
    last: LastOutcome,
}

/// What is kept of the last outcome, for a layer that hears of it late.
#[derive(Clone, Copy, Debug)]
struct LastOutcome {
    read: Classification,
    signal: Signal,
    progress: Progress,
    vetoed: bool,
    granted: bool,
    /// Where its attempt went.
    route: RouteId,
}

impl LastOutcome {
    fn of(outcome: &Outcome<'_>, read: Classification, route: RouteId) -> Self {
        let Outcome { signal, progress, vetoed, granted, .. } = *outcome;
        LastOutcome { read, signal, progress, vetoed, granted, route }
    }

    /// Without a hint: the wait that it asked for is over.
    fn outcome(&self) -> Outcome<'static> {
        let LastOutcome { signal, progress, vetoed, granted, .. } = *self;
        Outcome { progress, vetoed, granted, ..Outcome::new(signal) }
    }
}

/// The outcome of the attempt of a layer whose inner one gave up on `outcome`. The attempt was
/// made, though what is inside kept it from the wire.
fn as_seen_outside(outcome: Outcome<'_>) -> Outcome<'_> {
    match outcome.signal {
        Signal::NotAdmitted => Outcome::new(Signal::ConnectError),
        _ => outcome,
    }
}

impl LayeredCall {
    /// Begins a logical request at `now`, and gives its first attempt: see [`Call::start`].
    pub fn start<L: LayerBudgets + ?Sized>(
        policy: &Policy,
        request: Request,
        key: CallKey,
        budgets: &mut L,
        now: Instant,
    ) -> (LayeredCall, Attempt) {
        let (outermost, attempt) =
            budgets.with_layer(0, |budget| Call::start(policy, request, key, budget, now));
        let nothing = Outcome::new(Signal::ConnectError);
        let mut call = LayeredCall {
            outermost,
            inside: Vec::with_capacity(policy.layers().skip(1).count()),
            attempts: 0,
            layer: 0,
            last: LastOutcome::of(&nothing, Classification::of(Class::Unknown), RouteId::PRIMARY),
        };
        let attempt = call.send(policy, attempt, budgets, now);
        (call, attempt)
    }

    /// Decides what follows `outcome`, the end of the attempt in flight at `now`, and tells
    /// `observer` of the decision of each layer that had to make one.
    pub fn on_outcome<C, L, O>(
        &mut self,
        policy: &Policy,
        classifier: &C,
        outcome: &Outcome<'_>,
        now: Instant,
        budgets: &mut L,
        observer: &mut O,
    ) -> Decision
    where
        C: Classify + ?Sized,
        L: LayerBudgets + ?Sized,
        O: Observer + ?Sized,
    {
        let read = read(classifier, outcome);
        self.last = LastOutcome::of(outcome, read, self.route());
        self.decide(policy, outcome, now, budgets, observer)
    }

    /// The attempt that the last decision announced, now that its wait is over.
    ///
    /// # Errors
    ///
    /// The time of the layer that waited is over meanwhile. What it gave up on was put to the
    /// layers outside, and this is their decision: the end, or a further wait.
    pub fn next_attempt<L: LayerBudgets + ?Sized, O: Observer + ?Sized>(
        &mut self,
        policy: &Policy,
        now: Instant,
        budgets: &mut L,
        observer: &mut O,
    ) -> Result<Attempt, Decision> {
        let depth = self.inside.len();
        let mut observer = self.at_layer(policy, depth, observer);
        let call = self.innermost();
        let next = budgets.with_layer(depth, |budget| {
            call.next_attempt(policy.layer(depth), now, budget, &mut observer)
        });
        let stop = match next {
            Ok(attempt) => return Ok(self.send(policy, attempt, budgets, now)),
            Err(stop) => stop,
        };
        if self.inside.pop().is_none() {
            return Err(Decision::Stop(stop));
        }
        let outcome = as_seen_outside(self.last.outcome());
        Err(self.decide(policy, &outcome, now, budgets, observer.observer))
    }

    /// Gives up the call in all its layers: see [`Call::cancel`].
    pub fn cancel<L: LayerBudgets + ?Sized>(self, budgets: &mut L, now: Instant) {
        let LayeredCall { outermost, inside, .. } = self;
        for (depth, call) in core::iter::once(outermost).chain(inside).enumerate() {
            budgets.with_layer(depth, |budget| call.cancel(budget, now));
        }
    }

    /// The seed of the logical request.
    pub fn key(&self) -> CallKey {
        self.outermost.key
    }

    /// When the logical request began.
    pub fn started(&self) -> Instant {
        self.outermost.started
    }

    /// When the logical request is over; [`Instant::MAX`] without a deadline.
    pub fn deadline(&self) -> Instant {
        self.outermost.deadline
    }

    /// Attempts on the wire, the one in flight included.
    pub fn attempts(&self) -> u32 {
        self.attempts
    }

    /// The depth of the layer that decided on the attempt in flight. The attempt is a new one for
    /// this layer and for all inside it; those outside are still at the same one.
    pub fn layer(&self) -> usize {
        self.layer
    }

    /// The layers that have a call decide in turn, from the inside out, until one goes on.
    fn decide<L: LayerBudgets + ?Sized, O: Observer + ?Sized>(
        &mut self,
        policy: &Policy,
        outcome: &Outcome<'_>,
        now: Instant,
        budgets: &mut L,
        observer: &mut O,
    ) -> Decision {
        let read = self.last.read;
        let mut outcome = *outcome;
        loop {
            let depth = self.inside.len();
            let mut observer = self.at_layer(policy, depth, &mut *observer);
            let call = self.innermost();
            let decision = budgets.with_layer(depth, |budget| {
                let classifier = |_: &Outcome<'_>| read;
                let policy = policy.layer(depth);
                call.on_outcome(policy, &classifier, &outcome, now, budget, &mut observer)
            });
            if decision.wait().is_some() {
                return self.announce(decision);
            }
            if self.inside.pop().is_none() {
                return decision;
            }
            outcome = as_seen_outside(outcome);
        }
    }

    /// A layer has granted a further attempt.
    fn announce(&mut self, decision: Decision) -> Decision {
        match decision {
            // What was reduced stays so for all layers.
            Decision::ReduceAndRetryOnce(_) => {
                for call in self.inside.iter_mut().chain([&mut self.outermost]) {
                    call.reducible = false;
                }
            }
            Decision::Accept
            | Decision::Stop(_)
            | Decision::RetrySameRoute(_)
            | Decision::RetryAfterHint(_)
            | Decision::Fallback(_)
            | Decision::Reconcile(_)
            | Decision::ContinueTurn(_) => {}
        }
        let (attempt, route) = (self.attempts.saturating_add(1), self.route());
        decision.map_wait(|wait| Wait { attempt, route, ..wait })
    }

    /// The attempt on the wire that `attempt` of the innermost call there is comes to: each layer
    /// inside begins a call of its own, unless one of them keeps it from leaving.
    fn send<L: LayerBudgets + ?Sized>(
        &mut self,
        policy: &Policy,
        mut attempt: Attempt,
        budgets: &mut L,
        now: Instant,
    ) -> Attempt {
        self.layer = self.inside.len();
        for (depth, layer) in policy.layers().enumerate().skip(self.layer + 1) {
            let outer = self.innermost();
            if outer.withheld {
                break;
            }
            // The call inside is made once the layer outside lets its attempt go.
            let started = now.saturating_add(attempt.hold);
            let request = Request {
                deadline: attempt.timeout.map(|timeout| started.saturating_add(timeout)),
                reducible: outer.reducible,
                possible_effect: outer.possible_effect,
                resumable: outer.resumable,
                unqualified: outer.closed,
            };
            let mut call = Call::begin(layer, request, outer.key.of_inner(outer.attempts), started);
            attempt = budgets.with_layer(depth, |budget| {
                budget.on_request(now);
                call.attempt(layer, budget, attempt.hold, now)
            });
            self.inside.push(call);
        }
        self.attempts = self.attempts.saturating_add(1);
        Attempt { number: self.attempts, route: self.route(), branch: self.branch(), ..attempt }
    }

    /// The route of the one layer that may have left the first.
    fn route(&self) -> RouteId {
        let chosen = self.calls().map(|call| call.route).find(|route| *route != RouteId::PRIMARY);
        chosen.unwrap_or(RouteId::PRIMARY)
    }

    /// The path that led to the attempt: that of the layer which decided on it, since all inside
    /// are at their first try.
    fn branch(&self) -> Branch {
        self.calls().nth(self.layer).map_or(Branch::FirstTry, |call| call.branch)
    }

    fn calls(&self) -> impl Iterator<Item = &Call> {
        core::iter::once(&self.outermost).chain(&self.inside)
    }

    /// The innermost call that is not over.
    fn innermost(&mut self) -> &mut Call {
        self.inside.last_mut().unwrap_or(&mut self.outermost)
    }

    fn at_layer<'a, O: ?Sized>(
        &self,
        policy: &'a Policy,
        depth: usize,
        observer: &'a mut O,
    ) -> AtLayer<'a, O> {
        let route = policy.routing_layer().route_name(self.last.route);
        let attempts_on_wire = self.attempts;
        AtLayer { depth, logical_request_id: self.outermost.key, route, attempts_on_wire, observer }
    }
}
