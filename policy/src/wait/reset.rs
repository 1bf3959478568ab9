//! Headers that say when a bucket is full again.
//!
//! They come with successes too and name every bucket there is, so on its own such a header says
//! nothing about the request that was refused. One counts if its bucket is known to have run empty;
//! a header that names no bucket counts unless its bucket is known not to have. Groq's `requests`
//! bucket is per day and its `tokens` bucket per minute: the wrong one stalls a client for minutes.
//! Of several empty buckets the last to be full counts, since each of them refuses the request.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::cmp::Reverse;

use super::decimal::{self, Decimal};
use super::headers::{trim, values};
use super::unix_time::UnixTime;
use super::{Place, Read, Waits, date, duration, epoch, why};

/// What a header's bucket is known to hold.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Level {
    Empty,
    NotEmpty,
    Unsaid,
}

/// A header that says how full a bucket is, and how it says that it is empty.
struct Gauge {
    name: String,
    is_empty: fn(&str) -> Option<bool>,
}

impl Gauge {
    fn level(&self, headers: &[(&str, &str)]) -> Level {
        // A gauge that is there twice says so once for the server and once for a gateway.
        let mut level = Level::Unsaid;
        for is_empty in values(headers, &self.name).filter_map(self.is_empty) {
            match is_empty {
                true => return Level::Empty,
                false => level = Level::NotEmpty,
            }
        }
        level
    }
}

/// A reset header by its name.
struct Reset {
    gauges: Vec<Gauge>,
    /// The header names no bucket, so it is that of the request.
    is_plain: bool,
}

impl Reset {
    /// `name` in lower case.
    fn named(name: &str) -> Option<Reset> {
        if let Some(window) = name.strip_prefix("x-codex-") {
            // The Codex backend: `x-codex-primary-reset-after-seconds`.
            let window = window.strip_suffix("-reset-after-seconds")?;
            let used = Gauge { name: format!("x-codex-{window}-used-percent"), is_empty: all_used };
            return Some(Reset { gauges: alloc::vec![used], is_plain: true });
        }
        let has_reset = name.split('-').any(|part| part == "reset");
        if !has_reset || !(name.contains("ratelimit") || name.contains("rate-limit")) {
            return None;
        }
        let beside = |part: &str| {
            let parts: Vec<_> =
                name.split('-').map(|p| if p == "reset" { part } else { p }).collect();
            parts.join("-")
        };
        let mut gauges = alloc::vec![Gauge { name: beside("remaining"), is_empty: none_left }];
        // Anthropic's windows of a plan have a status instead. The one for overage is rejected for
        // whoever has not bought any, and refuses nothing.
        if name.starts_with("anthropic-ratelimit-unified-") && !name.contains("-overage-") {
            gauges.push(Gauge { name: beside("status"), is_empty: is_rejected });
        }
        const PLAIN: [&str; 3] = ["x-ratelimit-reset", "ratelimit-reset", "x-rate-limit-reset"];
        Some(Reset { gauges, is_plain: PLAIN.contains(&name) })
    }

