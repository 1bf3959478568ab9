//! The windowed ratio against a slow and obvious twin.

use proptest::prelude::*;
use retrial_policy::*;

use crate::settle;
use crate::support::{at_ms, ratio, secs};

/// Keeps every deposit and withdrawal with the number of its slice of one second.
struct Twin {
    ratio: Ratio,
    reserve: u64,
    deposits: Vec<u64>,
    withdrawals: Vec<u64>,
}

const RETRY: u128 = 1_000_000_000;

impl Twin {
    /// Withdrawals and what they may be, in billionths of a retry, within ten slices.
    fn within(&self, last: u64) -> (u128, u128) {
        let count = |list: &[u64]| {
            list.iter().filter(|slice| **slice <= last && **slice + 10 > last).count() as u128
        };
        let paid = count(&self.deposits) * u128::from(self.ratio.parts_per_billion());
        (count(&self.withdrawals) * RETRY, paid + u128::from(self.reserve) * RETRY)
    }
}

proptest! {
    /// Decision by decision; so that over any ten slices in which the last withdrawal was granted,
    /// withdrawals were at most ratio × deposits + reserve.
    #[test]
    fn it_grants_what_its_twin_grants(
        ratio in 0_u64..3_000,
        min_per_sec in 0_u64..3,
        steps in prop::collection::vec((0_u8..5, 0_u64..1_500), 1..300),
    ) {
        let ratio = Ratio::from_parts_per_billion(ratio * 1_000_000);
        let mut twin = Twin {
            ratio,
            reserve: min_per_sec * 10,
            deposits: Vec::new(),
            withdrawals: Vec::new(),
        };
        let mut budget = WindowedRatio::open(WindowedRatioSpec {
            ratio,
            ttl: secs(10),
            min_per_sec: Ratio::from_percent(min_per_sec * 100),
            deposit_on: DepositOn::Request,
        });
        let mut now = 5_000;
        // The first event is where the slices begin.
        budget.on_request(at_ms(now));
        twin.deposits.push(0);
        for (step, pause) in steps {
            now += if step == 0 { pause } else { 0 };
            let slice = (now - 5_000) / 1_000;
            let time = at_ms(now);
            match step {
                0..=1 => {
                    budget.on_request(time);
                    twin.deposits.push(slice);
                }
                step => {
                    let permit = budget.try_withdraw(Class::Transient, 0, time);
                    let (taken, paid) = twin.within(slice);
                    prop_assert_eq!(permit.is_some(), taken + RETRY <= paid);
                    let Some(permit) = permit else { continue };
                    if step == 2 {
                        budget.restore(permit, time);
                    } else {
                        twin.withdrawals.push(slice);
                        let (taken, paid) = twin.within(slice);
                        prop_assert!(taken <= paid);
                    }
                }
            }
            let (taken, paid) = twin.within(slice);
            prop_assert_eq!(u128::from(budget.balance(time)), paid.saturating_sub(taken));
        }
    }
}

/// Closed form: 1,000 requests a second at a ratio of 0.1 pay 1,000 retries in ten seconds.
#[test]
fn a_steady_stream_may_retry_its_share() {
    for (share, granted) in [(0.1, 1_000), (0.333, 3_330), (0.6, 6_000), (1.0, 10_000)] {
        let mut budget = WindowedRatio::open(WindowedRatioSpec {
            ratio: ratio(share),
            min_per_sec: Ratio::ZERO,
            ..WindowedRatioSpec::DEFAULT
        });
        let mut retries = 0;
        for i in 0..20_000_u64 {
            budget.on_request(at_ms(i));
            let permit = budget.try_withdraw(Class::Transient, 0, at_ms(i));
            retries += u32::from(permit.is_some() && i >= 10_000);
        }
        assert!(u32::abs_diff(retries, granted) <= 1, "{retries} at {share}");
    }
}

/// Under a total outage nothing succeeds, and what is left is the reserve: 100 retries, then 10 a
/// second.
#[test]
fn deposits_on_success_leave_the_reserve_in_an_outage() {
    let mut budget = WindowedRatio::open(WindowedRatioSpec {
        deposit_on: DepositOn::Success,
        ..WindowedRatioSpec::DEFAULT
    });
    let mut granted = [0; 3];
    for i in 0..30_000_u64 {
        budget.on_request(at_ms(i));
        let permit = budget.try_withdraw(Class::Transient, 0, at_ms(i));
        granted[i as usize / 10_000] += u32::from(permit.is_some());
    }
    assert_eq!(granted, [100, 100, 100]);
    settle(&mut budget, Settlement::Succeeded, at_ms(30_000));
    let with_one = budget.balance(at_ms(30_000));
    settle(&mut budget, Settlement::Failed(Class::Transient), at_ms(30_000));
    assert_eq!(budget.balance(at_ms(30_000)), with_one);
}
