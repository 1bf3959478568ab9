//! `[retry_on]` as written.

use alloc::format;
use alloc::vec::Vec;
use core::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, Error, Visitor};

use crate::retry_on::{RetryOn, StatusRange};

/// `[retry_on]`.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(transform = super::json_schema::in_part))]
#[serde(deny_unknown_fields)]
pub struct RetryOnSection {
    /// What is looked at.
    pub mode: RetryOnMode,
    /// Statuses that are repeated.
    #[serde(default)]
    pub statuses: Vec<StatusName>,
    /// Statuses that are repeated if the reply says how long to wait.
    #[serde(default)]
    pub statuses_with_hint: Vec<StatusName>,
    /// Transport failures that are repeated.
    #[serde(default)]
    pub transport: Vec<TransportName>,
    /// Whether the server may forbid a retry.
    #[cfg_attr(feature = "schema", schemars(extend("default" = true)))]
    pub honour_veto: Option<bool>,
    /// Whether the server may ask for a retry that the list does not name (`x-should-retry: true`).
    #[serde(default)]
    pub honour_grant: bool,
}

/// Names of what is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum RetryOnMode {
    /// Statuses and transport failures, instead of classes.
    Statuses,
}

/// Names of transport failures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the names of the documented failures")]
pub enum TransportName {
    Connect,
    Reset,
    Timeout,
}

/// A status such as `429`, all of a hundred such as `"5xx"`, or a range such as `"501-599"`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StatusName(pub StatusRange);

impl<'de> Deserialize<'de> for StatusName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct V;
        impl Visitor<'_> for V {
            type Value = StatusName;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a status such as 429, or \"5xx\", or \"501-599\"")
            }

            fn visit_i64<E: Error>(self, status: i64) -> Result<StatusName, E> {
                match u16::try_from(status) {
                    Ok(status @ 100..=599) => Ok(StatusName(StatusRange::one(status))),
                    _ => Err(E::custom(format!("{status} is no status: write one such as 429"))),
                }
            }

            fn visit_u64<E: Error>(self, status: u64) -> Result<StatusName, E> {
                self.visit_i64(i64::try_from(status).unwrap_or(i64::MAX))
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<StatusName, E> {
                let hundred = text.strip_suffix("xx").and_then(|digit| digit.parse::<u16>().ok());
                match hundred {
                    Some(digit @ 1..=5) => {
                        let first = 100 * digit;
                        Ok(StatusName(StatusRange { first, last: first + 99 }))
                    }
                    _ => range(text).map(StatusName).ok_or_else(|| {
                        let right = "write one such as 429, or \"5xx\", or \"501-599\"";
                        E::custom(format!("`{text}` is no status: {right}"))
                    }),
                }
            }
        }
        deserializer.deserialize_any(V)
    }
}

/// Reads `501-599`.
fn range(text: &str) -> Option<StatusRange> {
    let (first, last) = text.split_once('-')?;
    let status = |text: &str| text.parse::<u16>().ok().filter(|n| (100..=599).contains(n));
    let range = StatusRange { first: status(first)?, last: status(last)? };
    (range.first <= range.last).then_some(range)
}

impl RetryOnSection {
    pub(super) fn into_retry_on(self) -> RetryOn {
        let RetryOnMode::Statuses = self.mode;
        let covers = |name| self.transport.contains(&name);
        let ranges = |names: Vec<StatusName>| names.into_iter().map(|name| name.0).collect();
        RetryOn {
            connect: covers(TransportName::Connect),
            reset: covers(TransportName::Reset),
            timeout: covers(TransportName::Timeout),
            statuses: ranges(self.statuses),
            statuses_with_hint: ranges(self.statuses_with_hint),
            honour_veto: self.honour_veto.unwrap_or(true),
            honour_grant: self.honour_grant,
        }
    }
}
