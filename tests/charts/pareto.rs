//! What is reached against what that costs.

use retrial::report::charts::{
    Constraint, ParetoChart, ParetoPoint, Quantity, Reference, Spacing, Span,
};

use crate::policies::{names, svg};
use crate::words::{assert_readable, read};

/// Cost and objective of a point.
type Place<'a> = &'a dyn Fn(usize) -> (f64, f64);

fn span(mean: f64) -> Span {
    Span { mean, low: mean * 0.97, high: mean * 1.03 }
}

/// Points of policies in turn; `place` says where, and every so many have a name.
fn pareto(
    policies: &[String],
    points: usize,
    named: usize,
    place: impl Fn(usize) -> (f64, f64),
) -> ParetoChart {
    let points = (0..points).filter(|_| !policies.is_empty()).map(|index| {
        let kind = index % policies.len();
        let (x, y) = place(index);
        ParetoPoint {
            name: (index % named == 0).then(|| policies[kind].clone()),
            kind,
            x: span(x),
            y: span(y),
            size: Some(index as f64),
            is_rejected: index % 4 == 3,
        }
    });
    ParetoChart {
        title: "A lower latency costs attempts".into(),
        subtitle: "30 replications, seed 1".into(),
        x: Quantity::new("amplification", Spacing::ByReach),
        y: Quantity::new("latency", Spacing::ByReach).of_times(),
        kinds: policies.to_vec(),
        rejected: Some("a threshold fails".into()),
        shows_all: true,
        points: points.collect(),
        constraints: Vec::new(),
    }
}

fn bounds(cost: f64, objective: f64) -> Vec<Constraint> {
    let bound = |at: f64, name: &str| Reference { at, label: format!("{name} <= {at}") };
    vec![
        Constraint::Cost(bound(cost, "amplification")),
        Constraint::Objective(bound(objective, "latency_all_p99_ms")),
    ]
}

fn curve(index: usize) -> (f64, f64) {
    let x = 1.0 + (index * 37 % 101) as f64 / 20.0;
    (x, 900.0 + 4000.0 / x + (index * 13 % 17) as f64 * 40.0)
}

#[test]
fn every_word_of_a_pareto_chart_can_be_read() {
    for count in [0, 1, 2, 5, 12] {
        for long in [false, true] {
            let policies = names(count, long);
            for points in [0, 1, 2, 12, 400] {
                let place: [(&str, Place<'_>); 5] = [
                    ("curve", &curve),
                    ("one place", &|_| (1.0, 500.0)),
                    ("zero", &|_| (0.0, 0.0)),
                    ("far", &|index| (1.5_f64.powi(index as i32 % 40), 1e7)),
                    ("corner", &|index| if index == 0 { (9.0, 90.0) } else { (1.0, 1.0) }),
                ];
                for (case, place) in place {
                    for (cost, objective) in [(1.5, 3000.0), (0.0, 0.0), (1e9, 1e9)] {
                        let mut chart = pareto(&policies, points, 1 + points / 12, place);
                        chart.constraints = bounds(cost, objective);
                        let case = format!("{count} {long} {points} {case} {cost}");
                        assert_readable(&case, &svg(&chart, &policies));
                    }
                }
            }
        }
    }
}

#[test]
fn points_with_room_all_have_their_names_beside_them() {
    let policies = names(5, false);
    let chart =
        pareto(&policies, 5, 1, |index| (1.0 + index as f64, 5000.0 - 900.0 * index as f64));
    let (_, _, words) = read(&svg(&chart, &policies));
    let named = words.iter().filter(|word| word.content.starts_with("policy-"));
    assert_eq!(named.count(), 5, "and a legend would say it twice: {words:?}");
    assert!(words.iter().any(|word| word.content == "a threshold fails"));
}

#[test]
fn the_legend_has_only_what_is_drawn() {
    let policies = names(5, false);
    let mut chart = pareto(&policies, 40, 50, curve);
    chart.points.retain(|point| point.kind < 2 && !point.is_rejected);
    let (_, _, words) = read(&svg(&chart, &policies));
    let legend: Vec<_> = words.iter().map(|word| word.content.as_str()).collect();
    assert!(legend.contains(&"policy-1") && !legend.contains(&"policy-2"), "{legend:?}");
    assert!(!legend.contains(&"a threshold fails"));
}

#[test]
fn a_bound_near_the_points_is_drawn_and_a_far_one_is_told() {
    let policies = names(2, false);
    let mut chart = pareto(&policies, 2, 1, |index| (1.0 + index as f64, 1000.0));
    chart.constraints = bounds(2.5, 1e6);
    let (_, height, words) = read(&svg(&chart, &policies));
    let find = |text: &str| words.iter().find(|word| word.content.contains(text));
    let near = find("amplification <= 2.5").expect("the bound on the cost");
    assert!(near.left > 480.0 && near.top < 0.4 * height, "{near:?}");
    let far = find("latency_all_p99_ms <= 1000000").expect("the bound on the objective");
    assert!(far.content.contains("lies beyond the axis"), "{far:?}");
}

#[test]
fn an_axis_follows_the_data() {
    let policies = names(2, false);
    let chart = pareto(&policies, 2, 1, |index| (10.2 + index as f64, 1000.0));
    let (_, _, words) = read(&svg(&chart, &policies));
    let ticks: Vec<_> = words.iter().filter_map(|word| word.content.parse::<f64>().ok()).collect();
    assert!(ticks.contains(&10.5) && ticks.contains(&11.0), "{ticks:?}");
    assert!(ticks.iter().all(|tick| *tick < 20.0 || *tick > 900.0), "{ticks:?}");
}
