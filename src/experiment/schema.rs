//! The experiment file as written: every key, whether or not it is built yet.
//!
//! Policies and sweep axes are kept as trees: the first may be spread over files, and the second
//! hold values for any key.

mod distribution;
mod half_width;
mod one_or_many;
mod open_forms;
mod rate;
mod route;
mod workload;

use std::collections::BTreeMap;

use retrial_policy::Nanos;
use retrial_policy::config::OrUnlimited;
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::IgnoredAny;

use super::gate::Slack;

pub use distribution::{Count, CountForm, DistributionForm, Empirical, Form, Law, PerToken, Unit};
pub use half_width::{HalfWidth, Precision};
pub use one_or_many::OneOrMany;
pub use rate::Rate;
pub use route::{
    Abandoned, Fault, Limit, LimitAmount, LimitOver, Reply, ReplyForm, RetryAfterForm, Route,
    RouteKind, Window,
};
pub use workload::{Arrivals, Closed, Group, Open, Start, Tokens, Trace, Workload};

/// An experiment file.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("required" = ["route", "policies"]))]
pub struct ExperimentFile {
    /// One line for people.
    pub title: Option<String>,
    /// Where all random numbers come from.
    #[serde(default = "default_seed")]
    pub seed: u64,
    /// Runs of each policy at each point.
    #[serde(default = "default_replications")]
    #[schemars(range(min = 1))]
    pub replications: u32,
    /// Replications until figures are exact enough; `replications` is then the first look.
    pub stop: Option<StopForm>,
    /// When a run ends; needed where the workload has no end of its own.
    pub stop_after: Option<OrUnlimited<Nanos>>,
    /// Measurements before it are dropped.
    #[serde(default)]
    #[schemars(extend("default" = "0s"))]
    pub warmup: Nanos,
    /// The narrowest bins of `arrivals.csv`.
    #[serde(default = "default_bin")]
    #[schemars(extend("default" = "100ms"))]
    pub bin: Nanos,
    /// Who calls, and when.
    pub workload: Option<Workload>,
    /// Several populations, each with a workload of its own.
    #[serde(default)]
    pub group: Vec<Group>,
    /// What is between clients and routes.
    #[serde(default)]
    pub network: Network,
    /// The APIs; the first one is the primary.
    #[serde(default)]
    pub route: Vec<Route>,
    /// What is on trial.
    #[serde(default)]
    #[schemars(schema_with = "open_forms::policies")]
    pub policies: BTreeMap<String, IgnoredAny>,
    /// Keys to vary.
    #[serde(default)]
    #[schemars(schema_with = "open_forms::axes")]
    pub sweep: BTreeMap<String, IgnoredAny>,
    /// Conditions by policy.
    #[serde(default)]
    #[schemars(schema_with = "open_forms::conditions_by_policy")]
    pub thresholds: BTreeMap<String, Vec<String>>,
    /// What to search for.
    pub tune: Option<Tune>,
    /// Metrics that may not become worse, and by how much they may: judged by `compare`.
    #[serde(default)]
    #[schemars(schema_with = "open_forms::gates")]
    pub gate: BTreeMap<String, Slack>,
}

/// `[network]`.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Network {
    /// One way.
    pub delay: Option<DistributionForm>,
    /// Share of attempts lost on the way to the route.
    #[serde(default)]
    pub lost: f64,
    /// Share of replies lost on the way back.
    #[serde(default)]
    pub lost_replies: f64,
}

/// `stop`: when there are enough replications of a point.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StopForm {
    /// How wide half the 95 % interval may be.
    pub half_width: HalfWidth,
    /// What must be so exact, if `half_width` is the same for all.
    #[serde(default)]
    #[schemars(schema_with = "open_forms::metrics")]
    pub metrics: Option<Vec<String>>,
    /// Replications at most.
    #[schemars(range(min = 10), extend("default" = 400))]
    pub max: Option<u32>,
}

/// `[tune]`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Tune {
    /// The policy to tune.
    pub policy: String,
    /// The metric to make small.
    #[schemars(schema_with = "open_forms::metric")]
    pub minimise: String,
    /// Conditions on others.
    #[serde(default)]
    #[schemars(schema_with = "open_forms::conditions")]
    pub subject_to: Vec<String>,
    /// The keys of the policy to choose, each with a range or a list of values.
    #[serde(default)]
    #[schemars(schema_with = "open_forms::ranges")]
    pub space: BTreeMap<String, IgnoredAny>,
}

fn default_seed() -> u64 {
    1
}

fn default_replications() -> u32 {
    30
}

fn default_bin() -> Nanos {
    Nanos::from_millis(100)
}
