//! Why a policy was refused.

use alloc::string::String;
use core::fmt;

/// A value that no policy can have: which key, and what would be right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError {
    /// The dotted key in the policy file, such as `backoff.cap` or `budget.0.capacity`.
    pub key: String,
    /// What is wrong and what would be right, in one sentence.
    pub problem: String,
}

impl ConfigError {
    pub(crate) fn new(key: impl Into<String>, problem: impl Into<String>) -> Self {
        ConfigError { key: key.into(), problem: problem.into() }
    }

    /// The same fault, of the table under `key`.
    #[cfg(feature = "serde")]
    pub(crate) fn inside(self, key: &str) -> Self {
        ConfigError { key: alloc::format!("{key}.{}", self.key), ..self }
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.key, self.problem)
    }
}

impl core::error::Error for ConfigError {}
