//! Numbers with a unit, as files write them: read, and written again.

use retrial_policy::Nanos;
use serde::Deserialize;
use serde::de::IntoDeserializer;
use serde::de::value::StrDeserializer;

use crate::experiment::node::{Node, Value};
use crate::experiment::schema::Rate;

/// A value that lies on a scale.
#[derive(Clone, Debug, PartialEq)]
pub enum Quantity {
    /// A whole number.
    Whole(i64),
    /// A number.
    Number(f64),
    /// A span of time.
    Duration(Nanos),
    /// So many in so much time, with the unit as written.
    Rate(Rate, String),
}

impl Quantity {
    /// What a value says, if it lies on a scale.
    pub fn read(node: &Node) -> Option<Quantity> {
        match &node.value {
            Value::Integer(integer) => Some(Quantity::Whole(*integer)),
            Value::Float(float) => Some(Quantity::Number(*float)),
            Value::String(text) => measured(text),
            Value::Boolean(_) | Value::Datetime(_) | Value::Array(_) | Value::Table(_) => None,
        }
    }

    /// The number and its unit on a chart's axis: durations in milliseconds, rates per second.
    pub fn on_axis(&self) -> (f64, &'static str) {
        match self {
            Quantity::Whole(integer) => (*integer as f64, ""),
            Quantity::Number(number) => (*number, ""),
            Quantity::Duration(span) => (span.as_millis_f64(), "ms"),
            Quantity::Rate(rate, _) => (rate.count * 1e9 / rate.per.get() as f64, "1/s"),
        }
    }

    /// The number without its unit: nanoseconds of a duration, the count of a rate.
    pub fn size(&self) -> f64 {
        match self {
            Quantity::Whole(integer) => *integer as f64,
            Quantity::Number(number) => *number,
            Quantity::Duration(span) => span.get() as f64,
            Quantity::Rate(rate, _) => rate.count,
        }
    }

    /// The same kind and unit with another size; what must be whole is rounded to the nearest.
    pub fn of_size(&self, size: f64) -> Quantity {
        match self {
            // `as` saturates.
            Quantity::Whole(_) => Quantity::Whole(libm::round(size) as i64),
            Quantity::Number(_) => Quantity::Number(size),
            Quantity::Duration(_) => Quantity::Duration(Nanos::new(libm::round(size) as u64)),
            Quantity::Rate(rate, unit) => {
                Quantity::Rate(Rate { count: size, per: rate.per }, unit.clone())
            }
        }
    }

    /// The same value in the kind and unit of `other`; `None` if it is of another kind.
    pub fn like(&self, other: &Quantity) -> Option<Quantity> {
        match (self, other) {
            (Quantity::Whole(_), Quantity::Whole(_))
            | (Quantity::Number(_), Quantity::Number(_))
            | (Quantity::Duration(_), Quantity::Duration(_)) => Some(self.clone()),
            (Quantity::Whole(integer), Quantity::Number(_)) => {
                Some(Quantity::Number(*integer as f64))
            }
            (Quantity::Rate(own, unit), Quantity::Rate(rate, other_unit)) => {
                if own.per == rate.per {
                    return Some(Quantity::Rate(*own, unit.clone()));
                }
                let count = own.count * rate.per.get() as f64 / own.per.get() as f64;
                Some(Quantity::Rate(Rate { count, per: rate.per }, other_unit.clone()))
            }
            _ => None,
        }
    }

    /// As a file would write it.
    pub fn to_value(&self) -> Value {
        match self {
            Quantity::Whole(integer) => Value::Integer(*integer),
            Quantity::Number(number) => Value::Float(*number),
            Quantity::Duration(span) => Value::String(duration(*span)),
            Quantity::Rate(rate, unit) => Value::String(format!("{}/{unit}", rate.count)),
        }
    }
}

/// A text that is a duration or a rate.
fn measured(text: &str) -> Option<Quantity> {
    let text_as_value: StrDeserializer<'_, serde::de::value::Error> = text.into_deserializer();
    if let Ok(span) = Nanos::deserialize(text_as_value) {
        return Some(Quantity::Duration(span));
    }
    let rate = text.parse().ok()?;
    let (_, unit) = text.split_once('/')?;
    Some(Quantity::Rate(rate, unit.trim().to_string()))
}

/// Units by their nanoseconds.
const UNITS: [(&str, u64); 6] = [
    ("h", 3_600_000_000_000),
    ("m", 60_000_000_000),
    ("s", 1_000_000_000),
    ("ms", 1_000_000),
    ("us", 1_000),
    ("ns", 1),
];

/// The shortest text with one unit that reads back as exactly this span; the number in it is at
/// least one.
fn duration(span: Nanos) -> String {
    if span == Nanos::ZERO {
        return "0s".to_string();
    }
    let texts = UNITS.iter().filter_map(|(unit, length)| {
        let (whole, mut rest) = (span.get() / length, span.get() % length);
        if whole == 0 {
            return None;
        }
        let mut text = whole.to_string();
        if rest > 0 {
            text.push('.');
        }
        // Thirteen decimals are those of a nanosecond in hours, where it has an end.
        for _ in 0..13 {
            if rest == 0 {
                break;
            }
            text.push_str(&(rest * 10 / length).to_string());
            rest = rest * 10 % length;
        }
        text.push_str(unit);
        // The parser of durations gives up on some long numbers with decimals.
        (measured(&text) == Some(Quantity::Duration(span))).then_some(text)
    });
    texts.min_by_key(String::len).unwrap_or_else(|| format!("{}ns", span.get()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn durations_are_written_shortly() {
        for (ns, text) in [
            (0, "0s"),
            (1, "1ns"),
            (1_500, "1.5us"),
            (50_000_000, "50ms"),
            (100_000_000, "100ms"),
            (125_900_000, "125.9ms"),
            (125_992_105, "125992105ns"),
            (1_500_000_000, "1.5s"),
            (90_000_000_000, "90s"),
            (600_000_000_000, "10m"),
            (5_400_000_000_000, "90m"),
            (7_200_000_000_000, "2h"),
        ] {
            assert_eq!(duration(Nanos::new(ns)), text);
        }
    }

    proptest! {
        #[test]
        fn durations_read_back_as_written(digits in 0..20_u32, ns: u64) {
            let span = Nanos::new(ns / 10_u64.pow(digits.min(19)));
            prop_assume!(span != Nanos::MAX);
            prop_assert_eq!(measured(&duration(span)), Some(Quantity::Duration(span)));
        }
    }
}
