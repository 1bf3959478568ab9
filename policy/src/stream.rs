//! Streams: how one ended, read from its events, and how a whole answer did.
//!
//! A streamed call commits to its status before the model has begun, so a 200 says nothing about
//! how it ends: an error can come as an event, the connection can close before the terminal event,
//! and the terminal event can name a reason that is no success. Whoever reads the stream owns that
//! detection. A [`StreamGuard`] is this reader's conscience: it is given the bytes or the decoded
//! events that the reader sees, does no I/O, and says in the end which of three things happened
//! ([`StreamEnd`]), whether anything had been handed on by then, and the provider's own words for
//! why the answer stopped. What such a word means is data elsewhere.
//!
//! ```
//! use retrial_policy::stream::{Protocol, StreamEnd, StreamGuard};
//!
//! let mut guard = StreamGuard::new(Protocol::Anthropic);
//! guard.feed(b"event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,");
//! guard.feed(b"\"delta\":{\"type\":\"text_delta\",\"text\":\"Par\"}}\n\n");
//! assert!(guard.content_started());
//! guard.feed(b"event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\"}}\n\n");
//! assert!(guard.is_over());
//!
//! let outcome = guard.finish();
//! assert_eq!(outcome.end, StreamEnd::ErrorEvent);
//! assert!(outcome.data.contains("overloaded_error"), "the event that decided");
//! ```
//!
//! | file | holds |
//! |---|---|
//! | `guard` | [`StreamGuard`] |
//! | `outcome` | [`StreamOutcome`], what it finds |
//! | `event`, `sse`, `long_strings` | [`Event`], and the decoder of event-stream bytes |
//! | `error_event` | what an error looks like in any protocol |
//! | `follower`, `recognise` | what all protocols have in common, and telling them apart |
//! | `anthropic`, `openai_chat`, `openai_responses`, `gemini`, `interactions`, `bedrock`, `cohere`, `ollama` | one protocol each |
//! | `choices`, `fields` | answers side by side; reading JSON |
//! | `answer`, `without_stop_reason` | [`answer()`], the reading of a whole body |

mod answer;
mod anthropic;
mod bedrock;
mod choices;
mod cohere;
mod error_event;
mod event;
mod fields;
mod follower;
mod gemini;
mod guard;
mod interactions;
mod long_strings;
mod ollama;
mod openai_chat;
mod openai_responses;
mod outcome;
mod recognise;
mod sse;
mod without_stop_reason;

pub(crate) use answer::answer_in;
pub use answer::{Answer, answer};
pub use event::Event;
pub use follower::Protocol;
pub use guard::StreamGuard;
pub use outcome::{StreamEnd, StreamOutcome};
