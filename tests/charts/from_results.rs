//! Charts as they are drawn from what a study found.

use std::collections::BTreeMap;

use retrial::engine::fingerprint::Fingerprint;
use retrial::experiment::condition::Threshold;
use retrial::experiment::outline::Outline;
use retrial::experiment::sweep::{AxisValue, Point};
use retrial::measure::close_up::{About, CloseUp, TimelineBin, WindowDispersion};
use retrial::measure::latency::Buckets;
use retrial::measure::layers::AttemptsByLayer;
use retrial::measure::metric::{self, Id, MetricRow};
use retrial::measure::telemetry::Signals;
use retrial::report::charts::Styles;
use retrial::report::draw::drawings;
use retrial::study::results::{CellResults, Results};
use retrial::study::statistics::estimate::Estimate;
use retrial::study::unit::Run;

use crate::policies::names;
use crate::words::assert_readable;

/// The value of a metric by policy and point.
type Values<'a> = &'a dyn Fn(Id, usize, usize) -> Option<f64>;

fn outline(policies: &[String], points: &[f64], thresholds: &[(usize, &str)]) -> Outline {
    let point = |clients: &f64| Point {
        values: vec![AxisValue {
            text: clients.to_string(),
            number: Some(*clients),
            unit: "",
            json: (*clients).into(),
        }],
    };
    let swept = points.len() > 1;
    let threshold =
        |(policy, text): &(usize, &str)| (*policy, Threshold::parse(text).expect("a threshold"));
    Outline {
        flags: Vec::new(),
        name: "thundering-herd".into(),
        title: "Thundering herd".into(),
        version: String::new(),
        text: String::new(),
        effective: String::new(),
        seed: 1,
        replications: 30,
        stop: None,
        axes: if swept { vec!["workload.clients".into()] } else { Vec::new() },
        points: match swept {
            true => points.iter().map(point).collect(),
            false => vec![Point { values: Vec::new() }],
        },
        policies: policies.to_vec(),
        thresholds: thresholds.iter().map(threshold).collect(),
        against: None,
        notes: Vec::new(),
        files: BTreeMap::new(),
    }
}

/// Results with these means and intervals of a hundredth around them, and a close-up of each policy
/// at the last point.
fn results(outline: &Outline, values: Values<'_>, close_up: &dyn Fn(usize) -> CloseUp) -> Results {
    let ids = [
        Id::Requests,
        Id::Attempts,
        Id::MakespanMs,
        Id::Amplification,
        Id::LatencyAllP99Ms,
        Id::SpendTokens,
        Id::RecoveryMs,
        Id::RecoveredRatio,
        Id::DrainMs,
        Id::FirstTrySucceeded,
        Id::RetriedSucceeded,
        Id::GaveUpAttempts,
    ];
    let cell = |policy: usize, point: usize| {
        let none = Estimate { mean: None, ci95: None, n: 0 };
        let mut estimates = vec![none; metric::ALL.len()];
        let mut metrics = MetricRow::default();
        for id in ids {
            let Some(mean) = values(id, policy, point) else { continue };
            let ci95 = Some((mean * 0.99, mean * 1.01));
            estimates[id as usize] = Estimate { mean: Some(mean), ci95, n: 30 };
            metrics.set(id, mean);
        }
        let layers = AttemptsByLayer::default();
        CellResults {
            policy,
            point,
            runs: vec![Run { metrics, fingerprint: 0, layers }; 30],
            series: Vec::new(),
            signals: Signals::default(),
            latencies: Buckets::default(),
            close_up: (point + 1 == outline.points.len()).then(|| close_up(policy)),
            estimates,
            layers: Vec::new(),
            is_exact: true,
        }
    };
    let points = outline.points.len();
    let cells = (0..outline.policies.len())
        .flat_map(|policy| (0..points).map(move |point| (policy, point)));
    Results {
        experiment: outline.name.clone(),
        title: outline.title.clone(),
        seed: outline.seed,
        replications: 30,
        axes: outline.axes.clone(),
        points: outline.points.clone(),
        policies: outline.policies.clone(),
        cells: cells.map(|(policy, point)| cell(policy, point)).collect(),
        fingerprint: Fingerprint::default(),
    }
}

