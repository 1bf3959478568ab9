//! Distributions as written: a bare value, or a table with the law's name.
//!
//! The same laws serve durations and counts; what tells them apart is the [`unit`].

mod form;
mod json_schema;
mod unit;

use std::sync::Arc;

use retrial_policy::Nanos;

use crate::engine::distribution::Distribution;

pub use unit::{Count, Unit};

/// The law of a duration.
pub type DistributionForm = Form<Nanos>;

/// The law of a count, such as that of a request's tokens.
pub type CountForm = Form<Count>;

/// The law of a duration or a count.
#[derive(Clone, Debug, PartialEq)]
pub enum Form<U> {
    /// A bare value.
    Constant(U),
    /// A named law.
    Law(Law<U>),
}

/// The named laws.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "the names of the documented laws and their parameters")]
pub enum Law<U> {
    Exponential(Exponential<U>),
    Normal(Normal<U>),
    Lognormal(Lognormal<U>),
    Uniform(Uniform<U>),
    Gamma(Gamma<U>),
    Weibull(Gamma<U>),
    Pareto(Pareto<U>),
    Empirical(Empirical),
    /// Written for durations only.
    Tokens(PerToken<U>),
}

macro_rules! laws {
    ($($(#[$doc:meta])* $name:ident { $($field:ident: $type:ty),* })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, serde::Deserialize, schemars::JsonSchema)]
        #[serde(deny_unknown_fields)]
        #[allow(missing_docs, reason = "the names of the documented parameters")]
        pub struct $name<U = Nanos> { $(pub $field: $type,)* }
    )*};
}

laws! {
    /// Exponential.
    Exponential { mean: U }
    /// Normal, folded at 0.
    Normal { mean: U, sd: U }
    /// Log-normal.
    Lognormal { median: U, p99: U }
    /// Uniform.
    Uniform { min: U, max: U }
    /// Gamma and Weibull, by mean and coefficient of variation.
    Gamma { mean: U, cv: f64 }
    /// Pareto.
    Pareto { min: U, shape: f64 }
    /// Time per token.
    PerToken { first: U, per_input: U, per_output: U }
}

/// A column of a CSV file.
#[derive(
    Clone, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Deserialize, schemars::JsonSchema,
)]
#[serde(deny_unknown_fields)]
pub struct Empirical {
    /// The file, relative to the experiment file.
    pub file: String,
    /// What the column's header says.
    pub column: String,
}

impl<U: Unit> Form<U> {
    /// The sampler. `read` gives the values of a column in nanoseconds or ones.
    ///
    /// `None` if `read` gives none, and for time per token, which is no distribution: it depends
    /// on the request.
    pub fn sampler(&self, read: &dyn Fn(&Empirical) -> Option<Arc<[u64]>>) -> Option<Distribution> {
        match self {
            Form::Constant(value) => Some(Distribution::Constant(Nanos::new(value.whole()))),
            Form::Law(law) => law.sampler(read),
        }
    }

    /// The column it is drawn from, if it is.
    pub fn empirical(&self) -> Option<&Empirical> {
        match self {
            Form::Law(Law::Empirical(column)) => Some(column),
            _ => None,
        }
    }

    /// Durations or counts among its parameters.
    pub fn values(&self) -> Vec<U> {
        let law = match self {
            Form::Constant(value) => return vec![*value],
            Form::Law(law) => law,
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

impl DistributionForm {
    /// The parameters of time per token, if it is that.
    pub fn per_token(&self) -> Option<PerToken> {
        match self {
            Form::Law(Law::Tokens(per_token)) => Some(*per_token),
            _ => None,
        }
    }
}

impl<U: Unit> Law<U> {
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

    /// The sampler: see [`Form::sampler`].
    pub fn sampler(&self, read: &dyn Fn(&Empirical) -> Option<Arc<[u64]>>) -> Option<Distribution> {
        Some(match self {
            Law::Exponential(law) => Distribution::Exponential { mean: law.mean.number() },
            Law::Normal(law) => {
                Distribution::Normal { mean: law.mean.number(), sd: law.sd.number() }
            }
            Law::Lognormal(law) => {
                Distribution::lognormal_f64(law.median.number(), law.p99.number())
            }
            Law::Uniform(law) => {
                let [min, max] = [law.min, law.max].map(|end| Nanos::new(end.whole()));
                Distribution::Uniform { min, max }
            }
            Law::Gamma(law) => Distribution::gamma(law.mean.number(), law.cv),
            Law::Weibull(law) => Distribution::weibull(law.mean.number(), law.cv),
            Law::Pareto(law) => Distribution::Pareto { min: law.min.number(), shape: law.shape },
            Law::Empirical(column) => Distribution::Empirical(read(column)?),
            Law::Tokens(_) => return None,
        })
    }
}
