//! What is between clients and routes.

use retrial_policy::Instant;

use crate::engine::distribution::Distribution;
use crate::engine::stream::StreamKey;

/// The network: every message takes its time, some are lost.
#[derive(Clone, Debug, PartialEq)]
pub struct Network {
    /// One way.
    pub delay: Distribution,
    /// Share of attempts lost on the way to the route.
    pub lost: f64,
    /// Share of replies lost on the way back.
    pub lost_replies: f64,
}

/// The ways of an attempt through the network, each with a random stream of its own. An attempt
/// on a row under optimistic concurrency control is there and back twice.
#[derive(Clone, Copy, Debug)]
#[repr(u8)]
pub(super) enum Way {
    To = 0,
    Back = 1,
    ToWrite = 2,
    FromWrite = 3,
}

impl Network {
    /// Messages take this long and arrive.
    pub fn reliable(delay: Distribution) -> Self {
        Network { delay, lost: 0.0, lost_replies: 0.0 }
    }

    /// When a message of the attempt with `key`, sent at `from`, arrives.
    #[inline(always)]
    pub(super) fn arrival(&self, key: StreamKey, way: Way, from: Instant) -> Instant {
        from.saturating_add(self.delay.sample(&mut key.part(way as u8)))
    }
}
