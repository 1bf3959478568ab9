//! Which path led to an attempt: a change of route must never look like a delayed retry.

use core::fmt;

/// The path that led to an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Branch {
    /// The first attempt of the call.
    FirstTry,
    /// The same request on the same route.
    SameRouteRetry,
    /// Another provider or model, because the route was unavailable.
    ModelFallback,
    /// Another account, because the first was exhausted.
    AccountFallback,
    /// Another model or prompt, because the content was refused.
    ContentFallback,
    /// The request after reduction.
    Reduced,
    /// The continuation of a turn that the server paused.
    ContinueTurn,
    /// A further copy sent before the first had failed.
    Hedge,
}

impl Branch {
    /// Every branch, in the order of the documentation.
    pub const ALL: [Branch; 8] = [
        Branch::FirstTry,
        Branch::SameRouteRetry,
        Branch::ModelFallback,
        Branch::AccountFallback,
        Branch::ContentFallback,
        Branch::Reduced,
        Branch::ContinueTurn,
        Branch::Hedge,
    ];

    /// The name used in records.
    pub const fn as_str(self) -> &'static str {
        match self {
            Branch::FirstTry => "first_try",
            Branch::SameRouteRetry => "same_route_retry",
            Branch::ModelFallback => "model_fallback",
            Branch::AccountFallback => "account_fallback",
            Branch::ContentFallback => "content_fallback",
            Branch::Reduced => "reduced",
            Branch::ContinueTurn => "continue_turn",
            Branch::Hedge => "hedge",
        }
    }

    /// Whether the attempt left its route for another.
    pub const fn is_fallback(self) -> bool {
        match self {
            Branch::ModelFallback | Branch::AccountFallback | Branch::ContentFallback => true,
            Branch::FirstTry
            | Branch::SameRouteRetry
            | Branch::Reduced
            | Branch::ContinueTurn
            | Branch::Hedge => false,
        }
    }
}

impl fmt::Display for Branch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A route of a policy: 0 is the primary one; the routes of the fallback lists follow as they
/// first appear there, model routes before those for refused content and spent accounts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RouteId(pub u8);

impl RouteId {
    /// The route that a call tries first.
    pub const PRIMARY: RouteId = RouteId(0);
}
