//! The retry policy core: the code that production links and the simulator runs.
//!
//! **Classification authorises an attempt, the budget limits it, jitter schedules it**, always in
//! that order. The core is a state machine without I/O: it opens no socket, reads no clock, draws
//! from no shared generator and allocates nothing per decision. A driver (an async loop in
//! production, an event loop in a simulator) owns one small [`Call`] per logical request, tells it
//! what came back and when, and does what the returned [`Decision`] says:
//!
//! ```
//! use retrial_policy::*;
//!
//! let policy = Policy::new(PolicySpec {
//!     backoff: Backoff::exponential(Nanos::from_millis(200)).cap(Nanos::from_secs(20)).jitter(Jitter::Full),
//!     limits: Limits { deadline: Some(Nanos::from_secs(90)), ..Limits::default() },
//!     replay: Replay { safe: false, idempotency_key: true },
//!     ..PolicySpec::default()
//! })?;
//! let table = StatusTable::generic();
//! let mut budget = Unlimited;
//! let mut now = Instant::from_nanos(0);
//!
//! let (mut call, mut attempt) =
//!     Call::start(&policy, Request::default(), CallKey::new(42), &mut budget, now);
//! let answer = loop {
//!     // Send the request to `attempt.route`, within `attempt.timeout`. Here the provider answers
//!     // after 30 ms: 503 the first time, then 200.
//!     now = now.saturating_add(Nanos::from_millis(30));
//!     let outcome = Outcome::response(if attempt.number == 1 { 503 } else { 200 });
//!     match call.on_outcome(&policy, &table, &outcome, now, &mut budget, &mut ()) {
//!         Decision::Accept => break Ok(attempt.number),
//!         Decision::Stop(stop) | Decision::Reconcile(stop) => break Err(stop),
//!         Decision::RetrySameRoute(wait)
//!         | Decision::RetryAfterHint(wait)
//!         | Decision::ReduceAndRetryOnce(wait)
//!         | Decision::Fallback(wait)
//!         | Decision::ContinueTurn(wait) => now = wait.until, // sleep here for `wait.delay`
//!     }
//!     match call.next_attempt(&policy, now, &mut budget, &mut ()) {
//!         Ok(next) => attempt = next,
//!         Err(stop) => break Err(stop),
//!     }
//! };
//! assert_eq!(answer, Ok(2));
//! # Ok::<(), ConfigError>(())
//! ```
//!
//! # Where things are
//!
//! | module | holds |
//! |---|---|
//! | [`policy`] | [`Policy`], the validated data, and [`PolicySpec`], what it is made from |
//! | [`call`] | [`Call`], the state of one logical request, and its entry points |
//! | [`layers`] | policies inside policies, and [`LayeredCall`], the state of a request under all of them |
//! | `decide` | the fixed order of steps from an outcome to a decision |
//! | [`outcome`], [`class`], [`classify`] | what came back, and what it means |
//! | [`decision`], [`stop`], [`terminal_outcome`], [`branch`], [`fallback`] | what to do about it |
//! | [`backoff`], [`growth`], [`jitter`], [`retry_after`] | how long to wait |
//! | [`budget`] | how many further attempts a client may make |
//! | [`record`], [`observer`] | one record per decision |
//! | [`telemetry`] | counters, alerts and signatures made from records, and events of `tracing` (feature `tracing`) |
//! | [`time`], [`ratio`], [`key`], [`mix`] | integer time, fractions and keyed randomness |
//! | `config` (feature `serde`) | the policy file |
//! | `presets` (feature `toml`) | the policies that SDKs and libraries come with |
//! | `replies` (feature `replies`) | replies as servers send them, what is read out of one, and a catalogue of real ones |
//! | `providers` (feature `replies`) | tables of what each provider's replies mean, and the reading by them |
//! | `stream` (feature `replies`) | how a stream ended, read from its events, and why an answer did |
//! | `wait` (feature `replies`) | how long a reply asks to wait, in every spelling of it |
//! | `evidence` (feature `replies`) | what a reply says, before anybody judges it |

