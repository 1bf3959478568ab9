//! `[[route]]`: the APIs that are called.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use retrial_policy::config::OrUnlimited;
use retrial_policy::{Capabilities, Nanos};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde::de::value::{MapAccessDeserializer, StrDeserializer};
use serde::de::{Deserializer, Error, IntoDeserializer, MapAccess, Visitor};

use super::DistributionForm;

/// A provider and model.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Route {
    /// What policies and charts call it.
    pub name: String,
    /// What kind of server it is; one with workers and a queue if absent.
    pub kind: Option<RouteKind>,
    /// Whose error table reads its replies.
    pub provider: Option<String>,
    /// A table that extends the provider's.
    pub table: Option<String>,
    /// What it was tested to serve: what a fallback to it may ask for.
    pub contract: Option<Capabilities>,
    /// Attempts served at once.
    #[schemars(extend("default" = "unlimited"))]
    pub workers: Option<OrUnlimited<std::num::NonZeroU32>>,
    /// Attempts that may wait.
    #[schemars(extend("default" = "unlimited"))]
    pub queue: Option<OrUnlimited<u32>>,
    /// Whether an attempt whose client has given up still costs capacity.
    #[schemars(extend("default" = "served"))]
    pub abandoned: Option<Abandoned>,
    /// What the one after the last waiting one gets.
    pub full: Option<ReplyForm>,
    /// Time in service.
    pub service: Option<DistributionForm>,
    /// Rate limits, asked in order.
    #[serde(default)]
    pub limit: Vec<Limit>,
    /// Disturbances.
    #[serde(default)]
    pub fault: Vec<Fault>,
}

/// What kind of server a route is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RouteKind {
    /// One row under optimistic concurrency control.
    Occ,
}

/// What becomes of abandoned attempts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the names of the documented choices")]
pub enum Abandoned {
    Served,
    Dropped,
}

/// A reply and what comes with it.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReplyForm {
    /// The reply.
    pub reply: Reply,
    /// How long it takes; no time if absent.
    pub latency: Option<DistributionForm>,
}

/// A reply from the catalogue, or given in place.
#[derive(Clone, Debug, JsonSchema)]
#[schemars(untagged)]
pub enum Reply {
    /// Its name in the catalogue.
    Named(String),
    /// Status, headers and body.
    Given(GivenReply),
}

/// A reply given in place.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GivenReply {
    /// The HTTP status.
    pub status: u16,
    /// Headers.
    #[serde(default)]
    pub headers: BTreeMap<String, String>,
    /// The body.
    #[serde(default)]
    pub body: String,
}

impl<'de> Deserialize<'de> for Reply {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct V;
        impl<'de> Visitor<'de> for V {
            type Value = Reply;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(
                    "the name of a reply, or { status = 503, headers = { … }, body = \"…\" }",
                )
            }

            fn visit_str<E: Error>(self, name: &str) -> Result<Reply, E> {
                Ok(Reply::Named(name.to_string()))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Reply, A::Error> {
                GivenReply::deserialize(MapAccessDeserializer::new(map)).map(Reply::Given)
            }
        }
        deserializer.deserialize_any(V)
    }
}

/// A rate limit; exactly one of the amounts.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Limit {
    /// Attempts.
    pub requests: Option<f64>,
    /// Tokens sent.
    pub input_tokens: Option<f64>,
    /// Tokens received.
    pub output_tokens: Option<f64>,
    /// Tokens in all.
    pub tokens: Option<f64>,
    /// Tokens in all, of an account: what is over it is refused as overdrawn.
    pub spend: Option<f64>,
    /// In how much time.
    pub per: Nanos,
    /// How much at once; the amount itself if absent.
    pub burst: Option<f64>,
    /// Refilled all at once at the end of each window, instead of continuously.
    pub window: Option<Window>,
    /// What an attempt over the limit gets.
    pub over: Option<LimitOver>,
}

/// What a limit bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names of the documented keys")]
pub enum LimitAmount {
    Requests,
    InputTokens,
    OutputTokens,
    Tokens,
    Spend,
}

impl LimitAmount {
    /// The key.
    pub fn key(self) -> &'static str {
        match self {
            LimitAmount::Requests => "requests",
            LimitAmount::InputTokens => "input_tokens",
            LimitAmount::OutputTokens => "output_tokens",
            LimitAmount::Tokens => "tokens",
            LimitAmount::Spend => "spend",
        }
    }
}

impl Limit {
    /// What it bounds and how much of it; `None` unless exactly one amount is given.
    pub fn amount(&self) -> Option<(LimitAmount, f64)> {
        let amounts = [
            (LimitAmount::Requests, self.requests),
            (LimitAmount::InputTokens, self.input_tokens),
            (LimitAmount::OutputTokens, self.output_tokens),
            (LimitAmount::Tokens, self.tokens),
            (LimitAmount::Spend, self.spend),
        ];
        let mut given = amounts.into_iter().filter_map(|(what, much)| Some((what, much?)));
        let first = given.next()?;
        given.next().is_none().then_some(first)
    }
}

/// How a limit refills.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Window {
    /// At the end of each window.
    Fixed,
}

/// The reply of a limit.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LimitOver {
    /// The reply.
    pub reply: Reply,
    /// The hint it carries.
    pub retry_after: Option<RetryAfterForm>,
    /// How long it takes.
    pub latency: Option<DistributionForm>,
}

/// `exact`, `window`, `none` or a duration.
#[derive(Clone, Debug, Deserialize)]
#[serde(transparent)]
pub struct RetryAfterForm(pub String);

impl RetryAfterForm {
    /// The duration, if it is one.
    pub fn duration(&self) -> Option<Nanos> {
        let text: StrDeserializer<'_, serde::de::value::Error> =
            self.0.as_str().into_deserializer();
        Nanos::deserialize(text).ok()
    }

    /// Whether it is one of the words, or a duration.
    pub fn is_possible(&self) -> bool {
        ["exact", "window", "none"].contains(&self.0.as_str()) || self.duration().is_some()
    }
}

impl JsonSchema for RetryAfterForm {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "RetryAfter".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let duration = generator.subschema_for::<Nanos>();
        json_schema!({ "anyOf": [{ "enum": ["exact", "window", "none"] }, duration] })
    }
}

/// A disturbance.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Fault {
    /// When it starts; at once if absent.
    #[schemars(extend("default" = "0s"))]
    pub from: Option<Nanos>,
    /// When it ends; never if absent.
    pub until: Option<Nanos>,
    /// The share of attempts it hits; all if absent.
    #[schemars(extend("default" = 1.0))]
    pub share: Option<f64>,
    /// They get this reply.
    pub reply: Option<Reply>,
    /// How long that takes.
    pub latency: Option<DistributionForm>,
    /// Service that begins meanwhile takes this many times as long.
    pub slow: Option<f64>,
    /// So many workers are left.
    pub workers: Option<u32>,
    /// They get no answer at all.
    pub silent: Option<bool>,
    /// What becomes of their stream.
    pub stream: Option<String>,
}
