//! Rate limits: a bucket that refills continuously, or a window that starts over.
//!
//! All in whole numbers: amounts in billionths, a bucket's level in billionths times the
//! nanoseconds of its period, so that refilling needs no division and nothing is ever lost.

use retrial_policy::{Instant, Nanos};

use super::refusal::Refusal;

/// A rate limit.
#[derive(Clone, Debug, PartialEq)]
pub struct Limit {
    /// What it bounds.
    pub amount: Amount,
    /// How much of it in a period, in billionths.
    pub rate: u64,
    /// The period; above zero.
    pub per: Nanos,
    /// How it refills.
    pub refill: Refill,
    /// What an attempt over the limit gets.
    pub over: Refusal,
    /// The hint that comes with it.
    pub hint: HintForm,
}

/// What a limit bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Amount {
    /// Attempts.
    Requests,
    /// Tokens sent.
    InputTokens,
    /// Tokens received, as if they were known beforehand.
    OutputTokens,
    /// Both, whether they count against a rate or an account.
    Tokens,
}

/// How a limit refills.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refill {
    /// All the time, up to a burst in billionths.
    Continuous {
        /// The most there ever is.
        burst: u64,
    },
    /// All at once, when a window of one period is over; windows are counted from time 0.
    Window,
}

/// What a limit says about coming back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HintForm {
    /// Nothing.
    None,
    /// The time until this very attempt would pass, if no other came.
    Exact,
    /// The time until the window is over, or until the bucket is full.
    Window,
    /// Always the same.
    Fixed(Nanos),
}

/// The size of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Tokens sent.
    pub input: u32,
    /// Tokens received.
    pub output: u32,
}

const BILLION: u64 = 1_000_000_000;

/// The state of a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Meter {
    /// What is left: billionths · nanoseconds of the period for a bucket, billionths for a window.
    left: u128,
    /// When `left` was right; for a window its start.
    since: Instant,
}

impl Limit {
    /// A full meter at time 0.
    pub fn meter(&self) -> Meter {
        Meter { left: self.most(), since: Instant::from_nanos(0) }
    }

    fn most(&self) -> u128 {
        match self.refill {
            Refill::Continuous { burst } => u128::from(burst) * u128::from(self.per.get()),
            Refill::Window => u128::from(self.rate),
        }
    }

    /// What an attempt takes, in the units of the meter.
    fn price(&self, size: Size) -> u128 {
        let count = match self.amount {
            Amount::Requests => 1,
            Amount::InputTokens => u64::from(size.input),
            Amount::OutputTokens => u64::from(size.output),
            Amount::Tokens => u64::from(size.input) + u64::from(size.output),
        };
        let price = u128::from(count) * u128::from(BILLION);
        match self.refill {
            Refill::Continuous { .. } => price * u128::from(self.per.get()),
            Refill::Window => price,
        }
    }

    /// Brings `meter` up to `now`.
    fn refill(&self, meter: &mut Meter, now: Instant) {
        let passed = now.saturating_since(meter.since).get();
        match self.refill {
            Refill::Continuous { .. } => {
                let gained = u128::from(passed) * u128::from(self.rate);
                meter.left = meter.left.saturating_add(gained).min(self.most());
                meter.since = now;
            }
            Refill::Window => {
                let into = passed % self.per.get();
                if passed != into {
                    meter.left = self.most();
                    meter.since = Instant::from_nanos(now.as_nanos() - into);
                }
            }
        }
    }

    /// Whether an attempt of `size` passes at `now`; nothing is taken.
    pub fn allows(&self, meter: &mut Meter, size: Size, now: Instant) -> bool {
        self.refill(meter, now);
        self.price(size) <= meter.left
    }

    /// Takes what an attempt that was allowed costs.
    pub fn take(&self, meter: &mut Meter, size: Size) {
        meter.left = meter.left.saturating_sub(self.price(size));
    }

    /// The hint for an attempt refused at `now`. [`Nanos::MAX`] for one that will never pass.
    pub fn hint(&self, meter: &Meter, size: Size, now: Instant) -> Option<Nanos> {
        let wanted = match self.hint {
            HintForm::None => return None,
            HintForm::Fixed(wait) => return Some(wait),
            HintForm::Exact => self.price(size),
            HintForm::Window => self.most(),
        };
        if wanted > self.most() {
            return Some(Nanos::MAX);
        }
        let wait = match self.refill {
            Refill::Continuous { .. } => {
                let missing = wanted.saturating_sub(meter.left);
                u64::try_from(missing.div_ceil(u128::from(self.rate))).unwrap_or(u64::MAX)
            }
            Refill::Window => self.per.get() - now.saturating_since(meter.since).get(),
        };
        Some(Nanos::new(wait))
    }
}

