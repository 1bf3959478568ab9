//! `[[budget]]` as written.

mod build;

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;

use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::budget::ratio::DepositOn;
use crate::budget::{BudgetSpec, Scope};
use crate::config_error::ConfigError;
use crate::ratio::Ratio;
use crate::time::Nanos;

/// `[[budget]]`. Which keys go with which kind, and their defaults, the schema can't say: a key of
/// another kind is refused when the file is read.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(deny_unknown_fields))]
pub struct BudgetSection {
    /// The rule.
    pub kind: KindName,
    /// Who shares it; each client has its own if absent.
    #[cfg_attr(feature = "schema", schemars(extend("default" = "client")))]
    pub scope: Option<ScopeName>,
    /// Token bucket, AWS quota: the most it holds; a quota's is 500 if absent.
    pub capacity: Option<Ratio>,
    /// Token bucket, AWS quota: what a further attempt costs; a quota's version says if absent.
    pub retry_cost: Option<Ratio>,
    /// Token bucket: what a success pays back.
    pub success_refund: Option<Ratio>,
    /// AWS quota: whose costs it has where none are given; 2.1 if absent.
    pub version: Option<VersionName>,
    /// AWS quota: what a further attempt costs after throttling; the version says if absent.
    pub throttling_cost: Option<Ratio>,
    /// AWS quota: what a further attempt costs after a timeout; the version says if absent.
    pub timeout_cost: Option<Ratio>,
    /// AWS quota: what a success pays that needed no retry; 1 if absent.
    pub first_try_refund: Option<Ratio>,
    /// AWS adaptive: what throttling multiplies the rate by; 0.7 if absent.
    pub beta: Option<Ratio>,
    /// AWS adaptive: how steeply the rate grows; 0.4 if absent.
    pub scale: Option<Ratio>,
    /// AWS adaptive: the weight of the last interval in the measured rate; 0.8 if absent.
    pub smooth: Option<Ratio>,
    /// AWS adaptive: the lowest rate, in sends a second; 0.5 if absent.
    pub min_rate: Option<Ratio>,
    /// AWS adaptive: the interval over which the rate is measured; 500ms if absent.
    pub interval: Option<Nanos>,
    /// gRPC: the most tokens, 1 to 1000.
    pub max_tokens: Option<Ratio>,
    /// gRPC: what a success adds, to three decimals.
    pub token_ratio: Option<Ratio>,
    /// gRPC: failures that say nothing about availability add as much as a success; false if
    /// absent.
    pub refund_answered: Option<bool>,
    /// Ratio: retries for each deposit; 0.2 if absent.
    pub ratio: Option<Ratio>,
    /// Ratio: how long deposits and retries count; 10s if absent.
    pub ttl: Option<Nanos>,
    /// Ratio: retries a second that need no deposit; 10 if absent.
    pub min_per_sec: Option<Ratio>,
    /// Ratio: what makes a deposit; requests if absent.
    pub deposit_on: Option<DepositOnName>,
    /// Concurrent: retries under way at most, in percent of requests in flight; 20 if absent.
    pub budget_percent: Option<Ratio>,
    /// Concurrent: retries that may always be under way; 3 if absent.
    pub min_retry_concurrency: Option<Ratio>,
    /// Concurrent: a retry that waits counts as under way; true if absent.
    pub count_waiting: Option<bool>,
    /// SRE adaptive: requests for each accepted one before anything is refused; 2 if absent.
    pub k: Option<Ratio>,
    /// SRE adaptive: what keeps the probability below 1, in requests; 1 if absent.
    pub padding: Option<Ratio>,
    /// SRE adaptive, circuit breaker: how long attempts count; 2m for SRE adaptive if absent.
    pub window: Option<Nanos>,
    /// Circuit breaker: failures that open it, in a row, or within `window` if given.
    pub failures: Option<Ratio>,
    /// Circuit breaker: the share of failures within `window` that opens it.
    pub failure_ratio: Option<Ratio>,
    /// Circuit breaker: attempts before `failure_ratio` means anything; 20 if absent.
    pub min_calls: Option<Ratio>,
    /// Circuit breaker: how long it stays open.
    pub open: Option<Nanos>,
    /// Circuit breaker: attempts at a time that try the route out; 1 if absent.
    pub probes: Option<Ratio>,
    /// Cooldown gate: the most that is waited on top of a hint, as a fraction of it; 0.1 if
    /// absent.
    pub spread: Option<Ratio>,
    /// Cooldown gate: the longest hint that closes it for its whole length; 60s if absent.
    pub cap: Option<Nanos>,
    /// AIMD: the most logical requests in flight, and the number it starts with.
    pub max: Option<Ratio>,
    /// AIMD: the fewest.
    pub min: Option<Ratio>,
    /// AIMD: what a throttled attempt multiplies the limit by; 0.5 if absent.
    pub decrease: Option<Ratio>,
    /// AIMD: what a round of successes adds to it; 1 if absent.
    pub increase: Option<Ratio>,
    /// Everything else: slips.
    #[serde(flatten)]
    #[cfg_attr(feature = "schema", schemars(skip))]
    rest: BTreeMap<String, IgnoredAny>,
}

