//! What production counts and when it calls somebody: counters of requests, two alerts, and two
//! signatures of a retry rule that went wrong, all made from decision records.
//!
//! Everything here is an [`Observer`](crate::observer::Observer) or is fed by one, so that a driver
//! hands it to [`Call::on_outcome`](crate::Call::on_outcome) and to
//! [`Call::next_attempt`](crate::Call::next_attempt); [`Both`](crate::observer::Both) joins two. Time
//! comes with the call, as everywhere in this crate, and memory is fixed: no decision allocates.
//!
//! ```
//! use retrial_policy::observer::Both;
//! use retrial_policy::telemetry::{Alerts, AlertSpec, Counters};
//! use retrial_policy::*;
//!
//! let policy = Policy::new(PolicySpec::default())?;
//! let (mut counters, mut alerts) = (Counters::default(), Alerts::new(AlertSpec::default()));
//! let table = |_: &Outcome<'_>| Classification::of(Class::Exhausted);
//! for n in 0..10 {
//!     let now = Instant::from_nanos(n);
//!     let (mut call, _) =
//!         Call::start(&policy, Request::default(), CallKey::new(n), &mut Unlimited, now);
//!     let outcome = Outcome::response(429).with_code("insufficient_quota");
//!     let mut observer = Both(&mut counters, &mut alerts.at(now));
//!     let _ = call.on_outcome(&policy, &table, &outcome, now, &mut Unlimited, &mut observer);
//! }
//! assert_eq!(counters.fixed_no_retry, 10);
//! assert_eq!(
//!     alerts.next_alert().expect("ten times the same").to_string(),
//!     "stopped 10 requests within 60s with exhausted/insufficient_quota (status 429) on route \
//!      primary; account: top up the account or raise its limit"
//! );
//! # Ok::<(), ConfigError>(())
//! ```
//!
//! Neither alert says anything about availability: a stop that repeats is a matter of configuration
//! or of the account, and a rising share of fallbacks one of the route or its table.
//!
//! With policies inside policies a request ends where the outermost layer ends it, so only the
//! records of that one are counted.

mod alerts;
mod counters;
mod endings;
mod label;
mod signature;
#[cfg(feature = "tracing")]
mod tracing;
mod window;

pub use self::alerts::{Alert, AlertSpec, Alerts, AlertsAt, History, RisingFallbacks};
pub use self::counters::Counters;
pub use self::endings::{Ending, Endings};
pub use self::label::Label;
pub use self::signature::{dead_branch, runaway};
#[cfg(feature = "tracing")]
pub use self::tracing::TracingObserver;
pub use self::window::Window;
