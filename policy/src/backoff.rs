//! [`Backoff`]: growth, cap and jitter together give the delay before a retry.
//!
//! By default the cap comes first and the jitter second. The other order makes all jitter vanish
//! at the cap, which is when a long outage has put every client in step; it exists only to
//! reproduce libraries that do so.

use alloc::boxed::Box;
use alloc::format;

use crate::class::Class;
use crate::config_error::ConfigError;
use crate::growth::{self, Growth};
use crate::jitter::Jitter;
use crate::key::{CallKey, Purpose};
use crate::ratio::Ratio;
use crate::time::Nanos;

/// Which of cap and jitter is applied first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CapOrder {
    /// Cap the delay, then spread it: still spread at the cap.
    #[default]
    CapThenJitter,
    /// Spread the delay, then cap it: a hard ceiling, and no spread once it is reached.
    JitterThenCap,
}

/// How long to wait before retry n.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Backoff {
    /// The un-jittered delays.
    pub growth: Growth,
    /// The bound on them.
    pub cap: Nanos,
    /// The spread.
    pub jitter: Jitter,
    /// Which of the two comes first.
    pub cap_order: CapOrder,
    /// The delay before the first retry as it is, without jitter, in place of the grown one.
    pub first: Option<Nanos>,
    /// Another base for class throttled.
    pub throttled_base: Option<Nanos>,
    /// The final delay is rounded down to a multiple of this. Zero: not rounded.
    pub round: Nanos,
    /// The final delay is at least this.
    pub floor: Nanos,
}

impl Default for Backoff {
    /// No delay.
    fn default() -> Self {
        Backoff::growing(Growth::None)
    }
}

impl Backoff {
    /// Delays of `growth`, uncapped and without jitter.
    pub fn growing(growth: Growth) -> Self {
        Backoff {
            growth,
            cap: Nanos::MAX,
            jitter: Jitter::None,
            cap_order: CapOrder::CapThenJitter,
            first: None,
            throttled_base: None,
            round: Nanos::ZERO,
            floor: Nanos::ZERO,
        }
    }

    /// Delays that double from `base`.
    pub fn exponential(base: Nanos) -> Self {
        Backoff::growing(Growth::Exponential { base, factor: Ratio::from_percent(200) })
    }

    /// Listed delays; the last one repeats.
    pub fn schedule(delays: impl Into<Box<[Nanos]>>) -> Self {
        Backoff::growing(Growth::Schedule(delays.into()))
    }

    /// With a cap.
    #[must_use]
    pub fn cap(mut self, cap: Nanos) -> Self {
        self.cap = cap;
        self
    }

    /// With a jitter.
    #[must_use]
    pub fn jitter(mut self, jitter: Jitter) -> Self {
        self.jitter = jitter;
        self
    }

    /// The delay before retry `n` (from 0) of the call with `key`, after a failure of `class`.
    ///
    /// `previous` is the delay before the last retry; only decorrelated growth looks at it, and
    /// for n = 0 nobody does.
    #[inline]
    pub fn delay(&self, n: u32, previous: Nanos, class: Class, key: CallKey) -> Nanos {
        if let (0, Some(first)) = (n, self.first) {
            return first;
        }
        let drawn = match self.growth {
            Growth::Decorrelated { .. } => {
                let (low, high) = self.decorrelated_range(n, previous, class);
                let bits = key.draw(Purpose::Backoff, n);
                let width = high.saturating_sub(low).get();
                self.clip(Nanos::new(low.get() + crate::mix::scale(bits, width)))
            }
            Growth::SmoothDecorrelated { .. } => {
                let u =
                    |n: u32| (key.draw(Purpose::Backoff, n) >> 11) as f64 / (1_u64 << 53) as f64;
                let base = self.base_for(class);
                self.clip(growth::smooth_decorrelated(base, n, u(n), u(n.wrapping_sub(1))))
            }
            _ => {
                let grown = self.grown(n, class);
                if self.jitter.is_none() {
                    self.clip(grown)
                } else {
                    let bits = key.draw(Purpose::Backoff, n);
                    match self.cap_order {
                        CapOrder::CapThenJitter => self.jitter.apply(self.clip(grown), bits),
                        CapOrder::JitterThenCap => self.clip(self.jitter.apply(grown, bits)),
                    }
                }
            }
        };
        self.finish(drawn)
    }

