//! Attempts by phase.

use retrial::measure::close_up::Phases;
use retrial::report::charts::{PhasesChart, PhasesPanel};

use crate::close_ups::random;
use crate::policies::{names, svg};
use crate::words::{assert_readable, read};

pub fn chart(policies: &[String], phases: impl Fn(usize) -> Option<Phases>) -> PhasesChart {
    let panels = policies.iter().enumerate().map(|(index, policy)| {
        let phases = phases(index);
        let busiest_tenth = phases.is_some().then_some(0.64);
        PhasesPanel { policy: policy.clone(), phases, busiest_tenth }
    });
    PhasesChart {
        title: "At which phase of the period attempts are sent".into(),
        subtitle: "thundering-herd · seed 1 · replication 0 of 30".into(),
        panels: panels.collect(),
    }
}

/// Attempts that thin out over the columns: on a few rows, or spread over all.
pub fn phases(policy: usize, columns: u32, rows: u32, most: f64) -> Phases {
    let cells = (0..columns).flat_map(|column| (0..rows).map(move |row| (column, row)));
    let cells = cells.filter_map(|(column, row)| {
        let chance = random(column as usize, row as usize, policy);
        let near = if policy % 2 == 1 || row * 12 / rows.max(12) == 2 { 1.0 } else { 0.004 };
        let attempts = most * near * chance * libm::exp(-3.0 * f64::from(column) / 120.0);
        (attempts >= 1.0).then_some((column, row, attempts as u64))
    });
    let period_ms = 200.0 * (1 + policy) as f64;
    Phases { period_ms, column_ms: period_ms, rows, cells: cells.collect() }
}

#[test]
fn every_word_can_be_read() {
    for count in [0, 1, 2, 5, 12] {
        for long in [false, true] {
            let policies = names(count, long);
            let one = |cells: &[(u32, u32, u64)]| Phases {
                period_ms: 61_234.5,
                column_ms: 61_234.5,
                rows: 20,
                cells: cells.to_vec(),
            };
            let cases: [(&str, PhasesChart); 5] = [
                ("no period", chart(&policies, |_| None)),
                ("no attempts", chart(&policies, |_| Some(one(&[])))),
                ("one cell", chart(&policies, |_| Some(one(&[(0, 19, 1_234_567)])))),
                ("many", chart(&policies, |i| Some(phases(i, 120, 40, 90.0)))),
                ("one long", chart(&policies, |i| Some(phases(i, 30 + 3000 * i as u32, 20, 1e9)))),
            ];
            for (case, chart) in cases {
                assert_readable(&format!("{count} {long} {case}"), &svg(&chart, &policies));
            }
        }
    }
}

#[test]
fn a_full_map_stays_small() {
    let policies = names(3, false);
    let chart = chart(&policies, |i| Some(phases(i, 200, 40, 500.0)));
    let size = svg(&chart, &policies).len();
    assert!(size < 250_000, "{size}");
}

#[test]
fn a_policy_without_period_says_so() {
    let policies = names(2, false);
    let chart = chart(&policies, |i| (i == 0).then(|| phases(0, 20, 20, 90.0)));
    let (_, _, words) = read(&svg(&chart, &policies));
    let says = |content: &str| words.iter().filter(|word| word.content.contains(content)).count();
    assert_eq!(says("its backoff has no period"), 1);
    assert_eq!(says("period 200 ms · busiest tenth 64 %"), 1);
    assert_eq!(says("retries per second at that time and phase"), 1, "one bar of colours");
}
