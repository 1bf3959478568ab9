//! [`Policy`]: validated data, shared by reference between all calls.

use alloc::format;
use alloc::vec::Vec;

use crate::backoff::Backoff;
use crate::branch::RouteId;
use crate::budget::{BudgetSpec, Scope};
use crate::config_error::ConfigError;
use crate::fallback::Fallback;
use crate::limits::Limits;
use crate::replay::Replay;
use crate::retry_after::RetryAfter;
use crate::retry_on::RetryOn;
use crate::time::Nanos;

/// What a policy is made from: the sections of a policy file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PolicySpec {
    /// How long to wait.
    pub backoff: Backoff,
    /// How many attempts and how much time.
    pub limits: Limits,
    /// How hints are obeyed.
    pub retry_after: RetryAfter,
    /// What further attempts cost; the parts stack.
    pub budgets: Vec<BudgetSpec>,
    /// Where to go when the route is unavailable.
    pub fallback: Fallback,
    /// Whether a call may be repeated.
    pub replay: Replay,
    /// Statuses that are repeated, for a policy that does not look at classes.
    pub retry_on: Option<RetryOn>,
}

/// A policy that can be run: every value is possible and none contradicts another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    spec: PolicySpec,
}

/// Route numbers fit in a byte, and no sensible list is longer.
const MAX_FALLBACK_ROUTES: usize = 16;

/// What records call the first route.
const PRIMARY_NAME: &str = "primary";

impl Policy {
    /// Checks `spec`.
    ///
    /// # Errors
    ///
    /// The first key whose value is impossible, with what would be right.
    pub fn new(spec: PolicySpec) -> Result<Self, ConfigError> {
        spec.backoff.validate()?;
        spec.limits.validate()?;
        spec.retry_after.validate()?;
        if let Some(rule) = &spec.retry_on {
            rule.validate()?;
        }
        for (index, budget) in spec.budgets.iter().enumerate() {
            budget.validate(index)?;
        }
        let routes = &spec.fallback.routes;
        if routes.len() > MAX_FALLBACK_ROUTES {
            let problem = format!("at most {MAX_FALLBACK_ROUTES} routes");
            return Err(ConfigError::new("fallback.routes", problem));
        }
        if let Some(twice) = routes
            .iter()
            .enumerate()
            .find_map(|(index, route)| routes[..index].contains(route).then_some(route))
        {
            let problem = format!("names the route `{twice}` twice");
            return Err(ConfigError::new("fallback.routes", problem));
        }
        if routes.iter().any(|route| route == PRIMARY_NAME) {
            let problem = format!("`{PRIMARY_NAME}` is the first route, not one to fall back to");
            return Err(ConfigError::new("fallback.routes", problem));
        }
        if spec.fallback.after_attempts.is_some() && routes.is_empty() {
            return Err(ConfigError::new("fallback.after_attempts", "needs fallback.routes"));
        }
        Ok(Policy { spec })
    }

    /// How long to wait.
    #[inline]
    pub fn backoff(&self) -> &Backoff {
        &self.spec.backoff
    }

    /// How many attempts and how much time.
    #[inline]
    pub fn limits(&self) -> &Limits {
        &self.spec.limits
    }

    /// How hints are obeyed.
    #[inline]
    pub fn retry_after(&self) -> &RetryAfter {
        &self.spec.retry_after
    }

    /// The budget's parts.
    #[inline]
    pub fn budgets(&self) -> &[BudgetSpec] {
        &self.spec.budgets
    }

    /// Where to go when the route is unavailable.
    #[inline]
    pub fn fallback(&self) -> &Fallback {
        &self.spec.fallback
    }

    /// Whether a call may be repeated.
    #[inline]
    pub fn replay(&self) -> Replay {
        self.spec.replay
    }

    /// Whether calls of different clients meet in a shared budget.
    pub fn is_shared_between_clients(&self) -> bool {
        self.spec.budgets.iter().any(|budget| budget.scope == Scope::Group)
    }

    /// Statuses that are repeated, if classes don't decide.
    #[inline]
    pub fn retry_on(&self) -> Option<&RetryOn> {
        self.spec.retry_on.as_ref()
    }

    /// Whether a failing call repeats for ever and, with answers that take no time, at one
    /// instant: no bound on attempts or time, and a longest delay of zero.
    pub fn may_spin(&self) -> bool {
        let limits = &self.spec.limits;
        let unbounded = limits.max_attempts.is_none() && limits.deadline.is_none();
        let last = self.spec.backoff.range(u32::MAX, Nanos::MAX, crate::class::Class::Transient);
        unbounded
            && !self.spec.budgets.iter().any(BudgetSpec::bounds_retries)
            && last.1 == Nanos::ZERO
    }

    /// The name of a route: `primary`, or the name in the fallback list.
    #[inline]
    pub fn route_name(&self, route: RouteId) -> &str {
        match route.0.checked_sub(1) {
            None => PRIMARY_NAME,
            Some(index) => {
                self.spec.fallback.routes.get(usize::from(index)).map_or("", |name| name)
            }
        }
    }

    /// The route after `route` in the fallback list.
    #[inline]
    pub(crate) fn route_after(&self, route: RouteId) -> Option<RouteId> {
        (usize::from(route.0) < self.spec.fallback.routes.len()).then_some(RouteId(route.0 + 1))
    }
}
