//! A classifier that looks at the transport outcome and the status, and at nothing else.
//!
//! It is what can be said without knowing the provider, and without reading a body: a status alone
//! reads about half of real failures right. Provider tables say the rest.

use alloc::vec::Vec;

use super::{Bound, Classification, Classify};
use crate::class::Class;
use crate::outcome::{Outcome, Progress, Signal};

/// Classes by HTTP status, with overrides for a route whose statuses mean something else.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StatusTable {
    overrides: Vec<(u16, Class)>,
}

impl StatusTable {
    /// The rules that hold for any HTTP API.
    pub const fn generic() -> Self {
        StatusTable { overrides: Vec::new() }
    }

    /// The same table, but `status` means `class`.
    #[must_use]
    pub fn with(mut self, status: u16, class: Class) -> Self {
        self.overrides.push((status, class));
        self
    }

    #[inline]
    fn response(&self, status: u16) -> Classification {
        match self.overrides.iter().rev().find(|(s, _)| *s == status) {
            Some(&(_, class)) => Classification::of(class),
            None => StatusTable::by_status(status),
        }
    }

    #[inline]
    fn by_status(status: u16) -> Classification {
        match status {
            200..=299 => Classification::of(Class::Ok),
            400 | 404..=406 | 410..=412 | 414..=417 | 422 | 426 | 428 | 501 | 505 => {
                Classification::of(Class::InvalidRequest)
            }
            401 | 403 | 407 | 511 => Classification::of(Class::Auth),
            402 => Classification::of(Class::Exhausted),
            413 | 431 => Classification::of(Class::TooLarge),
            409 | 423 => Classification::of(Class::Conflict),
            429 => Classification::of(Class::Throttled),
            408 | 425 | 502 | 503 | 504 | 520..=524 | 529 => Classification::of(Class::Transient),
            // The client, or a proxy in between, hung up: the server may have gone on.
            499 => Classification::of(Class::OutcomeUnknown),
            // A bare 500 and any server error nobody documents: one more try, then stop.
            500..=599 => Classification::of(Class::Unknown).bounded(Bound::Once),
            // Any other 4xx will not succeed however often it is sent, and a redirect or an
            // interim response is no answer at all.
            _ => Classification::of(Class::Unknown).bounded(Bound::Never),
        }
    }
}

impl Classify for StatusTable {
    #[inline]
    fn classify(&self, outcome: &Outcome<'_>) -> Classification {
        match outcome.signal {
            Signal::Response(status) => self.response(status),
            Signal::TurnPaused => Classification::of(Class::Ok),
            Signal::NotAdmitted => Classification::of(Class::Transient).with_route_unavailable(),
            Signal::ConnectError | Signal::AttemptTimeout | Signal::ConnectionReset => {
                match outcome.progress {
                    // Nothing reached the server, so nothing can have happened there.
                    Progress::NotSent => Classification::of(Class::Transient),
                    Progress::Sent | Progress::PartialResponse => {
                        Classification::of(Class::OutcomeUnknown)
                    }
                }
            }
            // Before the first content a broken stream is as safe to repeat as a 5xx.
            Signal::StreamError | Signal::StreamTruncated => Classification::of(Class::Transient),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Source: the rules of the design for statuses and transport outcomes.
    #[test]
    fn statuses_and_transport_outcomes_mean_what_the_rules_say() {
        let table = StatusTable::generic();
        let class = |outcome: Outcome<'_>| table.classify(&outcome).class;
        for (status, expected) in [
            (200, Class::Ok),
            (400, Class::InvalidRequest),
            (401, Class::Auth),
            (402, Class::Exhausted),
            (404, Class::InvalidRequest),
            (413, Class::TooLarge),
            (429, Class::Throttled),
            (503, Class::Transient),
            (504, Class::Transient),
            (524, Class::Transient),
            (529, Class::Transient),
        ] {
            assert_eq!(class(Outcome::response(status)), expected, "status {status}");
        }
        assert_eq!(class(Outcome::new(Signal::ConnectError)), Class::Transient);
        assert_eq!(class(Outcome::new(Signal::AttemptTimeout)), Class::OutcomeUnknown);
        assert_eq!(class(Outcome::new(Signal::ConnectionReset)), Class::OutcomeUnknown);
    }

    #[test]
    fn unknown_statuses_are_bounded_by_their_hundred() {
        let table = StatusTable::generic();
        for (status, bound) in [(500, Bound::Once), (599, Bound::Once), (418, Bound::Never)] {
            let read = table.classify(&Outcome::response(status));
            assert_eq!((read.class, read.bound), (Class::Unknown, bound), "status {status}");
        }
    }

    #[test]
    fn an_override_wins_over_the_generic_rule() {
        let table = StatusTable::generic().with(409, Class::Transient);
        assert_eq!(table.classify(&Outcome::response(409)).class, Class::Transient);
    }
}
