//! Distributions as written: a bare duration, or a table with the law's name.

use std::fmt;

use retrial_policy::Nanos;
use serde::de::value::MapAccessDeserializer;
use serde::de::{
    Deserialize, Deserializer, Error, IgnoredAny, IntoDeserializer, MapAccess, Unexpected, Visitor,
};

use crate::engine::distribution::Distribution;

/// The law of a duration.
#[derive(Clone, Debug, PartialEq, schemars::JsonSchema)]
#[schemars(untagged, rename = "Distribution")]
pub enum DistributionForm {
    /// A bare duration.
    Constant(Nanos),
    /// A named law.
    Law(Law),
}

/// The named laws.
#[derive(Clone, Debug, PartialEq, serde::Deserialize, schemars::JsonSchema)]
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
        #[derive(Clone, Debug, PartialEq, serde::Deserialize, schemars::JsonSchema)]
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
        match self {
            DistributionForm::Constant(value) => Some(Distribution::Constant(*value)),
            DistributionForm::Law(law) => law.sampler(),
        }
    }

    /// The durations among its parameters.
    pub fn durations(&self) -> Vec<Nanos> {
        let law = match self {
            DistributionForm::Constant(value) => return vec![*value],
            DistributionForm::Law(law) => law,
        };
        match law {
            Law::Exponential(law) => vec![law.mean],
            Law::Normal(law) => vec![law.mean, law.sd],
            Law::Lognormal(law) => vec![law.median, law.p99],
            Law::Uniform(law) => vec![law.min, law.max],
            Law::Gamma(law) | Law::Weibull(law) => vec![law.mean],
            Law::Pareto(law) => vec![law.min],
            Law::Empirical(_) => Vec::new(),
            Law::Tokens(law) => vec![law.first, law.per_input, law.per_output],
        }
    }
}

impl Law {
    /// As files write it.
    pub fn name(&self) -> &'static str {
        match self {
            Law::Exponential(_) => "exponential",
            Law::Normal(_) => "normal",
            Law::Lognormal(_) => "lognormal",
            Law::Uniform(_) => "uniform",
            Law::Gamma(_) => "gamma",
            Law::Weibull(_) => "weibull",
            Law::Pareto(_) => "pareto",
            Law::Empirical(_) => "empirical",
            Law::Tokens(_) => "tokens",
        }
    }

    /// The sampler; `None` for a law that is not built yet.
    pub fn sampler(&self) -> Option<Distribution> {
        let float = |span: Nanos| span.get() as f64;
        match self {
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

            fn visit_map<A: MapAccess<'de>>(
                self,
                mut map: A,
            ) -> Result<DistributionForm, A::Error> {
                let law = if map.size_hint() == Some(0) {
                    return Err(Error::invalid_type(Unexpected::Map, &self));
                } else {
                    Law::deserialize(MapAccessDeserializer::new(&mut map))?
                };
                match map.next_key::<IgnoredAny>()? {
                    None => Ok(DistributionForm::Law(law)),
                    Some(_) => Err(Error::custom("a distribution has one law, not two")),
                }
            }
        }
        deserializer.deserialize_any(V)
    }
}
