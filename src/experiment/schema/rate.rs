//! Rates as written: `"50/s"`, `"300/min"`.

use std::borrow::Cow;
use std::fmt;

use retrial_policy::Nanos;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserialize, Deserializer, Error, Visitor};

/// So many in so much time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rate {
    /// How many; above zero.
    pub count: f64,
    /// In how much time.
    pub per: Nanos,
}

impl std::str::FromStr for Rate {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let right = "write a number above zero and a unit of time, such as \"50/s\" or \"300/min\"";
        let bad = || format!("`{text}` is not a rate: {right}");
        let (count, unit) = text.split_once('/').ok_or_else(bad)?;
        let count: f64 = count.trim().parse().map_err(|_| bad())?;
        let seconds = match unit.trim() {
            "s" | "sec" | "second" => 1,
            "m" | "min" | "minute" => 60,
            "h" | "hour" => 3600,
            "d" | "day" => 86_400,
            _ => return Err(bad()),
        };
        if !count.is_finite() || count <= 0.0 {
            return Err(bad());
        }
        Ok(Rate { count, per: Nanos::from_secs(seconds) })
    }
}

impl<'de> Deserialize<'de> for Rate {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct V;
        impl Visitor<'_> for V {
            type Value = Rate;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a rate such as \"50/s\"")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Rate, E> {
                text.parse().map_err(E::custom)
            }
        }
        deserializer.deserialize_str(V)
    }
}

impl JsonSchema for Rate {
    fn schema_name() -> Cow<'static, str> {
        "Rate".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let pattern = concat!(
            r"^\s*[+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?\s*/",
            r"\s*(s|sec|second|m|min|minute|h|hour|d|day)\s*$",
        );
        json_schema!({
            "type": "string",
            "pattern": pattern,
            "description": "A rate: a number and a unit of time, such as \"50/s\" or \"300/min\".",
            "examples": ["50/s", "300/min"],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_have_a_number_and_a_unit() {
        let rate = |count, seconds| Ok(Rate { count, per: Nanos::from_secs(seconds) });
        assert_eq!("50/s".parse(), rate(50.0, 1));
        assert_eq!("0.5 / min".parse(), rate(0.5, 60));
        for bad in ["50", "-1/s", "0/s", "x/s", "5/fortnight", "nan/s", "inf/s"] {
            assert!(bad.parse::<Rate>().unwrap_err().contains("is not a rate"), "{bad}");
        }
    }
}
