//! Waits that servers ask for, in the spellings of headers and bodies.
//!
//! Strict on purpose: a lenient reader turns a bad value into no wait at all, and with it a fleet
//! into a storm. Negative, zero, non-finite and malformed values count as absent, so the own
//! backoff decides; a number too large for the clock means "too long", never "absent".

use serde_json::Value;

use super::code;
use crate::retry_after::Hint;
use crate::time::Nanos;

/// A decimal number of milliseconds.
pub(super) fn millis(text: &str) -> Option<Hint> {
    decimal(text, Nanos::from_millis(1))
}

/// A decimal number of seconds.
pub(super) fn seconds(text: &str) -> Option<Hint> {
    decimal(text, Nanos::from_secs(1))
}

/// Google's `RetryInfo.retryDelay`: seconds in protobuf's JSON form, such as `0.539477544s`.
pub(super) fn of_body(root: &Value) -> Option<Hint> {
    code::detail(root.get("error")?)
        .find_map(|detail| seconds(detail.get("retryDelay")?.as_str()?.strip_suffix('s')?))
}

/// Digits, then perhaps a point and more digits: `unit` times that, rounded down to nanoseconds.
fn decimal(text: &str, unit: Nanos) -> Option<Hint> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let all_digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    if !all_digits(whole) || !all_digits(fraction) {
        return None;
    }
    // Only digits, so the one way to fail is to be too large.
    let whole = whole.parse::<u64>().unwrap_or(u64::MAX);
    // Digits beyond the 18th are far below a nanosecond.
    let (numerator, denominator) = fraction
        .bytes()
        .take(18)
        .fold((0_u128, 1_u128), |(n, d), b| (n * 10 + u128::from(b - b'0'), d * 10));
    let part = u64::try_from(u128::from(unit.get()) * numerator / denominator).unwrap_or(u64::MAX);
    let wait = unit.saturating_mul(whole).saturating_add(Nanos::new(part));
    (wait != Nanos::ZERO).then_some(Hint(wait))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values by hand.
    #[test]
    fn numbers_are_read_exactly() {
        for (text, nanos) in [
            ("45", 45_000_000_000),
            ("0.941641", 941_641_000),
            ("21599.960323804", 21_599_960_323_804),
            ("0.0000000019", 1),
            ("00012", 12_000_000_000),
        ] {
            assert_eq!(seconds(text), Some(Hint(Nanos::new(nanos))), "{text}");
        }
        assert_eq!(millis("494"), Some(Hint(Nanos::from_millis(494))));
        assert_eq!(millis("0.5"), Some(Hint(Nanos::new(500_000))));
    }

    #[test]
    fn what_asks_for_no_wait_counts_as_absent() {
        for text in [
            "",
            "0",
            "0.0",
            "-1",
            "+1",
            "NaN",
            "inf",
            "Infinity",
            "1e3",
            ".5",
            "5.",
            "1.2.3",
            "5s",
            "1 2",
            "0.00000000001",
            "Wed, 21 Oct 2015 07:28:00 GMT",
            "٣",
        ] {
            assert_eq!(seconds(text), None, "{text}");
        }
    }

    #[test]
    fn what_overflows_is_too_long() {
        for text in ["18446744074", "99999999999999999999999999.9", "18446744073709551616"] {
            assert_eq!(seconds(text), Some(Hint(Nanos::MAX)), "{text}");
        }
    }
}
