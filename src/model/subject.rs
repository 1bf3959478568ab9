//! What is on trial: a policy, and the routes it calls.

use std::ops::Range;

use retrial_policy::{
    Attempt, BudgetSpec, BudgetStack, Call, CallKey, Classification, Decision, Instant, Nanos,
    Observer, Outcome, Policy, Qualification, Request, RouteId, RouteSet,
};

/// A logical request before it begins.
#[derive(Clone, Copy, Debug)]
pub struct Planned {
    /// When it was to begin: its deadline counts from then.
    pub at: Instant,
    /// Tokens sent.
    pub input: u32,
    /// Tokens received.
    pub output: u32,
}

impl Planned {
    /// What the policy core is told of it.
    #[inline]
    pub(super) fn request(
        self,
        limit: Option<Nanos>,
        qualification: Option<&Qualification>,
    ) -> Request {
        let Planned { at, input, output } = self;
        let unqualified = |all: &Qualification| all.unqualified(input.into(), output.into());
        Request {
            deadline: limit.map(|limit| at.saturating_add(limit)),
            unqualified: qualification.map_or(RouteSet::EMPTY, unqualified),
            ..Request::default()
        }
    }
}

/// Everything the model asks about a logical request. [`PolicyOnTrial`] passes each question on to
/// the policy core; tests put something else in its place to see that the model follows it.
pub trait Subject {
    /// The state of one logical request.
    type Call;

    /// Begins a request at `now`.
    fn start(
        &self,
        key: CallKey,
        planned: Planned,
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
    /// Which of them requests may take; all of them if absent.
    pub qualification: Option<&'a Qualification>,
}

impl Subject for PolicyOnTrial<'_> {
    type Call = Call;

    #[inline]
    fn start(
        &self,
        key: CallKey,
        planned: Planned,
        budget: &mut BudgetStack<'_>,
        now: Instant,
    ) -> (Call, Attempt) {
        let request = planned.request(self.time_limit(), self.qualification);
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
