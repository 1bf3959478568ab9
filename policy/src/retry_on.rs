//! Which outcomes are repeated by a policy that looks at statuses alone, as many SDKs do.
//!
//! It exists to reproduce them. Such a policy repeats what its list names, whatever the outcome
//! means and whether or not the call may have taken effect; everything else it surfaces.

use alloc::vec::Vec;

use crate::config_error::ConfigError;
use crate::outcome::{Outcome, Signal};

/// The list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RetryOn {
    /// Statuses that are repeated.
    pub statuses: Vec<StatusRange>,
    /// Connections that were not made.
    pub connect: bool,
    /// Connections that broke.
    pub reset: bool,
    /// Attempts that timed out.
    pub timeout: bool,
    /// Whether the server may forbid a retry.
    pub honour_veto: bool,
}

/// Statuses from the first to the last, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StatusRange {
    /// The first.
    pub first: u16,
    /// The last.
    pub last: u16,
}

impl StatusRange {
    /// One status.
    pub const fn one(status: u16) -> Self {
        StatusRange { first: status, last: status }
    }

    pub(crate) fn contains(self, status: u16) -> bool {
        self.first <= status && status <= self.last
    }
}

impl RetryOn {
    pub(crate) fn validate(&self) -> Result<(), ConfigError> {
        let success = |range: &&StatusRange| range.first < 300;
        if self.statuses.iter().find(success).is_some() {
            let problem = "a status below 300 is an answer: it can't be repeated";
            return Err(ConfigError::new("retry_on.statuses", problem));
        }
        Ok(())
    }

    /// Whether the list names `outcome`.
    pub fn covers(&self, outcome: &Outcome<'_>) -> bool {
        match outcome.signal {
            Signal::Response(status) => self.statuses.iter().any(|range| range.contains(status)),
            Signal::ConnectError => self.connect,
            Signal::ConnectionReset => self.reset,
            Signal::AttemptTimeout => self.timeout,
            // Nobody repeats a stream that its status says nothing about.
            Signal::StreamError
            | Signal::StreamTruncated
            | Signal::TurnPaused
            | Signal::NotAdmitted => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_covers_what_it_names() {
        let rule = RetryOn {
            statuses: [StatusRange::one(429), StatusRange { first: 500, last: 599 }].into(),
            connect: true,
            reset: false,
            timeout: true,
            honour_veto: true,
        };
        for (outcome, covered) in [
            (Outcome::response(429), true),
            (Outcome::response(428), false),
            (Outcome::response(500), true),
            (Outcome::response(599), true),
            (Outcome::response(400), false),
            (Outcome::new(Signal::ConnectError), true),
            (Outcome::new(Signal::ConnectionReset), false),
            (Outcome::new(Signal::AttemptTimeout), true),
            (Outcome::new(Signal::StreamTruncated), false),
        ] {
            assert_eq!(rule.covers(&outcome), covered, "{outcome:?}");
        }
    }
}
