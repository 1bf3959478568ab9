//! The client rate limiter of the AWS SDKs' adaptive mode.
//!
//! Nothing is held until a server throttles for the first time. From then on every attempt takes a
//! token from a bucket that fills at a rate, and waits for it. Throttling cuts the rate, and what
//! is not throttled lets it grow again: fast at first, slow around the rate that was throttled,
//! then fast again to find a new limit (the curve of CUBIC), but never to more than twice what
//! this client really sends. It goes with a retry quota and refuses nothing itself.
//!
//! Source: botocore's adaptive mode, whose names the parts have: a rate clocker, a rate adjuster
//! and a token bucket. Tokens are counted in 10⁻¹⁸, the product of
//! a nanosecond and a billionth of a token a second, so that refilling rounds nothing. Where
//! botocore waits and looks again, an attempt takes its token here before it is there, and the
//! debt says how long it waits.

mod clock;
mod cubic;

use alloc::format;
use alloc::string::String;

use self::clock::RateClock;
use self::cubic::Cubic;
use super::{Admission, Budget, Draw, Passage, Permit, Settlement};
use crate::class::Class;
use crate::config_error::ConfigError;
use crate::ratio::Ratio;
use crate::time::{Instant, Nanos};

const ONE: u64 = Ratio::ONE.parts_per_billion();
/// A token in 10⁻¹⁸.
const TOKEN: i128 = ONE as i128 * ONE as i128;
/// The most that the rate may be above what is sent.
const MOST_OF_MEASURED: u64 = 2;

/// The parameters of the rate limiter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AwsAdaptiveSpec {
    /// What throttling multiplies the rate by; between 0 and 1.
    pub beta: Ratio,
    /// How steep the curve is, in sends/s⁴; at most 1.
    pub scale: Ratio,
    /// The weight of the last interval in the measured rate; at most 1.
    pub smooth: Ratio,
    /// The lowest rate, in sends a second.
    pub min_rate: Ratio,
    /// The length of an interval.
    pub interval: Nanos,
}

impl AwsAdaptiveSpec {
    /// The SDKs' values.
    pub const DEFAULT: AwsAdaptiveSpec = AwsAdaptiveSpec {
        beta: Ratio::from_percent(70),
        scale: Ratio::from_percent(40),
        smooth: Ratio::from_percent(80),
        min_rate: Ratio::from_percent(50),
        interval: Nanos::from_millis(500),
    };

    pub(crate) fn validate(&self, index: usize) -> Result<(), ConfigError> {
        let error = |key: &str, problem: &str| {
            Err(ConfigError::new(format!("budget.{index}.{key}"), String::from(problem)))
        };
        if self.beta == Ratio::ZERO || self.beta >= Ratio::ONE {
            return error("beta", "must be above 0 and below 1");
        }
        if self.scale == Ratio::ZERO || self.scale > Ratio::ONE {
            return error("scale", "must be above 0 and at most 1");
        }
        if self.smooth == Ratio::ZERO || self.smooth > Ratio::ONE {
            return error("smooth", "must be above 0 and at most 1");
        }
        if self.min_rate == Ratio::ZERO {
            return error("min_rate", "must be above zero: nothing would ever be sent again");
        }
        if self.interval < Nanos::from_millis(1) {
            return error("interval", "must be at least 1ms");
        }
        Ok(())
    }
}

/// The rate limiter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AwsAdaptive {
    clock: RateClock,
    cubic: Cubic,
    min_rate: u64,
    /// In billionths of a token a second.
    fill: u64,
    /// In billionths of a token.
    capacity: u64,
    /// In 10⁻¹⁸; negative while attempts wait for theirs.
    tokens: i128,
    /// When the bucket was last filled; `None` before anything happened.
    filled: Option<Instant>,
    /// A server has throttled.
    enabled: bool,
}

impl AwsAdaptive {
    /// With no limit yet.
    pub fn open(spec: AwsAdaptiveSpec) -> Self {
        AwsAdaptive {
            clock: RateClock::new(spec.interval, spec.smooth),
            cubic: Cubic::new(spec.scale, spec.beta),
            min_rate: spec.min_rate.parts_per_billion(),
            fill: ONE,
            capacity: ONE,
            tokens: 0,
            filled: None,
            enabled: false,
        }
    }

    /// The rate, in billionths of a send a second. It limits once [`AwsAdaptive::is_enabled`].
    pub fn rate(&self) -> u64 {
        self.fill
    }

    /// The rate that was measured, in billionths of a send a second.
    pub fn measured(&self) -> u64 {
        self.clock.rate()
    }

    /// Whether attempts are held: a server has throttled.
    pub fn is_enabled(&self) -> bool {
        self.enabled
    }

    /// The tokens when it was last asked, in billionths, rounded down; a debt is negative.
    pub fn tokens(&self) -> i128 {
        self.tokens.div_euclid(i128::from(ONE))
    }

    fn refill(&mut self, now: Instant) {
        let Some(filled) = self.filled else {
            self.filled = Some(now);
            self.clock.start(now);
            self.cubic.start(now);
            return;
        };
        let gained = u128::from(now.saturating_since(filled).get()) * u128::from(self.fill);
        let gained = i128::try_from(gained).unwrap_or(i128::MAX);
        let most = i128::from(self.capacity) * i128::from(ONE);
        self.tokens = self.tokens.saturating_add(gained).min(most);
        self.filled = Some(filled.max(now));
    }

    fn set_rate(&mut self, rate: u64) {
        self.fill = rate.max(self.min_rate);
        self.capacity = rate.max(ONE);
        self.tokens = self.tokens.min(i128::from(self.capacity) * i128::from(ONE));
    }
}

impl Budget for AwsAdaptive {
    fn on_request(&mut self, now: Instant) {
        self.refill(now);
    }

    fn admit(&mut self, _passage: Passage, _draw: Draw, now: Instant) -> Admission {
        self.refill(now);
        if !self.enabled {
            return Admission::AT_ONCE;
        }
        self.tokens = self.tokens.saturating_sub(TOKEN);
        if self.tokens >= 0 {
            return Admission::AT_ONCE;
        }
        // Rounded up: a wait that ends before the token is there would have to be waited again.
        let wait = self.tokens.unsigned_abs().div_ceil(u128::from(self.fill.max(1)));
        Admission::after(Nanos::new(u64::try_from(wait).unwrap_or(u64::MAX)))
    }

    fn recall(&mut self, _passage: Passage, now: Instant) {
        self.refill(now);
        if self.enabled {
            let most = i128::from(self.capacity) * i128::from(ONE);
            self.tokens = self.tokens.saturating_add(TOKEN).min(most);
        }
    }

    fn try_withdraw(&mut self, class: Class, _draw: u64, _now: Instant) -> Option<Permit> {
        Some(Permit { class })
    }

    fn restore(&mut self, _permit: Permit, _now: Instant) {}

    fn settle(&mut self, _passage: Passage, how: Settlement, now: Instant) {
        let throttled = match how {
            Settlement::Failed(class) => class == Class::Throttled,
            Settlement::Succeeded | Settlement::Paused => false,
            // No reply, nothing learnt.
            Settlement::Cancelled => return,
        };
        self.refill(now);
        let measured = self.clock.record(now);
        let rate = if throttled {
            let sent = if self.enabled { measured.min(self.fill) } else { measured };
            self.enabled = true;
            self.cubic.throttled(sent, now)
        } else {
            self.cubic.rate(now)
        };
        self.set_rate(rate.min(measured.saturating_mul(MOST_OF_MEASURED)));
    }
}
