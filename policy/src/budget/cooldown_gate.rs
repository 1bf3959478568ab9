//! A gate that a server's hint closes for everybody.
//!
//! A hint ("come back in 30 s") binds the call that got it. Its neighbours would learn the same by
//! being refused themselves, one paid attempt each. Behind this gate every attempt of the scope
//! waits until the hint is over, first tries included, and then for a random part of `spread` times
//! the hint more, so that they don't come back in step.
//!
//! It minds hints on [`Class::Throttled`] and [`Class::Transient`] (a 503 with `retry-after` is a
//! server that asks for less) of the first route: what one route asked for binds no other. An
//! attempt is held when it is about to leave; a later hint does not reach those that are held
//! already.

use alloc::format;

use super::{Admission, Budget, Draw, Passage, Permit};
use crate::branch::RouteId;
use crate::class::Class;
use crate::config_error::ConfigError;
use crate::mix::scale;
use crate::ratio::Ratio;
use crate::time::{Instant, Nanos};

/// The parameters of a cooldown gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CooldownGateSpec {
    /// The most that is waited on top, as a fraction of the hint.
    pub spread: Ratio,
    /// The longest hint that closes it for its whole length.
    pub cap: Nanos,
}

impl CooldownGateSpec {
    /// A tenth on top; a minute at most, as a policy's own cap has it.
    pub const DEFAULT: CooldownGateSpec =
        CooldownGateSpec { spread: Ratio::from_percent(10), cap: Nanos::from_secs(60) };

    pub(crate) fn validate(&self, index: usize) -> Result<(), ConfigError> {
        if self.cap == Nanos::ZERO {
            let problem = "must be above zero: the gate would never close";
            return Err(ConfigError::new(format!("budget.{index}.cap"), problem));
        }
        Ok(())
    }
}

/// A cooldown gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CooldownGate {
    until: Instant,
    /// The most that is waited on top.
    spread: Nanos,
    spec: CooldownGateSpec,
}

impl CooldownGate {
    /// An open gate.
    pub fn open(spec: CooldownGateSpec) -> Self {
        CooldownGate { until: Instant::default(), spread: Nanos::ZERO, spec }
    }

    /// When it opens again; in the past if it is open.
    pub fn until(&self) -> Instant {
        self.until
    }
}

impl Budget for CooldownGate {
    fn admit(&mut self, passage: Passage, draw: Draw, now: Instant) -> Admission {
        if passage.route != RouteId::PRIMARY || now >= self.until {
            return Admission::AT_ONCE;
        }
        let more = Nanos::new(scale(draw.bits(), self.spread.get()));
        Admission::after(self.until.saturating_since(now).saturating_add(more))
    }

    fn on_hint(&mut self, route: RouteId, class: Class, hint: Nanos, now: Instant) {
        let minded = match class {
            Class::Throttled | Class::Transient => route == RouteId::PRIMARY,
            Class::Ok
            | Class::Exhausted
            | Class::InvalidRequest
            | Class::Auth
            | Class::TooLarge
            | Class::Content
            | Class::Conflict
            | Class::OutcomeUnknown
            | Class::Unknown => false,
        };
        let hint = hint.min(self.spec.cap);
        let until = now.saturating_add(hint);
        if minded && until > self.until {
            self.until = until;
            self.spread = self.spec.spread.of(hint);
        }
    }

    fn try_withdraw(&mut self, class: Class, _draw: u64, _now: Instant) -> Option<Permit> {
        Some(Permit { class })
    }

    fn restore(&mut self, _permit: Permit, _now: Instant) {}
}
