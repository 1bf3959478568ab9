//! When and where to leave the first route.

use alloc::string::String;
use alloc::vec::Vec;
use core::num::NonZeroU32;

/// The routes to turn to when the first one is unavailable. Empty: no fallback.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fallback {
    /// Names of the routes, in order of preference.
    pub routes: Vec<String>,
    /// Attempts on a route before the next one is taken. `None`: only when the route is known to
    /// be unavailable.
    pub after_attempts: Option<NonZeroU32>,
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
}

impl FallbackReason {
    /// The name used in records.
    pub const fn as_str(self) -> &'static str {
        match self {
            FallbackReason::AttemptsOnRoute => "attempts_on_route",
            FallbackReason::RouteUnavailable => "route_unavailable",
            FallbackReason::HintOverCap => "hint_over_cap",
        }
    }
}
