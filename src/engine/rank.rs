//! What an event is, and the order of events at one instant.

use retrial_policy::mix::mix;

/// The identity of a pending event: who it is for, and which step of which attempt.
///
/// Two pending events never share an identity, and it says nothing of slots or allocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Identity {
    /// The client's number in the model.
    pub client: u32,
    /// The client's logical request, from 0.
    pub request: u32,
    /// The attempt of that request, from 1.
    pub attempt: u32,
    /// The kind of event.
    pub kind: u8,
    /// Whether anyone but the client itself can see the step.
    pub observable: bool,
}

impl Identity {
    /// Client and request in one word.
    pub fn request_word(client: u32, request: u32) -> u64 {
        (u64::from(client) << 32) | u64::from(request)
    }

    /// Attempt and kind in one word.
    pub fn attempt_word(attempt: u32, kind: u8) -> u64 {
        (u64::from(attempt) << 8) | u64::from(kind)
    }

    /// The place among events of one instant: client-local steps first, then by hash; the
    /// identity itself decides should two hashes ever be equal.
    fn rank(self) -> (bool, u64, Identity) {
        let word = Identity::request_word(self.client, self.request);
        let hash = mix(mix(0, word), Identity::attempt_word(self.attempt, self.kind));
        (self.observable, hash, self)
    }

    /// Whether this event comes before `other`, which is due at the same instant.
    pub fn precedes(self, other: Identity) -> bool {
        self.rank() < other.rank()
    }
}
