//! Headers that a body carries: OpenRouter repeats the upstream's, frames of a stream have no
//! others.

use alloc::vec::Vec;

use serde_json::Value;

use super::at::at;

const PLACES: [&str; 3] = ["/error/metadata/headers", "/error/headers", "/headers"];

/// Enough for any server's.
const MOST: usize = 64;

/// Names and values, those that are text.
pub(crate) fn headers_inside(body: &Value) -> Vec<(&str, &str)> {
    let maps = PLACES.iter().filter_map(|place| at(body, place)?.as_object());
    let pairs = maps.flatten().filter_map(|(name, value)| Some((name.as_str(), value.as_str()?)));
    pairs.take(MOST).collect()
}
