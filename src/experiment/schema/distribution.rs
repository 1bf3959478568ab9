//! Distributions as written: a bare duration, or a table with the law's name.

use std::fmt;

use retrial_policy::Nanos;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, Error, IntoDeserializer, MapAccess, Visitor};

use crate::engine::distribution::Distribution;

/// The law of a duration.
#[derive(Clone, Debug, PartialEq)]
pub enum DistributionForm {
    /// A bare duration.
    Constant(Nanos),
    /// A named law.
    Law(Law),
}

/// The named laws.
#[derive(Clone, Debug, PartialEq, serde::Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
#[allow(missing_docs, reason = "the names of the documented laws and their parameters")]
pub enum Law {
    Exponential(Exponential),
    Normal(Normal),
    Lognormal(Lognormal),
    Uniform(Uniform),
    Gamma(Gamma),
    Weibull(Gamma),
    Pareto(Pareto),
    Empirical(Empirical),
    Tokens(PerToken),
}

macro_rules! laws {
    ($($(#[$doc:meta])* $name:ident { $($field:ident: $type:ty),* })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        #[allow(missing_docs, reason = "the names of the documented parameters")]
        pub struct $name { $(pub $field: $type,)* }
    )*};
}

laws! {
    /// Exponential.
    Exponential { mean: Nanos }
    /// Normal, folded at 0.
    Normal { mean: Nanos, sd: Nanos }
    /// Log-normal.
    Lognormal { median: Nanos, p99: Nanos }
    /// Uniform.
    Uniform { min: Nanos, max: Nanos }
    /// Gamma and Weibull, by mean and coefficient of variation.
    Gamma { mean: Nanos, cv: f64 }
    /// Pareto.
    Pareto { min: Nanos, shape: f64 }
    /// A column of a CSV file.
    Empirical { file: String, column: String }
    /// Time per token.
    PerToken { first: Nanos, per_input: Nanos, per_output: Nanos }
}

impl DistributionForm {
    /// The sampler; `None` for a law that is not built yet.
    pub fn sampler(&self) -> Option<Distribution> {
        let float = |span: Nanos| span.get() as f64;
        let law = match self {
            DistributionForm::Constant(value) => return Some(Distribution::Constant(*value)),
            DistributionForm::Law(law) => law,
        };
        match law {
            Law::Exponential(law) => Some(Distribution::Exponential { mean: float(law.mean) }),
            Law::Normal(law) => {
                Some(Distribution::Normal { mean: float(law.mean), sd: float(law.sd) })
            }
            Law::Lognormal(law) => Some(Distribution::lognormal(law.median, law.p99)),
            Law::Uniform(law) => Some(Distribution::Uniform { min: law.min, max: law.max }),
            Law::Gamma(_)
            | Law::Weibull(_)
            | Law::Pareto(_)
            | Law::Empirical(_)
            | Law::Tokens(_) => None,
        }
    }
}

impl<'de> Deserialize<'de> for DistributionForm {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct V;
        impl<'de> Visitor<'de> for V {
            type Value = DistributionForm;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(
                    "a duration such as \"10ms\", or a law such as \
                     { exponential = { mean = \"10ms\" } }",
                )
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<DistributionForm, E> {
                Nanos::deserialize(text.into_deserializer()).map(DistributionForm::Constant)
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<DistributionForm, A::Error> {
                Law::deserialize(MapAccessDeserializer::new(map)).map(DistributionForm::Law)
            }
        }
        deserializer.deserialize_any(V)
    }
}
