//! Metrics against a swept parameter.

use retrial::report::charts::{Line, LinePoint, LinesChart, LinesPanel};

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
        points: (0..points)
            .map(|point| {
                let mean = mean(index, point);
                let x = 10.0 * (point + 1) as f64;
                LinePoint { x, mean, low: mean * 0.9, high: mean * 1.1 }
            })
            .collect(),
    };
    let panel = |place| LinesPanel {
        y_title: "Attempts until all requests are done".into(),
        log_y: place == 1,
        lines: policies.iter().enumerate().map(line).collect(),
    };
    LinesChart {
        title: "Jitter halves the attempts".into(),
        subtitle: "20 replications, seed 1; bands are 95 % intervals".into(),
        x_title: "clients".into(),
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
