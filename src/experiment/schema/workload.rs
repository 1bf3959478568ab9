//! `[workload]` and `[[group]]`: who calls, and when.

use std::num::NonZeroU32;

use retrial_policy::config::OrUnlimited;
use retrial_policy::{Capabilities, Nanos};
use schemars::JsonSchema;
use serde::Deserialize;

use super::one_or_many::OneOrMany;
use super::{CountForm, DistributionForm, Rate};

/// A population of clients; exactly one of `open`, `closed` and `trace`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Workload {
    /// Clients.
    #[schemars(range(min = 1))]
    pub clients: u32,
    /// Requests arrive whether or not earlier ones have ended; one stream or a list of them.
    pub open: Option<OneOrMany<Open>>,
    /// A client's next request begins after the last one's end.
    pub closed: Option<Closed>,
    /// Requests arrive as they once did.
    pub trace: Option<Trace>,
    /// Sizes of requests.
    pub tokens: Option<Tokens>,
    /// What its requests need of a route.
    pub needs: Option<Capabilities>,
    /// Logical requests in flight a client.
    #[schemars(extend("default" = "unlimited"))]
    pub concurrency: Option<OrUnlimited<NonZeroU32>>,
}

/// A named population.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Group {
    /// Its name.
    pub name: String,
    /// Its policy; the one compared if absent.
    pub policy: Option<String>,
    /// Clients.
    #[schemars(range(min = 1))]
    pub clients: u32,
    /// Requests arrive whether or not earlier ones have ended; one stream or a list of them.
    pub open: Option<OneOrMany<Open>>,
    /// A client's next request begins after the last one's end.
    pub closed: Option<Closed>,
    /// Requests arrive as they once did.
    pub trace: Option<Trace>,
    /// Sizes of requests.
    pub tokens: Option<Tokens>,
    /// What its requests need of a route.
    pub needs: Option<Capabilities>,
    /// Logical requests in flight a client.
    #[schemars(extend("default" = "unlimited"))]
    pub concurrency: Option<OrUnlimited<NonZeroU32>>,
}

impl From<&Group> for Workload {
    fn from(group: &Group) -> Self {
        Workload {
            clients: group.clients,
            open: group.open.clone(),
            closed: group.closed.clone(),
            trace: group.trace.clone(),
            tokens: group.tokens.clone(),
            needs: group.needs.clone(),
            concurrency: group.concurrency,
        }
    }
}

/// An open workload.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Open {
    /// The process.
    pub arrivals: Arrivals,
    /// When it starts.
    pub from: Option<Nanos>,
    /// When it ends.
    pub until: Option<Nanos>,
}

/// An arrival process, over the whole population.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Arrivals {
    /// Independent of each other.
    Poisson(Rate),
    /// At equal distances.
    Every(Nanos),
    /// Gamma distances with a coefficient of variation.
    Gamma(Renewal),
    /// Weibull distances with a coefficient of variation.
    Weibull(Renewal),
    /// All clients at once, each period.
    Cron(Cron),
}

/// A renewal process.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Renewal {
    /// Its rate.
    pub rate: Rate,
    /// The coefficient of variation of the distances.
    pub cv: f64,
}

/// A cron-like process.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Cron {
    /// From one start to the next; the first is at `from`.
    pub period: Nanos,
    /// How far a client may be late.
    #[serde(default)]
    pub spread: Nanos,
}

/// A closed workload.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Closed {
    /// Requests a client; one if absent.
    #[schemars(extend("default" = 1))]
    pub requests: Option<OrUnlimited<NonZeroU32>>,
    /// How clients start; together if absent.
    #[serde(default)]
    #[schemars(extend("default" = "together"))]
    pub start: Start,
    /// From the end of a request to the start of the next; nothing if absent.
    pub think: Option<DistributionForm>,
}

/// How clients start.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Start {
    /// All at once.
    #[default]
    Together,
    /// Spread over a time.
    Over(Nanos),
}

/// A recorded workload.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Trace {
    /// The CSV file.
    pub file: String,
    /// How many times as fast as it was recorded.
    #[schemars(extend("default" = 1.0))]
    pub speed: Option<f64>,
}

/// Sizes of requests.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Tokens {
    /// Tokens sent.
    pub input: CountForm,
    /// Tokens received.
    pub output: CountForm,
}
