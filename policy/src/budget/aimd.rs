//! A concurrency budget: additive increase, multiplicative decrease.
//!
//! It refuses no retry. It bounds how many logical requests of its scope may be in flight at once,
//! and that bound follows the server: each throttled attempt multiplies it, each success adds the
//! inverse of it, so a round of as many successes as the limit allows adds about one `increase`.
//! Among clients that share a server, this rule converges to an even share of what it can take,
//! and adding on both sides or multiplying on both sides does not (Chiu and Jain, "Analysis of the
//! increase and decrease algorithms for congestion avoidance in computer networks", 1989).

use alloc::format;
use alloc::string::String;

use super::{Budget, Passage, Permit, Settlement};
use crate::class::Class;
use crate::config_error::ConfigError;
use crate::ratio::Ratio;
use crate::time::Instant;

const ONE: u64 = Ratio::ONE.parts_per_billion();

/// The parameters of a concurrency budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AimdSpec {
    /// The most logical requests in flight, and the limit it starts with.
    pub max: u32,
    /// The fewest that it ever allows.
    pub min: u32,
    /// What a throttled attempt multiplies the limit by; between 0 and 1.
    pub decrease: Ratio,
    /// What a round of as many successes as the limit adds to it, in logical requests.
    pub increase: Ratio,
}

impl AimdSpec {
    /// What files that name no other get: half.
    pub const DEFAULT_DECREASE: Ratio = Ratio::from_percent(50);
    /// What files that name no other get: one logical request a round.
    pub const DEFAULT_INCREASE: Ratio = Ratio::ONE;

    pub(crate) fn validate(&self, index: usize) -> Result<(), ConfigError> {
        let error = |key: &str, problem: String| {
            Err(ConfigError::new(format!("budget.{index}.{key}"), problem))
        };
        if self.min == 0 {
            return error(
                "min",
                "must be at least 1: with none in flight nothing is learnt".into(),
            );
        }
        if self.max < self.min {
            return error("max", format!("the max ({}) is below the min ({})", self.max, self.min));
        }
        if self.decrease == Ratio::ZERO || self.decrease >= Ratio::ONE {
            return error("decrease", "must be above 0 and below 1".into());
        }
        if self.increase == Ratio::ZERO {
            return error("increase", "must be above zero: the limit could never recover".into());
        }
        Ok(())
    }
}

/// A concurrency limit. Exact: counted in billionths of a logical request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Aimd {
    limit: u64,
    increase: u64,
    /// In parts per billion; below one whole, so it fits.
    decrease: u32,
    max: u32,
    min: u32,
}

impl Aimd {
    /// A limit at its largest.
    pub fn open(spec: AimdSpec) -> Self {
        Aimd {
            limit: u64::from(spec.max) * ONE,
            increase: spec.increase.parts_per_billion(),
            decrease: u32::try_from(spec.decrease.parts_per_billion()).unwrap_or(u32::MAX),
            max: spec.max,
            min: spec.min,
        }
    }

    /// The limit, fractions of a logical request included.
    pub fn limit(&self) -> Ratio {
        Ratio::from_parts_per_billion(self.limit)
    }

    /// Rounded up, so that a large limit never stops growing.
    fn grow(&mut self) {
        let step =
            (u128::from(self.increase) * u128::from(ONE)).div_ceil(u128::from(self.limit.max(1)));
        let step = u64::try_from(step).unwrap_or(u64::MAX);
        self.limit = self.limit.saturating_add(step).min(u64::from(self.max) * ONE);
    }

    fn shrink(&mut self) {
        let product = u128::from(self.limit) * u128::from(self.decrease) / u128::from(ONE);
        let least = u64::from(self.min) * ONE;
        self.limit = u64::try_from(product).unwrap_or(u64::MAX).max(least);
    }
}

impl Budget for Aimd {
    fn try_withdraw(&mut self, class: Class, _draw: u64, _now: Instant) -> Option<Permit> {
        Some(Permit { class })
    }

    fn restore(&mut self, _permit: Permit, _now: Instant) {}

    fn settle(&mut self, _passage: Passage, how: Settlement, _now: Instant) {
        match how {
            Settlement::Succeeded => self.grow(),
            Settlement::Failed(Class::Throttled) => self.shrink(),
            // Another failure says nothing about how much the server can take.
            Settlement::Failed(_) | Settlement::Paused | Settlement::Cancelled => {}
        }
    }

