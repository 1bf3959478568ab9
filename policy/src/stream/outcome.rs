//! [`StreamOutcome`]: how a stream ended.

use alloc::string::String;
use alloc::vec::Vec;

/// How a stream ended, in the provider's words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StreamOutcome {
    /// Which of the three ways.
    pub end: StreamEnd,
    /// Something of the answer had been handed on: text, a tool call or reasoning.
    pub content_started: bool,
    /// Why the answer stopped, as the provider spells it: one per choice, in the order of arrival.
    /// An answer that did not end completely may have named some too.
    pub stop_reasons: Vec<String>,
    /// The headers of the deciding frame, as sent: those of an AWS event-stream message, or those
    /// that a Codex error frame carries in its JSON. Empty for Server-Sent Events.
    pub headers: Vec<(String, String)>,
    /// The data of the deciding event: the error, or the event that carried the first stop reason.
    /// Empty where nothing decided.
    pub data: String,
}

/// The three ways in which a stream ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StreamEnd {
    /// As its protocol prescribes, stop reason included. Whether the reason is a good one is not
    /// said here: a refusal and a pause are complete too.
    Complete,
    /// With an error event.
    ErrorEvent,
    /// Without all that its protocol prescribes.
    Truncated,
}
