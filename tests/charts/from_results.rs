//! Charts as they are drawn from what a study found.

use std::collections::BTreeMap;

use retrial::engine::fingerprint::Fingerprint;
use retrial::experiment::condition::Threshold;
use retrial::experiment::outline::Outline;
use retrial::experiment::sweep::{AxisValue, Point};
use retrial::measure::close_up::{About, CloseUp, Phases, TimelineBin, WindowDispersion};
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
pub type Values<'a> = &'a dyn Fn(Id, usize, usize) -> Option<f64>;

pub fn outline(policies: &[String], points: &[f64], thresholds: &[(usize, &str)]) -> Outline {
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
pub fn results(
    outline: &Outline,
    values: Values<'_>,
    close_up: &dyn Fn(usize) -> CloseUp,
) -> Results {
    let ids = [
        Id::Requests,
        Id::Attempts,
        Id::MakespanMs,
        Id::Amplification,
        Id::LatencyAllP99Ms,
        Id::LatencyAllMeanMs,
        Id::SuccessRatio,
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
pub fn close_up(policy: usize) -> CloseUp {
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
        phases: Some(Phases {
            period_ms: 200.0,
            column_ms: 200.0,
            rows: 20,
            // Of policy-1 a fifth is in another tenth.
            cells: vec![(0, 0, 40), (0, 10, 10 * policy as u64)],
        }),
        ..CloseUp::default()
    }
}

/// A policy's number makes it costlier, and a later point too.
pub fn value(id: Id, policy: usize, point: usize) -> Option<f64> {
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
pub fn drawn(outline: &Outline, results: &Results, name: &str) -> Option<String> {
    let drawing = drawings(outline, results).into_iter().find(|drawing| drawing.name == name)?;
    Some(drawing.chart.to_svg(&Styles::new(&results.policies)).expect("the chart can be drawn"))
}

pub fn title_of(svg: &str) -> &str {
    let found = svg.split_once("<title>").and_then(|(_, rest)| rest.split_once("</title>"));
    found.map_or("", |(found, _)| found)
}

pub fn says(svg: &str, text: &str) -> bool {
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
            "In windows of 1 s, attempts vary 201× as much as by chance under policy-1, 101× \
             under policy-0",
        ),
        (
            "percentiles",
            "99 % of answers come within 1.00 s under policy-0, within 2.00 s under policy-1",
        ),
        ("cdf", "policy-0 answers 100 % of its requests, policy-1 90 %"),
        (
            "phases",
            "policy-0 returns in step: at any time 100 % of its retries arrive in one tenth of its \
             period, of policy-1 80 %",
        ),
        ("recovery", "policy-0 comes back after 10.0 s, policy-1 never"),
        (
            "endings",
            "policy-0 answers 100 % of requests, policy-1 90 %; 10 % of its requests run \
             out of attempts",
        ),
        ("pareto", "policy-0 is the fastest and needs the fewest attempts"),
        ("scaling", "policy-1 needs 2.00× the attempts of policy-0 at workload.clients = 100"),
    ] {
        let svg = drawn(&outline, &results, name).expect(name);
        assert_eq!(title_of(&svg), title);
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
