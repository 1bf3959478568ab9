//! What charts of several policies and points say, and what they don't.

use retrial::experiment::condition::Threshold;
use retrial::experiment::outline::Outline;
use retrial::experiment::sweep::{AxisValue, Point};
use retrial::measure::metric::Id;

use crate::from_results::{Values, close_up, drawn, outline, results, says, title_of, value};
use crate::policies::names;

/// The chart of this name with these values.
fn chart(outline: &Outline, values: Values<'_>, name: &str) -> Option<String> {
    drawn(outline, &results(outline, values, &close_up), name)
}

/// Latencies and attempts per request of policies at one point.
fn pareto(latencies: &[f64], costs: &[f64], thresholds: &[(usize, &str)]) -> String {
    let outline = outline(&names(latencies.len(), false), &[1.0], thresholds);
    let values = |id: Id, policy: usize, point: usize| match id {
        Id::LatencyAllP99Ms => Some(latencies[policy]),
        Id::Amplification => Some(costs[policy]),
        id => value(id, policy, point),
    };
    chart(&outline, &values, "pareto").expect("a chart")
}

/// A grid of three by two of these keys.
fn grid(axes: [&str; 2], thresholds: &[(usize, &str)]) -> Outline {
    let value = |number: f64| AxisValue {
        text: number.to_string(),
        number: Some(number),
        unit: "",
        json: number.into(),
    };
    let mut outline = outline(&names(2, false), &[1.0], &[]);
    let parsed =
        |(policy, text): &(usize, &str)| (*policy, Threshold::parse(text).expect("a threshold"));
    outline.thresholds = thresholds.iter().map(parsed).collect();
    outline.axes = axes.map(String::from).into();
    let points = [1.0, 2.0, 3.0].into_iter().flat_map(|x| [10.0, 20.0].map(|y| (x, y)));
    outline.points = points.map(|(x, y)| Point { values: vec![value(x), value(y)] }).collect();
    outline
}

const OF_POLICIES: [&str; 2] = ["policies.*.base", "policies.*.cap"];

/// Of policy-0 the third point is the best; policy-1 is the same everywhere, and costs more.
fn in_grid(id: Id, policy: usize, point: usize) -> Option<f64> {
    let off = if policy == 0 { point.abs_diff(2) as f64 } else { 10.0 };
    match id {
        Id::SuccessRatio => Some(0.9997),
        Id::Attempts => Some(1000.0 + 1000.0 * off),
        Id::Amplification => Some(1.0 + off),
        Id::LatencyAllP99Ms => Some(100.0),
        _ => None,
    }
}

#[test]
fn only_what_is_worse_in_both_beyond_the_intervals_is_beaten() {
    // The second is slower by less than the intervals; the third breaks its threshold.
    let svg = pareto(&[1000.0, 1010.0, 10.0], &[1.0, 2.0, 3.0], &[(2, "amplification <= 0.5")]);
    let title = "None of those that keep their thresholds is shown to be beaten in both";
    assert_eq!(title_of(&svg), title);
    assert!(says(&svg, "policy-2: 10 at 3, rejected"), "{svg}");
    assert!(says(&svg, "policy-2: amplification <= 0.5"));
    let svg = pareto(&[100.0, 200.0, 300.0], &[3.0, 2.0, 2.5], &[]);
    let title = "2 of 3 are not beaten in both, from policy-0, the fastest, to policy-1";
    assert_eq!(title_of(&svg), title);
}

#[test]
fn a_rejected_policy_may_be_the_fastest() {
    let title = |latencies: &[f64], costs: &[f64], thresholds: &[(usize, &str)]| {
        title_of(&pareto(latencies, costs, thresholds)).to_string()
    };
    let never = "amplification <= 0.5";
    let (latencies, costs) = ([200.0, 300.0, 100.0], [1.0, 2.0, 3.0]);
    assert_eq!(
        title(&latencies, &costs, &[(2, never)]),
        "policy-0 is the fastest and needs the fewest attempts of those that keep their thresholds"
    );
    assert_eq!(
        title(&latencies, &costs, &[(1, never), (2, never)]),
        "policy-0 is the only one that keeps its thresholds"
    );
    assert_eq!(
        title(&latencies, &costs, &[(1, never)]),
        "None of those that keep their thresholds is beaten in both: a lower latency costs attempts"
    );
    assert_eq!(
        title(&latencies, &costs, &[(0, never), (1, never), (2, never)]),
        "No policy keeps its thresholds"
    );
    let slow = [100.0, 300.0, 400.0];
    let best = "policy-0 is the fastest and needs the fewest attempts";
    assert_eq!(title(&slow, &costs, &[(2, never)]), best);
}

#[test]
fn a_price_is_named_where_the_intervals_show_it() {
    // Intervals are a hundredth of the mean on each side.
    let dear = pareto(&[100.0, 200.0], &[2.0, 1.0], &[]);
    assert_eq!(title_of(&dear), "None is beaten in both: a lower latency costs attempts");
    let about_alike = pareto(&[100.0, 200.0], &[1.01, 1.0], &[]);
    assert_eq!(title_of(&about_alike), "None is shown to be beaten in both");
}

