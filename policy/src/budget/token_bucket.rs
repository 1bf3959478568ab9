//! A bucket of tokens: a further attempt costs some, a success pays some back.
//!
//! With a cost of 1 and a refund of 0.1, retries are at most a tenth of successes once the first
//! fill is spent (Brooker, "Fixing retries with token buckets and circuit breakers", 2022).

use alloc::format;

use super::{Budget, Passage, Permit, Settlement};
use crate::class::Class;
use crate::config_error::ConfigError;
use crate::ratio::Ratio;
use crate::time::Instant;

/// The parameters of a token bucket, in tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TokenBucketSpec {
    /// The most it holds, and what it starts with.
    pub capacity: Ratio,
    /// What a further attempt costs.
    pub retry_cost: Ratio,
    /// What a success pays back.
    pub success_refund: Ratio,
}

impl TokenBucketSpec {
    pub(crate) fn validate(&self, index: usize) -> Result<(), ConfigError> {
        if self.retry_cost == Ratio::ZERO {
            let problem = "must be above zero: a free retry is no budget";
            return Err(ConfigError::new(format!("budget.{index}.retry_cost"), problem));
        }
        if self.capacity < self.retry_cost {
            let problem = format!(
                "the capacity ({}) is below the cost of one retry ({}): no retry could ever happen",
                self.capacity.as_f64(),
                self.retry_cost.as_f64()
            );
            return Err(ConfigError::new(format!("budget.{index}.capacity"), problem));
        }
        Ok(())
    }
}

/// A token bucket. Exact: tokens are counted in billionths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TokenBucket {
    balance: u64,
    capacity: u64,
    retry_cost: u64,
    success_refund: u64,
}

impl TokenBucket {
    /// A full bucket.
    pub fn full(spec: TokenBucketSpec) -> Self {
        TokenBucket {
            balance: spec.capacity.parts_per_billion(),
            capacity: spec.capacity.parts_per_billion(),
            retry_cost: spec.retry_cost.parts_per_billion(),
            success_refund: spec.success_refund.parts_per_billion(),
        }
    }

    /// The tokens in it.
    pub fn balance(&self) -> Ratio {
        Ratio::from_parts_per_billion(self.balance)
    }

    fn deposit(&mut self, tokens: u64) {
        self.balance = self.balance.saturating_add(tokens).min(self.capacity);
    }
}

impl Budget for TokenBucket {
    fn try_withdraw(&mut self, class: Class, _draw: u64, _now: Instant) -> Option<Permit> {
        self.balance = self.balance.checked_sub(self.retry_cost)?;
        Some(Permit { class })
    }

    fn restore(&mut self, _permit: Permit, _now: Instant) {
        self.deposit(self.retry_cost);
    }

    fn settle(&mut self, _passage: Passage, how: Settlement, _now: Instant) {
        if how == Settlement::Succeeded {
            self.deposit(self.success_refund);
        }
    }

    fn level(&self) -> Option<Ratio> {
        // Less than one retry costs is as good as nothing.
        let left = if self.balance < self.retry_cost { 0 } else { self.balance };
        Some(Ratio::share(left, self.capacity))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bucket(capacity: f64, cost: f64, refund: f64) -> TokenBucket {
        let ratio = |value| Ratio::from_f64(value).unwrap();
        TokenBucket::full(TokenBucketSpec {
            capacity: ratio(capacity),
            retry_cost: ratio(cost),
            success_refund: ratio(refund),
        })
    }

    const NOW: Instant = Instant::from_nanos(0);

    fn withdraw(bucket: &mut TokenBucket) -> bool {
        bucket.try_withdraw(Class::Transient, 0, NOW).is_some()
    }

    #[test]
    fn ten_tenths_pay_for_exactly_one_retry() {
        let mut bucket = bucket(1.0, 1.0, 0.1);
        assert!(withdraw(&mut bucket));
        for _ in 0..9 {
            bucket.settle(Passage::default(), Settlement::Succeeded, NOW);
        }
        assert!(!withdraw(&mut bucket), "0.9 tokens must not pay for a retry of cost 1");
        bucket.settle(Passage::default(), Settlement::Succeeded, NOW);
        assert!(withdraw(&mut bucket), "ten refunds of 0.1 are one token");
        assert_eq!(bucket.balance(), Ratio::ZERO);
    }

    #[test]
    fn the_first_fill_pays_for_capacity_over_cost_retries() {
        let mut bucket = bucket(10.0, 1.0, 0.1);
        assert_eq!((0..100).filter(|_| withdraw(&mut bucket)).count(), 10);
    }

    #[test]
    fn the_level_is_what_is_left_of_the_capacity_while_it_pays_for_a_retry() {
        let mut bucket = bucket(10.0, 4.0, 0.1);
        let percent = |bucket: &TokenBucket| bucket.level().map(|level| level.as_f64() * 100.0);
        assert_eq!(percent(&bucket), Some(100.0));
        assert!(withdraw(&mut bucket));
        assert_eq!(percent(&bucket), Some(60.0));
        assert!(withdraw(&mut bucket));
        assert_eq!(percent(&bucket), Some(0.0), "2 tokens don't pay for a retry of cost 4");
    }

    #[test]
    fn a_restored_permit_is_as_if_never_taken() {
        let mut bucket = bucket(10.0, 3.0, 0.1);
        let before = bucket;
        let permit = bucket.try_withdraw(Class::Transient, 0, NOW).unwrap();
        bucket.restore(permit, NOW);
        assert_eq!(bucket, before);
    }

    #[test]
    fn a_full_bucket_overflows_and_failures_pay_nothing() {
        let mut bucket = bucket(2.0, 1.0, 0.5);
        bucket.settle(Passage::default(), Settlement::Succeeded, NOW);
        assert_eq!(bucket.balance(), Ratio::from_f64(2.0).unwrap());
        assert!(withdraw(&mut bucket));
        bucket.settle(Passage::default(), Settlement::Failed(Class::Transient), NOW);
        bucket.settle(Passage::default(), Settlement::Paused, NOW);
        bucket.settle(Passage::default(), Settlement::Cancelled, NOW);
        assert_eq!(bucket.balance(), Ratio::ONE);
    }
}
