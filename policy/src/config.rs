//! The policy file: the sections of a [`PolicySpec`] as text.
//!
//! The structs here mirror the file and nothing else; [`PolicyFile::into_policy`] turns them into
//! validated data. Any serde format can carry them; `Policy::from_toml` reads TOML.

mod about;
mod backoff;
mod budget;
mod inner;
#[cfg(feature = "schema")]
mod json_schema;
#[cfg(feature = "toml")]
mod load;
#[cfg(feature = "toml")]
mod preset;
mod retry_on;
mod values;

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::num::NonZeroU32;

use serde::Deserialize;

pub use self::about::{About, PresetKey};
pub use self::backoff::BackoffSection;
pub use self::budget::BudgetSection;
pub use self::inner::InnerSection;
#[cfg(feature = "toml")]
pub use self::load::LoadError;
pub use self::retry_on::{RetryOnMode, RetryOnSection, StatusName, TransportName};
pub use self::values::OrUnlimited;

use crate::config_error::ConfigError;
use crate::fallback::Fallback;
use crate::limits::Limits;
use crate::policy::{Policy, PolicySpec};
use crate::ratio::Ratio;
use crate::replay::Replay;
use crate::retry_after::{OverCap, RetryAfter, RetryAfterMode};
use crate::time::Nanos;

/// A policy file as written.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(transform = json_schema::preset_or_whole))]
#[serde(deny_unknown_fields)]
pub struct PolicyFile {
    /// Whose policy it is, or the preset that it builds on.
    pub preset: Option<PresetKey>,
    /// How long to wait.
    pub backoff: BackoffSection,
    /// How many attempts and how much time.
    pub limits: LimitsSection,
    /// How hints are obeyed.
    #[serde(default)]
    pub retry_after: RetryAfterSection,
    /// What further attempts cost.
    #[serde(default)]
    pub budget: Vec<BudgetSection>,
    /// Statuses instead of classes.
    pub retry_on: Option<RetryOnSection>,
    /// Where to go when the route, the account or the content is in the way.
    #[serde(default)]
    pub fallback: FallbackSection,
    /// Whether a call may be repeated.
    #[serde(default)]
    pub replay: ReplaySection,
    /// The policy under this one: an SDK's, under an application's.
    pub inner: Option<Box<InnerSection>>,
}

/// `[limits]`.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(transform = json_schema::in_part))]
#[serde(deny_unknown_fields)]
pub struct LimitsSection {
    /// Attempts at most.
    #[cfg_attr(feature = "schema", schemars(extend("default" = 5)))]
    pub max_attempts: Option<OrUnlimited<NonZeroU32>>,
    /// Total latency; must be given.
    pub deadline: OrUnlimited<Nanos>,
    /// Latency of one attempt.
    #[cfg_attr(feature = "schema", schemars(extend("default" = "unlimited")))]
    pub attempt_timeout: Option<OrUnlimited<Nanos>>,
}

/// `[retry_after]`.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RetryAfterSection {
    /// How hint and backoff combine.
    #[cfg_attr(feature = "schema", schemars(extend("default" = "replace")))]
    pub mode: Option<ModeName>,
    /// The longest wait accepted.
    #[cfg_attr(feature = "schema", schemars(extend("default" = "60s")))]
    pub cap: Option<OrUnlimited<Nanos>>,
    /// What to do with a longer one.
    #[cfg_attr(feature = "schema", schemars(extend("default" = "stop")))]
    pub over_cap: Option<OverCapName>,
    /// Spread on top.
    #[cfg_attr(feature = "schema", schemars(extend("default" = 0.1)))]
    pub jitter_ratio: Option<Ratio>,
    /// Spread on top as a fixed time; none if absent.
    #[serde(default)]
    pub add: Nanos,
    /// For mode clamp: the most above the own backoff.
    pub above: Option<Nanos>,
}

/// Names of [`RetryAfterMode`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the names of the documented modes")]
pub enum ModeName {
    Replace,
    Floor,
    Clamp,
    Ignore,
}