    fn concurrency(&self) -> u32 {
        u32::try_from(self.limit / ONE).unwrap_or(u32::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratio(value: f64) -> Ratio {
        Ratio::from_f64(value).unwrap()
    }

    fn aimd(max: u32, min: u32) -> Aimd {
        Aimd::open(AimdSpec {
            max,
            min,
            decrease: AimdSpec::DEFAULT_DECREASE,
            increase: AimdSpec::DEFAULT_INCREASE,
        })
    }

    const NOW: Instant = Instant::from_nanos(0);

    fn settle(aimd: &mut Aimd, how: Settlement, times: u32) {
        for _ in 0..times {
            aimd.settle(Passage::default(), how, NOW);
        }
    }

    const THROTTLED: Settlement = Settlement::Failed(Class::Throttled);

    /// Values by hand: 10, 5, 2.5, 1.25, then held at the least.
    #[test]
    fn each_throttled_attempt_halves_the_limit_down_to_the_least() {
        let mut aimd = aimd(10, 1);
        assert_eq!(aimd.concurrency(), 10);
        for (limit, whole) in [(5.0, 5), (2.5, 2), (1.25, 1), (1.0, 1), (1.0, 1)] {
            settle(&mut aimd, THROTTLED, 1);
            assert_eq!((aimd.limit(), aimd.concurrency()), (ratio(limit), whole));
        }
    }

    /// Values by hand: 1 + 1/1 = 2; 2 + 1/2 = 2.5; 2.5 + 1/2.5 = 2.9; 2.9 + 1/2.9 = 3.2448….
    #[test]
    fn each_success_adds_the_inverse_of_the_limit() {
        let mut aimd = aimd(8, 1);
        settle(&mut aimd, THROTTLED, 5);
        for limit in [2.0, 2.5, 2.9, 3.244_827_587] {
            settle(&mut aimd, Settlement::Succeeded, 1);
            let error = aimd.limit().parts_per_billion() - ratio(limit).parts_per_billion();
            assert!(error <= 1, "{:?} instead of {limit}", aimd.limit());
        }
    }

    /// Closed form: with d(L²)/dn = 2·increase, n successes lead from L to about √(L² + 2n).
    #[test]
    fn a_round_of_successes_adds_about_one() {
        let mut aimd = aimd(1_000, 100);
        settle(&mut aimd, THROTTLED, 4);
        assert_eq!(aimd.limit(), ratio(100.0));
        settle(&mut aimd, Settlement::Succeeded, 100);
        let expected = libm::sqrt(100.0 * 100.0 + 2.0 * 100.0);
        assert!((aimd.limit().as_f64() - expected).abs() < 0.01, "{}", aimd.limit().as_f64());
    }

    #[test]
    fn the_limit_recovers_to_its_most_and_no_further() {
        let mut aimd = aimd(4, 1);
        settle(&mut aimd, THROTTLED, 1);
        settle(&mut aimd, Settlement::Succeeded, 100);
        assert_eq!(aimd.limit(), ratio(4.0));
    }

    #[test]
    fn what_is_neither_success_nor_throttling_changes_nothing() {
        let mut aimd = aimd(4, 1);
        settle(&mut aimd, THROTTLED, 1);
        let before = aimd;
        for class in Class::ALL.into_iter().filter(|class| *class != Class::Throttled) {
            settle(&mut aimd, Settlement::Failed(class), 1);
        }
        settle(&mut aimd, Settlement::Paused, 1);
        settle(&mut aimd, Settlement::Cancelled, 1);
        let permit = aimd.try_withdraw(Class::Throttled, 0, NOW).expect("it never refuses");
        aimd.restore(permit, NOW);
        assert_eq!(aimd, before);
    }

    #[test]
    fn the_largest_values_neither_overflow_nor_stall() {
        let mut aimd = Aimd::open(AimdSpec {
            max: u32::MAX,
            min: u32::MAX - 1,
            decrease: Ratio::from_parts_per_billion(999_999_999),
            increase: ratio(1e9),
        });
        settle(&mut aimd, THROTTLED, 2);
        assert_eq!(aimd.concurrency(), u32::MAX - 1);
        let before = aimd.limit();
        settle(&mut aimd, Settlement::Succeeded, 1);
        assert!(aimd.limit() > before);
    }
}
