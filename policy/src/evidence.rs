//! What a reply says, without a judgement: the envelopes it is wrapped in, the codes, statuses,
//! messages and names they hold, and how many of them there are.
//!
//! Everything here is bounded: the first 64 KiB of a body, four envelopes, and time linear in
//! what is read.

mod at;
mod code;
mod headers_inside;
mod layer;
mod literal;
mod message;
mod over_limit;
mod param;
mod place;
mod request_id;
mod retryable;
mod status;
mod unwrap;

pub(crate) use code::{Group, codes, numeric, of_header as code_of_header};
pub(crate) use headers_inside::headers_inside;
pub(crate) use layer::Layer;
pub(crate) use message::messages;
pub(crate) use over_limit::asks_for_more_than_the_limit;
pub(crate) use param::rejected_param;
pub(crate) use place::Place;
pub(crate) use request_id::request_id;
pub(crate) use retryable::retryable;
pub(crate) use status::{in_body, says_failure};
pub(crate) use unwrap::{Body, BodyKind};
