//! An attempt on its way past a budget.

use super::Permit;
use crate::branch::RouteId;
use crate::key::{CallKey, Purpose};
use crate::time::Nanos;

/// One attempt in a budget's books: what the budget is told when the attempt leaves, and again
/// when it is over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Passage {
    /// Where it goes.
    pub route: RouteId,
    /// What allowed it; a first try, a reduction and a continuation need no permit.
    pub permit: Option<Permit>,
    /// For whom it is a probe.
    pub probes: Probes,
}

/// Whether an attempt may leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Admission {
    /// It may.
    Granted {
        /// After this long; mostly zero.
        hold: Nanos,
        /// For whom it is a probe.
        probes: Probes,
    },
    /// It may not, and nothing was taken.
    Refused,
}

impl Admission {
    /// Now, and as no probe.
    pub const AT_ONCE: Admission = Admission::after(Nanos::ZERO);

    /// In a while, and as no probe.
    pub const fn after(hold: Nanos) -> Self {
        Admission::Granted { hold, probes: Probes::NONE }
    }
}

/// The parts of a budget for which an attempt is a probe: it tries out whether a route is well
/// again, and what becomes of it counts for more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Probes(u8);

impl Probes {
    /// No part.
    pub const NONE: Probes = Probes(0);
    /// The only part, or the first.
    pub const FIRST: Probes = Probes(1);
    /// Parts that one call can tell apart: a policy has no more.
    pub(crate) const PARTS: usize = u8::BITS as usize;

    /// Whether the first part is among them.
    pub const fn is_probe(self) -> bool {
        self.0 & 1 == 1
    }

    /// What part number `part` sees of them.
    pub(super) const fn of_part(self, part: u32) -> Probes {
        match self.0.checked_shr(part) {
            Some(rest) => Probes(rest & 1),
            None => Probes::NONE,
        }
    }

    /// These and what part number `part` says.
    pub(super) const fn with_part(self, part: u32, own: Probes) -> Probes {
        match own.0.checked_shl(part) {
            Some(own) => Probes(self.0 | own),
            None => self,
        }
    }
}

/// The random bits of one attempt, worked out only if a budget asks for them.
#[derive(Clone, Copy, Debug)]
pub struct Draw {
    key: CallKey,
    attempt: u32,
}

impl Draw {
    /// The bits of attempt number `attempt` of the call with this key.
    #[inline]
    pub const fn new(key: CallKey, attempt: u32) -> Self {
        Draw { key, attempt }
    }

    /// 64 random bits, the same each time.
    #[inline]
    pub const fn bits(self) -> u64 {
        self.key.draw(Purpose::Hold, self.attempt)
    }
}