/// Names of [`OverCap`].
#[derive(Clone, Copy, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the names of the documented choices")]
pub enum OverCapName {
    Stop,
    Fallback,
    Clip,
    OwnBackoff,
}

/// `[fallback]`.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct FallbackSection {
    /// Routes for a route that is unavailable, in order of preference.
    #[serde(default)]
    pub routes: Vec<String>,
    /// Routes for refused content: models that may accept it.
    #[serde(default)]
    pub content: Vec<String>,
    /// Routes for a spent account: other accounts or providers.
    #[serde(default)]
    pub exhausted: Vec<String>,
    /// Attempts on a route before the next one of `routes`.
    pub after_attempts: Option<NonZeroU32>,
}

/// `[replay]`.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ReplaySection {
    /// A call without side effects.
    #[serde(default)]
    pub safe: bool,
    /// Every attempt carries one key.
    #[serde(default)]
    pub idempotency_key: bool,
}

impl PolicyFile {
    /// The validated policy.
    ///
    /// # Errors
    ///
    /// The first key whose value is impossible, contradicts another, or is not supported yet.
    pub fn into_policy(self) -> Result<Policy, ConfigError> {
        self.preset.map_or(Ok(()), PresetKey::check)?;
        let budgets = self.budget.into_iter().enumerate();
        let inner = self.inner.map(|inner| inner.into_policy()).transpose();
        let inner = inner.map_err(|error| error.inside("inner"))?;
        Policy::new(PolicySpec {
            backoff: self.backoff.into_backoff()?,
            limits: self.limits.into_limits(),
            retry_after: self.retry_after.into_retry_after()?,
            budgets: budgets.map(|(i, part)| part.into_budget(i)).collect::<Result<_, _>>()?,
            fallback: Fallback {
                routes: self.fallback.routes,
                content: self.fallback.content,
                exhausted: self.fallback.exhausted,
                after_attempts: self.fallback.after_attempts,
            },
            retry_on: self.retry_on.map(RetryOnSection::into_retry_on),
            replay: Replay { safe: self.replay.safe, idempotency_key: self.replay.idempotency_key },
            inner: inner.map(Box::new),
        })
    }
}

impl LimitsSection {
    fn into_limits(self) -> Limits {
        let defaults = Limits::default();
        Limits {
            max_attempts: self.max_attempts.map_or(defaults.max_attempts, OrUnlimited::bound),
            deadline: self.deadline.bound(),
            attempt_timeout: self.attempt_timeout.and_then(OrUnlimited::bound),
        }
    }
}

impl RetryAfterSection {
    fn into_retry_after(self) -> Result<RetryAfter, ConfigError> {
        let defaults = RetryAfter::default();
        let mode = match (self.mode.unwrap_or(ModeName::Replace), self.above) {
            (ModeName::Clamp, Some(above)) => RetryAfterMode::Clamp(above),
            (ModeName::Clamp, None) => {
                let problem = "clamp needs `above`, the most above the own backoff";
                return Err(ConfigError::new("retry_after.mode", problem));
            }
            (_, Some(_)) => {
                return Err(ConfigError::new(
                    "retry_after.above",
                    "goes with mode = \"clamp\" only",
                ));
            }
            (ModeName::Replace, None) => RetryAfterMode::Replace,
            (ModeName::Floor, None) => RetryAfterMode::Floor,
            (ModeName::Ignore, None) => RetryAfterMode::Ignore,
        };
        Ok(RetryAfter {
            mode,
            cap: self.cap.map_or(defaults.cap, |cap| cap.bound().unwrap_or(Nanos::MAX)),
            over_cap: match self.over_cap.unwrap_or(OverCapName::Stop) {
                OverCapName::Stop => OverCap::Stop,
                OverCapName::Fallback => OverCap::Fallback,
                OverCapName::Clip => OverCap::Clip,
                OverCapName::OwnBackoff => OverCap::OwnBackoff,
            },
            jitter_ratio: self.jitter_ratio.unwrap_or(defaults.jitter_ratio),
            add: self.add,
        })
    }
}
