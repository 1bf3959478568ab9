//! `[tune.space]`: the keys of a policy to choose, and what each may be.

use retrial_policy::Nanos;
use retrial_policy::config::PolicyFile;
use serde::Deserialize;
use serde::de::IntoDeserializer;
use serde::de::value::StrDeserializer;

use super::deserialize::from_node;
use super::design::MAX_DIMENSIONS;
use super::diagnostic::Diagnostic;
use super::key_path::KeyPath;
use super::node::{Key, Node, Table, Value};
use super::source::Place;

/// The keys to choose; a point of it is a point of the unit cube.
#[derive(Clone, Debug, Default)]
pub struct Space {
    /// One a key, in the order of the file.
    pub dimensions: Vec<Dimension>,
}

/// A key and what it may be.
#[derive(Clone, Debug)]
pub struct Dimension {
    /// The key inside the policy.
    pub path: KeyPath,
    /// Where it was written.
    pub place: Place,
    /// Its values.
    pub values: Values,
}

/// What a key may be.
#[derive(Clone, Debug)]
pub enum Values {
    /// One of these.
    Choice(Vec<Node>),
    /// A number, or a duration in nanoseconds, between two ends.
    Range(Range),
}

/// Everything between two ends, as far apart as makes a difference.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    from: f64,
    to: f64,
    is_log: bool,
    kind: Kind,
}

/// What the numbers of a range are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Integer,
    Float,
    /// Nanoseconds.
    Duration,
}

impl Space {
    /// The space of an experiment; without dimensions if it has none.
    ///
    /// # Errors
    ///
    /// A key that no policy has, an empty range or list, two keys of which one sets the other.
    pub fn of(root: &Node) -> Result<Space, Diagnostic> {
        let tune = root.as_table().and_then(|table| table.get("tune")).and_then(Node::as_table);
        let Some(tune) = tune else { return Ok(Space::default()) };
        let policy = tune.get("policy").and_then(Node::as_str).unwrap_or_default();
        let policy = root.entries("policies").find(|(name, _)| *name == policy);
        let space = tune.get("space").and_then(Node::as_table);
        let mut dimensions: Vec<Dimension> = Vec::new();
        for (key, node) in space.into_iter().flat_map(Table::iter) {
            let path: KeyPath = key.name.parse().map_err(|d: Diagnostic| d.at(Some(key.place)))?;
            if let Some(other) = dimensions.iter().find(|other| other.path.meets(&path)) {
                let message = format!("`{path}` and `{}` set the same key", other.path);
                return Err(Diagnostic::new(message).at(Some(key.place)));
            }
            let dimension = Dimension { path, place: key.place, values: Values::of(key, node)? };
            if let Some((_, policy)) = policy {
                dimension.check(policy)?;
            }
            dimensions.push(dimension);
        }
        match dimensions.get(MAX_DIMENSIONS) {
            Some(more) => {
                let message = format!("at most {MAX_DIMENSIONS} keys can be tuned at once");
                Err(Diagnostic::new(message).at(Some(more.place)))
            }
            None => Ok(Space { dimensions }),
        }
    }

    /// The values at a point of the unit cube, one a dimension.
    pub fn values(&self, point: &[f64]) -> Vec<Node> {
        let pairs = self.dimensions.iter().zip(point);
        pairs.map(|(dimension, share)| dimension.at(*share)).collect()
    }

    /// The point of the unit cube that stands for all with the same values as `point`.
    pub fn snap(&self, point: &[f64]) -> Vec<f64> {
        let pairs = self.dimensions.iter().zip(point);
        pairs.map(|(dimension, share)| dimension.values.snap(*share)).collect()
    }

    /// `policy` with the values at a point.
    ///
    /// # Errors
    ///
    /// A key leads through something that has no entries.
    pub fn apply(&self, policy: &Node, point: &[f64]) -> Result<Node, Diagnostic> {
        let mut policy = policy.clone();
        for (dimension, value) in self.dimensions.iter().zip(self.values(point)) {
            dimension.path.set(&mut policy, &value, dimension.place)?;
        }
        Ok(policy)
    }
}

impl Dimension {
    /// The value at a share of the way through its values.
    pub fn at(&self, share: f64) -> Node {
        self.values.at(share, self.place)
    }

    /// How many values there are, if they are a list.
    pub fn choices(&self) -> Option<usize> {
        match &self.values {
            Values::Choice(choices) => Some(choices.len()),
            Values::Range(_) => None,
        }
    }

    /// Refuses a key that no policy has, and values of the wrong form. Whether a value is possible
    /// may depend on the others, so that is left to each point.
    fn check(&self, policy: &Node) -> Result<(), Diagnostic> {
        let tried = match &self.values {
            Values::Choice(choices) => choices.clone(),
            Values::Range(_) => vec![self.at(0.0), self.at(1.0)],
        };
        for value in tried {
            let mut policy = policy.clone();
            self.path.set(&mut policy, &value, self.place)?;
            let file: Result<PolicyFile, Diagnostic> = from_node(&policy);
            file.map_err(|fault| Diagnostic { place: Some(self.place), ..fault })?;
        }
        Ok(())
    }
}

