//! Contracts: what a route serves, and what a request needs of one.
//!
//! Another model answers the same request differently, or not at all. A fallback is sound only
//! where the other route was tested for what the request asks of it: the kinds of input, the form
//! of the output, the tools, streaming, the length, and what one provider alone has. Both sides
//! state it as [`Capabilities`]; a [`Qualification`] compares them once, and tells of each request
//! which of a policy's routes it must never take.
//!
//! ```
//! use retrial_policy::*;
//!
//! let policy = Policy::new(PolicySpec {
//!     fallback: Fallback { routes: vec!["small".into(), "large".into()], ..Fallback::default() },
//!     ..PolicySpec::default()
//! })?;
//! let tested = |context| Capabilities {
//!     tools: vec![ToolForm::Function],
//!     context,
//!     ..Capabilities::default()
//! };
//! let [small, large] = [tested(32_000), tested(200_000)];
//!
//! // All requests of this caller use tools; their length differs.
//! let needs = tested(0);
//! let qualification = Qualification::new(&policy, &needs, |route| match route {
//!     "small" => Some(&small),
//!     "large" => Some(&large),
//!     _ => None,
//! });
//! let unqualified = qualification.unqualified(40_000, 1_000);
//! assert!(unqualified.contains(RouteId(1)), "41,000 tokens don't fit in 32,000");
//! assert!(!unqualified.contains(RouteId(2)));
//!
//! // The call will never turn to the small one.
//! let request = Request { unqualified, ..Request::default() };
//! # let _ = request;
//! # Ok::<(), ConfigError>(())
//! ```
//!
//! The first route is the caller's own choice, made for the request; it is not compared.

pub mod capabilities;
mod gap;
mod qualification;

pub use self::capabilities::Capabilities;
pub use self::gap::Gap;
pub use self::qualification::Qualification;
