//! Reading a policy from TOML text, with the place of what is wrong.

use alloc::string::{String, ToString};
use core::fmt;
use core::ops::Range;

use serde::Deserialize;
use toml::de::{DeTable, DeValue};

use super::{PolicyFile, preset};
use crate::policy::Policy;

/// Why a policy file was refused, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadError {
    /// Counted from 1.
    pub line: usize,
    /// Counted from 1, in characters.
    pub column: usize,
    /// What is wrong and what would be right.
    pub message: String,
}

impl LoadError {
    pub(crate) fn at(text: &str, span: Option<Range<usize>>, message: String) -> Self {
        let before = text.get(..span.map_or(0, |span| span.start)).unwrap_or_default();
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        LoadError {
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            message,
        }
    }
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.message)
    }
}

impl core::error::Error for LoadError {}

impl Policy {
    /// Reads a policy file, and puts the [preset](crate::presets) that it names under its keys.
    ///
    /// # Errors
    ///
    /// Text that is not TOML, an unknown key or preset, a value of the wrong form, or values that no policy
    /// can have; each with line and column.
    pub fn from_toml(text: &str) -> Result<Policy, LoadError> {
        let refuse = |error: toml::de::Error| {
            LoadError::at(text, error.span(), error.message().trim().to_string())
        };
        let mut root = DeTable::parse(text).map_err(refuse)?;
        preset::resolve(text, root.get_mut())?;
        let file = PolicyFile::deserialize(toml::Deserializer::from(root)).map_err(refuse)?;
        file.into_policy()
            .map_err(|error| LoadError::at(text, find(text, &error.key), error.to_string()))
    }
}

/// The place of a dotted key's value, or of the innermost table above it that exists.
fn find(text: &str, key: &str) -> Option<Range<usize>> {
    let root = DeTable::parse(text).ok()?;
    let mut span = root.span();
    let mut table = Some(root.into_inner());
    let mut list = None;
    for part in key.split('.') {
        let value = if let Some(mut inner) = table.take() {
            inner.remove(part)
        } else if let Some(inner) = list.take() {
            let items: toml::de::DeArray<'_> = inner;
            part.parse().ok().and_then(|index| items.into_iter().nth(index))
        } else {
            None
        };
        let Some(value) = value else { break };
        span = value.span();
        match value.into_inner() {
            DeValue::Table(inner) => table = Some(inner),
            DeValue::Array(inner) => list = Some(inner),
            _ => {}
        }
    }
    Some(span)
}
