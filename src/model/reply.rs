//! What routes may answer, as the policy core reads it.

use retrial_policy::replies::Reading;
use retrial_policy::{Class, Classification, Signal};

/// A reply by its place in a scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReplyId(pub u16);

impl ReplyId {
    /// What a route answers when all went well.
    pub const OK: ReplyId = ReplyId(0);
    /// What a row under optimistic concurrency control answers to a write with a stale version.
    pub const CONFLICT: ReplyId = ReplyId(1);
}

/// Every reply of a scenario. The first two are always there.
#[derive(Clone, Debug, PartialEq)]
pub struct Replies(Vec<Reading>);

/// Why a reply found no place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooManyReplies;

impl Default for Replies {
    fn default() -> Self {
        let conflict = Reading {
            // The published study retries a version mismatch like any transient failure.
            classification: Classification::of(Class::Transient),
            ..Reading::of(Signal::Response(super::occ_row::CONFLICT))
        };
        Replies(vec![Reading::of(Signal::Response(200)), conflict])
    }
}

impl Replies {
    /// Adds a reply, unless an equal one is there.
    ///
    /// # Errors
    ///
    /// There are 65,536 already.
    pub fn add(&mut self, reading: Reading) -> Result<ReplyId, TooManyReplies> {
        let index = self.0.iter().position(|known| *known == reading);
        let index = index.unwrap_or_else(|| {
            self.0.push(reading);
            self.0.len() - 1
        });
        u16::try_from(index).map(ReplyId).map_err(|_| TooManyReplies)
    }

    /// What the route's table has read out of this reply.
    #[inline]
    pub fn reading(&self, id: ReplyId) -> &Reading {
        &self.0[usize::from(id.0)]
    }
}

/// A small number for an outcome: the status of a response, and below 100 what else may happen.
pub fn result_number(signal: Signal) -> u16 {
    match signal {
        Signal::Response(status) => status,
        Signal::ConnectError => 1,
        Signal::AttemptTimeout => 2,
        Signal::ConnectionReset => 3,
        Signal::StreamError => 4,
        Signal::StreamTruncated => 5,
        Signal::TurnPaused => 6,
        _ => 7,
    }
}
