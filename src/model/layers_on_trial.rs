//! A policy with inner ones on trial.

use std::ops::Range;

use retrial_policy::{
    Attempt, BudgetSpec, BudgetStack, CallKey, Classification, Decision, Instant, LayeredBudgets,
    LayeredCall, Nanos, Observer, Outcome, Policy, Request, RouteId,
};

use super::subject::Subject;

/// The policy core with all layers of a policy. One layer alone decides as
/// [`super::subject::PolicyOnTrial`] does, at a higher cost.
#[derive(Debug)]
pub struct LayersOnTrial<'a> {
    policy: &'a Policy,
    /// The scenario's routes by their number in the layer that names them.
    routes: &'a [u16],
    /// The budgets of all layers, those of the outermost first.
    budgets: Vec<BudgetSpec>,
    layers: usize,
    is_counted: bool,
}

impl<'a> LayersOnTrial<'a> {
    /// `policy` with the scenario's routes by their number; its layers are counted if it
    /// `is_counted`.
    pub fn new(policy: &'a Policy, routes: &'a [u16], is_counted: bool) -> Self {
        let budgets = policy.layers().flat_map(Policy::budgets).cloned().collect();
        LayersOnTrial { policy, routes, budgets, layers: policy.layers().count(), is_counted }
    }

    fn budgets_of<'b>(&'b self, stack: &'b mut BudgetStack<'_>) -> LayeredBudgets<'b> {
        LayeredBudgets { policy: self.policy, client: &mut *stack.client, group: &mut *stack.group }
    }
}

impl Subject for LayersOnTrial<'_> {
    type Call = LayeredCall;

    fn start(
        &self,
        key: CallKey,
        planned: Instant,
        budget: &mut BudgetStack<'_>,
        now: Instant,
    ) -> (LayeredCall, Attempt) {
        let deadline = self.time_limit().map(|limit| planned.saturating_add(limit));
        let request = Request { deadline, ..Request::default() };
        LayeredCall::start(self.policy, request, key, &mut self.budgets_of(budget), now)
    }

    fn on_outcome<O: Observer>(
        &self,
        call: &mut LayeredCall,
        read: Classification,
        outcome: &Outcome<'_>,
        now: Instant,
        budget: &mut BudgetStack<'_>,
        observer: &mut O,
    ) -> Decision {
        let classifier = |_: &Outcome<'_>| read;
        let mut budgets = self.budgets_of(budget);
        call.on_outcome(self.policy, &classifier, outcome, now, &mut budgets, observer)
    }

    fn next_attempt<O: Observer>(
        &self,
        call: &mut LayeredCall,
        budget: &mut BudgetStack<'_>,
        now: Instant,
        observer: &mut O,
    ) -> Result<Attempt, Decision> {
        call.next_attempt(self.policy, now, &mut self.budgets_of(budget), observer)
    }

    fn layers(&self, call: &LayeredCall) -> Option<Range<usize>> {
        self.is_counted.then(|| call.layer()..self.layers)
    }

    fn deadline(&self, call: &LayeredCall) -> Instant {
        call.deadline()
    }

    fn route(&self, route: RouteId) -> u16 {
        self.routes[usize::from(route.0)]
    }

    fn time_limit(&self) -> Option<Nanos> {
        self.policy.limits().deadline
    }

    fn sends_key(&self) -> bool {
        self.policy.sends_key()
    }

    fn budgets(&self) -> &[BudgetSpec] {
        &self.budgets
    }

    fn is_shared_between_clients(&self) -> bool {
        self.policy.is_shared_between_clients()
    }
}
