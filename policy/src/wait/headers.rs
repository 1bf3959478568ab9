//! Headers that say how long to wait.
//!
//! A header that occurs several times (from the server and from a gateway, or from the response and
//! from a body that carries another one) counts with its longest valid value: whoever asked for the
//! longer wait would refuse a call that comes earlier.

use alloc::vec::Vec;
use core::cmp::Reverse;

use super::duration::{MILLISECOND, SECOND};
use super::unix_time::UnixTime;
use super::{Place, Read, Waits, date, decimal, why};

/// OpenAI and Azure; Azure's SDKs; AWS, whose header has no unit in its name and means milliseconds.
const IN_MILLISECONDS: [&str; 3] = ["retry-after-ms", "x-ms-retry-after-ms", "x-amz-retry-after"];

/// The values of a header, without the white space that HTTP allows around them.
pub(super) fn values<'a>(
    headers: &'a [(&'a str, &'a str)],
    name: &'a str,
) -> impl Iterator<Item = &'a str> {
    let named = headers.iter().filter(move |(given, _)| given.eq_ignore_ascii_case(name));
    named.map(|(_, value)| trim(value))
}

/// `value` without the white space that HTTP allows around it.
pub(super) fn trim(value: &str) -> &str {
    value.trim_matches([' ', '\t'])
}

/// The date of the response. It goes before the driver's clock, which may be wrong, because it is
/// of the clock that the other dates were made with.
pub(super) fn date(headers: &[(&str, &str)]) -> Option<UnixTime> {
    values(headers, "date").find_map(date::http)
}

pub(super) fn read(headers: &[(&str, &str)], now: Option<UnixTime>, waits: &mut Waits) {
    read_all(headers, &IN_MILLISECONDS, |value| decimal::read(value, MILLISECOND), waits);
    read_all(headers, &["retry-after"], |value| retry_after(value, now), waits);
}

/// Reads headers of one standing.
fn read_all(
    headers: &[(&str, &str)],
    names: &[&str],
    read: impl Fn(&str) -> Read,
    waits: &mut Waits,
) {
    let named = |name| values(headers, name).map(move |value| (name, value));
    let all = names.iter().flat_map(|name| named(*name));
    let mut all: Vec<_> = all.map(|(name, value)| (name, value, read(value))).collect();
    all.sort_by_key(|(_, _, read)| Reverse(read.ok()));
    for (name, value, read) in all {
        waits.push(Place::Header, name, value, read);
    }
}

/// Seconds, whole or not, or a date.
fn retry_after(value: &str, now: Option<UnixTime>) -> Read {
    if decimal::signed(value).is_some() {
        return decimal::read(value, SECOND);
    }
    date::until(date::http(value).ok_or(why::NO_NUMBER_NOR_DATE)?, now)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::Nanos;

    fn read_one(headers: &[(&str, &str)]) -> Waits {
        let mut waits = Waits::default();
        read(headers, date(headers), &mut waits);
        waits
    }

    #[test]
    fn every_header_has_its_unit() {
        for (name, value, millis) in [
            ("retry-after-ms", "494", 494),
            ("x-ms-retry-after-ms", "1500.5", 1_501),
            ("x-amz-retry-after", "5000", 5_000),
            ("retry-after", "45", 45_000),
            ("Retry-After", " 2\t", 2_000),
            ("RETRY-AFTER", "0.25", 250),
        ] {
            let waits = read_one(&[(name, value)]);
            let wait = waits.found[0].hint.0.get().div_ceil(MILLISECOND);
            assert_eq!((waits.found.len(), wait), (1, millis), "{name}: {value}");
            assert_eq!(waits.found[0].place, Place::Header);
            assert_eq!(waits.found[0].name, name.to_ascii_lowercase());
            assert_eq!(waits.ignored, []);
        }
        let waits = read_one(&[("retry-after", "0.941641")]);
        assert_eq!(waits.found[0].hint.0, Nanos::new(941_641_000));
    }

    #[test]
    fn dates_count_from_the_date_of_the_response() {
        for value in [
            "Thu, 13 Aug 2026 15:37:13 GMT",
            "Thursday, 13-Aug-26 15:37:13 GMT",
            "Thu Aug 13 15:37:13 2026",
        ] {
            let sent = ("Date", "Thu, 13 Aug 2026 15:36:43 GMT");
            let waits = read_one(&[sent, ("Retry-After", value)]);
            assert_eq!(waits.found[0].hint.0, Nanos::from_secs(30), "{value}");
            let waits = read_one(&[("Retry-After", value)]);
            assert_eq!(waits.ignored[0].why, why::NO_CLOCK, "{value}");
        }
    }

    #[test]
    fn the_longest_of_several_comes_first() {
        let waits = read_one(&[
            ("retry-after", "5"),
            ("retry-after", "-1"),
            ("Retry-After", "3600"),
            ("retry-after", "soon"),
        ]);
        let found: Vec<_> = waits.found.iter().map(|found| found.value.as_str()).collect();
        assert_eq!(found, ["3600", "5"]);
        let whys: Vec<_> = waits.ignored.iter().map(|ignored| ignored.why).collect();
        assert_eq!(whys, [why::NEGATIVE, why::NO_NUMBER_NOR_DATE]);
    }
}
