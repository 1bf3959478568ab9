//! What a distribution is of.

use std::fmt;

use retrial_policy::Nanos;
use serde::de::{Deserialize, DeserializeOwned, Deserializer, Error, Unexpected, Visitor};

/// A duration or a count, as files write it.
pub trait Unit: Copy + PartialOrd + fmt::Debug + fmt::Display + DeserializeOwned {
    /// What a distribution looks like, for messages.
    const EXAMPLES: &'static str;
    /// The laws there are.
    const LAWS: &'static [&'static str];
    /// Whether a bare value is a string, not a number.
    const IS_TEXT: bool;
    /// The largest value of a parameter.
    const LARGEST: Self;

    /// Nanoseconds or ones.
    fn number(self) -> f64;

    /// Whole nanoseconds or ones.
    fn whole(self) -> u64;

    /// Says that a parameter is above the largest.
    fn too_large() -> String;
}

/// All laws; counts do without the last one.
const LAWS: [&str; 9] = [
    "exponential",
    "normal",
    "lognormal",
    "uniform",
    "gamma",
    "weibull",
    "pareto",
    "empirical",
    "tokens",
];

impl Unit for Nanos {
    const EXAMPLES: &'static str =
        "a duration such as \"10ms\", or a law such as { exponential = { mean = \"10ms\" } }";
    const LAWS: &'static [&'static str] = &LAWS;
    const IS_TEXT: bool = true;
    /// A year: sums of delays stay far from the end of a clock of 584 years.
    const LARGEST: Nanos = Nanos::from_secs(365 * 86_400);

    fn number(self) -> f64 {
        self.get() as f64
    }

    fn whole(self) -> u64 {
        self.get()
    }

    fn too_large() -> String {
        format!("nothing takes longer than {} here", Self::LARGEST)
    }
}

/// How many; whole as a value, any number as the parameter of a law. Finite and not negative.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Count(f64);

impl Unit for Count {
    const EXAMPLES: &'static str =
        "a number such as 1000, or a law such as { exponential = { mean = 300 } }";
    const LAWS: &'static [&'static str] = LAWS.split_at(LAWS.len() - 1).0;
    const IS_TEXT: bool = false;
    /// More tokens than any request has; sums over a run stay far below 2⁶⁴.
    const LARGEST: Count = Count(1e9);

    fn number(self) -> f64 {
        self.0
    }

    fn whole(self) -> u64 {
        libm::round(self.0) as u64
    }

    fn too_large() -> String {
        format!("no number is above {} here", Self::LARGEST)
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<'de> Deserialize<'de> for Count {
    /// From a number, whole or not.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct V;
        impl V {
            fn count<E: Error>(&self, number: f64, written: Unexpected<'_>) -> Result<Count, E> {
                if number.is_finite() && number >= 0.0 {
                    return Ok(Count(number));
                }
                Err(E::invalid_value(written, self))
            }
        }
        impl Visitor<'_> for V {
            type Value = Count;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number, not negative")
            }

            fn visit_i64<E: Error>(self, number: i64) -> Result<Count, E> {
                self.count(number as f64, Unexpected::Signed(number))
            }

            fn visit_u64<E: Error>(self, number: u64) -> Result<Count, E> {
                self.count(number as f64, Unexpected::Unsigned(number))
            }

            fn visit_f64<E: Error>(self, number: f64) -> Result<Count, E> {
                self.count(number, Unexpected::Float(number))
            }
        }
        deserializer.deserialize_f64(V)
    }
}
