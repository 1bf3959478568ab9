//! What is on trial: a policy, and the routes it calls.

use std::ops::Range;

use retrial_policy::{
    Attempt, BudgetSpec, BudgetStack, Call, CallKey, Classification, Decision, Instant, Nanos,
    Observer, Outcome, Policy, Request, RouteId,
};

/// Everything the model asks about a logical request. [`PolicyOnTrial`] passes each question on to
/// the policy core; tests put something else in its place to see that the model follows it.
pub trait Subject {
    /// The state of one logical request.
    type Call;

    /// Begins a request at `now` that was to begin at `planned`; its deadline counts from then.
    fn start(
        &self,
        key: CallKey,
        planned: Instant,
        budget: &mut BudgetStack<'_>,
        now: Instant,
    ) -> (Self::Call, Attempt);

    /// Decides what follows the end of an attempt, whose route's table has read it so, and tells
    /// `observer`.
    fn on_outcome<O: Observer>(
        &self,
        call: &mut Self::Call,
        read: Classification,
        outcome: &Outcome<'_>,
        now: Instant,
        budget: &mut BudgetStack<'_>,
        observer: &mut O,
    ) -> Decision;

    /// The attempt that the last decision announced.
    ///
    /// # Errors
    ///
    /// It must not be sent after all, and what is decided instead; `observer` was told.
    fn next_attempt<O: Observer>(
        &self,
        call: &mut Self::Call,
        budget: &mut BudgetStack<'_>,
        now: Instant,
        observer: &mut O,
    ) -> Result<Attempt, Decision>;

    /// The layers of the policy, by depth, for which the attempt in flight is a new one; `None` for
    /// subjects whose layers nobody counts.
    #[inline]
    fn layers(&self, _call: &Self::Call) -> Option<Range<usize>> {
        None
    }

    /// When the request is over.
    fn deadline(&self, call: &Self::Call) -> Instant;

    /// The scenario's route of this number in the policy.
    fn route(&self, route: RouteId) -> u16;

    /// How long any request may take.
    fn time_limit(&self) -> Option<Nanos>;

    /// Whether attempts carry a key by which a route knows that it has carried a request out.
    fn sends_key(&self) -> bool;

    /// The parts of its budget.
    fn budgets(&self) -> &[BudgetSpec];

    /// Whether a decision for one client can change one for another.
    fn is_shared_between_clients(&self) -> bool;
}

/// The policy core, as production links it, for policies without inner ones.
#[derive(Debug)]
pub struct PolicyOnTrial<'a> {
    /// The policy.
    pub policy: &'a Policy,
    /// The scenario's routes by their number in the policy.
    pub routes: &'a [u16],
}

impl Subject for PolicyOnTrial<'_> {
    type Call = Call;

    #[inline]
    fn start(
        &self,
        key: CallKey,
        planned: Instant,
        budget: &mut BudgetStack<'_>,
        now: Instant,
    ) -> (Call, Attempt) {
        let deadline = self.time_limit().map(|limit| planned.saturating_add(limit));
        let request = Request { deadline, ..Request::default() };
        Call::start(self.policy, request, key, budget, now)
    }

    #[inline(always)]
    fn on_outcome<O: Observer>(
        &self,
        call: &mut Call,
        read: Classification,
        outcome: &Outcome<'_>,
        now: Instant,
        budget: &mut BudgetStack<'_>,
        observer: &mut O,
    ) -> Decision {
        call.on_outcome(self.policy, &|_: &Outcome<'_>| read, outcome, now, budget, observer)
    }

    #[inline]
    fn next_attempt<O: Observer>(
        &self,
        call: &mut Call,
        budget: &mut BudgetStack<'_>,
        now: Instant,
        observer: &mut O,
    ) -> Result<Attempt, Decision> {
        call.next_attempt(self.policy, now, budget, observer).map_err(Decision::Stop)
    }

    #[inline]
    fn deadline(&self, call: &Call) -> Instant {
        call.deadline()
    }

    #[inline]
    fn route(&self, route: RouteId) -> u16 {
        self.routes[usize::from(route.0)]
    }

    fn time_limit(&self) -> Option<Nanos> {
        self.policy.limits().deadline
    }

    fn sends_key(&self) -> bool {
        self.policy.replay().idempotency_key
    }

    fn budgets(&self) -> &[BudgetSpec] {
        self.policy.budgets()
    }

    fn is_shared_between_clients(&self) -> bool {
        self.policy.is_shared_between_clients()
    }
}
