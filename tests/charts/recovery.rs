//! What flows and what waits over time.

use retrial::measure::close_up::TimelineBin;
use retrial::report::charts::{RecoveryChart, RecoveryPanel};

use crate::policies::{names, svg};
use crate::words::{assert_readable, read};

/// A bin by policy and place.
type Made<'a> = &'a dyn Fn(usize, usize) -> TimelineBin;

fn bin(index: usize, attempts: u64) -> TimelineBin {
    TimelineBin {
        start_ms: index as f64 * 100.0,
        width_ms: 100.0,
        began: attempts.min(8),
        attempts,
        accepted: attempts / 2,
        in_time: attempts / 3,
        gave_up: 1,
        fallbacks: 0,
        queue: attempts as f64,
        orbit: attempts as f64 * 2.0,
        budget_level: None,
        capacity_per_s: None,
    }
}

fn recovery(
    policies: &[String],
    bins: usize,
    made: impl Fn(usize, usize) -> TimelineBin,
) -> RecoveryChart {
    let panels = policies.iter().enumerate().map(|(policy, name)| RecoveryPanel {
        policy: name.clone(),
        note: "back after 10 s, drained after 12.3 s".into(),
        bins: (0..bins).map(|index| made(policy, index)).collect(),
    });
    RecoveryChart {
        title: "Does it come back?".into(),
        subtitle: "200 clients, seed 1, one replication".into(),
        disturbed: vec![(200.0, Some(400.0)), (900.0, None)],
        panels: panels.collect(),
    }
}

#[test]
fn every_word_of_a_recovery_chart_can_be_read() {
    for count in [0, 1, 2, 5, 12] {
        for long in [false, true] {
            let policies = names(count, long);
            let made: [(&str, Made<'_>); 5] = [
                ("zero", &|_, index| TimelineBin { began: 0, ..bin(index, 0) }),
                ("waves", &|policy, index| bin(index, (index * (policy + 7) % 97) as u64)),
                ("dwarfed", &|policy, index| bin(index, 10_u64.pow(policy as u32 % 8))),
                ("levels", &|policy, index| TimelineBin {
                    budget_level: (policy == 1).then_some(0.4),
                    fallbacks: 3,
                    capacity_per_s: Some(if index % 5 == 0 { 0.0 } else { 60.0 }),
                    ..bin(index, 9)
                }),
                ("huge", &|_, index| bin(index, 123_456_789)),
            ];
            for (case, made) in made {
                for bins in [0, 1, 40, 2000] {
                    let chart = recovery(&policies, bins, made);
                    let case = format!("{count} {long} {case} {bins}");
                    assert_readable(&case, &svg(&chart, &policies));
                }
            }
            let mut chart = recovery(&policies, 40, |_, index| bin(index, 5));
            chart.disturbed = (0..9).map(|at| (f64::from(at) * 400.0, None)).collect();
            assert_readable(&format!("{count} {long} faults"), &svg(&chart, &policies));
            chart.disturbed.clear();
            assert_readable(&format!("{count} {long} no faults"), &svg(&chart, &policies));
        }
    }
}

#[test]
fn a_recovery_chart_of_many_policies_and_bins_stays_small() {
    let policies = names(12, false);
    let chart = recovery(&policies, 2000, |policy, index| TimelineBin {
        capacity_per_s: Some(300.0),
        ..bin(index, (index * (policy + 7) % 97) as u64)
    });
    let size = svg(&chart, &policies).len();
    assert!(size < 250_000, "{size}");
}

#[test]
fn rates_have_a_logarithmic_axis_if_one_policy_dwarfs_the_others() {
    let policies = names(2, false);
    let said = |attempts: u64| {
        let made = |policy, index| bin(index, if policy == 0 { attempts } else { 10 });
        let (_, _, words) = read(&svg(&recovery(&policies, 40, made), &policies));
        words.iter().any(|word| word.content == "per second (log scale):")
    };
    assert_eq!((said(190), said(210)), (false, true));
}

#[test]
fn those_who_cannot_see_it_are_told_what_became_of_each_policy() {
    let policies = names(1, false);
    let chart = recovery(&policies, 10, |_, index| bin(index, 30));
    let svg = svg(&chart, &policies);
    let told = "policy-0: back after 10 s, drained after 12.3 s; up to 300 attempts/s, \
                goodput 100/s at most and 100/s at the end, up to 30 waiting at the routes and 60 \
                between attempts.";
    assert!(svg.contains(told), "{svg}");
    assert!(svg.contains("Disturbed 0.2–0.4 s, from 0.9 s."), "{svg}");
}

#[test]
fn strips_are_drawn_only_where_a_policy_has_them() {
    let policies = names(2, false);
    let strips = |level: Option<f64>| {
        let made = |policy, index| TimelineBin {
            budget_level: level.filter(|_| policy == 0),
            ..bin(index, 10)
        };
        let (_, _, words) = read(&svg(&recovery(&policies, 40, made), &policies));
        let count = |text: &str| words.iter().filter(|word| word.content == text).count();
        (count("budget"), count("none"), count("fallbacks"))
    };
    assert_eq!(strips(None), (0, 0, 0));
    assert_eq!(strips(Some(0.5)), (2, 1, 0));
}
