//! A policy with inner ones on trial.

use std::ops::Range;

use retrial_policy::{
    Attempt, BudgetSpec, BudgetStack, CallKey, Classification, Decision, Instant, LayeredBudgets,
    LayeredCall, Nanos, Observer, Outcome, Policy, Qualification, RouteId,
};

use super::subject::{Planned, PolicyOnTrial, Subject};

/// The policy core with all layers of a policy. One layer alone decides as
/// [`PolicyOnTrial`] does, at a higher cost.
#[derive(Debug)]
pub struct LayersOnTrial<'a> {
    policy: &'a Policy,
    /// The scenario's routes by their number in the layer that names them.
    routes: &'a [u16],
    qualification: Option<&'a Qualification>,
    /// The budgets of all layers, those of the outermost first.
    budgets: Vec<BudgetSpec>,
    layers: usize,
    is_counted: bool,
}

impl<'a> LayersOnTrial<'a> {
    /// The same subject with all its layers, which are counted if it `is_counted`.
    pub fn new(outermost: PolicyOnTrial<'a>, is_counted: bool) -> Self {
        let PolicyOnTrial { policy, routes, qualification } = outermost;
        let budgets = policy.layers().flat_map(Policy::budgets).cloned().collect();
        let layers = policy.layers().count();
        LayersOnTrial { policy, routes, qualification, budgets, layers, is_counted }
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
        planned: Planned,
        budget: &mut BudgetStack<'_>,
        now: Instant,
    ) -> (LayeredCall, Attempt) {
        let request = planned.request(self.time_limit(), self.qualification);
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
