//! [`Routes`]: the routes of a policy by number, and the order in which each list takes them.
//!
//! Names are turned into numbers once, when the policy is made: a decision compares bits.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::branch::{Branch, RouteId};
use crate::config_error::ConfigError;
use crate::fallback::Fallback;

/// What records call the first route.
const PRIMARY_NAME: &str = "primary";

/// Routes at most, the first one included: a call remembers in one word where it has been.
const MAX_ROUTES: usize = u32::BITS as usize;

/// One of the lists of routes in a policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum List {
    /// Other models, for a route that is unavailable.
    Model,
    /// Other models, for content that was refused.
    Content,
    /// Other accounts, for one that is spent.
    Exhausted,
}

impl List {
    /// The path that leads to a route of the list.
    pub(crate) const fn branch(self) -> Branch {
        match self {
            List::Model => Branch::ModelFallback,
            List::Content => Branch::ContentFallback,
            List::Exhausted => Branch::AccountFallback,
        }
    }
}

/// The routes of a policy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Routes {
    /// By number.
    names: Vec<String>,
    model: Vec<RouteId>,
    content: Vec<RouteId>,
    exhausted: Vec<RouteId>,
}

impl Routes {
    /// Numbers the routes of `fallback`: the first route is 0, the others follow as they first
    /// appear in the lists. One route may stand in several lists.
    pub(crate) fn new(fallback: &Fallback) -> Result<Self, ConfigError> {
        let mut names = Vec::from([PRIMARY_NAME.to_string()]);
        let [model, content, exhausted] =
            fallback.lists().map(|(key, list)| numbers(key, list, &mut names));
        Ok(Routes { model: model?, content: content?, exhausted: exhausted?, names })
    }

    /// The names by number.
    #[inline]
    pub(crate) fn names(&self) -> &[String] {
        &self.names
    }

    /// The first route of `list` that is not `closed` to the call.
    #[inline]
    pub(crate) fn next(&self, list: List, closed: RouteSet) -> Option<RouteId> {
        let list = match list {
            List::Model => &self.model,
            List::Content => &self.content,
            List::Exhausted => &self.exhausted,
        };
        list.iter().copied().find(|route| !closed.contains(*route))
    }
}

/// The numbers of the routes in `list`; names that are new to `names` are added there.
fn numbers(
    key: &str,
    list: &[String],
    names: &mut Vec<String>,
) -> Result<Vec<RouteId>, ConfigError> {
    let error = |problem: String| Err(ConfigError::new(format!("fallback.{key}"), problem));
    let mut numbers = Vec::with_capacity(list.len().min(MAX_ROUTES));
    for name in list {
        if name == PRIMARY_NAME {
            return error(format!("`{name}` is the first route, not one to fall back to"));
        }
        let known = names.iter().position(|other| other == name);
        let index = known.unwrap_or(names.len());
        if known.is_none() {
            names.push(name.clone());
        }
        let number = match u8::try_from(index) {
            Ok(number) if index < MAX_ROUTES => RouteId(number),
            _ => return error(format!("at most {} routes in all the lists", MAX_ROUTES - 1)),
        };
        if numbers.contains(&number) {
            return error(format!("names the route `{name}` twice"));
        }
        numbers.push(number);
    }
    Ok(numbers)
}

/// A set of a policy's routes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RouteSet(u32);

impl RouteSet {
    /// No route.
    pub const EMPTY: RouteSet = RouteSet(0);

    /// Whether `route` is one of them.
    #[inline]
    pub const fn contains(self, route: RouteId) -> bool {
        self.0 & RouteSet::bit(route) != 0
    }

    /// These and `route`.
    #[inline]
    pub const fn with(self, route: RouteId) -> Self {
        RouteSet(self.0 | RouteSet::bit(route))
    }

    /// No policy has a route beyond the word, so that wrapping never happens.
    const fn bit(route: RouteId) -> u32 {
        1_u32.wrapping_shl(route.0 as u32)
    }
}
