//! When and where to leave the first route.

use alloc::string::String;
use alloc::vec::Vec;
use core::num::NonZeroU32;

/// The routes to turn to, one list for each kind of reason. Empty: no fallback for that reason.
///
/// Each list is gone through in order. One route may stand in several lists; a call visits it once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fallback {
    /// Names of the routes for a route that is unavailable, in order of preference.
    pub routes: Vec<String>,
    /// Names of the routes for refused content: models that may accept it.
    pub content: Vec<String>,
    /// Names of the routes for a spent account: other accounts or providers.
    pub exhausted: Vec<String>,
    /// Attempts on a route before the next one of `routes` is taken. `None`: only when the route
    /// is known to be unavailable.
    pub after_attempts: Option<NonZeroU32>,
}

impl Fallback {
    /// The lists with their keys in a policy file, in the order in which their routes are numbered.
    pub fn lists(&self) -> [(&'static str, &[String]); 3] {
        [("routes", &self.routes), ("content", &self.content), ("exhausted", &self.exhausted)]
    }
}

/// Why a call left a route.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FallbackReason {
    /// The route's share of attempts is spent.
    AttemptsOnRoute,
    /// The classification says that the route as a whole is unavailable.
    RouteUnavailable,
    /// The server asked for a longer wait than the policy accepts.
    HintOverCap,
    /// The server forbade a retry on its route.
    ServerForbade,
    /// The content was refused.
    ContentRefused,
    /// The account is spent.
    AccountExhausted,
}

impl FallbackReason {
    /// The name used in records.
    pub const fn as_str(self) -> &'static str {
        match self {
            FallbackReason::AttemptsOnRoute => "attempts_on_route",
            FallbackReason::RouteUnavailable => "route_unavailable",
            FallbackReason::HintOverCap => "hint_over_cap",
            FallbackReason::ServerForbade => "server_forbade",
            FallbackReason::ContentRefused => "content_refused",
            FallbackReason::AccountExhausted => "account_exhausted",
        }
    }
}