    /// The smallest and the largest delay before retry `n`: the closed form of
    /// [`Backoff::delay`] over all keys.
    pub fn range(&self, n: u32, previous: Nanos, class: Class) -> (Nanos, Nanos) {
        if let (0, Some(first)) = (n, self.first) {
            return (first, first);
        }
        let (low, high) = match self.growth {
            Growth::Decorrelated { .. } => {
                let (low, high) = self.decorrelated_range(n, previous, class);
                (self.clip(low), self.clip(high))
            }
            Growth::SmoothDecorrelated { .. } => {
                let bound = growth::smooth_decorrelated_bound(self.base_for(class), n);
                (Nanos::ZERO, self.clip(bound))
            }
            _ => {
                let grown = self.grown(n, class);
                match self.cap_order {
                    CapOrder::CapThenJitter => self.jitter.range(self.clip(grown)),
                    CapOrder::JitterThenCap => {
                        let (low, high) = self.jitter.range(grown);
                        (self.clip(low), self.clip(high))
                    }
                }
            }
        };
        (self.finish(low), self.finish(high))
    }

    /// The un-jittered, uncapped delay of the kinds that are not random by themselves.
    #[inline]
    fn grown(&self, n: u32, class: Class) -> Nanos {
        let base = self.base_for(class);
        match self.growth {
            Growth::None => Nanos::ZERO,
            Growth::Linear { step, .. } => base.saturating_add(step.saturating_mul(n.into())),
            Growth::Exponential { factor, .. } => growth::exponential(base, factor, n),
            Growth::Fibonacci { .. } => growth::fibonacci(base, n),
            Growth::Schedule(ref delays) => {
                let index =
                    usize::try_from(n).unwrap_or(usize::MAX).min(delays.len().saturating_sub(1));
                delays.get(index).copied().unwrap_or_default()
            }
            Growth::Constant { .. }
            | Growth::Decorrelated { .. }
            | Growth::SmoothDecorrelated { .. } => base,
        }
    }

    /// The edges of a decorrelated draw, before the cap.
    #[inline]
    fn decorrelated_range(&self, n: u32, previous: Nanos, class: Class) -> (Nanos, Nanos) {
        let base = self.base_for(class);
        // A previous delay below the base (the base changed with the class, or a hint decided the
        // wait) must not narrow the range to a point: a fleet would return in step.
        let state = if n == 0 { base } else { previous.max(base) };
        (base, state.saturating_mul(3))
    }

    #[inline]
    fn base_for(&self, class: Class) -> Nanos {
        let base = self.growth.base().unwrap_or_default();
        match self.throttled_base {
            Some(throttled) if class == Class::Throttled => throttled,
            _ => base,
        }
    }

    #[inline]
    fn clip(&self, delay: Nanos) -> Nanos {
        delay.min(self.cap)
    }

    #[inline]
    fn finish(&self, delay: Nanos) -> Nanos {
        let rounded = match self.round.get() {
            0 => delay,
            unit => Nanos::new(delay.get() - delay.get() % unit),
        };
        rounded.max(self.floor)
    }

    pub(crate) fn validate(&self) -> Result<(), ConfigError> {
        let error = |key: &str, problem: alloc::string::String| {
            Err(ConfigError::new(format!("backoff.{key}"), problem))
        };
        if self.cap == Nanos::ZERO {
            return error(
                "cap",
                "must be above zero; for no delay at all use kind = \"none\"".into(),
            );
        }
        for (key, base) in [("base", self.growth.base()), ("throttled_base", self.throttled_base)] {
            let Some(base) = base else { continue };
            if base == Nanos::ZERO {
                let problem = "must be above zero; for no delay at all use kind = \"none\"";
                return error(key, problem.into());
            }
            if base > self.cap {
                let problem = format!("the cap ({}) is below the {key} ({base})", self.cap);
                return error("cap", problem);
            }
        }
        if self.throttled_base.is_some() && self.growth.base().is_none() {
            return error("throttled_base", "needs a kind that grows from a base".into());
        }
        match &self.growth {
            Growth::Exponential { factor, .. } if *factor < Ratio::ONE => {
                return error("factor", "must be at least 1: delays may not shrink".into());
            }
            Growth::Schedule(delays) if delays.is_empty() => {
                return error("schedule", "needs at least one delay".into());
            }
            _ => {}
        }
        if self.growth.is_random() && !self.jitter.is_none() {
            let problem = "decorrelated delays are random by themselves; leave the jitter out";
            return error("jitter", problem.into());
        }
        match self.jitter {
            Jitter::Proportional(r) | Jitter::Shrink(r) if r > Ratio::ONE => {
                return error(
                    "jitter_ratio",
                    "must be at most 1: a delay can't be negative".into(),
                );
            }
            _ => {}
        }
        if let Some(first) = self.first.filter(|first| *first > self.cap) {
            return error("first", format!("must be at most the cap ({}), not {first}", self.cap));
        }
        if self.floor > self.cap {
            let problem = format!("the floor ({}) is above the cap ({})", self.floor, self.cap);
            return error("floor", problem);
        }
        Ok(())
    }
}