#![no_std]
#![forbid(unsafe_code)]
#![warn(missing_docs)]

extern crate alloc;
#[cfg(feature = "serde")]
extern crate std;

pub mod backoff;
pub mod branch;
pub mod budget;
pub mod call;
pub mod class;
pub mod classify;
#[cfg(feature = "serde")]
pub mod config;
pub mod config_error;
pub mod contract;
mod decide;
pub mod decision;
#[cfg(feature = "replies")]
mod evidence;
pub mod fallback;
pub mod growth;
pub mod hedge;
pub mod jitter;
pub mod key;
pub mod layers;
pub mod limits;
pub mod mix;
pub mod observer;
pub mod outcome;
pub mod policy;
#[cfg(feature = "toml")]
pub mod presets;
#[cfg(feature = "replies")]
pub mod providers;
pub mod ratio;
pub mod record;
pub mod replay;
#[cfg(feature = "replies")]
pub mod replies;
pub mod retry_after;
pub mod retry_on;
mod routes;
pub mod stop;
#[cfg(feature = "replies")]
pub mod stream;
pub mod telemetry;
pub mod terminal_outcome;
pub mod time;
#[cfg(feature = "replies")]
pub mod wait;

pub use backoff::{Backoff, CapOrder};
pub use branch::{Branch, RouteId};
pub use budget::aimd::{Aimd, AimdSpec};
pub use budget::aws_adaptive::{AwsAdaptive, AwsAdaptiveSpec};
pub use budget::aws_quota::{AwsQuota, AwsQuotaSpec};
pub use budget::circuit_breaker::{CircuitBreaker, CircuitBreakerSpec, Trip};
pub use budget::concurrent::{Concurrent, ConcurrentSpec};
pub use budget::cooldown_gate::{CooldownGate, CooldownGateSpec};
pub use budget::grpc::{GrpcThrottle, GrpcThrottleSpec};
pub use budget::ratio::{DepositOn, WindowedRatio, WindowedRatioSpec};
pub use budget::sre_adaptive::{SreAdaptive, SreAdaptiveSpec};
pub use budget::token_bucket::{TokenBucket, TokenBucketSpec};
pub use budget::{
    Admission, Budget, BudgetKind, BudgetSpec, BudgetStack, BudgetState, Draw, Passage, Permit,
    Probes, Scope, Settlement, Unlimited,
};
pub use call::{Attempt, Call, Request};
pub use class::Class;
pub use classify::{Bound, Classification, Classify, RowReplay, StatusTable};
pub use config_error::ConfigError;
pub use contract::capabilities::{InputKind, StructuredOutput, ToolForm};
pub use contract::{Capabilities, Gap, Qualification};
pub use decision::{Action, Decision, DelaySource, Wait};
pub use fallback::{Fallback, FallbackReason};
pub use growth::Growth;
pub use hedge::{Hedge, HedgeAfter, Hedged, Latencies};
pub use jitter::Jitter;
pub use key::CallKey;
pub use layers::{LayerBudgets, LayeredBudgets, LayeredCall};
pub use limits::Limits;
pub use observer::{Both, Observer};
pub use outcome::{Outcome, Progress, Signal};
pub use policy::{Policy, PolicySpec};
pub use ratio::Ratio;
pub use record::{DecisionRecord, StopMessage};
pub use replay::Replay;
pub use retry_after::{Hint, OverCap, RetryAfter, RetryAfterMode};
pub use routes::RouteSet;
pub use stop::{Owner, Stop, StopReason};
pub use terminal_outcome::TerminalOutcome;
pub use time::{Instant, Nanos};

/// The examples of the README are compiled.
#[cfg(all(doctest, feature = "replies"))]
#[doc = include_str!("../README.md")]
struct Readme;
