//! [`Event`]: one event of a stream, after its bytes were decoded.

use alloc::string::String;

/// One decoded event: of a stream of Server-Sent Events, a line of NDJSON, a frame of an AWS event
/// stream, or a message of a WebSocket.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Event<'a> {
    /// The event's name, if it has one (`event:` of Server-Sent Events).
    pub name: Option<&'a str>,
    /// Its data, JSON in nearly every case.
    pub data: &'a str,
    /// Headers of its frame: `:message-type`, `:event-type` and `:exception-type` of an AWS event
    /// stream (<https://smithy.io/2.0/aws/amazon-eventstream.html>).
    pub headers: &'a [(String, String)],
    /// Its text, if it is a comment; a comment says nothing else.
    pub comment: Option<&'a str>,
}

impl<'a> Event<'a> {
    /// An event without a name.
    pub fn data(data: &'a str) -> Self {
        Event { data, ..Event::default() }
    }

    /// An event with a name.
    pub fn named(name: &'a str, data: &'a str) -> Self {
        Event { name: Some(name), data, ..Event::default() }
    }

    /// A frame with headers.
    pub fn framed(headers: &'a [(String, String)], data: &'a str) -> Self {
        Event { headers, data, ..Event::default() }
    }

    /// A comment, such as the ones that keep a connection alive.
    pub fn comment(text: &'a str) -> Self {
        Event { comment: Some(text), ..Event::default() }
    }

    /// The value of the first header with this name, in any case.
    pub(super) fn header(&self, name: &str) -> Option<&'a str> {
        let found = self.headers.iter().find(|(given, _)| given.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }
}
