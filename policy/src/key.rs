//! [`CallKey`]: everything random about a call comes from it.

use core::fmt;

use crate::mix::mix;

/// The seed of one logical request.
///
/// All jitter of a call is a function of its key and the number of the retry. Two calls of one
/// policy therefore never share a jitter sequence (tower 0.5.3 clones its generator and makes
/// every client wait in step), and a key found in a log replays the delays of that call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CallKey(u64);

/// What a draw from a key is for. Distinct purposes never see the same bits.
///
/// Values below 16 belong to the policy core; a simulator that derives further streams from the
/// same key numbers its own purposes from 16.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Purpose {
    Backoff = 1,
    Hint = 2,
    Budget = 3,
    Hold = 4,
    Inner = 5,
}

impl CallKey {
    /// A key from 64 random bits: production draws them once per logical request.
    pub const fn new(bits: u64) -> Self {
        CallKey(bits)
    }

    /// The key of one request in a simulation: mix(seed, replication, client, request).
    pub const fn derive(seed: u64, replication: u64, client: u64, request: u64) -> Self {
        CallKey(mix(mix(mix(seed, replication), client), request))
    }

    /// The 64 bits.
    pub const fn get(self) -> u64 {
        self.0
    }

    /// The key of the call that an inner layer makes for attempt `n` of the call with this key, so
    /// that no two of its calls wait in step.
    #[must_use]
    pub const fn of_inner(self, n: u32) -> Self {
        CallKey(self.draw(Purpose::Inner, n))
    }

    /// The random bits for `purpose` at retry (or attempt) number `n`.
    #[inline]
    pub(crate) const fn draw(self, purpose: Purpose, n: u32) -> u64 {
        mix(self.0, ((purpose as u64) << 56) | n as u64)
    }
}

impl fmt::Display for CallKey {
    /// Sixteen hexadecimal digits.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}