/// 1,000 requests, a tenth of which each further policy does not answer.
fn close_up(policy: usize) -> CloseUp {
    let answered = 1000 - 100 * (policy as u64).min(9);
    let ms = |ms: u64| ms * 1_000_000;
    let dispersion = |step: i32| WindowDispersion {
        window_ms: 10.0_f64.powi(step),
        index: 1.0 + 0.1 * (1 + policy) as f64 * 10.0_f64.powi(step),
        windows: 100,
    };
    let bin = |index: u32| TimelineBin {
        start_ms: f64::from(index) * 100.0,
        width_ms: 100.0,
        began: 8,
        attempts: 12,
        accepted: 7,
        in_time: 6,
        gave_up: 1,
        fallbacks: 0,
        queue: 3.0,
        orbit: 5.0,
        budget_level: None,
        capacity_per_s: None,
    };
    CloseUp {
        about: About {
            deadline_ms: Some(2000.0),
            faults: vec![(2000.0, Some(3000.0))],
            end_ms: 10_000.0,
            ..About::default()
        },
        dispersion: (0..4).map(dispersion).collect(),
        latencies: Buckets(vec![(ms(100), answered - 20), (ms(1000 * (1 + policy as u64)), 20)]),
        timeline: (0..100).map(bin).collect(),
        ..CloseUp::default()
    }
}

/// A policy's number makes it costlier, and a later point too.
fn value(id: Id, policy: usize, point: usize) -> Option<f64> {
    let (policy, scale) = (policy as f64, (1 + point) as f64);
    Some(match id {
        Id::Requests => 1000.0,
        Id::Attempts => 1000.0 * scale * (1.0 + policy),
        Id::MakespanMs => 60_000.0 * scale * (1.0 + policy),
        Id::Amplification => 1.0 + policy,
        Id::LatencyAllP99Ms => 1000.0 * (1.0 + policy),
        Id::SpendTokens => 1e6,
        Id::RecoveredRatio => {
            if policy == 0.0 {
                1.0
            } else {
                0.0
            }
        }
        Id::RecoveryMs if policy == 0.0 => 10_000.0,
        Id::FirstTrySucceeded => 500.0,
        Id::RetriedSucceeded => 500.0 - 100.0 * policy.min(5.0),
        Id::GaveUpAttempts => 100.0 * policy.min(5.0),
        _ => return None,
    })
}

/// The SVG of one chart; `None` if the study has none of it.
fn drawn(outline: &Outline, results: &Results, name: &str) -> Option<String> {
    let drawing = drawings(outline, results).into_iter().find(|drawing| drawing.name == name)?;
    Some(drawing.chart.to_svg(&Styles::new(&results.policies)).expect("the chart can be drawn"))
}

fn says(svg: &str, text: &str) -> bool {
    let escaped = text.replace('<', "&lt;");
    svg.contains(&format!("<title>{escaped}")) || svg.contains(&escaped)
}

#[test]
fn titles_say_what_was_found() {
    let policies = names(2, false);
    let outline = outline(&policies, &[50.0, 100.0], &[]);
    let results = results(&outline, &value, &close_up);
    for (name, title) in [
        (
            "dispersion",
            "In windows of 1.00 s, attempts under policy-1 vary 201× as much as by \
                        chance, under policy-0 101× at most",
        ),
        (
            "percentiles",
            "99 % of answers come within 1.00 s under policy-0, within 2.00 s under policy-1",
        ),
        ("cdf", "policy-0 answers 100 % of its requests, policy-1 90 %"),
        ("recovery", "policy-0 comes back after 10.0 s, policy-1 never"),
        (
            "endings",
            "policy-0 answers 100 % of requests, policy-1 90 %; 10 % of its requests: gave \
                     up: attempts",
        ),
        (
            "pareto",
            "2 of 4 are not beaten in both, from policy-0 (50), the fastest, to policy-0 (100)",
        ),
        ("scaling", "policy-1 needs 2.00× the attempts of policy-0 at workload.clients = 100"),
    ] {
        let svg = drawn(&outline, &results, name).expect(name);
        let found = svg.split_once("<title>").and_then(|(_, rest)| rest.split_once("</title>"));
        let found = found.map_or("", |(found, _)| found);
        assert_eq!(found, title);
    }
}

