//! How long a reply asks to wait before the next attempt, in every spelling that servers use.
//!
//! One response often says it several times, and the times differ: OpenAI has sent 494 ms, 1 s and
//! 60.052 s together. So `waits` reads all of them and puts them in order:
//!
//! 1. headers in milliseconds: `retry-after-ms`, `x-ms-retry-after-ms`, `x-amz-retry-after`;
//! 2. `retry-after`, in seconds or as a date;
//! 3. typed fields of the body;
//! 4. the text of a message;
//! 5. when a bucket that has run empty is full again, but only if neither 1 nor 2 holds.
//!
//! The reading is strict on purpose. A lenient reader turns a bad value into no wait at all, and
//! with it a fleet into a storm. What is negative, zero, past or malformed is ignored, with the
//! reason, and the policy's own backoff decides. What is too large for the clock is
//! [`Nanos::MAX`](crate::Nanos::MAX): "too long", never "absent". Whatever has to be rounded is
//! rounded up, and where two values have the same standing the longer one counts, because a fleet
//! must not come back earlier than it was asked to.

mod body;
mod bucket;
mod date;
mod decimal;
mod duration;
mod epoch;
mod field;
mod headers;
mod message;
mod reset;
mod unix_time;
mod why;

#[cfg(test)]
mod cases;
#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;

use alloc::string::String;
use alloc::vec::Vec;

use serde_json::Value;

pub use self::unix_time::UnixTime;
use crate::retry_after::Hint;
use crate::time::Nanos;

/// What a reply says about waiting, from headers, parsed bodies and texts.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Said<'a> {
    /// Names, in any case, and values: those of the response, then those that a body carries.
    pub headers: &'a [(&'a str, &'a str)],
    /// The parsed objects, innermost first: whole envelopes such as `{"error":{…}}`, or what is
    /// in one.
    pub bodies: &'a [&'a Value],
    /// The messages, innermost first.
    pub texts: &'a [&'a str],
    /// When the response was received. Dates are compared with it where the response has no `Date`
    /// header.
    pub received: Option<UnixTime>,
}

/// Where a wait was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A header that says how long to wait.
    Header,
    /// A typed field of the body.
    Body,
    /// The text of a message.
    Message,
    /// A header that says when a bucket is full again.
    Reset,
}

impl Place {
    /// The name that provider tables use.
    pub const fn as_str(self) -> &'static str {
        match self {
            Place::Header => "header",
            Place::Body => "body",
            Place::Message => "message",
            Place::Reset => "reset",
        }
    }
}

/// A wait that the reply asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    /// How long; never zero.
    pub hint: Hint,
    /// Where.
    pub place: Place,
    /// The header in lower case, the path of the field (`error.details[0].retryDelay`), or
    /// `message`.
    pub name: String,
    /// As written, at most 80 characters of it.
    pub value: String,
}

/// What looks like a wait and does not count as one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ignored {
    /// As in [`Found::name`].
    pub name: String,
    /// As in [`Found::value`].
    pub value: String,
    /// The reason, for people.
    pub why: &'static str,
}

/// Everything that a reply says about waiting.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Waits {
    /// What counts, in order of precedence: the first is the one to obey.
    pub found: Vec<Found>,
    /// What does not.
    pub ignored: Vec<Ignored>,
}

/// A wait above zero, or why the value is none.
type Read = Result<Nanos, &'static str>;

impl Waits {
    fn push(&mut self, place: Place, name: &str, value: &str, read: Read) {
        const LONGEST_VALUE: usize = 80;
        let (name, value) = (String::from(name), value.chars().take(LONGEST_VALUE).collect());
        match read {
            Ok(wait) => self.found.push(Found { hint: Hint(wait), place, name, value }),
            Err(why) => self.ignored.push(Ignored { name, value, why }),
        }
    }
}

/// Every wait that the reply asks for, the one to obey first, and what was ignored.
pub(crate) fn waits(said: &Said<'_>) -> Waits {
    let mut waits = Waits::default();
    let now = headers::date(said.headers).or(said.received);
    headers::read(said.headers, now, &mut waits);
    // A `retry-after` that is no wait counts as absent, here too.
    let has_retry_after = !waits.found.is_empty();
    body::read(said.bodies, now, &mut waits);
    message::read(said.texts, &mut waits);
    reset::read(said.headers, now, has_retry_after, &mut waits);
    waits
}
