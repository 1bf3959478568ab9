//! The provider's own name for a request, which its support asks for first.

use serde_json::Value;

use super::at::at;
use super::messages;

/// Headers that hold it: Anthropic's, OpenAI's, AWS's, Azure's, Google's, Cloudflare's.
const HEADERS: [&str; 7] = [
    "request-id",
    "x-request-id",
    "x-amzn-requestid",
    "apim-request-id",
    "x-ms-request-id",
    "x-goog-request-id",
    "cf-ray",
];

/// Where bodies hold it.
const PLACES: [&str; 5] = [
    "/request_id",
    "/error/request_id",
    "/requestId",
    "/ResponseMetadata/RequestId",
    "/error/metadata/request_id",
];

/// The words before it in a message: CometAPI and the resellers' gateways, and OpenAI.
const PHRASES: [&str; 2] = ["request id: ", "request ID "];

/// Ids are short; what is longer is something else.
const LONGEST: usize = 128;

/// The request id that headers, bodies (innermost first) or messages name.
pub(crate) fn request_id<'r>(
    header: impl Fn(&str) -> Option<&'r str>,
    bodies: &[&'r Value],
) -> Option<&'r str> {
    let in_headers = HEADERS.iter().filter_map(|name| header(name));
    let in_bodies = bodies.iter().flat_map(|body| PLACES.map(|place| at(body, place)));
    let in_bodies = in_bodies.filter_map(|value| value?.as_str());
    let in_messages = bodies.iter().flat_map(|body| messages(body)).filter_map(in_text);
    let mut all = in_headers.chain(in_bodies).chain(in_messages);
    all.find(|id| !id.is_empty() && id.len() <= LONGEST)
}

fn in_text(text: &str) -> Option<&str> {
    PHRASES.iter().find_map(|phrase| {
        let rest = &text[text.find(phrase)? + phrase.len()..];
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '-' | '_'));
        Some(&rest[..end.unwrap_or(rest.len())]).filter(|id| !id.is_empty())
    })
}
