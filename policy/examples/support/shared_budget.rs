//! [`SharedBudget`]: one budget for all calls of a process.

use std::sync::{Mutex, PoisonError};

use retrial_policy::{BudgetStack, BudgetState, Instant, Policy, Scope};

use super::clock::Clock;

/// The budget of a policy and the clock that it runs by. A budget that each call had to itself
/// would bound nothing.
#[derive(Debug)]
pub struct SharedBudget {
    clock: Clock,
    parts: Mutex<Parts>,
}

#[derive(Debug)]
struct Parts {
    client: Vec<BudgetState>,
    group: Vec<BudgetState>,
}

impl SharedBudget {
    /// As full as `policy` says.
    pub fn new(policy: &Policy) -> SharedBudget {
        let open = |scope| BudgetState::open_all(policy.budgets(), scope);
        let parts = Parts { client: open(Scope::Client), group: open(Scope::Group) };
        SharedBudget { clock: Clock::start(), parts: Mutex::new(parts) }
    }

    /// Lets one step of a call have the budget, and tells it the time. The clock is read under the
    /// lock, so that the budget never sees time go backwards.
    pub fn step<R>(&self, step: impl FnOnce(&mut BudgetStack<'_>, Instant) -> R) -> R {
        // A step that panicked left whole numbers behind: the budget is as good as before.
        let mut parts = self.parts.lock().unwrap_or_else(PoisonError::into_inner);
        let Parts { client, group } = &mut *parts;
        step(&mut BudgetStack { client, group }, self.clock.now())
    }
}
