//! A circuit breaker: a route that keeps failing is left alone for a while, then probed.
//!
//! *Closed*, every attempt may leave and failures are counted. Too many, and it *opens*: nothing
//! leaves for the route, and calls turn to another one where they have one. After `open` it is
//! *half-open*: at most `probes` attempts at a time try the route out. If as many succeed, it
//! closes; if one fails, it opens again. Breakers that let everybody out at that moment turn a
//! recovery into a stampede.
//!
//! Only failures that concern availability count. What else an attempt can end with says nothing
//! about the route: it neither counts nor, from a probe, decides anything. It guards the first
//! route; a fallback route is taken as it is.
//!
//! Source: Nygard, *Release It!*, 2007, with the bounded probes of later libraries.

use alloc::format;
use alloc::string::String;

use super::slices::Slices;
use super::{Admission, Budget, Draw, Passage, Permit, Probes, Settlement};
use crate::branch::RouteId;
use crate::class::Class;
use crate::config_error::ConfigError;
use crate::ratio::Ratio;
use crate::time::{Instant, Nanos};

/// What opens a breaker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trip {
    /// So many failures with no success between them.
    InARow {
        /// How many.
        failures: u32,
    },
    /// So many failures within a window.
    Count {
        /// How many.
        failures: u32,
        /// How long a failure counts.
        window: Nanos,
    },
    /// Such a share of failures within a window.
    Share {
        /// Failures, as a fraction of attempts.
        ratio: Ratio,
        /// Attempts before the share means anything.
        min_calls: u32,
        /// How long an attempt counts.
        window: Nanos,
    },
}

/// The parameters of a circuit breaker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CircuitBreakerSpec {
    /// What opens it.
    pub trip: Trip,
    /// How long it stays open.
    pub open: Nanos,
    /// Probes under way at most, and successes of probes that close it.
    pub probes: u32,
}

impl CircuitBreakerSpec {
    /// What files that name no other get.
    pub const DEFAULT_MIN_CALLS: u32 = 20;
    /// What files that name no other get.
    pub const DEFAULT_PROBES: u32 = 1;

    pub(crate) fn validate(&self, index: usize) -> Result<(), ConfigError> {
        let error = |key: &str, problem: &str| {
            Err(ConfigError::new(format!("budget.{index}.{key}"), String::from(problem)))
        };
        let (failures, window) = match self.trip {
            Trip::InARow { failures } => (failures, None),
            Trip::Count { failures, window } => (failures, Some(window)),
            Trip::Share { ratio, min_calls, window } => {
                if ratio == Ratio::ZERO || ratio > Ratio::ONE {
                    return error("failure_ratio", "must be above 0 and at most 1");
                }
                if min_calls == 0 {
                    return error("min_calls", "must be at least 1");
                }
                (1, Some(window))
            }
        };
        if failures == 0 {
            return error("failures", "must be at least 1");
        }
        if window.is_some_and(|window| window < Nanos::from_millis(1)) {
            return error("window", "must be at least 1ms");
        }
        if self.open == Nanos::ZERO {
            return error("open", "must be above zero: the breaker would never be open");
        }
        if self.probes == 0 {
            return error("probes", "must be at least 1: the breaker could never close");
        }
        Ok(())
    }
}

/// A circuit breaker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CircuitBreaker {
    spec: CircuitBreakerSpec,
    position: Position,
    /// Probes under way, those of an earlier half-open time included.
    probing: u32,
    /// Failures since the last success.
    in_a_row: u32,
    slices: Slices<Slice>,
}

/// What the breaker does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Position {
    Closed,
    Open {
        until: Instant,
    },
    HalfOpen {
        /// Probes that succeeded.
        succeeded: u32,
    },
}

/// What happened within one slice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Slice {
    attempts: u32,
    failures: u32,
}

/// What an attempt says about its route.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Well,
    Failing,
    Nothing,
}

impl Verdict {
    fn of(how: Settlement) -> Self {
        match how {
            Settlement::Succeeded | Settlement::Paused => Verdict::Well,
            Settlement::Failed(class) if class.concerns_availability() => Verdict::Failing,
            Settlement::Failed(_) | Settlement::Cancelled => Verdict::Nothing,
        }
    }
}

