//! A classifier that looks at the transport outcome, the status and the typed code.
//!
//! It is what can be said without knowing the provider. Provider tables refine it: a status alone
//! reads about half of real failures right, and some codes need the message to be understood.

use alloc::vec::Vec;

use super::typed_code::TypedCode;
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

    /// The same table, but `status` means `class`, whatever code comes with it.
    #[must_use]
    pub fn with(mut self, status: u16, class: Class) -> Self {
        self.overrides.push((status, class));
        self
    }

    #[inline]
    fn response(&self, status: u16, code: Option<&str>) -> Classification {
        if let Some(&(_, class)) = self.overrides.iter().rev().find(|(s, _)| *s == status) {
            return Classification::of(class);
        }
        let by_status = StatusTable::by_status(status);
        match code {
            None => by_status,
            Some(code) => vetoed_by(code, by_status),
        }
    }

    #[inline]
    fn by_status(status: u16) -> Classification {
        match status {
            200..=299 => Classification::of(Class::Ok),
            401 | 403 => Classification::of(Class::Auth),
            402 => Classification::of(Class::Exhausted),
            413 => Classification::of(Class::TooLarge),
            408 | 425 => Classification::of(Class::Transient),
            429 => Classification::of(Class::Throttled),
            502 | 503 | 504 | 520..=524 | 529 => Classification::of(Class::Transient),
            400 | 404 | 405 | 422 => Classification::of(Class::InvalidRequest),
            // A bare 500 and any server error nobody documents: one more try, then stop.
            500..=599 => Classification::of(Class::Unknown).bounded(Bound::Once),
            // An undocumented 4xx will not succeed however often it is sent, and a redirect or an
            // interim response is no answer at all.
            _ => Classification::of(Class::Unknown).bounded(Bound::Never),
        }
    }
}

impl Classify for StatusTable {
    #[inline]
    fn classify(&self, outcome: &Outcome<'_>) -> Classification {
        match outcome.signal {
            Signal::Response(status) => self.response(status, outcome.code),
            Signal::TurnPaused => Classification::of(Class::Ok),
            Signal::ConnectError => Classification::of(Class::Transient),
            // Nothing reached the server, so nothing can have happened there.
            Signal::AttemptTimeout | Signal::ConnectionReset
                if outcome.progress == Progress::NotSent =>
            {
                Classification::of(Class::Transient)
            }
            Signal::AttemptTimeout | Signal::ConnectionReset => {
                Classification::of(Class::OutcomeUnknown)
            }
            // Before the first content a broken stream is as safe to repeat as a 5xx.
            Signal::StreamError | Signal::StreamTruncated => {
                let by_signal = Classification::of(Class::Transient);
                outcome.code.map_or(by_signal, |code| vetoed_by(code, by_signal))
            }
        }
    }
}

/// What `code` makes of `candidate`. Apart, so that outcomes without a code stay short.
#[inline(never)]
fn vetoed_by(code: &str, candidate: Classification) -> Classification {
    match TypedCode::of(code) {
        Some(meaning) => meaning.judge(candidate),
        // A success with an error code in it is no answer, whatever the code means.
        None if candidate.class == Class::Ok => {
            Classification::of(Class::Unknown).bounded(Bound::Once)
        }
        None => candidate,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Source: the rules of the design for statuses and transport outcomes without a typed code.
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

    fn class_of(status: u16, code: &str) -> Class {
        StatusTable::generic().classify(&Outcome::response(status).with_code(code)).class
    }

    /// Source: the providers' error pages named in the list of codes.
    #[test]
    fn a_typed_code_vetoes_the_class_of_its_status() {
        for (status, code, expected) in [
            (429, "insufficient_quota", Class::Exhausted),
            (429, "enforced_spend_limit_reached", Class::Exhausted),
            (400, "billing_hard_limit_reached", Class::Exhausted),
            (403, "insufficient_user_quota", Class::Exhausted),
            (500, "invalid_request", Class::InvalidRequest),
            (500, "invalid_request_error", Class::InvalidRequest),
            (429, "invalid_request_error", Class::InvalidRequest),
            (400, "invalid_api_key", Class::Auth),
            (500, "authentication_error", Class::Auth),
            (400, "context_length_exceeded", Class::TooLarge),
            (403, "context_length_exceeded", Class::TooLarge),
            (400, "content_filter", Class::Content),
            (400, "thread_continue_in_flight", Class::Conflict),
            (409, "idempotency_key_in_use", Class::Conflict),
            (409, "idempotency_conflict", Class::InvalidRequest),
            (503, "change_outcome_unknown", Class::OutcomeUnknown),
            (402, "in_flight_budget_exhausted", Class::Throttled),
        ] {
            assert_eq!(class_of(status, code), expected, "{status} {code}");
        }
    }

    /// Source: as above; capacity under 429 is OpenAI's, Google's and Anthropic's wording of
    /// "everybody is affected".
    #[test]
    fn a_capacity_code_makes_a_rate_limit_transient_and_a_fault_code_does_not() {
        for code in ["server_is_overloaded", "MODEL_CAPACITY_EXHAUSTED", "server_error"] {
            assert_eq!(class_of(429, code), Class::Transient, "{code}");
        }
        assert_eq!(class_of(498, "capacity_exceeded"), Class::Transient);
        assert_eq!(class_of(429, "api_error"), Class::Throttled);
        let read = StatusTable::generic().classify(&Outcome::response(500).with_code("api_error"));
        assert_eq!(read, Classification::of(Class::Transient), "a typed 500 is not bounded");
    }

    #[test]
    fn a_code_never_lifts_a_status_that_stops() {
        for (status, class) in
            [(400, Class::InvalidRequest), (401, Class::Auth), (402, Class::Exhausted)]
        {
            for code in ["rate_limit_exceeded", "overloaded_error", "api_error", "invalid_request"]
            {
                assert_eq!(class_of(status, code), class, "{status} {code}");
            }
        }
        assert_eq!(class_of(413, "rate_limit_exceeded"), Class::TooLarge);
        assert_eq!(class_of(451, "api_error"), Class::Unknown);
    }

    #[test]
    fn an_unlisted_code_leaves_failures_alone_and_spoils_a_success() {
        assert_eq!(class_of(429, "brand_new_code"), Class::Throttled);
        let read = StatusTable::generic().classify(&Outcome::response(200).with_code("odd"));
        assert_eq!(read, Classification::of(Class::Unknown).bounded(Bound::Once));
        assert_eq!(class_of(200, "rate_limit_exceeded"), Class::Throttled);
    }

    #[test]
    fn a_code_in_an_error_event_counts_as_one_in_a_response() {
        let class = |code| {
            let outcome = Outcome::new(Signal::StreamError).with_code(code);
            StatusTable::generic().classify(&outcome).class
        };
        assert_eq!(class("overloaded_error"), Class::Transient);
        assert_eq!(class("usage_limit_reached"), Class::Exhausted);
        assert_eq!(class("throttlingException"), Class::Throttled);
    }

    #[test]
    fn an_override_wins_over_the_code() {
        let table = StatusTable::generic().with(429, Class::Transient);
        let outcome = Outcome::response(429).with_code("insufficient_quota");
        assert_eq!(table.classify(&outcome).class, Class::Transient);
    }
}
