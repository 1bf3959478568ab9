//! The budgets of all layers: each layer has its own.

use core::ops::Range;

use crate::budget::{Budget, BudgetStack, BudgetState, Scope, Unlimited};
use crate::policy::Policy;

/// A budget for each layer.
pub trait LayerBudgets {
    /// Lets `ask` deal with the budget of the layer at `depth`; the outermost has 0.
    fn with_layer<R>(&mut self, depth: usize, ask: impl FnOnce(&mut dyn Budget) -> R) -> R;
}

/// One budget a layer, the outermost first; layers beyond the last have none.
impl<B: Budget> LayerBudgets for [B] {
    fn with_layer<R>(&mut self, depth: usize, ask: impl FnOnce(&mut dyn Budget) -> R) -> R {
        match self.get_mut(depth) {
            Some(budget) => ask(budget),
            None => ask(&mut Unlimited),
        }
    }
}

/// The parts of the budgets of all layers, side by side in the order of the layers.
#[derive(Debug)]
pub struct LayeredBudgets<'a> {
    /// The outermost policy, which says how many parts each layer has.
    pub policy: &'a Policy,
    /// The client's own parts.
    pub client: &'a mut [BudgetState],
    /// The parts that all clients of the group share.
    pub group: &'a mut [BudgetState],
}

impl LayeredBudgets<'_> {
    /// The places of the parts that the layer at `depth` has in `scope`.
    fn places(&self, depth: usize, scope: Scope) -> Range<usize> {
        let count = |layer: &Policy| layer.budgets().iter().filter(|p| p.scope == scope).count();
        let first = self.policy.layers().take(depth).map(count).sum();
        first..first + self.policy.layers().nth(depth).map_or(0, count)
    }
}

impl LayerBudgets for LayeredBudgets<'_> {
    fn with_layer<R>(&mut self, depth: usize, ask: impl FnOnce(&mut dyn Budget) -> R) -> R {
        let client = self.places(depth, Scope::Client);
        let group = self.places(depth, Scope::Group);
        ask(&mut BudgetStack {
            client: self.client.get_mut(client).unwrap_or_default(),
            group: self.group.get_mut(group).unwrap_or_default(),
        })
    }
}
