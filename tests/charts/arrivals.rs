//! Arrivals over time.

use retrial::measure::series::Bin;
use retrial::report::charts::{ArrivalsChart, ArrivalsPanel};

use crate::policies::{names, svg};
use crate::words::assert_readable;

pub fn bins(count: usize, attempts: impl Fn(usize) -> u64) -> Vec<Bin> {
    let bin = |index: usize| Bin {
        start_ms: index as f64 * 100.0,
        width_ms: 100.0,
        attempts: attempts(index),
        rejected: attempts(index) / 2,
        in_flight: 0.0,
        waiting: 0.0,
    };
    (0..count).map(bin).collect()
}

pub fn arrivals(policies: &[String], bins: impl Fn(usize) -> Vec<Bin>) -> ArrivalsChart {
    let panels = policies.iter().enumerate();
    let panels =
        panels.map(|(index, policy)| ArrivalsPanel { policy: policy.clone(), bins: bins(index) });
    ArrivalsChart {
        title: "Without jitter, clients that collide once keep colliding".into(),
        subtitle: "200 clients, seed 1, one replication".into(),
        panels: panels.collect(),
    }
}

#[test]
fn every_word_of_an_arrivals_chart_can_be_read() {
    for count in [0, 1, 2, 5, 12] {
        for long in [false, true] {
            let policies = names(count, long);
            let cases: [(&str, Vec<ArrivalsPanel>); 6] = [
                ("no bins", arrivals(&policies, |_| Vec::new()).panels),
                ("one bin", arrivals(&policies, |_| bins(1, |_| 7)).panels),
                ("all zero", arrivals(&policies, |_| bins(50, |_| 0)).panels),
                (
                    "2,000 bins",
                    arrivals(&policies, |i| bins(2000, |b| (b * (i + 7) % 97) as u64)).panels,
                ),
                ("many", arrivals(&policies, |_| bins(9, |_| 123_456_789)).panels),
                (
                    "one far longer",
                    arrivals(&policies, |i| bins(if i == 1 { 2000 } else { 40 }, |_| 41)).panels,
                ),
            ];
            for (case, panels) in cases {
                let chart = ArrivalsChart { panels, ..arrivals(&[], |_| Vec::new()) };
                assert_readable(&format!("{count} {long} {case}"), &svg(&chart, &policies));
            }
        }
    }
}

#[test]
fn a_chart_that_is_cut_says_so() {
    let policies = names(2, false);
    let length = |policy| if policy == 0 { 1000 } else { 50 };
    let svg = svg(&arrivals(&policies, |policy| bins(length(policy), |_| 10)), &policies);
    assert!(svg.contains("goes on to 100 s (25 % shown)"), "{svg}");
}
