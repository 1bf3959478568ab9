//! From an outcome to a class: the only place that knows statuses and codes.

mod status_table;
mod typed_code;

pub use status_table::StatusTable;
pub use typed_code::TypedCode;

use crate::class::Class;
use crate::outcome::Outcome;

/// How often a class that allows a retry may be retried, as its table row says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Bound {
    /// As often as the policy allows.
    #[default]
    Policy,
    /// Once, then stop.
    Once,
    /// Not at all.
    Never,
}

/// Whether a call may be repeated after an outcome, as its table row says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum RowReplay {
    /// What the policy says of its calls decides.
    #[default]
    AsPolicy,
    /// The server declares that sending the same request again does no harm, key or not.
    Safe,
    /// The provider forbids repeating an unkeyed call that may have been sent, whatever its status.
    NeedsKey,
}

/// What a classifier makes of an outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Classification {
    /// The meaning.
    pub class: Class,
    /// The row's own bound on retries.
    pub bound: Bound,
    /// The row says that the whole route is unavailable: a qualified fallback is due at once.
    pub route_unavailable: bool,
    /// The row's own word on repeating the call.
    pub replay: RowReplay,
}

impl Classification {
    /// A class without any note.
    pub const fn of(class: Class) -> Self {
        Classification {
            class,
            bound: Bound::Policy,
            route_unavailable: false,
            replay: RowReplay::AsPolicy,
        }
    }

    /// With the row's bound on retries.
    #[must_use]
    pub const fn bounded(mut self, bound: Bound) -> Self {
        self.bound = bound;
        self
    }

    /// With the row's word on repeating the call.
    #[must_use]
    pub const fn with_replay(mut self, replay: RowReplay) -> Self {
        self.replay = replay;
        self
    }

    /// With the note that the whole route is unavailable.
    #[must_use]
    pub const fn with_route_unavailable(mut self) -> Self {
        self.route_unavailable = true;
        self
    }
}

/// Reads outcomes. Implemented by tables, and by any `Fn(&Outcome) -> Classification`.
pub trait Classify {
    /// The meaning of `outcome`.
    fn classify(&self, outcome: &Outcome<'_>) -> Classification;
}

impl<F: Fn(&Outcome<'_>) -> Classification> Classify for F {
    fn classify(&self, outcome: &Outcome<'_>) -> Classification {
        self(outcome)
    }
}
