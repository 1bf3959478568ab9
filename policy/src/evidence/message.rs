//! The texts of an envelope that are written for people. They decide last, and only where no
//! code says what they say.

use alloc::vec::Vec;

use serde_json::Value;

use super::at::at;
use super::unwrap::plain;

const PLACES: [&str; 21] = [
    "/error/message",
    "/message",
    "/error",
    "/detail",
    "/error/detail",
    "/error/metadata/raw",
    "/title",
    "/msg",
    "/Message",
    "/Error/Message",
    "/error_description",
    "/errorMessage",
    "/errorDescription",
    "/error_msg",
    "/base_resp/status_msg",
    "/Response/Error/Message",
    "/header/message",
    "/errors/0/message",
    "/error/errors/0/message",
    // Where a code should be, some put a sentence, and one puts the phrase of the status.
    "/code",
    "/error/status",
];

/// The texts of an envelope, the telling ones first.
pub(crate) fn messages(value: &Value) -> Vec<&str> {
    match plain(value) {
        Some(text) => Vec::from([text.as_str()]),
        None => PLACES
            .iter()
            .filter_map(|place| at(value, place)?.as_str())
            .filter(|text| !text.is_empty())
            .collect(),
    }
}
