//! The rules of the budgets: closed forms, what must hold in any order of events, and what a
//! policy does with a budget that keeps an attempt from leaving.

#[path = "../support/mod.rs"]
mod support;

mod breaker;
mod breaker_in_a_policy;
mod every_kind;
mod gate;
mod limiter;
mod share;
mod window;

use retrial_policy::*;
use support::key;

/// An attempt of one call leaves.
fn admit(budget: &mut dyn Budget, now: Instant) -> Admission {
    budget.admit(Passage::default(), Draw::new(key(0), 1), now)
}

/// An attempt that is nobody's probe is over.
fn settle(budget: &mut dyn Budget, how: Settlement, now: Instant) {
    budget.settle(Passage::default(), how, now);
}

const FAILED: Settlement = Settlement::Failed(Class::Transient);
