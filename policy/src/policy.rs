//! [`Policy`]: validated data, shared by reference between all calls.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::backoff::Backoff;
use crate::branch::RouteId;
use crate::budget::{BudgetSpec, Probes};
use crate::config_error::ConfigError;
use crate::fallback::Fallback;
use crate::limits::Limits;
use crate::replay::Replay;
use crate::retry_after::RetryAfter;
use crate::retry_on::RetryOn;
use crate::routes::{List, RouteSet, Routes};

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
    /// Where to go when the route, the account or the content is in the way.
    pub fallback: Fallback,
    /// Whether a call may be repeated.
    pub replay: Replay,
    /// Statuses that are repeated, for a policy that does not look at classes.
    pub retry_on: Option<RetryOn>,
    /// The policy under this one, such as that of an SDK: each attempt is a whole call of it.
    pub inner: Option<Box<Policy>>,
}

/// A policy that can be run: every value is possible and none contradicts another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    spec: PolicySpec,
    routes: Routes,
}

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
        if spec.budgets.len() > Probes::PARTS {
            let problem = format!("has more than {} parts", Probes::PARTS);
            return Err(ConfigError::new(format!("budget.{}", Probes::PARTS), problem));
        }
        let fallback = &spec.fallback;
        let routes = Routes::new(fallback)?;
        if fallback.after_attempts.is_some() && fallback.routes.is_empty() {
            return Err(ConfigError::new("fallback.after_attempts", "needs fallback.routes"));
        }
        if spec.retry_on.is_some() {
            // Silence would look as if the list were in force.
            let by_class = [
                ("fallback.content", !fallback.content.is_empty()),
                ("fallback.exhausted", !fallback.exhausted.is_empty()),
            ];
            if let Some((key, _)) = by_class.into_iter().find(|(_, given)| *given) {
                let problem = "needs classes, which a policy with `retry_on` does not look at";
                return Err(ConfigError::new(key, problem));
            }
        }
        let policy = Policy { spec, routes };
        policy.check_inner()?;
        Ok(policy)
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

    /// Where to go when the route, the account or the content is in the way.
    #[inline]
    pub fn fallback(&self) -> &Fallback {
        &self.spec.fallback
    }

    /// Whether a call may be repeated.
    #[inline]
    pub fn replay(&self) -> Replay {
        self.spec.replay
    }

    /// Statuses that are repeated, if classes don't decide.
    #[inline]
    pub fn retry_on(&self) -> Option<&RetryOn> {
        self.spec.retry_on.as_ref()
    }

    /// The policy under this one, if there is one.
    #[inline]
    pub fn inner(&self) -> Option<&Policy> {
        self.spec.inner.as_deref()
    }

    /// The name of a route: `primary`, or the name in the fallback lists.
    #[inline]
    pub fn route_name(&self, route: RouteId) -> &str {
        self.route_names().get(usize::from(route.0)).map_or("", |name| name)
    }

    /// The names of all routes by their number; the first is `primary`.
    #[inline]
    pub fn route_names(&self) -> &[String] {
        self.routes.names()
    }

    /// The first route of `list` that is not `closed` to the call.
    #[inline]
    pub(crate) fn next_route(&self, list: List, closed: RouteSet) -> Option<RouteId> {
        self.routes.next(list, closed)
    }
}
