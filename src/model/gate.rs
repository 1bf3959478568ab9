//! How many logical requests may be in flight at once; what is above waits.

use super::fifo::Fifo;

/// A gate with a queue before it. How many it lets through is asked each time: a budget may change
/// it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Gate {
    /// Inside.
    active: u32,
    /// Before it.
    pub waiting: Fifo,
}

impl Gate {
    /// Whether the next one in line may pass while `limit` may be inside.
    pub fn has_room(&self, limit: u32) -> bool {
        self.active < limit
    }

    /// One passes.
    pub fn enter(&mut self) {
        self.active += 1;
    }

    /// One of those inside is done.
    pub fn leave(&mut self) {
        self.active -= 1;
    }
}
