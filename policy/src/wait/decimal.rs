//! Plain decimal numbers, read exactly and rounded up.
//!
//! Never by way of a float: that would round to nearest, and reads `NaN`, `inf` and `1e3` as well.

use super::{Read, why};
use crate::time::Nanos;

/// Digits, then perhaps a point and more digits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Decimal<'a> {
    whole: &'a str,
    fraction: &'a str,
}

impl<'a> Decimal<'a> {
    /// The number that all of `text` is.
    pub(super) fn new(text: &'a str) -> Option<Self> {
        Decimal::prefix(text).and_then(|(number, rest)| rest.is_empty().then_some(number))
    }

    /// The number that `text` begins with, and what follows it.
    pub(super) fn prefix(text: &'a str) -> Option<(Self, &'a str)> {
        let (whole, rest) = digits(text);
        if whole.is_empty() {
            return None;
        }
        match rest.strip_prefix('.').map(digits) {
            Some((fraction, rest)) if !fraction.is_empty() => {
                Some((Decimal { whole, fraction }, rest))
            }
            _ => Some((Decimal { whole, fraction: "" }, rest)),
        }
    }

    /// This many times `unit`, rounded up, at most the largest `u128`.
    pub(super) fn times(self, unit: u64) -> u128 {
        // 18 digits of a fraction of at most a day fit 128 bits with room to spare. Those beyond
        // are worth less than a ten-thousandth of a nanosecond: they only count as not nothing.
        const DIGITS: usize = 18;
        let unit = u128::from(unit);
        let value = |digits: &str| {
            let append =
                |n: u128, byte| n.saturating_mul(10).saturating_add(u128::from(byte - b'0'));
            digits.bytes().fold(0, append)
        };
        let (first, beyond) = self.fraction.split_at(self.fraction.len().min(DIGITS));
        let numerator = value(first) + u128::from(beyond.bytes().any(|byte| byte != b'0'));
        let denominator = first.bytes().fold(1, |power: u128, _| power * 10);
        let part = (unit * numerator).div_ceil(denominator);
        value(self.whole).saturating_mul(unit).saturating_add(part)
    }
}

/// The ASCII digits that `text` begins with, and the rest.
fn digits(text: &str) -> (&str, &str) {
    text.split_at(text.bytes().take_while(u8::is_ascii_digit).count())
}

/// A number of `unit`s.
pub(super) fn read(text: &str, unit: u64) -> Read {
    match signed(text) {
        Some((false, number)) => above_zero(number.times(unit)),
        Some((true, _)) => Err(why::NEGATIVE),
        None => Err(why::NO_NUMBER),
    }
}

/// Whether there is a minus before the number that `text` is, and the number.
pub(super) fn signed(text: &str) -> Option<(bool, Decimal<'_>)> {
    let unsigned = text.strip_prefix('-');
    Some((unsigned.is_some(), Decimal::new(unsigned.unwrap_or(text))?))
}

/// `nanos` as a wait, at most [`Nanos::MAX`].
pub(super) fn above_zero(nanos: u128) -> Read {
    match u64::try_from(nanos) {
        Ok(0) => Err(why::ZERO),
        Ok(nanos) => Ok(Nanos::new(nanos)),
        Err(_) => Ok(Nanos::MAX),
    }
}

#[cfg(test)]
mod tests {
    use super::super::duration::{MILLISECOND, SECOND};
    use super::*;

    /// Values by hand; those of a fraction from posted replies.
    #[test]
    fn numbers_are_read_exactly_and_rounded_up() {
        for (text, nanos) in [
            ("45", 45_000_000_000),
            ("00012", 12_000_000_000),
            ("0.941641", 941_641_000),
            ("21599.960323804", 21_599_960_323_804),
            ("0.0000000019", 2),
            ("0.000000001000000000000000000", 1),
            ("0.0000000010000000000000000001", 2),
            ("0.0000000000000000000000000001", 1),
        ] {
            assert_eq!(read(text, SECOND), Ok(Nanos::new(nanos)), "{text}");
        }
        assert_eq!(read("494", MILLISECOND), Ok(Nanos::from_millis(494)));
        assert_eq!(read("0.5", MILLISECOND), Ok(Nanos::new(500_000)));
    }

    #[test]
    fn what_is_no_wait_says_why() {
        for (text, why) in [
            ("0", why::ZERO),
            ("0.000", why::ZERO),
            ("-1", why::NEGATIVE),
            ("-0.5", why::NEGATIVE),
            ("", why::NO_NUMBER),
            ("-", why::NO_NUMBER),
            ("--1", why::NO_NUMBER),
            ("+1", why::NO_NUMBER),
            ("NaN", why::NO_NUMBER),
            ("inf", why::NO_NUMBER),
            ("-Infinity", why::NO_NUMBER),
            ("1e3", why::NO_NUMBER),
            ("0x10", why::NO_NUMBER),
            ("1_000", why::NO_NUMBER),
            ("1,000", why::NO_NUMBER),
            (".5", why::NO_NUMBER),
            ("5.", why::NO_NUMBER),
            ("1.2.3", why::NO_NUMBER),
            ("5s", why::NO_NUMBER),
            ("1 2", why::NO_NUMBER),
            (" 1", why::NO_NUMBER),
            ("30, 30", why::NO_NUMBER),
            ("٣", why::NO_NUMBER),
        ] {
            assert_eq!(read(text, SECOND), Err(why), "{text}");
        }
    }

    #[test]
    fn what_overflows_is_too_long() {
        let forty_nines = "9".repeat(40);
        for text in ["18446744074", "99999999999999999999999999.9", forty_nines.as_str()] {
            assert_eq!(read(text, SECOND), Ok(Nanos::MAX), "{text}");
        }
        assert_eq!(read("18446744073.709551615", SECOND), Ok(Nanos::MAX));
        assert_eq!(read("18446744073.709551614", SECOND), Ok(Nanos::new(u64::MAX - 1)));
    }
}