impl Values {
    fn of(key: &Key, node: &Node) -> Result<Values, Diagnostic> {
        let fault = |message: &str| Diagnostic::new(message).at(Some(node.place));
        match &node.value {
            Value::Array(values) if values.is_empty() => {
                Err(fault("there is no value to choose from"))
            }
            Value::Array(values) => {
                let twice = values.iter().enumerate().find(|(index, value)| {
                    values[..*index].iter().any(|other| other.to_inline() == value.to_inline())
                });
                match twice {
                    None => Ok(Values::Choice(values.clone())),
                    Some((_, value)) => {
                        let message = format!("the value {} stands here twice", value.to_inline());
                        Err(Diagnostic::new(message).at(Some(value.place)))
                    }
                }
            }
            Value::Table(_) => Range::of(node).map(Values::Range),
            _ => Err(fault("a key is tuned over a range or a list of values").help(format!(
                "write {} = {{ from = \"20ms\", to = \"5s\", scale = \"log\" }} or = [2, 3, 5]",
                quoted(&key.name)
            ))),
        }
    }

    /// The value at a share, from 0 to 1, of the way through them.
    fn at(&self, share: f64, place: Place) -> Node {
        match self {
            Values::Choice(choices) => choices[index(share, choices.len())].clone(),
            Values::Range(range) => Node { value: range.value(range.number(share)), place },
        }
    }

    fn snap(&self, share: f64) -> f64 {
        match self {
            Values::Choice(choices) => {
                (index(share, choices.len()) as f64 + 0.5) / choices.len() as f64
            }
            Values::Range(range) => range.share(range.number(share)),
        }
    }
}

fn quoted(key: &str) -> String {
    format!("{key:?}")
}

fn index(share: f64, count: usize) -> usize {
    ((share * count as f64) as usize).min(count - 1)
}

impl Range {
    fn of(node: &Node) -> Result<Range, Diagnostic> {
        #[derive(Clone, Copy, Deserialize)]
        #[serde(rename_all = "snake_case")]
        enum Scale {
            Linear,
            Log,
        }
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Form {
            from: serde_json::Value,
            to: serde_json::Value,
            scale: Option<Scale>,
        }
        let fault = |message: String| Diagnostic::new(message).at(Some(node.place));
        let form: Form = from_node(node)?;
        let (from, to) = match (end(&form.from), end(&form.to)) {
            (Some(from), Some(to)) => (from, to),
            _ => {
                let help = "such as { from = \"20ms\", to = \"5s\", scale = \"log\" }";
                let message = "the ends of a range are two durations or two numbers";
                return Err(fault(message.to_string()).help(help));
            }
        };
        let kind = match (from.1, to.1) {
            (Kind::Integer, Kind::Integer) => Kind::Integer,
            (Kind::Duration, Kind::Duration) => Kind::Duration,
            (Kind::Duration, _) | (_, Kind::Duration) => {
                return Err(fault("one end is a duration, the other a number".to_string()));
            }
            _ => Kind::Float,
        };
        let (from, to) = (from.0, to.0);
        let is_log = matches!(form.scale, Some(Scale::Log));
        if from >= to {
            let message = format!("the range is empty: {} is not below {}", form.from, form.to);
            return Err(fault(message));
        }
        if is_log && from <= 0.0 {
            let message = "a logarithmic range begins above zero";
            return Err(fault(message.to_string()).help("or write scale = \"linear\""));
        }
        Ok(Range { from, to, is_log, kind })
    }

    /// The number at a share of the way, rounded: finer steps than these make no difference that
    /// could be shown, and people read the policy.
    fn number(&self, share: f64) -> f64 {
        let share = share.clamp(0.0, 1.0);
        let exact = match self.is_log {
            true => self.from * libm::exp(share * libm::log(self.to / self.from)),
            false => self.from + share * (self.to - self.from),
        };
        // Two digits are steps of 10 % at most; a narrow range needs finer ones.
        let step = match self.is_log {
            true if self.to >= 4.0 * self.from => power_of_ten(exact, 1),
            true => power_of_ten(exact, 2),
            false => power_of_ten(self.to - self.from, 2),
        };
        let step = if self.kind == Kind::Float { step } else { step.max(1.0) };
        // Dividing by a whole number keeps 0.3 from becoming 0.30000000000000004.
        let rounded = match step < 1.0 {
            true => libm::round(exact * libm::round(1.0 / step)) / libm::round(1.0 / step),
            false => libm::round(exact / step) * step,
        };
        rounded.clamp(self.from, self.to)
    }

    /// How far along `number` is.
    fn share(&self, number: f64) -> f64 {
        match self.is_log {
            true => libm::log(number / self.from) / libm::log(self.to / self.from),
            false => (number - self.from) / (self.to - self.from),
        }
    }

