//! Which bucket a reset header belongs to, and whether that bucket has run empty.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::decimal::{self, Decimal};
use super::headers::values;
use super::why;

/// What a bucket is known to hold.
enum Level {
    Empty,
    NotEmpty,
    Unsaid,
}

/// The bucket of a reset header: the header that says how full it is, and how that one says that
/// the bucket is empty.
pub(super) struct Bucket {
    gauge: String,
    is_empty: fn(&str) -> Option<bool>,
    /// The reset header names no bucket, so it is about the one of this request.
    is_plain: bool,
}

impl Bucket {
    /// That of the reset header `name`, which is in lower case; `None` if it is no such header.
    pub(super) fn of(name: &str) -> Option<Bucket> {
        const PLAIN: [&str; 3] = ["x-ratelimit-reset", "ratelimit-reset", "x-rate-limit-reset"];
        if let Some(window) = name.strip_prefix("x-codex-") {
            // The Codex backend: `x-codex-primary-reset-after-seconds`.
            let window = window.strip_suffix("-reset-after-seconds")?;
            let gauge = format!("x-codex-{window}-used-percent");
            return Some(Bucket { gauge, is_empty: all_used, is_plain: true });
        }
        let has_reset = name.split('-').any(|part| part == "reset");
        if !has_reset || !(name.contains("ratelimit") || name.contains("rate-limit")) {
            return None;
        }
        // Anthropic's windows of a plan have a status instead of a number. The one for overage is
        // rejected for whoever has not bought any, and refuses nothing.
        let has_status =
            name.starts_with("anthropic-ratelimit-unified-") && !name.contains("-overage-");
        let (instead, is_empty): (_, fn(&str) -> _) =
            if has_status { ("status", is_rejected) } else { ("remaining", none_left) };
        let parts: Vec<_> =
            name.split('-').map(|part| if part == "reset" { instead } else { part }).collect();
        Some(Bucket { gauge: parts.join("-"), is_empty, is_plain: PLAIN.contains(&name) })
    }

    /// Why the reset header says nothing about this request.
    pub(super) fn objection(&self, headers: &[(&str, &str)]) -> Option<&'static str> {
        match self.level(headers) {
            Level::Empty => None,
            Level::NotEmpty => Some(why::NOT_EMPTY),
            Level::Unsaid => (!self.is_plain).then_some(why::MAY_NOT_BE_EMPTY),
        }
    }

    /// A gauge may be there twice, for a server and for a gateway: one empty bucket is enough to
    /// be refused.
    fn level(&self, headers: &[(&str, &str)]) -> Level {
        let mut level = Level::Unsaid;
        for is_empty in values(headers, &self.gauge).filter_map(self.is_empty) {
            if is_empty {
                return Level::Empty;
            }
            level = Level::NotEmpty;
        }
        level
    }
}

/// Nothing left, or less than that: some servers count requests they have refused.
fn none_left(remaining: &str) -> Option<bool> {
    let (is_negative, number) = decimal::signed(remaining)?;
    Some(is_negative || number.times(1) == 0)
}

fn all_used(percent: &str) -> Option<bool> {
    Decimal::new(percent).map(|number| number.times(1) >= 100)
}

fn is_rejected(status: &str) -> Option<bool> {
    Some(status.eq_ignore_ascii_case("rejected"))
}
