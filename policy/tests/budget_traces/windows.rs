//! tower's windowed budget, which Finagle's, linkerd's and reqwest's are like.

use retrial_policy::*;

use crate::recording::Recording;
use crate::support::{at_ms, ratio};

pub const TRACES: [&str; 6] = [
    "tower.tps_default_ttl10_min10_0.2",
    "tower.tps_ttl10_min0_0.2",
    "tower.tps_ttl10_min0_0.6_quantised_to_1.0",
    "tower.tps_ttl10_min0_2.0",
    "tower.tps_ttl1_min1_0.1",
    "tower.tps_ratio_quantisation",
];

/// tower takes whole tokens: a deposit of 1 and a withdrawal of ⌊1 / ratio⌋, or, above a ratio of
/// 1, a deposit of 1,000 and a withdrawal of ⌊1,000 / ratio⌋. Where that is not the ratio asked
/// for, the number of retries after a thousand deposits is another.
const QUANTISED: [(f64, u32, u32); 9] = [
    (0.3, 333, 300),
    (0.34, 500, 340),
    (0.4, 500, 400),
    (0.51, 1_000, 510),
    (0.6, 1_000, 600),
    (0.75, 1_000, 750),
    (0.9, 1_000, 900),
    (1.5, 1_501, 1_500),
    (3.0, 3_003, 3_000),
];

/// The same fault with deposits and withdrawals mixed. Its balances are in other tokens.
const QUANTISED_RUN: (&str, &[usize]) = ("tower.tps_ttl10_min0_0.6_quantised_to_1.0", &[27]);

/// A ratio that tower has been given as a 32-bit float.
fn decimal(value: f64) -> f64 {
    (value * 1e4).round() / 1e4
}

fn budget(retry_ratio: f64, ttl_s: f64, min_per_sec: f64) -> WindowedRatio {
    WindowedRatio::open(WindowedRatioSpec {
        ratio: ratio(decimal(retry_ratio)),
        ttl: Nanos::from_secs(ttl_s as u64),
        min_per_sec: ratio(min_per_sec),
        deposit_on: DepositOn::Request,
    })
}

fn drain(budget: &mut WindowedRatio, now: Instant) -> u32 {
    let mut granted = 0;
    while budget.try_withdraw(Class::Transient, 0, now).is_some() {
        granted += 1;
    }
    granted
}

#[test]
fn windows_grant_and_hold_what_tower_does() {
    for name in &TRACES[..5] {
        let recording = Recording::named(name);
        let retry_ratio = recording.param("retry_percent");
        let mut budget =
            budget(retry_ratio, recording.param("ttl_s"), recording.param("min_per_sec"));
        // What tower takes for a retry, in its own tokens.
        let retry = if retry_ratio > 1.0 { 1_000.0 } else { 1.0 } / decimal(retry_ratio);
        let is_quantised = *name == QUANTISED_RUN.0;
        let mut found = Vec::new();
        for (number, step) in recording.steps.iter().enumerate() {
            let now = at_ms(step.whole("t_ms"));
            let mut same = match step.event().split_once("_x") {
                Some(("deposit", times)) => {
                    for _ in 0..times.parse().expect("a number of deposits") {
                        budget.on_request(now);
                    }
                    true
                }
                _ => match step.event().strip_prefix("withdrew_until_denied:") {
                    Some(granted) => Ok(drain(&mut budget, now)) == granted.parse(),
                    None => {
                        let permit = budget.try_withdraw(Class::Transient, 0, now);
                        step.flag("allowed") == Some(permit.is_some())
                    }
                },
            };
            if !is_quantised {
                let held = budget.balance(now) as f64 / 1e9 * retry;
                same &= (held - step.number("balance_after")).abs() < 1e-6;
            }
            if !same {
                found.push(number);
            }
        }
        assert_eq!(found, if is_quantised { QUANTISED_RUN.1 } else { &[] }, "{name}");
    }
}

#[test]
fn ratios_are_exact_where_towers_are_quantised() {
    let recording = Recording::named(TRACES[5]);
    assert_eq!(recording.steps.len(), 15);
    let mut found = Vec::new();
    for step in &recording.steps {
        let retry_ratio = decimal(step.param("retry_percent"));
        let mut budget = budget(retry_ratio, step.param("ttl_s"), step.param("min_per_sec"));
        for _ in 0..1_000 {
            budget.on_request(at_ms(0));
        }
        let granted = drain(&mut budget, at_ms(0));
        let recorded = step.whole("withdrawals_allowed") as u32;
        if granted != recorded {
            found.push((retry_ratio, recorded, granted));
        }
    }
    assert_eq!(found, QUANTISED);
}
