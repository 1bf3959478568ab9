//! Layers: an SDK's policy inside an application's, to any depth.
//!
//! Real clients are stacked, mostly without anybody having decided it: a loop of 4 attempts over a
//! client of 4 over an SDK of 4 makes up to 64 attempts of one logical request. Each attempt of a
//! layer is a whole call of the layer inside it, down to the innermost one, whose attempts go on
//! the wire. An outer layer sees only what the inner one has given up on: see [`LayeredCall`].
//!
//! ```
//! use retrial_policy::*;
//!
//! let attempts = |n: u32| Limits { max_attempts: n.try_into().ok(), ..Limits::default() };
//! let sdk = Policy::new(PolicySpec { limits: attempts(3), ..PolicySpec::default() })?;
//! let policy = Policy::new(PolicySpec {
//!     limits: attempts(4),
//!     inner: Some(Box::new(sdk)),
//!     ..PolicySpec::default()
//! })?;
//! let (table, budgets) = (StatusTable::generic(), &mut [Unlimited; 2][..]);
//! let mut now = Instant::from_nanos(0);
//!
//! // Driven as a `Call` is: here every attempt fails after 30 ms.
//! let (mut call, _) =
//!     LayeredCall::start(&policy, Request::default(), CallKey::new(42), budgets, now);
//! loop {
//!     now = now.saturating_add(Nanos::from_millis(30));
//!     let outcome = Outcome::response(503);
//!     let decision = call.on_outcome(&policy, &table, &outcome, now, budgets, &mut ());
//!     let Some(wait) = decision.wait() else { break };
//!     now = wait.until;
//!     // A timer that fires late may end the layer that waited: then those outside decide.
//!     let _attempt = call.next_attempt(&policy, now, budgets, &mut ()).expect("it fired in time");
//! }
//! assert_eq!(call.attempts(), 12);
//! assert_eq!(policy.max_wire_attempts(), Some(12));
//! # Ok::<(), ConfigError>(())
//! ```
//!
//! What the layers share:
//!
//! - **Time.** A call inside begins with an attempt of the layer outside, and has no more time than
//!   that attempt: its timeout, and what is left of every deadline outside.
//! - **Routes.** One layer at most names fallback routes. Those inside it go where it has turned,
//!   and those outside begin at the first route again with each of their attempts. With two such
//!   layers nobody could say which route a number means, or where a repeated fallback leads.
//! - **The idempotency key** is made once per logical request and sent with every attempt if one of
//!   the layers sets it. Whether a *layer* repeats what may have taken effect is for its own
//!   `replay` to say: an SDK that repeats blindly does so inside a careful application, too.
//! - **A reduction** is made once, whichever layer asks for it.
//!
//! Attempts, backoff and budgets are each layer's own. A budget outlives the calls it serves, as
//! the quota that an SDK keeps for its process does; one that bounds the requests in flight holds
//! back whole logical requests, whichever layer has it. A layer inside the one that names routes
//! does not see them: to its breaker all routes are one.
//!
//! Each decision of each layer is one record, told with the depth of the layer: see
//! [`Observer::decided_in_layer`](crate::observer::Observer::decided_in_layer). Its attempt is that
//! of the layer; its id is that of the logical request, and its route the one on the wire.

mod at_layer;
pub mod budgets;
pub mod call;

use core::iter::successors;

use crate::budget::{BudgetSpec, Scope};
use crate::class::Class;
use crate::config_error::ConfigError;
use crate::policy::Policy;
use crate::time::Nanos;

pub use self::budgets::{LayerBudgets, LayeredBudgets};
pub use self::call::LayeredCall;

impl Policy {
    /// This policy and those inside it, the outermost first.
    pub fn layers(&self) -> impl Iterator<Item = &Policy> {
        successors(Some(self), |layer| layer.inner())
    }

    /// The layer so far inside this one, at most the innermost.
    pub(crate) fn layer(&self, depth: usize) -> &Policy {
        self.layers().take(depth + 1).last().unwrap_or(self)
    }

    /// The layer that names the fallback routes, whose numbers those of attempts are; this one if
    /// none does.
    pub fn routing_layer(&self) -> &Policy {
        self.layers().find(|layer| layer.names_routes()).unwrap_or(self)
    }

    /// Whether attempts carry an idempotency key.
    pub fn sends_key(&self) -> bool {
        self.layers().any(|layer| layer.replay().idempotency_key)
    }

    /// Attempts that one logical request may make on the wire: the product over all layers.
    /// `None` is unlimited.
    pub fn max_wire_attempts(&self) -> Option<u64> {
        self.layers().try_fold(1_u64, |product, layer| {
            Some(product.saturating_mul(layer.limits().max_attempts?.get().into()))
        })
    }

    /// Whether calls of different clients meet in a shared budget.
    pub fn is_shared_between_clients(&self) -> bool {
        self.layers().any(|layer| layer.budgets().iter().any(|part| part.scope == Scope::Group))
    }

    /// Whether a call that goes on failing repeats for ever: in some layer nothing bounds the
    /// attempts, nor the time from there outwards.
    pub fn may_never_end(&self) -> bool {
        self.endless_layers().next().is_some()
    }

    /// Whether a failing call repeats for ever and, with answers that take no time, at one
    /// instant: no bound on attempts or time, and a longest delay of zero.
    pub fn may_spin(&self) -> bool {
        self.endless_layers().any(|layer| {
            let (_, longest) = layer.backoff().range(u32::MAX, Nanos::MAX, Class::Transient);
            longest == Nanos::ZERO
        })
    }

    fn endless_layers(&self) -> impl Iterator<Item = &Policy> {
        let mut has_end = false;
        self.layers().filter(move |layer| {
            let limits = layer.limits();
            let is_bounded = has_end
                || limits.deadline.is_some()
                || limits.max_attempts.is_some()
                || layer.budgets().iter().any(BudgetSpec::bounds_retries);
            // What ends an attempt of this layer ends the whole call inside.
            has_end |= limits.deadline.is_some() || limits.attempt_timeout.is_some();
            !is_bounded
        })
    }

    fn names_routes(&self) -> bool {
        self.fallback().lists().into_iter().any(|(_, list)| !list.is_empty())
    }

    /// Refuses an `inner` policy that contradicts this one outside it.
    pub(crate) fn check_inner(&self) -> Result<(), ConfigError> {
        if !self.names_routes() {
            return Ok(());
        }
        for (depth, layer) in self.layers().enumerate().skip(1) {
            let lists = layer.fallback().lists();
            if let Some((key, _)) = lists.into_iter().find(|(_, list)| !list.is_empty()) {
                let problem = "a layer outside names fallback routes too: only one may";
                let key = alloc::format!("{}fallback.{key}", "inner.".repeat(depth));
                return Err(ConfigError::new(key, problem));
            }
        }
        Ok(())
    }
}
