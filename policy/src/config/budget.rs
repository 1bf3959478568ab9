//! `[[budget]]` as written.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::NOT_SUPPORTED;
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
        if self.kind != KindName::TokenBucket {
            return Err(ConfigError::new(key("kind"), NOT_SUPPORTED));
        }
        if let Some(stray) = self.rest.keys().next() {
            let problem = format!(
                "unknown key `{stray}`; a token bucket has kind, scope, capacity, retry_cost and \
                 success_refund"
            );
            return Err(ConfigError::new(key(stray), problem));
        }
        let needed = |name: &str, value: Option<Ratio>| {
            value.ok_or_else(|| ConfigError::new(key("kind"), format!("needs `{name}`")))
        };
        Ok(BudgetSpec {
            scope: match self.scope {
                None | Some(ScopeName::Client) => Scope::Client,
                Some(ScopeName::Group) => Scope::Group,
            },
            kind: BudgetKind::TokenBucket(TokenBucketSpec {
                capacity: needed("capacity", self.capacity)?,
                retry_cost: needed("retry_cost", self.retry_cost)?,
                success_refund: needed("success_refund", self.success_refund)?,
            }),
        })
    }
}