/// Names of all budget rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the names of the documented rules")]
pub enum KindName {
    TokenBucket,
    AwsQuota,
    AwsAdaptive,
    Grpc,
    Ratio,
    Concurrent,
    SreAdaptive,
    CircuitBreaker,
    CooldownGate,
    Aimd,
}

/// Names of [`Scope`].
#[derive(Clone, Copy, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the names of the documented scopes")]
pub enum ScopeName {
    Client,
    Group,
}

/// Versions of the AWS SDKs' standard mode.
#[derive(Clone, Copy, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[allow(missing_docs, reason = "the names of the documented versions")]
pub enum VersionName {
    #[serde(rename = "2.0")]
    V2_0,
    #[serde(rename = "2.1")]
    V2_1,
}

/// Names of [`DepositOn`].
#[derive(Clone, Copy, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the names of the documented choices")]
pub enum DepositOnName {
    Request,
    Success,
}

impl From<DepositOnName> for DepositOn {
    fn from(name: DepositOnName) -> Self {
        match name {
            DepositOnName::Request => DepositOn::Request,
            DepositOnName::Success => DepositOn::Success,
        }
    }
}

impl BudgetSection {
    pub(super) fn into_budget(self, index: usize) -> Result<BudgetSpec, ConfigError> {
        let (what, own) = self.kind.keys();
        self.refuse_strays(index, what, own)?;
        let scope = match self.scope {
            None | Some(ScopeName::Client) => Scope::Client,
            Some(ScopeName::Group) => Scope::Group,
        };
        Ok(BudgetSpec { scope, kind: self.build(index)? })
    }

    /// Keys that no rule has, and keys that only another rule has.
    fn refuse_strays(&self, index: usize, what: &str, own: &[&str]) -> Result<(), ConfigError> {
        let foreign =
            self.given().into_iter().filter(|(name, given)| *given && !own.contains(name));
        match self.rest.keys().map(String::as_str).chain(foreign.map(|(name, _)| name)).next() {
            None => Ok(()),
            Some(stray) => {
                let (last, rest) = own.split_last().unwrap_or((&"", &[]));
                let rest = rest.join(", ");
                let problem =
                    format!("unknown key `{stray}`; {what} has kind, scope, {rest} and {last}");
                Err(ConfigError::new(format!("budget.{index}.{stray}"), problem))
            }
        }
    }

    /// Every key that belongs to some rules, and whether it is there.
    fn given(&self) -> [(&'static str, bool); 36] {
        [
            ("capacity", self.capacity.is_some()),
            ("retry_cost", self.retry_cost.is_some()),
            ("success_refund", self.success_refund.is_some()),
            ("version", self.version.is_some()),
            ("throttling_cost", self.throttling_cost.is_some()),
            ("timeout_cost", self.timeout_cost.is_some()),
            ("first_try_refund", self.first_try_refund.is_some()),
            ("beta", self.beta.is_some()),
            ("scale", self.scale.is_some()),
            ("smooth", self.smooth.is_some()),
            ("min_rate", self.min_rate.is_some()),
            ("interval", self.interval.is_some()),
            ("max_tokens", self.max_tokens.is_some()),
            ("token_ratio", self.token_ratio.is_some()),
            ("refund_answered", self.refund_answered.is_some()),
            ("ratio", self.ratio.is_some()),
            ("ttl", self.ttl.is_some()),
            ("min_per_sec", self.min_per_sec.is_some()),
            ("deposit_on", self.deposit_on.is_some()),
            ("budget_percent", self.budget_percent.is_some()),
            ("min_retry_concurrency", self.min_retry_concurrency.is_some()),
            ("count_waiting", self.count_waiting.is_some()),
            ("k", self.k.is_some()),
            ("padding", self.padding.is_some()),
            ("window", self.window.is_some()),
            ("failures", self.failures.is_some()),
            ("failure_ratio", self.failure_ratio.is_some()),
            ("min_calls", self.min_calls.is_some()),
            ("open", self.open.is_some()),
            ("probes", self.probes.is_some()),
            ("spread", self.spread.is_some()),
            ("cap", self.cap.is_some()),
            ("max", self.max.is_some()),
            ("min", self.min.is_some()),
            ("decrease", self.decrease.is_some()),
            ("increase", self.increase.is_some()),
        ]
    }
}
