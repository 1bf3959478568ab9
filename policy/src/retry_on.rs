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
    /// Statuses that are repeated if the reply says how long to wait.
    pub statuses_with_hint: Vec<StatusRange>,
    /// Connections that were not made.
    pub connect: bool,
    /// Connections that broke.
    pub reset: bool,
    /// Attempts that timed out.
    pub timeout: bool,
    /// Whether the server may forbid a retry.
    pub honour_veto: bool,
    /// Whether the server may ask for a retry that the list does not name; its veto goes before.
    pub honour_grant: bool,
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
        let success = |range: &StatusRange| range.first < 300;
        let lists =
            [("statuses", &self.statuses), ("statuses_with_hint", &self.statuses_with_hint)];
        match lists.into_iter().find(|(_, list)| list.iter().any(success)) {
            Some((key, _)) => {
                let problem = "a status below 300 is an answer: it can't be repeated";
                Err(ConfigError::new(alloc::format!("retry_on.{key}"), problem))
            }
            None => Ok(()),
        }
    }

    /// Whether the list names `outcome`.
    pub fn covers(&self, outcome: &Outcome<'_>) -> bool {
        match outcome.signal {
            Signal::Response(status) => {
                let names = |list: &[StatusRange]| list.iter().any(|range| range.contains(status));
                names(&self.statuses)
                    || outcome.hint.is_some() && names(&self.statuses_with_hint)
                    || self.honour_grant && outcome.granted
            }
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
            statuses_with_hint: [StatusRange::one(413)].into(),
            connect: true,
            reset: false,
            timeout: true,
            honour_veto: true,
            honour_grant: false,
        };
        let hint = crate::retry_after::Hint(crate::time::Nanos::from_secs(1));
        for (outcome, covered) in [
            (Outcome::response(429), true),
            (Outcome::response(428), false),
            (Outcome::response(500), true),
            (Outcome::response(599), true),
            (Outcome::response(400), false),
            (Outcome::response(413), false),
            (Outcome::response(413).with_hint(hint), true),
            (Outcome::response(400).with_hint(hint), false),
            (Outcome::response(400).with_grant(), false),
            (Outcome::new(Signal::ConnectError), true),
            (Outcome::new(Signal::ConnectionReset), false),
            (Outcome::new(Signal::AttemptTimeout), true),
            (Outcome::new(Signal::StreamTruncated), false),
        ] {
            assert_eq!(rule.covers(&outcome), covered, "{outcome:?}");
        }
        let obliging = RetryOn { honour_grant: true, ..rule };
        assert!(obliging.covers(&Outcome::response(400).with_grant()));
        assert!(!obliging.covers(&Outcome::response(400)));
    }
}
