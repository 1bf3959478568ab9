//! What is on trial: a policy, and the classifier of the route it calls.

use retrial_policy::{
    Attempt, BudgetSpec, BudgetStack, Call, CallKey, Classify, Decision, Instant, Outcome, Policy,
    Request, Stop,
};

/// Everything the model asks about a logical request. [`PolicyOnTrial`] passes each question on to
/// the policy core; tests put something else in its place to see that the model follows it.
pub trait Subject {
    /// The state of one logical request.
    type Call;

    /// Begins a request at `now`.
    fn start(
        &self,
        key: CallKey,
        budget: &mut BudgetStack<'_>,
        now: Instant,
    ) -> (Self::Call, Attempt);

    /// Decides what follows the end of an attempt.
    fn on_outcome(
        &self,
        call: &mut Self::Call,
        outcome: &Outcome<'_>,
        now: Instant,
        budget: &mut BudgetStack<'_>,
    ) -> Decision;

    /// The attempt that the last decision announced.
    ///
    /// # Errors
    ///
    /// It must not be sent after all.
    fn next_attempt(
        &self,
        call: &mut Self::Call,
        budget: &mut BudgetStack<'_>,
        now: Instant,
    ) -> Result<Attempt, Stop>;

    /// When the request is over.
    fn deadline(&self, call: &Self::Call) -> Instant;

    /// The parts of its budget.
    fn budgets(&self) -> &[BudgetSpec];

    /// Whether a decision for one client can change one for another.
    fn is_shared_between_clients(&self) -> bool;
}

/// The policy core, as production links it.
#[derive(Debug)]
pub struct PolicyOnTrial<'a, C> {
    /// The policy.
    pub policy: &'a Policy,
    /// What replies mean.
    pub classifier: &'a C,
}

impl<C: Classify> Subject for PolicyOnTrial<'_, C> {
    type Call = Call;

    #[inline]
    fn start(&self, key: CallKey, budget: &mut BudgetStack<'_>, now: Instant) -> (Call, Attempt) {
        Call::start(self.policy, Request::default(), key, budget, now)
    }

    #[inline]
    fn on_outcome(
        &self,
        call: &mut Call,
        outcome: &Outcome<'_>,
        now: Instant,
        budget: &mut BudgetStack<'_>,
    ) -> Decision {
        call.on_outcome(self.policy, self.classifier, outcome, now, budget, &mut ())
    }

    #[inline]
    fn next_attempt(
        &self,
        call: &mut Call,
        budget: &mut BudgetStack<'_>,
        now: Instant,
    ) -> Result<Attempt, Stop> {
        call.next_attempt(self.policy, now, budget, &mut ())
    }

    fn deadline(&self, call: &Call) -> Instant {
        call.deadline()
    }

    fn budgets(&self) -> &[BudgetSpec] {
        self.policy.budgets()
    }

    fn is_shared_between_clients(&self) -> bool {
        self.policy.is_shared_between_clients()
    }
}
