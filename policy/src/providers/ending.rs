//! How an attempt ended, for the call and for people, once it is known what the reply means.

use crate::class::Class;
use crate::outcome::{Progress, Signal};
use crate::replies::{Reading, StreamVerdict};
use crate::stream::StreamEnd;

/// How the attempt ended, and how far it had come.
pub(super) fn ending(
    reading: &Reading,
    status: u16,
    stream: Option<(StreamEnd, bool)>,
) -> (Signal, Progress) {
    let by_content = |started| if started { Progress::PartialResponse } else { Progress::Sent };
    if reading.signal == Signal::TurnPaused {
        return (Signal::TurnPaused, Progress::Sent);
    }
    match stream {
        None => (Signal::Response(status), Progress::Sent),
        Some((StreamEnd::ErrorEvent, started)) => (Signal::StreamError, by_content(started)),
        Some((StreamEnd::Truncated, started)) => (Signal::StreamTruncated, by_content(started)),
        Some((StreamEnd::Complete, started)) => {
            // The model's own verdict on a whole turn leaves nothing half done.
            let whole = match reading.classification.class {
                Class::Ok | Class::Content | Class::TooLarge => true,
                Class::Transient
                | Class::Throttled
                | Class::Exhausted
                | Class::InvalidRequest
                | Class::Auth
                | Class::Conflict
                | Class::OutcomeUnknown
                | Class::Unknown => false,
            };
            (Signal::Response(status), by_content(started && !whole))
        }
    }
}

/// How a stream ended, in one word.
pub(super) fn verdict_of_stream(reading: &Reading, end: StreamEnd) -> StreamVerdict {
    match (end, reading.signal, reading.classification.class) {
        (StreamEnd::ErrorEvent, ..) => StreamVerdict::ErrorEvent,
        (StreamEnd::Truncated, ..) => StreamVerdict::Truncated,
        (StreamEnd::Complete, Signal::TurnPaused, _) => StreamVerdict::Paused,
        (StreamEnd::Complete, _, Class::Ok) => StreamVerdict::Complete,
        (StreamEnd::Complete, _, Class::Content) => StreamVerdict::Refused,
        (StreamEnd::Complete, _, Class::TooLarge) => StreamVerdict::ContextExceeded,
        (StreamEnd::Complete, ..) => StreamVerdict::Failed,
    }
}
