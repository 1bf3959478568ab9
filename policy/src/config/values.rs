//! Values as files write them: durations, fractions, and "unlimited".

use alloc::format;
use alloc::string::String;
use core::fmt;
use core::marker::PhantomData;
use core::num::NonZeroU32;

use serde::de::{Deserialize, Deserializer, Error, Visitor};

use crate::ratio::Ratio;
use crate::time::Nanos;

/// A bound, or the word `"unlimited"`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrUnlimited<T> {
    /// A bound.
    Bound(T),
    /// None.
    Unlimited,
}

impl<T> OrUnlimited<T> {
    /// The bound, if there is one.
    pub fn bound(self) -> Option<T> {
        match self {
            OrUnlimited::Bound(bound) => Some(bound),
            OrUnlimited::Unlimited => None,
        }
    }
}

/// A value that may stand where `"unlimited"` may stand too.
trait Bounded: Sized {
    const EXPECTED: &'static str;
    fn from_str(text: &str) -> Result<Self, String>;
    fn from_u64(number: u64) -> Option<Result<Self, String>>;
}

impl Bounded for Nanos {
    const EXPECTED: &'static str = "a duration such as \"200ms\", or \"unlimited\"";

    fn from_str(text: &str) -> Result<Self, String> {
        parse_duration(text).map_err(|problem| format!("{problem}, or \"unlimited\""))
    }

    fn from_u64(_number: u64) -> Option<Result<Self, String>> {
        None
    }
}

impl Bounded for NonZeroU32 {
    const EXPECTED: &'static str = "a whole number of at least 1, or \"unlimited\"";

    fn from_str(text: &str) -> Result<Self, String> {
        Err(format!("`{text}` is not {}", Self::EXPECTED))
    }

    fn from_u64(number: u64) -> Option<Result<Self, String>> {
        let bound = u32::try_from(number).ok().and_then(NonZeroU32::new);
        Some(bound.ok_or_else(|| format!("`{number}` is not {}", Self::EXPECTED)))
    }
}

impl Bounded for u32 {
    const EXPECTED: &'static str = "a whole number, or \"unlimited\"";

    fn from_str(_text: &str) -> Result<Self, String> {
        Err(Self::EXPECTED.into())
    }

    fn from_u64(number: u64) -> Option<Result<Self, String>> {
        Some(u32::try_from(number).map_err(|_| Self::EXPECTED.into()))
    }
}

impl<'de, T: Bounded> Deserialize<'de> for OrUnlimited<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct V<T>(PhantomData<T>);
        impl<T: Bounded> Visitor<'_> for V<T> {
            type Value = OrUnlimited<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(T::EXPECTED)
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
                if text == "unlimited" {
                    return Ok(OrUnlimited::Unlimited);
                }
                T::from_str(text).map(OrUnlimited::Bound).map_err(E::custom)
            }

            fn visit_u64<E: Error>(self, number: u64) -> Result<Self::Value, E> {
                let unexpected = || E::invalid_type(serde::de::Unexpected::Unsigned(number), &self);
                T::from_u64(number)
                    .ok_or_else(unexpected)?
                    .map(OrUnlimited::Bound)
                    .map_err(E::custom)
            }

            fn visit_i64<E: Error>(self, number: i64) -> Result<Self::Value, E> {
                match u64::try_from(number) {
                    Ok(number) => self.visit_u64(number),
                    Err(_) => Err(E::invalid_value(serde::de::Unexpected::Signed(number), &self)),
                }
            }
        }
        deserializer.deserialize_any(V(PhantomData))
    }
}

/// Reads `200ms`, `1m30s` and the like.
fn parse_duration(text: &str) -> Result<Nanos, String> {
    let right = "write a number with a unit, such as \"200ms\" or \"1m30s\"";
    if text.trim_start().starts_with('-') {
        return Err(format!("`{text}` is negative: a duration can't be; {right}"));
    }
    if sum_of_terms(text) >= u128::from(u64::MAX) {
        return Err(format!("`{text}` is too long: at most 584 years"));
    }
    match humantime::parse_duration(text) {
        Ok(duration) => Ok(duration.into()),
        Err(_) => Err(format!("`{text}` is not a duration: {right}")),
    }
}

/// The nanoseconds of all terms (`1m` and `30s` of `1m30s`) that are durations by themselves.
///
/// humantime 2.4 panics on a sum that overflows by exactly one second, so no long sum may reach it;
/// a single term can't do that.
fn sum_of_terms(text: &str) -> u128 {
    let nanos = |term| humantime::parse_duration(term).map_or(0, |term| term.as_nanos());
    let (mut sum, mut start, mut after_unit) = (0_u128, 0, false);
    for (at, c) in text.char_indices() {
        if after_unit && c.is_ascii_digit() {
            sum += nanos(&text[start..at]);
            start = at;
        }
        if !c.is_whitespace() {
            after_unit = c.is_alphabetic();
        }
    }
    sum + nanos(&text[start..])
}

impl<'de> Deserialize<'de> for Nanos {
    /// From a string with a unit.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct V;
        impl Visitor<'_> for V {
            type Value = Nanos;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a duration such as \"200ms\"")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Nanos, E> {
                parse_duration(text).map_err(E::custom)
            }
        }
        deserializer.deserialize_str(V)
    }
}

impl<'de> Deserialize<'de> for Ratio {
    /// From a number, whole or not.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct V;
        impl Visitor<'_> for V {
            type Value = Ratio;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number from 0 to 1,000,000,000")
            }

            fn visit_f64<E: Error>(self, number: f64) -> Result<Ratio, E> {
                Ratio::from_f64(number)
                    .ok_or_else(|| E::invalid_value(serde::de::Unexpected::Float(number), &self))
            }

            fn visit_i64<E: Error>(self, number: i64) -> Result<Ratio, E> {
                Ratio::from_f64(number as f64)
                    .ok_or_else(|| E::invalid_value(serde::de::Unexpected::Signed(number), &self))
            }

            fn visit_u64<E: Error>(self, number: u64) -> Result<Ratio, E> {
                Ratio::from_f64(number as f64)
                    .ok_or_else(|| E::invalid_value(serde::de::Unexpected::Unsigned(number), &self))
            }
        }
        deserializer.deserialize_any(V)
    }
}
