//! A condition on a metric: `amplification <= 1.5`, and what follows if it does not hold.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::suggest;
use crate::measure::metric::{self, Metric};

/// Which side of the bound is right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// `<=`
    AtMost,
    /// `<`
    Below,
    /// `>=`
    AtLeast,
    /// `>`
    Above,
}

/// A metric, a comparison and a bound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Condition {
    /// The metric's place in [`metric::ALL`].
    pub metric: usize,
    /// How it is compared.
    pub comparison: Comparison,
    /// With what.
    pub bound: f64,
}

/// A condition that is judged when a study is done. In files it is the text that it is read from.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Threshold {
    /// What must hold.
    pub condition: Condition,
    /// It is told if it does not hold, and nothing follows: written `warn: amplification <= 1.5`.
    pub only_warns: bool,
}

impl Threshold {
    /// Reads a threshold.
    ///
    /// # Errors
    ///
    /// As [`Condition::parse`].
    pub fn parse(text: &str) -> Result<Self, NoCondition> {
        let warning = text.trim_start().strip_prefix("warn:");
        let condition = Condition::parse(warning.unwrap_or(text))?;
        Ok(Threshold { condition, only_warns: warning.is_some() })
    }
}

/// Why a text is no condition, and what would be right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoCondition {
    /// What is wrong.
    pub message: String,
    /// What would be right.
    pub help: Option<String>,
}

impl Comparison {
    const ALL: [(&'static str, Comparison); 4] = [
        ("<=", Comparison::AtMost),
        (">=", Comparison::AtLeast),
        ("<", Comparison::Below),
        (">", Comparison::Above),
    ];

    /// Whether `value` is on the right side of `bound`.
    pub fn holds(self, value: f64, bound: f64) -> bool {
        match self {
            Comparison::AtMost => value <= bound,
            Comparison::Below => value < bound,
            Comparison::AtLeast => value >= bound,
            Comparison::Above => value > bound,
        }
    }

    /// Whether large values break it: then the upper end of an interval decides.
    pub fn is_upper_bound(self) -> bool {
        match self {
            Comparison::AtMost | Comparison::Below => true,
            Comparison::AtLeast | Comparison::Above => false,
        }
    }
}

impl Condition {
    /// Reads a condition; spaces around the comparison may be left out.
    ///
    /// # Errors
    ///
    /// It has no comparison, its metric is unknown, or its bound is no number.
    pub fn parse(text: &str) -> Result<Self, NoCondition> {
        let no = |message: String, help: Option<String>| Err(NoCondition { message, help });
        let sign = Comparison::ALL.iter().find(|(sign, _)| text.contains(sign));
        let Some((sign, comparison)) = sign else {
            let help = "write a metric, <= or >=, and a number: \"amplification <= 1.5\"";
            return no("this is not a condition".to_string(), Some(help.to_string()));
        };
        let (name, bound) = text.split_once(sign).unwrap_or((text, ""));
        let (name, bound) = (name.trim(), bound.trim());
        if name.ends_with('=') || bound.starts_with('=') {
            let help = "allowed: <=, <, >= and >, as in \"amplification <= 1.5\"";
            return no("this is no comparison".to_string(), Some(help.to_string()));
        }
        let Some(metric) = metric::by_name(name) else {
            let near = suggest::nearest(name, metric::ALL.iter().map(|metric| metric.name));
            let help = near.map(|near| format!("did you mean `{near}`?"));
            return no(format!("no metric is called `{name}`"), help);
        };
        match bound.parse() {
            Ok(bound) if f64::is_finite(bound) => {
                Ok(Condition { metric, comparison: *comparison, bound })
            }
            _ => {
                let help = "a bare number in the metric's unit: \"latency_p99_ms <= 2000\"";
                no(format!("`{bound}` is not a number"), Some(help.to_string()))
            }
        }
    }

    /// The metric.
    pub fn metric(&self) -> Metric {
        metric::ALL[self.metric]
    }
}

impl TryFrom<String> for Threshold {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        Threshold::parse(&text).map_err(|no| format!("`{text}`: {}", no.message))
    }
}

impl From<Threshold> for String {
    fn from(threshold: Threshold) -> String {
        let warning = if threshold.only_warns { "warn: " } else { "" };
        format!("{warning}{}", threshold.condition)
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = Comparison::ALL.iter().find(|(_, comparison)| *comparison == self.comparison);
        let sign = sign.map_or("", |(sign, _)| sign);
        write!(f, "{} {sign} {}", self.metric().name, self.bound)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_are_read_with_or_without_spaces() {
        for (text, comparison, bound) in [
            ("amplification <= 1.5", Comparison::AtMost, 1.5),
            ("amplification<2", Comparison::Below, 2.0),
            (" amplification  >=  -0.5 ", Comparison::AtLeast, -0.5),
            ("amplification>1e3", Comparison::Above, 1000.0),
        ] {
            let condition = Condition::parse(text).unwrap();
            assert_eq!((condition.comparison, condition.bound), (comparison, bound), "{text}");
            assert_eq!(condition.metric().name, "amplification");
            assert_eq!(Condition::parse(&condition.to_string()), Ok(condition));
        }
    }

    #[test]
    fn a_threshold_may_only_warn() {
        for (text, only_warns) in [
            ("amplification <= 1.5", false),
            ("warn: amplification <= 1.5", true),
            (" warn:amplification<=1.5", true),
        ] {
            let condition = Condition::parse("amplification <= 1.5").unwrap();
            assert_eq!(Threshold::parse(text), Ok(Threshold { condition, only_warns }), "{text}");
        }
        let problem = Threshold::parse("wrn: amplification <= 1.5").unwrap_err();
        assert_eq!(problem.message, "no metric is called `wrn: amplification`");
    }

    #[test]
    fn what_is_no_condition_says_why() {
        for (text, expected) in [
            ("amplification", "not a condition"),
            ("amplification = 1", "not a condition"),
            ("amplification => 1", "this is no comparison"),
            ("amplification <== 1", "this is no comparison"),
            ("amplificaton <= 1", "no metric is called `amplificaton`"),
            ("amplification <= much", "`much` is not a number"),
            ("amplification <= inf", "`inf` is not a number"),
            ("<= 1", "no metric is called ``"),
        ] {
            let problem = Condition::parse(text).unwrap_err();
            assert!(problem.message.contains(expected), "{text}: {}", problem.message);
        }
    }
}