#[test]
fn every_chart_of_a_study_can_be_read() {
    for count in [1, 2, 12] {
        for long in [false, true] {
            let policies = names(count, long);
            for points in [&[1.0][..], &[10.0, 20.0, 40.0]] {
                let thresholds = [(0, "amplification <= 1.5"), (count - 1, "amplification <= 1.5")];
                let outline = outline(&policies, points, &thresholds);
                let results = results(&outline, &value, &close_up);
                let styles = Styles::new(&policies);
                for drawing in drawings(&outline, &results) {
                    let svg = drawing.chart.to_svg(&styles).expect("the chart can be drawn");
                    assert_readable(&format!("{} {count} {long}", drawing.name), &svg);
                    assert!(svg.len() < 250_000, "{}: {}", drawing.name, svg.len());
                }
            }
        }
    }
}

#[test]
fn where_there_is_nothing_to_show_there_is_no_chart() {
    let policies = names(2, false);
    let outline = outline(&policies, &[1.0], &[]);
    let results = results(&outline, &|_, _, _| None, &|_| CloseUp::default());
    let names: Vec<_> = drawings(&outline, &results).iter().map(|drawing| drawing.name).collect();
    for name in ["dispersion", "percentiles", "cdf", "recovery", "endings", "pareto", "scaling"] {
        assert!(!names.contains(&name), "{names:?}");
    }
}

#[test]
fn deadlines_are_named_once_if_all_have_the_same() {
    let policies = names(2, false);
    let outline = outline(&policies, &[1.0], &[]);
    let results_of = |close_up: &dyn Fn(usize) -> CloseUp| results(&outline, &value, close_up);
    let same = results_of(&close_up);
    let svg = drawn(&outline, &same, "cdf").expect("a chart");
    assert!(says(&svg, "deadline 2.00 s\n"), "{svg}");
    let different = results_of(&|policy| {
        let mut close_up = close_up(policy);
        close_up.about.deadline_ms = Some(2000.0 * (1 + policy) as f64);
        close_up
    });
    let svg = drawn(&outline, &different, "cdf").expect("a chart");
    assert!(says(&svg, "deadline 2.00 s (policy-0)") && says(&svg, "deadline 4.00 s (policy-1)"));
}

#[test]
fn only_what_is_worse_in_both_beyond_the_intervals_is_beaten() {
    let policies = names(3, false);
    let outline = outline(&policies, &[1.0], &[(2, "amplification <= 0.5")]);
    // The second is slower by less than the intervals; the third breaks its threshold.
    let values = |id: Id, policy: usize, point: usize| match id {
        Id::LatencyAllP99Ms => Some([1000.0, 1010.0, 10.0][policy]),
        id => value(id, policy, point),
    };
    let found = results(&outline, &values, &close_up);
    let svg = drawn(&outline, &found, "pareto").expect("a chart");
    assert!(says(&svg, "2 of 3 are not beaten in both, from policy-0"), "{svg}");
    assert!(says(&svg, "policy-2: 10 at 3, rejected"), "{svg}");
    assert!(says(&svg, "policy-2: amplification <= 0.5"));
}

#[test]
fn a_pareto_chart_of_a_large_sweep_shows_one_point() {
    let policies = names(5, false);
    let points: Vec<f64> = (1..=100).map(f64::from).collect();
    let outline = outline(&policies, &points, &[]);
    let found = results(&outline, &value, &close_up);
    let svg = drawn(&outline, &found, "pareto").expect("a chart");
    assert!(says(&svg, "only workload.clients = 100"), "{svg}");
}