    fn value(&self, number: f64) -> Value {
        match self.kind {
            Kind::Integer => Value::Integer(number as i64),
            Kind::Float => Value::Float(number),
            Kind::Duration => Value::String(Nanos::new(number as u64).to_string()),
        }
    }
}

/// The power of ten at the first digit of `number`, moved down by so many digits.
fn power_of_ten(number: f64, digits: i32) -> f64 {
    libm::pow(10.0, libm::floor(libm::log10(number)) - f64::from(digits))
}

/// An end of a range as a number, and what it is.
fn end(value: &serde_json::Value) -> Option<(f64, Kind)> {
    match value {
        serde_json::Value::Number(number) => {
            let kind = if number.is_f64() { Kind::Float } else { Kind::Integer };
            Some((number.as_f64().filter(|number| number.is_finite())?, kind))
        }
        serde_json::Value::String(text) => {
            let text: StrDeserializer<'_, serde::de::value::Error> =
                text.as_str().into_deserializer();
            let span = Nanos::deserialize(text).ok()?;
            Some((span.get() as f64, Kind::Duration))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::parse::parse;
    use crate::experiment::source::SourceId;

    const POLICY: &str = "[policies.p]\nbackoff = { kind = \"exponential\", base = \"1s\" }\n\
                          limits = { deadline = \"9s\" }\n[tune]\npolicy = \"p\"\n[tune.space]\n";

    fn space(keys: &str) -> Result<Space, Diagnostic> {
        Space::of(&parse(&format!("{POLICY}{keys}"), SourceId::default()).unwrap())
    }

    fn shown(space: &Space, point: &[f64]) -> Vec<String> {
        space.values(point).iter().map(Node::to_inline).collect()
    }

    #[test]
    fn values_lie_between_the_ends_and_are_round() {
        let space = space(
            "\"backoff.base\" = { from = \"20ms\", to = \"5s\", scale = \"log\" }\n\
             \"backoff.factor\" = { from = 1.5, to = 3.0 }\n\
             \"limits.max_attempts\" = { from = 2, to = 10 }\n\
             \"backoff.jitter\" = [\"none\", \"full\"]",
        )
        .unwrap();
        assert_eq!(shown(&space, &[0.0; 4]), ["\"20ms\"", "1.5", "2", "\"none\""]);
        assert_eq!(shown(&space, &[1.0; 4]), ["\"5s\"", "3.0", "10", "\"full\""]);
        // Halfway in ratio: 20 ms · √250 = 316 ms.
        assert_eq!(shown(&space, &[0.5; 4]), ["\"320ms\"", "2.25", "6", "\"full\""]);
    }

    #[test]
    fn a_snapped_point_has_the_same_values_and_stays_where_it_is() {
        let space = space(
            "\"backoff.base\" = { from = \"20ms\", to = \"5s\", scale = \"log\" }\n\
             \"limits.max_attempts\" = { from = 2, to = 10, scale = \"log\" }\n\
             \"backoff.jitter\" = [\"none\", \"full\", \"equal\"]",
        )
        .unwrap();
        for step in 0..1000 {
            let point = [f64::from(step) / 1000.0; 3];
            let snapped = space.snap(&point);
            assert_eq!(shown(&space, &snapped), shown(&space, &point), "{point:?}");
            assert_eq!(space.snap(&snapped), snapped, "{point:?}");
        }
    }

    #[test]
    fn what_is_no_space_says_why() {
        for (keys, expected) in [
            ("\"backoff.bsae\" = [\"1s\"]", "unknown key `bsae`"),
            ("\"backoff.jitter\" = [\"ful\"]", "unknown value `ful`"),
            ("\"backoff.base\" = []", "there is no value to choose from"),
            ("\"backoff.base\" = [\"1s\", \"1s\"]", "the value \"1s\" stands here twice"),
            ("\"backoff.base\" = \"1s\"", "a key is tuned over a range or a list of values"),
            ("\"backoff.base\" = { from = \"2s\", to = \"1s\" }", "the range is empty"),
            ("\"backoff.base\" = { from = \"2s\", to = 3 }", "one end is a duration"),
            ("\"backoff.base\" = { from = \"soon\", to = \"1s\" }", "the ends of a range"),
            ("\"backoff.base\" = { from = \"1s\" }", "missing key `to`"),
            ("\"backoff.base\" = { from = 1, to = 2, scale = \"ln\" }", "unknown value `ln`"),
            (
                "\"backoff.base\" = { from = \"0s\", to = \"1s\", scale = \"log\" }",
                "a logarithmic range begins above zero",
            ),
            ("backoff = [{ kind = \"none\" }]\n\"backoff.base\" = [\"1s\"]", "set the same key"),
        ] {
            let fault = space(keys).unwrap_err();
            assert!(fault.message.contains(expected), "{keys}: {}", fault.message);
            assert!(fault.place.is_some(), "{keys}");
        }
    }
}
