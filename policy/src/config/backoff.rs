//! `[backoff]` as written.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use serde::Deserialize;

use super::OrUnlimited;
use crate::backoff::{Backoff, CapOrder};
use crate::config_error::ConfigError;
use crate::growth::Growth;
use crate::jitter::Jitter;
use crate::ratio::Ratio;
use crate::time::Nanos;

/// `[backoff]`.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(transform = super::json_schema::in_part))]
#[serde(deny_unknown_fields)]
pub struct BackoffSection {
    /// How delays grow.
    pub kind: KindName,
    /// The first delay.
    pub base: Option<Nanos>,
    /// What each retry multiplies it by; 2 if absent.
    #[cfg_attr(feature = "schema", schemars(extend("default" = 2.0)))]
    pub factor: Option<Ratio>,
    /// What each retry adds to it.
    pub step: Option<Nanos>,
    /// Listed delays.
    pub schedule: Option<Vec<Nanos>>,
    /// The bound on the delays; unlimited if absent.
    #[cfg_attr(feature = "schema", schemars(extend("default" = "unlimited")))]
    pub cap: Option<OrUnlimited<Nanos>>,
    /// How they are spread; not at all if absent.
    #[cfg_attr(feature = "schema", schemars(extend("default" = "none")))]
    pub jitter: Option<JitterName>,
    /// The r of proportional, shrink and stretch.
    pub jitter_ratio: Option<Ratio>,
    /// The most that jitter `add` adds.
    pub add: Option<Nanos>,
    /// The delay before the first retry as it is, without jitter, in place of the grown one.
    pub first: Option<Nanos>,
    /// Another base for class throttled.
    pub throttled_base: Option<Nanos>,
    /// Which of cap and jitter comes first.
    #[cfg_attr(feature = "schema", schemars(extend("default" = "cap_then_jitter")))]
    pub cap_order: Option<CapOrderName>,
    /// The least delay.
    pub floor: Option<Nanos>,
    /// The unit to round down to.
    pub round: Option<Nanos>,
}

/// Names of [`Growth`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the names of the documented kinds")]
pub enum KindName {
    None,
    Constant,
    Linear,
    Exponential,
    Fibonacci,
    Schedule,
    Decorrelated,
    SmoothDecorrelated,
}

/// Names of [`Jitter`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the names of the documented kinds")]
pub enum JitterName {
    None,
    Full,
    Equal,
    Proportional,
    Shrink,
    Stretch,
    Add,
    Exponential,
}

/// Names of [`CapOrder`].
#[derive(Clone, Copy, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the names of the documented orders")]
pub enum CapOrderName {
    CapThenJitter,
    JitterThenCap,
}

impl BackoffSection {
    pub(super) fn into_backoff(self) -> Result<Backoff, ConfigError> {
        self.refuse_strays()?;
        let base =
            |key: &str| self.base.ok_or_else(|| error(key, "needs `base`, the first delay".into()));
        let growth = match self.kind {
            KindName::None => Growth::None,
            KindName::Constant => Growth::Constant { base: base("kind")? },
            KindName::Linear => {
                let step = self.step.ok_or_else(|| {
                    error("kind", "needs `step`, what each further retry adds".into())
                })?;
                Growth::Linear { base: base("kind")?, step }
            }
            KindName::Exponential => Growth::Exponential {
                base: base("kind")?,
                factor: self.factor.unwrap_or(Ratio::from_percent(200)),
            },
            KindName::Fibonacci => Growth::Fibonacci { base: base("kind")? },
            KindName::Schedule => {
                let delays = self
                    .schedule
                    .clone()
                    .ok_or_else(|| error("kind", "needs `schedule`, the list of delays".into()))?;
                Growth::Schedule(delays.into())
            }
            KindName::Decorrelated => Growth::Decorrelated { base: base("kind")? },
            KindName::SmoothDecorrelated => Growth::SmoothDecorrelated { base: base("kind")? },
        };
        let ratio =
            || self.jitter_ratio.ok_or_else(|| error("jitter", "needs `jitter_ratio`".into()));
        let jitter = match self.jitter.unwrap_or(JitterName::None) {
            JitterName::None => Jitter::None,
            JitterName::Full => Jitter::Full,
            JitterName::Equal => Jitter::Equal,
            JitterName::Proportional => Jitter::Proportional(ratio()?),
            JitterName::Shrink => Jitter::Shrink(ratio()?),
            JitterName::Stretch => Jitter::Stretch(ratio()?),
            JitterName::Add => {
                let add = self.add.ok_or_else(|| error("jitter", "needs `add`".into()))?;
                Jitter::Add(add)
            }
            JitterName::Exponential => Jitter::Exponential,
        };
        Ok(Backoff {
            growth,
            cap: self.cap.and_then(OrUnlimited::bound).unwrap_or(Nanos::MAX),
            jitter,
            cap_order: match self.cap_order.unwrap_or(CapOrderName::CapThenJitter) {
                CapOrderName::CapThenJitter => CapOrder::CapThenJitter,
                CapOrderName::JitterThenCap => CapOrder::JitterThenCap,
            },
            first: self.first,
            throttled_base: self.throttled_base,
            round: self.round.unwrap_or_default(),
            floor: self.floor.unwrap_or_default(),
        })
    }

    /// Keys that the kind or the jitter would silently ignore.
    fn refuse_strays(&self) -> Result<(), ConfigError> {
        let kind_has_base = !matches!(self.kind, KindName::None | KindName::Schedule);
        let jitter = self.jitter.unwrap_or(JitterName::None);
        let has_ratio =
            matches!(jitter, JitterName::Proportional | JitterName::Shrink | JitterName::Stretch);
        let strays = [
            ("base", self.base.is_some() && !kind_has_base, "a kind that grows from it"),
            (
                "factor",
                self.factor.is_some() && self.kind != KindName::Exponential,
                "kind = \"exponential\"",
            ),
            ("step", self.step.is_some() && self.kind != KindName::Linear, "kind = \"linear\""),
            (
                "schedule",
                self.schedule.is_some() && self.kind != KindName::Schedule,
                "kind = \"schedule\"",
            ),
            (
                "jitter_ratio",
                self.jitter_ratio.is_some() && !has_ratio,
                "jitter = \"proportional\", \"shrink\" or \"stretch\"",
            ),
            (
                "jitter",
                jitter != JitterName::None && self.kind == KindName::None,
                "a kind that has delays",
            ),
            ("add", self.add.is_some() && jitter != JitterName::Add, "jitter = \"add\""),
        ];
        match strays.into_iter().find(|(_, stray, _)| *stray) {
            Some((key, _, owner)) => Err(error(key, format!("goes with {owner} only"))),
            None => Ok(()),
        }
    }
}

fn error(key: &str, problem: String) -> ConfigError {
    ConfigError::new(format!("backoff.{key}"), problem)
}