#[test]
fn a_pareto_chart_compares_points_of_one_world() {
    let mut swept = outline(&names(2, false), &[50.0, 100.0], &[]);
    // A later point is slower.
    let values = |id: Id, policy: usize, point: usize| {
        let scale = if id == Id::LatencyAllP99Ms { 1.0 + point as f64 } else { 1.0 };
        value(id, policy, point).map(|value| value * scale)
    };
    let svg = chart(&swept, &values, "pareto").expect("a chart");
    assert!(says(&svg, "only workload.clients = 100"), "{svg}");
    assert!(says(&svg, " policy-0: "), "one point needs no value");
    swept.axes = vec!["policies.*.base".into()];
    let svg = chart(&swept, &values, "pareto").expect("a chart");
    assert!(says(&svg, "by policies.*.base") && says(&svg, " policy-0 (50): "), "{svg}");
}

#[test]
fn a_pareto_chart_of_a_large_sweep_shows_one_point() {
    let points: Vec<f64> = (1..=100).map(f64::from).collect();
    let mut outline = outline(&names(5, false), &points, &[]);
    outline.axes = vec!["policies.*.base".into()];
    let svg = chart(&outline, &value, "pareto").expect("a chart");
    assert!(says(&svg, "only policies.*.base = 100"), "{svg}");
}

#[test]
fn a_pareto_chart_needs_two_and_some_measure_of_time() {
    assert_eq!(chart(&outline(&names(1, false), &[1.0], &[]), &value, "pareto"), None);
    let two = outline(&names(2, false), &[1.0], &[]);
    let without = |left_out: &'static [Id]| {
        move |id: Id, policy: usize, point: usize| match id {
            id if left_out.contains(&id) => None,
            Id::LatencyAllMeanMs => Some(100.0 * (1 + policy) as f64),
            id => value(id, policy, point),
        }
    };
    let svg = chart(&two, &without(&[Id::LatencyAllP99Ms]), "pareto").expect("a chart");
    assert!(says(&svg, "mean latency, all requests"), "{svg}");
    let neither = without(&[Id::LatencyAllP99Ms, Id::LatencyAllMeanMs]);
    let svg = chart(&two, &neither, "pareto").expect("a chart");
    assert!(says(&svg, "time of the last end"), "{svg}");
}

#[test]
fn scaling_is_told_at_the_largest_value() {
    let outline = outline(&names(2, false), &[40.0, 10.0, 20.0], &[]);
    // Twice the attempts at 10 and 20, three times at 40.
    let values = |id: Id, policy: usize, point: usize| match id {
        Id::Attempts => Some([[100.0, 100.0, 100.0], [300.0, 200.0, 200.0]][policy][point]),
        id => value(id, policy, point),
    };
    let svg = chart(&outline, &values, "scaling").expect("a chart");
    let title = "policy-1 needs 3.00× the attempts of policy-0 at workload.clients = 40";
    assert_eq!(title_of(&svg), title);
    assert!(says(&svg, "policy-1 from 200 at 10 to 300 at 40"), "{svg}");
}

#[test]
fn the_best_point_is_that_of_one_world() {
    let svg = chart(&grid(OF_POLICIES, &[]), &in_grid, "heatmap").expect("a chart");
    let title = "Best: policy-0 with base = 2 and cap = 10, 1.00 attempts a request, more than \
                 99.9 % accepted";
    assert_eq!(title_of(&svg), title);
    assert!(says(&svg, "best point") && says(&svg, "the same everywhere: policy-1"), "{svg}");
    let worlds = grid(["policies.*.base", "workload.clients"], &[]);
    let svg = chart(&worlds, &in_grid, "heatmap").expect("a chart");
    assert_eq!(title_of(&svg), "What policies.*.base and workload.clients do");
    assert!(!says(&svg, "best point"), "{svg}");
}

#[test]
fn it_is_said_whose_thresholds_are_kept_nowhere() {
    let title = |thresholds: &[(usize, &str)]| {
        let worlds = grid(["policies.*.base", "workload.clients"], thresholds);
        title_of(&chart(&worlds, &in_grid, "heatmap").expect("a chart")).to_string()
    };
    let (never, always) = ("amplification <= 0.5", "amplification <= 50");
    let of =
        |whose: &str| format!("No point of policies.*.base and workload.clients keeps {whose}");
    // policy-1 is the same everywhere, and has no panels.
    assert_eq!(title(&[(0, never), (1, always)]), of("the thresholds of policy-0"));
    assert_eq!(title(&[(0, never), (1, never)]), of("a policy's thresholds"));
    assert_eq!(title(&[(0, never)]), of("a policy's thresholds"));
}

#[test]
fn what_the_keys_do_not_change_can_be_the_best() {
    let thresholds = [(0, "amplification <= 0.5"), (1, "amplification <= 50")];
    let svg = chart(&grid(OF_POLICIES, &thresholds), &in_grid, "heatmap").expect("a chart");
    let title = "Best: policy-1 whatever base and cap are, 11.0 attempts a request, more than \
                 99.9 % accepted";
    assert_eq!(title_of(&svg), title);
}

#[test]
fn a_policy_is_the_same_everywhere_only_by_all_metrics() {
    let values = |id: Id, policy: usize, point: usize| match id {
        Id::SpendTokens => Some(1000.0 + point as f64),
        id => in_grid(id, policy, point),
    };
    let svg = chart(&grid(OF_POLICIES, &[]), &values, "heatmap").expect("a chart");
    assert!(!says(&svg, "the same everywhere"), "{svg}");
}
