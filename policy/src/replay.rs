//! May a call be repeated when nobody knows whether it took effect?

/// What makes a call repeatable.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Replay {
    /// The call has no side effects.
    pub safe: bool,
    /// Every attempt carries one idempotency key that the provider honours.
    pub idempotency_key: bool,
}

impl Replay {
    /// Whether a repetition cannot do harm, even if the attempt before it took effect.
    pub const fn is_harmless(self) -> bool {
        self.safe || self.idempotency_key
    }
}
