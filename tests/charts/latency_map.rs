//! Latencies over time.

use retrial::measure::close_up::LatencyCell;
use retrial::report::charts::{LatencyMapChart, LatencyMapPanel};

use crate::close_ups::random;
use crate::policies::{names, svg};
use crate::words::{assert_readable, read};

pub fn chart(
    policies: &[String],
    deadline_ms: Option<f64>,
    cells: impl Fn(usize) -> Vec<LatencyCell>,
) -> LatencyMapChart {
    let panels = policies.iter().enumerate().map(|(index, policy)| LatencyMapPanel {
        policy: policy.clone(),
        deadline_ms,
        cells: cells(index),
    });
    LatencyMapChart {
        title: "How long requests take: 99 % end within 1.2 s under a, within 9 s under b".into(),
        subtitle: "thundering-herd · seed 1 · replication 0 of 30".into(),
        panels: panels.collect(),
    }
}

/// `per_decade` rows a decade from `from_ms` on; a band of fast requests and one of slow ones.
pub fn cells(
    policy: usize,
    columns: usize,
    rows: usize,
    from_ms: f64,
    most: f64,
) -> Vec<LatencyCell> {
    let edge = |row: usize| from_ms * libm::exp10(row as f64 / 20.0);
    let cells = (0..columns).flat_map(|column| (0..rows).map(move |row| (column, row)));
    let cells = cells.filter_map(|(column, row)| {
        let middle = if column % 7 == policy % 7 { 0.7 } else { 0.25 } * rows as f64;
        let far = (row as f64 - middle) / (2.0 + policy as f64);
        let number = most * libm::exp(-far * far) * random(column, row, policy);
        (number >= 1.0).then(|| LatencyCell {
            start_ms: column as f64 * 500.0,
            width_ms: 500.0,
            from_ms: edge(row),
            to_ms: edge(row + 1),
            accepted: number as u64,
            gave_up: u64::from(row > rows / 2),
        })
    });
    cells.collect()
}

#[test]
fn every_word_can_be_read() {
    for count in [0, 1, 2, 5, 12] {
        for long in [false, true] {
            let policies = names(count, long);
            for deadline in [None, Some(2000.0), Some(1e7), Some(0.5)] {
                let instant = LatencyCell {
                    start_ms: 0.0,
                    width_ms: 1.0,
                    from_ms: 0.0,
                    to_ms: 0.0,
                    accepted: 1,
                    gave_up: 0,
                };
                let one = LatencyCell { from_ms: 1000.0, to_ms: 1024.0, ..instant };
                let zero = LatencyCell { accepted: 0, ..one };
                let cases: [(&str, LatencyMapChart); 6] = [
                    ("none", chart(&policies, deadline, |_| Vec::new())),
                    ("one", chart(&policies, deadline, |_| vec![one])),
                    ("instant", chart(&policies, deadline, |_| vec![instant])),
                    ("zero", chart(&policies, deadline, |_| vec![zero])),
                    ("many", chart(&policies, deadline, |i| cells(i, 60, 60, 10.0, 900.0))),
                    ("wide", chart(&policies, deadline, |i| cells(i, 9 + 90 * i, 200, 1e-3, 1e9))),
                ];
                for (case, chart) in cases {
                    let case = format!("{count} {long} {deadline:?} {case}");
                    assert_readable(&case, &svg(&chart, &policies));
                }
            }
        }
    }
}

#[test]
fn a_full_map_stays_small() {
    let policies = names(3, false);
    let chart = chart(&policies, None, |i| cells(2 + i, 200, 80, 10.0, 5000.0));
    let size = svg(&chart, &policies).len();
    assert!(size < 250_000, "{size}");
}

#[test]
fn a_deadline_is_a_line_if_it_is_near_and_a_note_if_not() {
    let policies = names(1, false);
    let words = |deadline| {
        let svg =
            svg(&chart(&policies, Some(deadline), |i| cells(i, 60, 40, 10.0, 900.0)), &policies);
        read(&svg).2.into_iter().map(|word| word.content).collect::<Vec<_>>()
    };
    let near = words(1500.0);
    assert!(near.iter().any(|word| word == "deadline"), "{near:?}");
    let far = words(90_000.0);
    assert!(far.iter().any(|word| word.ends_with("gave up · deadline 90 s")), "{far:?}");
    assert!(far.iter().all(|word| word != "deadline"));
}
