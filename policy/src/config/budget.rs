//! `[[budget]]` as written.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::NOT_SUPPORTED;
use crate::budget::aimd::AimdSpec;
use crate::budget::token_bucket::TokenBucketSpec;
use crate::budget::{BudgetKind, BudgetSpec, Scope};
use crate::config_error::ConfigError;
use crate::ratio::Ratio;

/// `[[budget]]`.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(deny_unknown_fields))]
pub struct BudgetSection {
    /// The rule.
    pub kind: KindName,
    /// Who shares it; each client has its own if absent.
    #[cfg_attr(feature = "schema", schemars(extend("default" = "client")))]
    pub scope: Option<ScopeName>,
    /// Token bucket: the most it holds.
    pub capacity: Option<Ratio>,
    /// Token bucket: what a further attempt costs.
    pub retry_cost: Option<Ratio>,
    /// Token bucket: what a success pays back.
    pub success_refund: Option<Ratio>,
    /// AIMD: the most logical requests in flight, and the number it starts with.
    pub max: Option<Ratio>,
    /// AIMD: the fewest.
    pub min: Option<Ratio>,
    /// AIMD: what a throttled attempt multiplies the limit by; 0.5 if absent.
    pub decrease: Option<Ratio>,
    /// AIMD: what a round of successes adds to it; 1 if absent.
    pub increase: Option<Ratio>,
    /// Everything else: keys of rules that are not built, or slips.
    #[serde(flatten)]
    #[cfg_attr(feature = "schema", schemars(skip))]
    pub rest: BTreeMap<String, IgnoredAny>,
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

impl BudgetSection {
    pub(super) fn into_budget(self, index: usize) -> Result<BudgetSpec, ConfigError> {
        let key = |name: &str| format!("budget.{index}.{name}");
        let needed = |name: &str, value: Option<Ratio>| {
            value.ok_or_else(|| ConfigError::new(key("kind"), format!("needs `{name}`")))
        };
        let whole = |name: &str, value: Option<Ratio>| {
            let parts = needed(name, value)?.parts_per_billion();
            match u32::try_from(parts / Ratio::ONE.parts_per_billion()) {
                Ok(number) if parts % Ratio::ONE.parts_per_billion() == 0 => Ok(number),
                _ => Err(ConfigError::new(key(name), "must be a whole number")),
            }
        };
        let kind = match self.kind {
            KindName::TokenBucket => {
                let known = "a token bucket has kind, scope, capacity, retry_cost and \
                             success_refund";
                self.refuse_strays(index, known, &["capacity", "retry_cost", "success_refund"])?;
                BudgetKind::TokenBucket(TokenBucketSpec {
                    capacity: needed("capacity", self.capacity)?,
                    retry_cost: needed("retry_cost", self.retry_cost)?,
                    success_refund: needed("success_refund", self.success_refund)?,
                })
            }
            KindName::Aimd => {
                let known = "aimd has kind, scope, max, min, decrease and increase";
                self.refuse_strays(index, known, &["max", "min", "decrease", "increase"])?;
                BudgetKind::Aimd(AimdSpec {
                    max: whole("max", self.max)?,
                    min: whole("min", self.min)?,
                    decrease: self.decrease.unwrap_or(AimdSpec::DEFAULT_DECREASE),
                    increase: self.increase.unwrap_or(AimdSpec::DEFAULT_INCREASE),
                })
            }
            _ => return Err(ConfigError::new(key("kind"), NOT_SUPPORTED)),
        };
        Ok(BudgetSpec {
            scope: match self.scope {
                None | Some(ScopeName::Client) => Scope::Client,
                Some(ScopeName::Group) => Scope::Group,
            },
            kind,
        })
    }

    /// Keys that no rule has, and keys that only another rule has.
    fn refuse_strays(&self, index: usize, known: &str, own: &[&str]) -> Result<(), ConfigError> {
        let given = [
            ("capacity", self.capacity),
            ("retry_cost", self.retry_cost),
            ("success_refund", self.success_refund),
            ("max", self.max),
            ("min", self.min),
            ("decrease", self.decrease),
            ("increase", self.increase),
        ];
        let foreign = given
            .into_iter()
            .filter(|(name, value)| value.is_some() && !own.contains(name))
            .map(|(name, _)| name);
        match self.rest.keys().map(String::as_str).chain(foreign).next() {
            None => Ok(()),
            Some(stray) => Err(ConfigError::new(
                format!("budget.{index}.{stray}"),
                format!("unknown key `{stray}`; {known}"),
            )),
        }
    }
}