    /// Why the header says nothing about this request.
    fn objection(&self, headers: &[(&str, &str)]) -> Option<&'static str> {
        let mut levels = self.gauges.iter().map(|gauge| gauge.level(headers));
        match levels.find(|level| *level != Level::Unsaid).unwrap_or(Level::Unsaid) {
            Level::Empty => None,
            Level::NotEmpty => Some(why::NOT_EMPTY),
            Level::Unsaid => (!self.is_plain).then_some(why::MAY_NOT_BE_EMPTY),
        }
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

pub(super) fn read(
    headers: &[(&str, &str)],
    now: Option<UnixTime>,
    has_retry_after: bool,
    waits: &mut Waits,
) {
    let mut all = Vec::new();
    for (name, value) in headers {
        let name = name.to_ascii_lowercase();
        let Some(reset) = Reset::named(&name) else { continue };
        let value = trim(value);
        let read = match reset.objection(headers) {
            Some(why) => Err(why),
            None => reset_value(value, now),
        };
        // It is the time until the bucket is full, `retry-after` the time until it holds enough.
        let read =
            read.and_then(|wait| if has_retry_after { Err(why::RETRY_AFTER) } else { Ok(wait) });
        all.push((name, value, read));
    }
    all.sort_by_key(|(_, _, read)| Reverse(read.ok()));
    for (name, value, read) in all {
        waits.push(Place::Reset, &name, value, read);
    }
}

/// A number, a duration as Go prints it (OpenAI, Groq), or a date (Anthropic).
fn reset_value(value: &str, now: Option<UnixTime>) -> Read {
    if decimal::signed(value).is_some() {
        return epoch::number(value, now);
    }
    match date::rfc3339(value) {
        Some(then) => date::until(then, now),
        None => duration::go(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::Nanos;

    const NOW: UnixTime = UnixTime::from_secs(1_711_483_190);

    fn read_all(headers: &[(&str, &str)], has_retry_after: bool) -> Waits {
        let mut waits = Waits::default();
        read(headers, Some(NOW), has_retry_after, &mut waits);
        waits
    }

    /// One reset header, which counts.
    #[test]
    fn every_spelling_of_an_empty_bucket_counts() {
        for (gauge, reset, millis) in [
            (("x-ratelimit-remaining-tokens", "0"), ("x-ratelimit-reset-tokens", "6ms"), 6),
            (("x-ratelimit-remaining-tokens", "0"), ("x-ratelimit-reset-tokens", "7.66s"), 7_660),
            (
                ("X-RateLimit-Remaining-Requests", "0"),
                ("X-RateLimit-Reset-Requests", "2m59.56s"),
                179_560,
            ),
            (("x-ratelimit-remaining-requests", "-2"), ("x-ratelimit-reset-requests", "1"), 1_000),
            (
                ("anthropic-ratelimit-requests-remaining", "0"),
                ("anthropic-ratelimit-requests-reset", "2024-03-26T20:00:00Z"),
                10_000,
            ),
            (
                ("anthropic-ratelimit-unified-5h-status", "rejected"),
                ("anthropic-ratelimit-unified-5h-reset", "1711483200"),
                10_000,
            ),
            (("x-ratelimit-limit", "10"), ("x-ratelimit-reset", "3"), 3_000),
            (("ratelimit-remaining", "0"), ("RateLimit-Reset", "17"), 17_000),
            (("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", "1711483200"), 10_000),
            (("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "1711483200000"), 10_000),
            (
                ("X-Codex-Primary-Used-Percent", "100"),
                ("X-Codex-Primary-Reset-After-Seconds", "13873"),
                13_873_000,
            ),
        ] {
            let waits = read_all(&[reset, gauge], false);
            assert_eq!(waits.ignored, [], "{reset:?}");
            assert_eq!(waits.found[0].hint.0, Nanos::from_millis(millis), "{reset:?}");
            assert_eq!(waits.found[0].place, Place::Reset);
            assert_eq!(waits.found[0].name, reset.0.to_ascii_lowercase());
            assert_eq!(waits.found.len(), 1);
        }
    }

    #[test]
    fn other_buckets_do_not_count() {
        for (gauge, reset, why) in [
            (
                ("x-ratelimit-remaining-requests", "14370"),
                ("x-ratelimit-reset-requests", "2m59.56s"),
                why::NOT_EMPTY,
            ),
            (
                ("x-ratelimit-remaining-requests", "0"),
                ("x-ratelimit-reset-tokens", "6ms"),
                why::MAY_NOT_BE_EMPTY,
            ),
            (
                ("x-ratelimit-remaining-tokens", "none"),
                ("x-ratelimit-reset-tokens", "6ms"),
                why::MAY_NOT_BE_EMPTY,
            ),
            (("x-ratelimit-remaining", "1"), ("x-ratelimit-reset", "3"), why::NOT_EMPTY),
            (
                ("anthropic-ratelimit-unified-5h-status", "allowed"),
                ("anthropic-ratelimit-unified-5h-reset", "1786553400"),
                why::NOT_EMPTY,
            ),
            (
                ("anthropic-ratelimit-unified-overage-status", "rejected"),
                ("anthropic-ratelimit-unified-overage-reset", "1786553400"),
                why::MAY_NOT_BE_EMPTY,
            ),
            (
                ("x-codex-secondary-used-percent", "94"),
                ("x-codex-secondary-reset-after-seconds", "486400"),
                why::NOT_EMPTY,
            ),
            (("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", "0"), why::ZERO),
            (("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", "soon"), why::NO_DURATION),
            (("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", "1511483200"), why::PAST),
        ] {
            let waits = read_all(&[gauge, reset], false);
            assert_eq!(waits.found, [], "{reset:?}");
            let whys: Vec<_> = waits.ignored.iter().map(|ignored| ignored.why).collect();
            assert_eq!(whys, [why], "{reset:?}");
        }
        let waits = read_all(&[("reset", "5"), ("x-reset-token", "5s"), ("ratelimit", "5")], false);
        assert_eq!(waits, Waits::default(), "no rate limits");
    }

    #[test]
    fn the_last_bucket_to_be_full_comes_first() {
        let headers = [
            ("x-ratelimit-remaining-tokens", "0"),
            ("x-ratelimit-reset-tokens", "7.66s"),
            ("x-ratelimit-remaining-requests", "0"),
            ("x-ratelimit-reset-requests", "2m59.56s"),
        ];
        let waits = read_all(&headers, false);
        let found: Vec<_> = waits.found.iter().map(|found| found.value.as_str()).collect();
        assert_eq!(found, ["2m59.56s", "7.66s"]);
        let waits = read_all(&headers, true);
        assert_eq!(waits.found, []);
        assert!(waits.ignored.iter().all(|ignored| ignored.why == why::RETRY_AFTER));
    }
}
