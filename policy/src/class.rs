//! The closed set of meanings an outcome can have. Each has exactly one correct action.

use core::fmt;

/// What an outcome means, in terms the policy acts on. No provider's vocabulary gets past this.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// The caller's acceptance check passed.
    Ok,
    /// A temporary failure of the route: retry it.
    Transient,
    /// The server said slow down: retry, and lower concurrency.
    Throttled,
    /// The account is spent (credit, spend cap, usage limit): no retry will succeed.
    Exhausted,
    /// The request is wrong: repeating it is wrong too.
    InvalidRequest,
    /// The credentials are wrong or lack a permission.
    Auth,
    /// The request is larger than a limit: reduce it and retry once.
    TooLarge,
    /// Refused or filtered: another prompt or model, never the same request again.
    Content,
    /// Another call holds the idempotency key: clears by itself in about a second.
    Conflict,
    /// The attempt may have taken effect, and nobody knows.
    OutcomeUnknown,
    /// Not in any table: one bounded retry if the table row allows it.
    Unknown,
}

impl Class {
    /// Every class, in the order of the documentation.
    pub const ALL: [Class; 11] = [
        Class::Ok,
        Class::Transient,
        Class::Throttled,
        Class::Exhausted,
        Class::InvalidRequest,
        Class::Auth,
        Class::TooLarge,
        Class::Content,
        Class::Conflict,
        Class::OutcomeUnknown,
        Class::Unknown,
    ];

    /// Whether an outcome of this class says that the route is not well: what trips breakers and
    /// drains budgets that count failures. Wrong requests and keys, spent accounts and refused
    /// content say nothing about it, and a conflict is the doing of another call.
    pub const fn concerns_availability(self) -> bool {
        match self {
            Class::Transient | Class::Throttled | Class::OutcomeUnknown | Class::Unknown => true,
            Class::Ok
            | Class::Exhausted
            | Class::InvalidRequest
            | Class::Auth
            | Class::TooLarge
            | Class::Content
            | Class::Conflict => false,
        }
    }

    /// The name used in records, tables and result files.
    pub const fn as_str(self) -> &'static str {
        match self {
            Class::Ok => "ok",
            Class::Transient => "transient",
            Class::Throttled => "throttled",
            Class::Exhausted => "exhausted",
            Class::InvalidRequest => "invalid_request",
            Class::Auth => "auth",
            Class::TooLarge => "too_large",
            Class::Content => "content",
            Class::Conflict => "conflict",
            Class::OutcomeUnknown => "outcome_unknown",
            Class::Unknown => "unknown",
        }
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
