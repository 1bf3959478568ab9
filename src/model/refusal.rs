//! How a route turns an attempt away.

use crate::engine::distribution::Distribution;

use super::reply::ReplyId;

/// An error reply, and how long it takes to make.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal {
    /// The reply.
    pub reply: ReplyId,
    /// From arrival to reply.
    pub latency: Distribution,
}
