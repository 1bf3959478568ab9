//! The value of one field of a body.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;

use serde_json::{Map, Number, Value};

use super::duration::{MILLISECOND, SECOND};
use super::unix_time::UnixTime;
use super::{Read, date, decimal, duration, epoch, why};

/// What a field holds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// A duration in text, or protobuf's object with `seconds` and `nanos`.
    Duration,
    /// A number, or text that is a number.
    Milliseconds,
    /// The same, or a duration in text.
    Seconds,
    /// RFC 3339, or an epoch.
    Date,
}

impl Form {
    pub(super) fn read(self, value: &Value, now: Option<UnixTime>) -> Read {
        let text = match value {
            Value::String(text) => Cow::Borrowed(text.as_str()),
            // A duration has a unit; a number has none.
            Value::Number(number) if self != Form::Duration => Cow::Owned(digits(number)),
            Value::Object(fields) if self == Form::Duration => return protobuf(fields),
            _ => return Err(self.mismatch()),
        };
        match self {
            Form::Duration => duration::go(&text),
            Form::Milliseconds => decimal::read(&text, MILLISECOND),
            Form::Seconds if decimal::signed(&text).is_some() => decimal::read(&text, SECOND),
            Form::Seconds => duration::go(&text).map_err(|why| self.instead_of(why)),
            Form::Date => match date::rfc3339(&text) {
                Some(then) => date::until(then, now),
                None => epoch::date(&text, now).map_err(|why| self.instead_of(why)),
            },
        }
    }

    /// Why a value of another type is none of these.
    fn mismatch(self) -> &'static str {
        match self {
            Form::Duration => why::NO_DURATION,
            Form::Milliseconds | Form::Seconds => why::NO_NUMBER,
            Form::Date => why::NO_DATE,
        }
    }

    /// The last form that was tried is not the one to report.
    fn instead_of(self, why: &'static str) -> &'static str {
        if matches!(why, why::NO_DURATION | why::NO_NUMBER) { self.mismatch() } else { why }
    }
}

/// `{"seconds": 26, "nanos": 5}`. Protobuf writes whole 64-bit numbers as text.
fn protobuf(fields: &Map<String, Value>) -> Read {
    let part = |name| match fields.get(name) {
        None => Ok(None),
        Some(Value::Number(number)) => Ok(Some(digits(number))),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(_) => Err(why::NO_DURATION),
    };
    let (seconds, nanos) = (part("seconds")?, part("nanos")?);
    if seconds.is_none() && nanos.is_none() {
        return Err(why::NO_DURATION);
    }
    let mut total = 0_u128;
    for (text, unit) in [(seconds, SECOND), (nanos, 1)] {
        let Some(text) = text else { continue };
        let (is_negative, number) = decimal::signed(&text).ok_or(why::NO_DURATION)?;
        if is_negative {
            return Err(why::NEGATIVE);
        }
        total = total.saturating_add(number.times(unit));
    }
    decimal::above_zero(total)
}

/// The number without an exponent: JSON may write one, and typed as a number it is no junk.
fn digits(number: &Number) -> String {
    match number.as_f64() {
        Some(float) if number.is_f64() => format!("{float}"),
        _ => format!("{number}"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::time::Nanos;

    const NOW: Option<UnixTime> = Some(UnixTime::from_secs(1_777_900_000));

    #[test]
    fn values_have_the_unit_of_their_form() {
        for (form, value, nanos) in [
            (Form::Seconds, json!(120), 120_000_000_000),
            (Form::Seconds, json!(1.5), 1_500_000_000),
            (Form::Seconds, json!("7"), 7_000_000_000),
            (Form::Seconds, json!("30s"), 30_000_000_000),
            (Form::Seconds, json!(1e-12), 1),
            (Form::Seconds, json!(1e300), u64::MAX),
            (Form::Seconds, json!(u64::MAX), u64::MAX),
            (Form::Milliseconds, json!(494), 494_000_000),
            (Form::Milliseconds, json!("0.5"), 500_000),
            (Form::Date, json!(1_777_936_568), 36_568_000_000_000),
            (Form::Date, json!("1777936568"), 36_568_000_000_000),
            (Form::Date, json!("2026-05-04T13:06:41Z"), 1_000_000_000),
            (Form::Duration, json!("0.539477544s"), 539_477_544),
            (Form::Duration, json!("5h59m59.96s"), 21_599_960_000_000),
            (Form::Duration, json!({"seconds": 26, "nanos": 5}), 26_000_000_005),
            (Form::Duration, json!({"seconds": "26"}), 26_000_000_000),
            (Form::Duration, json!({"nanos": 5}), 5),
        ] {
            assert_eq!(form.read(&value, NOW), Ok(Nanos::new(nanos)), "{value}");
        }
    }

    #[test]
    fn what_is_no_wait_says_why() {
        for (form, value, why) in [
            (Form::Seconds, json!(0), why::ZERO),
            (Form::Seconds, json!("0s"), why::ZERO),
            (Form::Seconds, json!(-0.0), why::NEGATIVE),
            (Form::Seconds, json!(-1), why::NEGATIVE),
            (Form::Seconds, json!(-1.5), why::NEGATIVE),
            (Form::Seconds, json!("soon"), why::NO_NUMBER),
            (Form::Seconds, json!("1e3"), why::NO_NUMBER),
            (Form::Seconds, json!("NaN"), why::NO_NUMBER),
            (Form::Seconds, json!(true), why::NO_NUMBER),
            (Form::Seconds, json!([5]), why::NO_NUMBER),
            (Form::Milliseconds, json!("5s"), why::NO_NUMBER),
            (Form::Milliseconds, json!({"seconds": 5}), why::NO_NUMBER),
            (Form::Date, json!(1_777_800_000), why::PAST),
            (Form::Date, json!(30), why::PAST),
            (Form::Date, json!("2026-05-04T13:06:39Z"), why::PAST),
            (Form::Date, json!("tomorrow"), why::NO_DATE),
            (Form::Date, json!(false), why::NO_DATE),
            (Form::Duration, json!(26), why::NO_DURATION),
            (Form::Duration, json!("26"), why::NO_DURATION),
            (Form::Duration, json!("-26s"), why::NEGATIVE),
            (Form::Duration, json!({}), why::NO_DURATION),
            (Form::Duration, json!({"seconds": true}), why::NO_DURATION),
            (Form::Duration, json!({"seconds": "x"}), why::NO_DURATION),
            (Form::Duration, json!({"seconds": -1}), why::NEGATIVE),
            (Form::Duration, json!({"seconds": 0, "nanos": 0}), why::ZERO),
        ] {
            assert_eq!(form.read(&value, NOW), Err(why), "{value}");
        }
        assert_eq!(Form::Date.read(&json!("2026-05-04T13:06:41Z"), None), Err(why::NO_CLOCK));
    }
}