impl CircuitBreaker {
    /// A breaker that lets everything out.
    pub fn closed(spec: CircuitBreakerSpec) -> Self {
        let window = match spec.trip {
            Trip::InARow { .. } => Nanos::MAX,
            Trip::Count { window, .. } | Trip::Share { window, .. } => window,
        };
        CircuitBreaker {
            spec,
            position: Position::Closed,
            probing: 0,
            in_a_row: 0,
            slices: Slices::over(window),
        }
    }

    /// Whether nothing leaves for the route, or probes only.
    pub fn is_tripped(&self) -> bool {
        match self.position {
            Position::Closed => false,
            Position::Open { .. } | Position::HalfOpen { .. } => true,
        }
    }

    /// Probes under way.
    pub fn probing(&self) -> u32 {
        self.probing
    }

    fn count(&mut self, verdict: Verdict, now: Instant) {
        let failed = match verdict {
            Verdict::Well => false,
            Verdict::Failing => true,
            Verdict::Nothing => return,
        };
        self.in_a_row = if failed { self.in_a_row.saturating_add(1) } else { 0 };
        let slice = self.slices.current(now);
        slice.attempts = slice.attempts.saturating_add(1);
        slice.failures = slice.failures.saturating_add(u32::from(failed));
        if failed && self.is_too_much() {
            self.trip(now);
        }
    }

    fn is_too_much(&self) -> bool {
        let (attempts, failed) = self.slices.iter().fold((0_u64, 0_u64), |sum, slice| {
            (sum.0 + u64::from(slice.attempts), sum.1 + u64::from(slice.failures))
        });
        match self.spec.trip {
            Trip::InARow { failures } => self.in_a_row >= failures,
            Trip::Count { failures, .. } => failed >= u64::from(failures),
            Trip::Share { ratio, min_calls, .. } => {
                let one = u128::from(Ratio::ONE.parts_per_billion());
                let bound = u128::from(attempts) * u128::from(ratio.parts_per_billion());
                attempts >= u64::from(min_calls) && u128::from(failed) * one >= bound
            }
        }
    }

    fn trip(&mut self, now: Instant) {
        self.position = Position::Open { until: now.saturating_add(self.spec.open) };
    }

    /// With a clean sheet: what opened it is over.
    fn close(&mut self) {
        *self = CircuitBreaker { probing: self.probing, ..CircuitBreaker::closed(self.spec) };
    }
}

impl Budget for CircuitBreaker {
    fn is_available(&self, route: RouteId, now: Instant) -> bool {
        let has_room = self.probing < self.spec.probes;
        route != RouteId::PRIMARY
            || match self.position {
                Position::Closed => true,
                Position::Open { until } => now >= until && has_room,
                Position::HalfOpen { .. } => has_room,
            }
    }

    fn admit(&mut self, passage: Passage, _draw: Draw, now: Instant) -> Admission {
        if passage.route != RouteId::PRIMARY || self.position == Position::Closed {
            return Admission::AT_ONCE;
        }
        if !self.is_available(passage.route, now) {
            return Admission::Refused;
        }
        if let Position::Open { .. } = self.position {
            self.position = Position::HalfOpen { succeeded: 0 };
        }
        self.probing += 1;
        Admission::Granted { hold: Nanos::ZERO, probes: Probes::FIRST }
    }

    fn recall(&mut self, passage: Passage, _now: Instant) {
        if passage.probes.is_probe() {
            self.probing = self.probing.saturating_sub(1);
        }
    }

    /// It counts no retries: whether the route may be called is [`Budget::is_available`].
    fn try_withdraw(&mut self, class: Class, _draw: u64, _now: Instant) -> Option<Permit> {
        Some(Permit { class })
    }

    fn restore(&mut self, _permit: Permit, _now: Instant) {}

    fn settle(&mut self, passage: Passage, how: Settlement, now: Instant) {
        if passage.route != RouteId::PRIMARY {
            return;
        }
        let is_probe = passage.probes.is_probe();
        if is_probe {
            self.probing = self.probing.saturating_sub(1);
        }
        let verdict = Verdict::of(how);
        match self.position {
            Position::Closed => self.count(verdict, now),
            // Sent before it opened: it knows that already.
            Position::Open { .. } => {}
            Position::HalfOpen { succeeded } if is_probe => match verdict {
                Verdict::Failing => self.trip(now),
                Verdict::Well if succeeded + 1 >= self.spec.probes => self.close(),
                Verdict::Well => {
                    self.position = Position::HalfOpen { succeeded: succeeded + 1 };
                }
                Verdict::Nothing => {}
            },
            Position::HalfOpen { .. } => {}
        }
    }
}
