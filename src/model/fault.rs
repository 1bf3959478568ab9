//! Disturbances of a route: plain data, and which attempts they hit.

use retrial_policy::Instant;

use super::refusal::Refusal;
use super::reply::ReplyId;
use crate::engine::stream::StreamKey;

/// A disturbance.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// When it starts.
    pub from: Instant,
    /// When it has ended; [`Instant::MAX`] for never.
    pub until: Instant,
    /// The share of attempts it hits.
    pub share: f64,
    /// They are refused.
    pub refuse: Option<Refusal>,
    /// They get no answer at all.
    pub silent: bool,
    /// Service that begins while it is on takes this many times as long, whenever the attempt
    /// arrived: it is the server that is slow.
    pub slow: f64,
    /// So many workers are left; attempts in service finish.
    pub workers: Option<u32>,
    /// Streams of attempts whose service begins while it is on end with this instead of an answer.
    pub stream: Option<ReplyId>,
}

impl Fault {
    /// Whether it is on at `now`.
    #[inline]
    pub fn is_on(&self, now: Instant) -> bool {
        self.from <= now && now < self.until
    }

    /// Whether it hits the attempt whose fault draws have `key`; `number` is its place on the
    /// route.
    #[inline]
    pub(super) fn hits(&self, now: Instant, key: StreamKey, number: usize) -> bool {
        self.is_on(now) && chance(self.share, key, number as u8)
    }
}

/// Whether something of probability `share` happens; one draw decides it.
#[inline]
pub(super) fn chance(share: f64, key: StreamKey, part: u8) -> bool {
    share >= 1.0 || (share > 0.0 && key.part(part).next_open01() < share)
}