#[cfg(test)]
mod tests {
    use super::super::reply::ReplyId;
    use super::*;
    use crate::engine::distribution::Distribution;

    const SMALL: Size = Size { input: 30, output: 20 };

    fn limit(amount: Amount, rate: u64, per: Nanos, refill: Refill, hint: HintForm) -> Limit {
        let over = Refusal { reply: ReplyId::OK, latency: Distribution::ZERO };
        Limit { amount, rate: rate * BILLION, per, refill, over, hint }
    }

    fn at(ms: u64) -> Instant {
        Instant::from_nanos(ms * 1_000_000)
    }

    fn pass(limit: &Limit, meter: &mut Meter, now: Instant) -> bool {
        let allowed = limit.allows(meter, SMALL, now);
        if allowed {
            limit.take(meter, SMALL);
        }
        allowed
    }

    /// 100 a second with a burst of 10: ten at once, then one every 10 ms, on the nanosecond.
    #[test]
    fn a_bucket_refills_continuously() {
        let refill = Refill::Continuous { burst: 10 * BILLION };
        let limit = limit(Amount::Requests, 100, Nanos::from_secs(1), refill, HintForm::Exact);
        let mut meter = limit.meter();
        assert_eq!((0..20).filter(|_| pass(&limit, &mut meter, at(0))).count(), 10);
        assert_eq!(limit.hint(&meter, SMALL, at(0)), Some(Nanos::from_millis(10)));
        assert!(!pass(&limit, &mut meter, Instant::from_nanos(9_999_999)));
        assert!(pass(&limit, &mut meter, at(10)));
        assert!(!pass(&limit, &mut meter, at(15)));
        assert_eq!(limit.hint(&meter, SMALL, at(15)), Some(Nanos::from_millis(5)));
        // A rest of ten minutes fills it no further than its burst.
        assert_eq!((0..20).filter(|_| pass(&limit, &mut meter, at(600_000))).count(), 10);
    }

    /// Three in a second, exactly: a third of a second is no whole number of nanoseconds, and
    /// three of them must still make one second. A burst of two leaves room for the rest that a
    /// hint, rounded up, leaves over.
    #[test]
    fn nothing_is_lost_between_refills() {
        let refill = Refill::Continuous { burst: 2 * BILLION };
        let limit = limit(Amount::Requests, 3, Nanos::from_secs(1), refill, HintForm::Exact);
        let mut meter = limit.meter();
        let passed = (0..=3000).filter(|ms| pass(&limit, &mut meter, at(*ms))).count();
        assert_eq!(passed, 2 + 9, "two at first, then three a second");
        let mut meter = limit.meter();
        let mut now = at(0);
        assert!(pass(&limit, &mut meter, now));
        assert!(pass(&limit, &mut meter, now));
        for _ in 0..3 {
            assert!(!limit.allows(&mut meter, SMALL, now));
            now = now.saturating_add(limit.hint(&meter, SMALL, now).unwrap());
            assert!(pass(&limit, &mut meter, now));
        }
        assert_eq!(now, Instant::from_nanos(1_000_000_000));
    }

    #[test]
    fn a_window_starts_over_at_its_end() {
        let per = Nanos::from_secs(60);
        let limit = limit(Amount::Requests, 2, per, Refill::Window, HintForm::Window);
        let mut meter = limit.meter();
        let passed: Vec<_> = [1, 59_000, 59_999, 60_000, 61_000, 62_000, 300_500]
            .into_iter()
            .map(|ms| pass(&limit, &mut meter, at(ms)))
            .collect();
        assert_eq!(passed, [true, true, false, true, true, false, true]);
        assert_eq!(limit.hint(&meter, SMALL, at(300_500)), Some(Nanos::from_millis(59_500)));
    }

    #[test]
    fn amounts_are_counted_as_they_are_named() {
        for (amount, price) in [
            (Amount::Requests, 1),
            (Amount::InputTokens, 30),
            (Amount::OutputTokens, 20),
            (Amount::Tokens, 50),
        ] {
            let limit = limit(amount, 100, Nanos::from_secs(1), Refill::Window, HintForm::None);
            let mut meter = limit.meter();
            let passed = (0..1000).filter(|_| pass(&limit, &mut meter, at(0))).count();
            assert_eq!(passed, 100 / price, "{amount:?}");
            assert_eq!(limit.hint(&meter, SMALL, at(0)), None);
        }
    }

    #[test]
    fn what_is_larger_than_the_burst_never_passes() {
        let refill = Refill::Continuous { burst: 10 * BILLION };
        let limit = limit(Amount::Tokens, 100, Nanos::from_secs(1), refill, HintForm::Exact);
        let mut meter = limit.meter();
        assert!(!pass(&limit, &mut meter, at(0)));
        assert_eq!(limit.hint(&meter, SMALL, at(0)), Some(Nanos::MAX));
    }
}
