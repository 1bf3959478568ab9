//! Numbers that may be seconds from now, seconds since 1970 or milliseconds since 1970, told apart
//! by their magnitude.
//!
//! The same header name means all three: `x-ratelimit-reset` counts from now at Together and Sume,
//! from 1970 at Cohere, and in milliseconds from 1970 at OpenRouter. They cannot be confused. A
//! billion seconds from now are 31 years, and no bucket takes that long to fill; since 1970 they
//! lead to 2001, which is past. A hundred billion are the year 5138 in seconds and 1973 in
//! milliseconds.

use super::decimal::{self, Decimal};
use super::duration::{MILLISECOND, SECOND};
use super::unix_time::UnixTime;
use super::{Read, date, why};

/// What a number means.
enum Meaning {
    /// Nanoseconds from now.
    FromNow(u128),
    At(UnixTime),
    /// The year 5138 in milliseconds, or later.
    TooFar,
}

fn meaning(number: Decimal<'_>) -> Meaning {
    const LEAST_SECONDS: u128 = 1_000_000_000 * SECOND as u128;
    const LEAST_MILLISECONDS: u128 = 100 * LEAST_SECONDS;
    const TOO_FAR: u128 = 1_000 * LEAST_MILLISECONDS;
    match number.times(SECOND) {
        nanos if nanos < LEAST_SECONDS => Meaning::FromNow(nanos),
        nanos if nanos < LEAST_MILLISECONDS => Meaning::At(UnixTime::from_nanos(nanos)),
        nanos if nanos < TOO_FAR => Meaning::At(UnixTime::from_nanos(number.times(MILLISECOND))),
        _ => Meaning::TooFar,
    }
}

/// A number of any of the three meanings.
pub(super) fn number(text: &str, now: Option<UnixTime>) -> Read {
    read(text, now, decimal::above_zero)
}

/// A number that can only be a date.
pub(super) fn date(text: &str, now: Option<UnixTime>) -> Read {
    // With a billion seconds from 1970 the year is 2001.
    read(text, now, |nanos| date::until(UnixTime::from_nanos(nanos), now))
}

fn read(text: &str, now: Option<UnixTime>, small: impl Fn(u128) -> Read) -> Read {
    let (is_negative, number) = decimal::signed(text).ok_or(why::NO_NUMBER)?;
    if is_negative {
        return Err(why::NEGATIVE);
    }
    match meaning(number) {
        Meaning::FromNow(nanos) => small(nanos),
        Meaning::At(then) => date::until(then, now),
        Meaning::TooFar => Ok(crate::time::Nanos::MAX),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::Nanos;

    const NOW: Option<UnixTime> = Some(UnixTime::from_secs(1_777_900_000));

    #[test]
    fn the_magnitude_tells_the_unit() {
        for (text, expected) in [
            ("3", Ok(Nanos::from_secs(3))),
            ("0.5", Ok(Nanos::from_millis(500))),
            ("999999999", Ok(Nanos::from_secs(999_999_999))),
            ("1000000000", Err(why::PAST)),
            ("1777900000", Err(why::ZERO)),
            ("1777936568", Ok(Nanos::from_secs(36_568))),
            ("1777936568.25", Ok(Nanos::from_millis(36_568_250))),
            ("1777420800000", Err(why::PAST)),
            ("1777900012345", Ok(Nanos::from_millis(12_345))),
            ("99999999999", Ok(Nanos::MAX)),
            ("100000000000", Err(why::PAST)),
            ("100000000000000", Ok(Nanos::MAX)),
            ("0", Err(why::ZERO)),
            ("-3", Err(why::NEGATIVE)),
            ("1e9", Err(why::NO_NUMBER)),
        ] {
            assert_eq!(number(text, NOW), expected, "{text}");
        }
    }

    #[test]
    fn without_a_clock_only_numbers_from_now_count() {
        assert_eq!(number("3", None), Ok(Nanos::from_secs(3)));
        assert_eq!(number("1777936568", None), Err(why::NO_CLOCK));
        assert_eq!(number("1777936568000", None), Err(why::NO_CLOCK));
        assert_eq!(number("9999999999999999999999", None), Ok(Nanos::MAX), "after any clock");
    }

    #[test]
    fn what_must_be_a_date_never_counts_from_now() {
        assert_eq!(date("30", NOW), Err(why::PAST));
        assert_eq!(date("1777936568", NOW), Ok(Nanos::from_secs(36_568)));
        assert_eq!(date("30", None), Err(why::NO_CLOCK));
    }
}
