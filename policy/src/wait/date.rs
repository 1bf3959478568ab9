//! Dates: the three forms that HTTP has, and RFC 3339.

use super::unix_time::UnixTime;
use super::{Read, why};
use crate::time::Nanos;

/// One of the three forms of RFC 9110: `Sun, 06 Nov 1994 08:49:37 GMT`,
/// `Sunday, 06-Nov-94 08:49:37 GMT`, `Sun Nov  6 08:49:37 1994`.
///
/// The day of the week must be right. Two digits of a year below 70 are of this century, others of
/// the last: RFC 9110 wants a window of 50 years about today, so until 2077 the two agree on every
/// wait of less than 43 years.
pub(super) fn http(text: &str) -> Option<UnixTime> {
    // The crate skips any white space around a date; that of a header is gone already.
    let is_bare = text.trim().len() == text.len();
    is_bare.then(|| httpdate::parse_http_date(text).ok().map(UnixTime::from)).flatten()
}

/// `2024-03-26T20:00:00Z`, with any number of digits after the second; UTC only.
pub(super) fn rfc3339(text: &str) -> Option<UnixTime> {
    let time = UnixTime::from(humantime::parse_rfc3339(text).ok()?);
    let seconds = text.get("2018-02-14T00:28:".len()..)?;
    let fraction = match seconds.split_once('.') {
        Some((_, fraction)) => fraction.trim_end_matches("+00:00").trim_end_matches('Z'),
        None => "0",
    };
    if fraction.is_empty() {
        return None;
    }
    // The crate takes a leap second for the one before it, and drops what is below a nanosecond:
    // both would be earlier than asked.
    let leap = Nanos::from_secs(u64::from(seconds.starts_with("60")));
    let is_rounded = fraction.bytes().skip(9).any(|byte| byte != b'0');
    let correction = u128::from(leap.get()) + u128::from(is_rounded);
    Some(UnixTime::from_nanos(time.as_nanos() + correction))
}

/// The wait from `now` to `then`.
pub(super) fn until(then: UnixTime, now: Option<UnixTime>) -> Read {
    let now = now.ok_or(why::NO_CLOCK)?;
    match then.saturating_since(now) {
        Nanos::ZERO if then == now => Err(why::ZERO),
        Nanos::ZERO => Err(why::PAST),
        wait => Ok(wait),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of RFC 9110, section 5.6.7; the seconds are those of `date -d`.
    #[test]
    fn all_three_forms_of_http_are_the_same_date() {
        for text in [
            "Sun, 06 Nov 1994 08:49:37 GMT",
            "Sunday, 06-Nov-94 08:49:37 GMT",
            "Sun Nov  6 08:49:37 1994",
        ] {
            assert_eq!(http(text), Some(UnixTime::from_secs(784_111_777)), "{text}");
        }
        let two_digits = http("Sunday, 06-Nov-33 08:49:37 GMT");
        assert_eq!(two_digits, http("Sun, 06 Nov 2033 08:49:37 GMT"), "this century");
    }

    #[test]
    fn what_is_nearly_a_date_is_none() {
        for text in [
            "",
            "Mon, 06 Nov 1994 08:49:37 GMT",
            "Sun, 6 Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 08:49:37",
            "Sun, 06 Nov 1994 08:49:37 UTC",
            "Sun, 06 Nov 1994 08:49:37 +0100",
            "Sun, 06 Nov 1994 08:49:37 GMT ",
            "Sun, 06 Nov 1994 24:00:00 GMT",
            "Sun, 06 Nov 94 08:49:37 GMT",
            "sun, 06 nov 1994 08:49:37 gmt",
            "Thu, 31 Feb 2026 10:00:00 GMT",
            "Thu, 01 Jan 1960 00:00:00 GMT",
            "2024-03-26T20:00:00Z",
            "1994-11-06 08:49:37",
            "Sünday, 06-Nov-94 08:49:37 GM",
        ] {
            assert_eq!(http(text), None, "{text}");
        }
    }

    /// Seconds from `date -d`.
    #[test]
    fn rfc_3339_is_read_to_the_nanosecond_and_rounded_up() {
        let whole = 1_711_483_200_000_000_000;
        for (text, nanos) in [
            ("2024-03-26T20:00:00Z", whole),
            ("2024-03-26T20:00:00+00:00", whole),
            ("2024-03-26T20:00:00.5Z", whole + 500_000_000),
            ("2024-03-26T20:00:00.123456789Z", whole + 123_456_789),
            ("2024-03-26T20:00:00.1234567890001+00:00", whole + 123_456_790),
            ("2024-03-26T19:59:60Z", whole),
        ] {
            assert_eq!(rfc3339(text).map(UnixTime::as_nanos), Some(nanos), "{text}");
        }
    }

    #[test]
    fn what_is_nearly_rfc_3339_is_none() {
        for text in [
            "",
            "2024-03-26",
            "2024-03-26T20:00:00",
            "2024-03-26 20:00:00Z",
            "2024-03-26T20:00:00.Z",
            "2024-03-26T20:00:00+02:00",
            "2024-02-30T20:00:00Z",
            "2024-03-26T20:00:00Zx",
            " 2024-03-26T20:00:00Z",
            "-024-03-26T20:00:00Z",
        ] {
            assert_eq!(rfc3339(text), None, "{text}");
        }
    }

    #[test]
    fn waits_are_for_later_dates_only() {
        let now = Some(UnixTime::from_secs(100));
        assert_eq!(until(UnixTime::from_millis(100_250), now), Ok(Nanos::from_millis(250)));
        assert_eq!(until(UnixTime::from_secs(100), now), Err(why::ZERO));
        assert_eq!(until(UnixTime::from_secs(99), now), Err(why::PAST));
        assert_eq!(until(UnixTime::from_secs(101), None), Err(why::NO_CLOCK));
        let year_9999 = http("Fri, 31 Dec 9999 23:59:59 GMT").unwrap();
        assert_eq!(until(year_9999, now), Ok(Nanos::MAX));
    }
}
