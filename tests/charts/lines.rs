//! Metrics against a swept parameter.

use retrial::report::charts::{
    Line, LinePoint, LinesChart, LinesPanel, Quantity, Reference, Spacing, Tick,
};

use crate::policies::{names, svg};
use crate::words::{assert_readable, read};

/// A chart of `panels` metrics, the second logarithmic, with `mean(policy, point)` as values.
pub fn lines(
    policies: &[String],
    panels: usize,
    points: usize,
    mean: impl Fn(usize, usize) -> f64,
) -> LinesChart {
    let line = |(index, policy): (usize, &String)| Line {
        policy: policy.clone(),
        stepped: false,
        points: (0..points)
            .map(|point| {
                let mean = mean(index, point);
                let x = 10.0 * (point + 1) as f64;
                LinePoint { x, mean, low: mean * 0.9, high: mean * 1.1 }
            })
            .collect(),
    };
    let panel = |place| {
        let spacing = if place == 1 { Spacing::Logarithmic } else { Spacing::Linear };
        let y = Quantity::new("Attempts until all requests are done", spacing);
        LinesPanel::new(y, policies.iter().enumerate().map(line).collect())
    };
    LinesChart {
        title: "Jitter halves the attempts".into(),
        subtitle: "20 replications, seed 1; bands are 95 % intervals".into(),
        summary: None,
        x: Quantity::new("clients", Spacing::ByReach),
        panels: (0..panels).map(panel).collect(),
    }
}

pub fn rising(policy: usize, point: usize) -> f64 {
    (1 + policy) as f64 * (point as f64 + 1.0) * 37.0
}

#[test]
fn every_word_of_a_lines_chart_can_be_read() {
    for count in [0, 1, 2, 5, 6, 12] {
        for long in [false, true] {
            let policies = names(count, long);
            for panels in [0, 1, 2, 3] {
                for points in [0, 1, 2, 25, 60] {
                    let case = format!("{count} {long} {panels} {points}");
                    let draw = |mean: &dyn Fn(usize, usize) -> f64| {
                        svg(&lines(&policies, panels, points, mean), &policies)
                    };
                    assert_readable(&format!("{case} rising"), &draw(&rising));
                    assert_readable(&format!("{case} zero"), &draw(&|_, _| 0.0));
                    assert_readable(&format!("{case} equal"), &draw(&|_, _| 1234.5));
                    assert_readable(&format!("{case} large"), &draw(&|p, x| rising(p, x) * 1e7));
                    assert_readable(&format!("{case} small"), &draw(&|p, x| rising(p, x) * 1e-8));
                    assert_readable(&format!("{case} absent"), &draw(&|_, _| f64::NAN));
                    let gaps = |policy, point| match point % 3 {
                        1 => f64::NAN,
                        2 => f64::INFINITY,
                        _ => -rising(policy, point),
                    };
                    assert_readable(&format!("{case} gaps"), &draw(&gaps));
                }
            }
        }
    }
}

#[test]
fn lines_are_labelled_at_their_ends_while_there_are_few() {
    let below = |count| {
        let policies = names(count, false);
        let (_, height, words) = read(&svg(&lines(&policies, 2, 5, rising), &policies));
        let named = words.iter().filter(|word| word.content.starts_with("policy-"));
        let named: Vec<_> = named.collect();
        (named.len(), named.iter().all(|word| word.top > height * 0.7))
    };
    assert_eq!(below(5), (10, false), "a label in each of two panels");
    assert_eq!(below(6), (6, true), "one legend");
}

/// A chart of times on both axes, with steps and references.
fn latencies(policies: &[String], points: usize, scale: f64) -> LinesChart {
    let mut chart = lines(policies, 1, points, |policy, point| rising(policy, point) * scale);
    for line in &mut chart.panels[0].lines {
        line.stepped = true;
    }
    chart.x = Quantity::new("time since the request was to begin", Spacing::ByReach).of_times();
    chart.panels[0].y = Quantity::new("latency", Spacing::Logarithmic).of_times();
    chart
}

fn references(values: &[f64], label: &str) -> Vec<Reference> {
    let reference = |at: &f64| Reference { at: *at, label: format!("{label} {at} ms") };
    values.iter().map(reference).collect()
}

#[test]
fn every_word_beside_references_can_be_read() {
    let long = "deadline of a policy whose name takes forty wide characters or more than these";
    for count in [0, 1, 2, 5, 12] {
        for names_are_long in [false, true] {
            let policies = names(count, names_are_long);
            for points in [0, 1, 2, 400] {
                for scale in [1e-6, 1.0, 1e6] {
                    for (values, label) in [
                        (&[2000.0][..], "deadline"),
                        (&[2000.0, 2001.0, 2100.0], "deadline"),
                        (&[1e-3, 2000.0, 2001.0, 1e9], long),
                    ] {
                        let mut chart = latencies(&policies, points, scale);
                        chart.panels[0].across = references(values, label);
                        chart.panels[0].upright = references(values, label);
                        let case = format!("{count} {names_are_long} {points} {scale} {label}");
                        assert_readable(&case, &svg(&chart, &policies));
                    }
                }
            }
        }
    }
}

#[test]
fn a_reference_is_named_and_hides_no_line_where_it_needs_not() {
    let policies = names(1, false);
    let mut chart = lines(&policies, 1, 2, |_, point| [1.0, 100.0][point]);
    chart.panels[0].across = references(&[1.0], "chance");
    let (_, _, words) = read(&svg(&chart, &policies));
    let label = words.iter().find(|word| word.content == "chance 1 ms").expect("the label");
    let zero = words.iter().find(|word| word.content == "0").expect("the axis");
    // The line leaves the reference at its left end: at the right is room above it.
    assert!(label.left > 480.0 && label.bottom < zero.top, "{label:?} {zero:?}");
}

#[test]
fn given_ticks_stand_where_they_belong() {
    let policies = names(1, false);
    let mut chart = lines(&policies, 1, 100, rising);
    let tick = |value: f64, label: &str| Tick { value, label: label.into() };
    let ticks = vec![tick(10.0, "90 %"), tick(100.0, "99 %"), tick(1e4, "99.99 %")];
    chart.x = Quantity::new("percentile", Spacing::Logarithmic).with_ticks(ticks);
    let (_, _, words) = read(&svg(&chart, &policies));
    let place = |label: &str| {
        let word = words.iter().find(|word| word.content == label)?;
        Some(f64::midpoint(word.left, word.right))
    };
    let (first, second) = (place("90 %").expect("a tick"), place("99 %").expect("a tick"));
    assert!(second - first > 250.0, "two of three decades lie between: {first} {second}");
    assert_eq!(place("99.99 %"), None, "the axis ends at 1000");
}
