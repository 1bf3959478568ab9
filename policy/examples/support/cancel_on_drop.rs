//! [`CancelOnDrop`]: a call that may be given up at any await.

use std::ops::{Deref, DerefMut};

use retrial_policy::Call;

use super::shared_budget::SharedBudget;

/// A call that tells its budget when its future is dropped: because the caller hung up, a
/// `select!` took another branch, or a timeout outside fired. Otherwise the permit of an attempt
/// that is never made, and the request's place among those in flight, would be lost for good.
#[derive(Debug)]
pub struct CancelOnDrop<'a> {
    /// Taken when the call is dropped, and by nothing else.
    call: Option<Call>,
    budget: &'a SharedBudget,
    over: bool,
}

impl<'a> CancelOnDrop<'a> {
    /// Watches `call`, which was started with `budget`.
    pub fn new(call: Call, budget: &'a SharedBudget) -> Self {
        CancelOnDrop { call: Some(call), budget, over: false }
    }

    /// The call came to its own end: a decision without a wait, or a refused attempt.
    pub fn over(&mut self) {
        self.over = true;
    }
}

impl Deref for CancelOnDrop<'_> {
    type Target = Call;

    fn deref(&self) -> &Call {
        self.call.as_ref().expect("it is there until it is dropped")
    }
}

impl DerefMut for CancelOnDrop<'_> {
    fn deref_mut(&mut self) -> &mut Call {
        self.call.as_mut().expect("it is there until it is dropped")
    }
}

impl Drop for CancelOnDrop<'_> {
    fn drop(&mut self) {
        if let Some(call) = self.call.take().filter(|_| !self.over) {
            self.budget.step(|budget, now| call.cancel(budget, now));
        }
    }
}
