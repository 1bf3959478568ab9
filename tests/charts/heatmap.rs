//! Metrics over two swept keys.

use retrial::report::charts::{HeatmapCell, HeatmapChart, HeatmapPanel, HeatmapRow};

use crate::close_ups::random;
use crate::policies::{names, svg};
use crate::words::{assert_readable, read};

/// A chart of three metrics over a grid; `value(metric, column, row)` where there is one.
pub fn chart(
    policies: &[String],
    (columns, rows): (usize, usize),
    value: impl Fn(usize, usize, usize) -> Option<f64>,
) -> HeatmapChart {
    let panel = |metric: usize| {
        let cells = (0..columns).flat_map(|column| (0..rows).map(move |row| (column, row)));
        let cells = cells.filter_map(|(column, row)| {
            let value = value(metric, column, row)?;
            Some(HeatmapCell { column, row, value, kept: value <= 1.5 })
        });
        HeatmapPanel {
            metric: ["amplification", "success_ratio", "latency_all_p99_ms"][metric].into(),
            condition: (metric == 0).then(|| "amplification ≤ 1.5".into()),
            cells: cells.collect(),
        }
    };
    let row = |policy: &String| HeatmapRow {
        policy: policy.clone(),
        note: "keeps its thresholds at 5 of 16 points".into(),
        chosen: (columns > 1).then_some((columns - 1, rows / 2)),
        panels: (0..3).map(panel).collect(),
    };
    let written = |count: usize, unit: &str| -> Vec<String> {
        (1..=count).map(|n| format!("{}{unit}", n * n * 50)).collect()
    };
    HeatmapChart {
        title: "Best within its thresholds: capped-budget at base 200 ms and cap 20 s".into(),
        subtitle: "thundering-herd · seed 1 · 30 replications".into(),
        x_title: "policies.*.backoff.base".into(),
        columns: written(columns, "ms"),
        y_title: "policies.*.backoff.cap".into(),
        rows: written(rows, "s"),
        policies: policies.iter().map(row).collect(),
    }
}

pub fn measured(metric: usize, column: usize, row: usize) -> Option<f64> {
    let noise = 0.02 * random(column, row, metric);
    let amplification = 1.0 + 2.0 / (1 + column) as f64 + 0.1 * row as f64 + noise;
    match metric {
        0 => Some(amplification),
        1 => Some(1.0 - 0.01 * amplification),
        _ => Some(150.0 * (1 + column) as f64 * (1.0 + 0.3 * row as f64)),
    }
}

#[test]
fn every_word_can_be_read() {
    for count in [0, 1, 2, 5, 12] {
        for long in [false, true] {
            let policies = names(count, long);
            for grid in [(1, 1), (2, 2), (2, 9), (4, 4), (12, 12), (13, 3), (20, 20), (100, 4)] {
                let check = |case: &str, value: &dyn Fn(usize, usize, usize) -> Option<f64>| {
                    let case = format!("{count} {long} {grid:?} {case}");
                    assert_readable(&case, &svg(&chart(&policies, grid, value), &policies));
                };
                check("measured", &measured);
                check("absent", &|_, _, _| None);
                check("zero", &|_, _, _| Some(0.0));
                check("some", &|m, c, r| ((c + r) % 3 > 0).then(|| measured(m, c, r)).flatten());
                check("large", &|m, c, r| measured(m, c, r).map(|value| value * 1.234e9));
            }
        }
    }
}

#[test]
fn values_are_printed_in_grids_of_up_to_twelve_by_twelve() {
    let policies = names(1, false);
    let printed = |grid: (usize, usize)| {
        let svg =
            svg(&chart(&policies, grid, |_, column, row| Some((column * row) as f64)), &policies);
        read(&svg).2.iter().filter(|word| word.content == "0" && word.size < 11.1).count()
    };
    assert_eq!(printed((12, 12)), 3 * 23, "the zeros of three metrics");
    assert_eq!(printed((13, 2)), 0);
}

#[test]
fn the_edge_of_what_is_kept_runs_between_cells() {
    let policies = names(1, false);
    let edges = |bound: f64| {
        let chart = chart(&policies, (3, 1), |metric, column, _| {
            Some(if metric == 0 && column as f64 >= bound { 2.0 } else { 1.0 })
        });
        let svg = svg(&chart, &policies);
        // The inner stroke of contours: one in the legend.
        svg.matches("stroke-width=\"22\"").count() - 1
    };
    assert_eq!(edges(1.0), 1);
    assert_eq!(edges(5.0), 0, "all keep it");
    assert_eq!(edges(0.0), 0, "none keeps it");
}

#[test]
fn a_large_grid_stays_small() {
    let policies = names(3, false);
    let size = svg(&chart(&policies, (20, 20), measured), &policies).len();
    assert!(size < 250_000, "{size}");
}
