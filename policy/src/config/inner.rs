//! `[inner]`: the policy under another, as written.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use serde::Deserialize;

#[cfg(feature = "schema")]
use super::json_schema;
use super::{
    BackoffSection, BudgetSection, FallbackSection, LimitsSection, PolicyFile, PresetKey,
    ReplaySection, RetryAfterSection, RetryOnSection,
};
use crate::config_error::ConfigError;
use crate::policy::Policy;

/// `[inner]`: the tables of a policy file, or where they come from.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(transform = json_schema::file_preset_or_whole))]
#[serde(deny_unknown_fields)]
pub struct InnerSection {
    /// Whose policy it is, or the preset that it builds on.
    pub preset: Option<PresetKey>,
    /// A policy file; keys given beside it replace its own. For experiments, which read it.
    pub file: Option<String>,
    /// How long to wait.
    pub backoff: Option<BackoffSection>,
    /// How many attempts and how much time, for each call of this policy.
    pub limits: Option<LimitsSection>,
    /// How hints are obeyed.
    #[serde(default)]
    pub retry_after: RetryAfterSection,
    /// What further attempts cost.
    #[serde(default)]
    pub budget: Vec<BudgetSection>,
    /// Statuses instead of classes.
    pub retry_on: Option<RetryOnSection>,
    /// Where to go when the route, the account or the content is in the way; for one layer only.
    #[serde(default)]
    pub fallback: FallbackSection,
    /// Whether this policy may repeat a call.
    #[serde(default)]
    pub replay: ReplaySection,
    /// The policy under this one.
    pub inner: Option<Box<InnerSection>>,
}

impl InnerSection {
    /// The validated policy.
    pub(super) fn into_policy(self) -> Result<Policy, ConfigError> {
        // Whoever may read files has put the content in its place by now.
        if self.file.is_some() {
            let problem = "files are read for experiments only: put the tables of the policy here";
            return Err(ConfigError::new("file", problem));
        }
        let missing = |key: &str| ConfigError::new(key, "missing: a policy has this table");
        let file = PolicyFile {
            preset: self.preset,
            backoff: self.backoff.ok_or_else(|| missing("backoff"))?,
            limits: self.limits.ok_or_else(|| missing("limits"))?,
            retry_after: self.retry_after,
            budget: self.budget,
            retry_on: self.retry_on,
            fallback: self.fallback,
            replay: self.replay,
            inner: self.inner,
        };
        file.into_policy()
    }
}
