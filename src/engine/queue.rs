//! The contract of an event queue over slots.

use retrial_policy::Instant;

use super::rank::Identity;

/// The place of one pending event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SlotId(pub u32);

impl SlotId {
    /// As an index into the model's own records.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Says what the event in a slot is. Asked only when two events are due at one instant, so the
/// model answers from its own state instead of storing a rank with every event.
pub trait Identities {
    /// The event pending in `slot`.
    fn identity(&self, slot: SlotId) -> Identity;
}

/// Pending events, at most one a slot, taken in the order of (time, rank).
///
/// All implementations give the same order; they differ in speed alone.
pub trait EventQueue {
    /// An empty queue that expects slots `0..slots`.
    fn with_slots(slots: usize) -> Self;

    /// Sets the event of `slot` to `at`, replacing the one it held. `events` must already
    /// describe the new event. [`Instant::MAX`] is never: the same as cancelling. A slot beyond
    /// those expected makes room for itself and as many again.
    fn schedule(&mut self, slot: SlotId, at: Instant, events: &impl Identities);

    /// Leaves `slot` without an event.
    fn cancel(&mut self, slot: SlotId, events: &impl Identities) {
        self.schedule(slot, Instant::MAX, events);
    }

    /// Takes the earliest event out of its slot.
    fn pop(&mut self, events: &impl Identities) -> Option<(Instant, SlotId)>;
}
