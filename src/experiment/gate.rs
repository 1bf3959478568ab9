//! `[gate]`: how much worse a metric may become before `compare` says that it regressed.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer};

use super::condition::NoCondition;
use super::deserialize::from_node;
use super::node::Node;
use super::suggest;
use crate::measure::metric::{self, Better, Metric};

/// A metric that may not become worse by more than its slack.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gate {
    /// The metric's place in [`metric::ALL`].
    pub metric: usize,
    /// By how much it may become worse.
    pub slack: Slack,
}

/// By how much a metric may become worse.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Slack {
    /// In the metric's own unit.
    Amount(f64),
    /// A share of the old mean.
    Share(f64),
}

impl Slack {
    /// Reads `0.01`, in the metric's unit, or `2%` of the old mean.
    ///
    /// # Errors
    ///
    /// It is neither, or below zero.
    pub fn parse(text: &str) -> Result<Self, NoCondition> {
        let text = text.trim();
        let (number, is_share) = match text.strip_suffix('%') {
            Some(number) => (number.trim_end(), true),
            None => (text, false),
        };
        match number.parse() {
            Ok(number) if f64::is_finite(number) && number >= 0.0 => Ok(match is_share {
                true => Slack::Share(number / 100.0),
                false => Slack::Amount(number),
            }),
            _ => Err(NoCondition {
                message: format!("`{text}` says not by how much it may become worse"),
                help: Some(
                    "a number in the metric's unit, not below zero, or a share of the old mean: \
                     0.01 or \"2%\""
                        .to_string(),
                ),
            }),
        }
    }

    /// The slack in the metric's unit, from the old mean.
    pub fn amount(self, old: f64) -> f64 {
        match self {
            Slack::Amount(amount) => amount,
            Slack::Share(share) => share * old.abs(),
        }
    }
}

impl fmt::Display for Slack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Slack::Amount(amount) => write!(f, "{amount}"),
            // Two digits more than a share has hide what binary fractions add.
            Slack::Share(share) => write!(f, "{}%", libm::round(share * 1e10) / 1e8),
        }
    }
}

impl Gate {
    /// A gate on the metric called `name`.
    ///
    /// # Errors
    ///
    /// There is no such metric, or neither way of it is better.
    pub fn on(name: &str, slack: Slack) -> Result<Self, NoCondition> {
        let Some(metric) = metric::by_name(name) else {
            let near = suggest::nearest(name, metric::ALL.iter().map(|metric| metric.name));
            let help = near.map(|near| format!("did you mean `{near}`?"));
            return Err(NoCondition { message: format!("no metric is called `{name}`"), help });
        };
        if metric::ALL[metric].better == Better::Neither {
            let message = format!("`{name}` can't get worse: neither way of it is better");
            let help = "gate on one that has a direction, such as success_ratio or amplification";
            return Err(NoCondition { message, help: Some(help.to_string()) });
        }
        Ok(Gate { metric, slack })
    }

    /// Reads `METRIC`, without any slack, or `METRIC=SLACK`.
    ///
    /// # Errors
    ///
    /// As [`Gate::on`] and [`Slack::parse`].
    pub fn parse(text: &str) -> Result<Self, NoCondition> {
        match text.split_once('=') {
            None => Gate::on(text.trim(), Slack::Amount(0.0)),
            Some((name, slack)) => Gate::on(name.trim(), Slack::parse(slack)?),
        }
    }

    /// The metric.
    pub fn metric(&self) -> Metric {
        metric::ALL[self.metric]
    }

    /// The `[gate]` of a checked experiment, in the order of the file.
    pub fn all(root: &Node) -> Vec<Gate> {
        let gates = root.entries("gate");
        gates.filter_map(|(name, slack)| Gate::on(name, from_node(slack).ok()?).ok()).collect()
    }
}

impl<'de> Deserialize<'de> for Slack {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NumberOrText;
        impl Visitor<'_> for NumberOrText {
            type Value = Slack;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number, or a share such as \"2%\"")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Slack, E> {
                Slack::parse(text).map_err(|NoCondition { message, help }| {
                    E::custom(help.map_or(message.clone(), |help| format!("{message}: {help}")))
                })
            }

            fn visit_f64<E: Error>(self, number: f64) -> Result<Slack, E> {
                self.visit_str(&number.to_string())
            }

            fn visit_i64<E: Error>(self, number: i64) -> Result<Slack, E> {
                self.visit_str(&number.to_string())
            }
        }
        deserializer.deserialize_any(NumberOrText)
    }
}

impl JsonSchema for Slack {
    fn schema_name() -> Cow<'static, str> {
        "Slack".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "By how much it may become worse: in its unit, or a share of the old mean.",
            "anyOf": [
                { "type": "number", "minimum": 0 },
                { "type": "string", "pattern": r"^\s*\+?[0-9][.0-9eE+-]*\s*%?\s*$" },
            ],
            "examples": [0.001, "2%"],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gate_is_a_metric_and_a_slack_in_its_unit_or_of_the_old_mean() {
        for (text, name, slack, amount, shown) in [
            ("amplification=2%", "amplification", Slack::Share(0.02), 0.06, "2%"),
            ("amplification = 0.5 %", "amplification", Slack::Share(0.005), 0.015, "0.5%"),
            ("success_ratio=0.001", "success_ratio", Slack::Amount(0.001), 0.001, "0.001"),
            (" latency_p99_ms ", "latency_p99_ms", Slack::Amount(0.0), 0.0, "0"),
        ] {
            let gate = Gate::parse(text).unwrap();
            assert_eq!((gate.metric().name, gate.slack), (name, slack), "{text}");
            assert!((gate.slack.amount(-3.0) - amount).abs() < 1e-12, "{text}");
            assert_eq!(gate.slack.to_string(), shown);
        }
    }

    #[test]
    fn what_is_no_gate_says_why() {
        for (text, message) in [
            ("amplificaton", "no metric is called `amplificaton`"),
            ("requests=1", "`requests` can't get worse: neither way of it is better"),
            ("attempts=-1", "`-1` says not by how much it may become worse"),
            ("attempts=5 per cent", "`5 per cent` says not by how much it may become worse"),
            ("attempts=", "`` says not by how much it may become worse"),
            ("attempts=inf", "`inf` says not by how much it may become worse"),
        ] {
            assert_eq!(Gate::parse(text).unwrap_err().message, message, "{text}");
        }
    }
}
