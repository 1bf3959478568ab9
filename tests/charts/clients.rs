//! Clients over time.

use retrial::measure::close_up::{About, SampledAttempt};
use retrial::report::charts::{ClientsChart, ClientsPanel};

use crate::close_ups::{about, random, request};
use crate::policies::{names, svg};
use crate::words::{assert_readable, read};

pub fn chart(
    policies: &[String],
    run: impl Fn(usize) -> (About, Vec<SampledAttempt>),
) -> ClientsChart {
    let panels = policies.iter().enumerate().map(|(index, policy)| {
        let (about, attempts) = run(index);
        ClientsPanel { policy: policy.clone(), about, attempts }
    });
    ClientsChart {
        title: "Who sends when: up to 93 % of the clients retry within 50 ms of each other".into(),
        subtitle: "thundering-herd · seed 1 · replication 0 of 30".into(),
        panels: panels.collect(),
    }
}

/// Up to `requests` requests of every sampled client, each of up to `attempts` attempts.
pub fn run(
    policy: usize,
    (clients, every): (u32, u32),
    requests: u32,
    attempts: u32,
) -> (About, Vec<SampledAttempt>) {
    let sampled = (0..clients).step_by(every as usize);
    let made = sampled.flat_map(|client| {
        (0..requests).flat_map(move |number| {
            let open_ms = 900.0 + 4000.0 * random(client as usize, number as usize, policy);
            request((client, number), attempts, open_ms, policy % 2 == 1)
        })
    });
    (about(clients, every), made.collect())
}

#[test]
fn every_word_can_be_read() {
    for count in [0, 1, 2, 5, 12] {
        for long in [false, true] {
            let policies = names(count, long);
            let cases: [(&str, ClientsChart); 5] = [
                ("no attempts", chart(&policies, |_| (about(200, 1), Vec::new()))),
                ("no clients", chart(&policies, |_| (About::default(), Vec::new()))),
                ("one client", chart(&policies, |i| run(i, (1, 1), 1, 1))),
                ("a few", chart(&policies, |i| run(i, (9, 1), 2, 12))),
                (
                    "sampled and cut",
                    chart(&policies, |i| {
                        let (about, attempts) = run(i, (1_234_567, 4200), 1 + 9 * i as u32, 6);
                        (About { attempts_until_ms: Some(12_345.6), ..about }, attempts)
                    }),
                ),
            ];
            for (case, chart) in cases {
                assert_readable(&format!("{count} {long} {case}"), &svg(&chart, &policies));
            }
        }
    }
}

#[test]
fn a_full_panel_of_six_thousand_attempts_stays_small() {
    let policies = names(2, false);
    let chart = chart(&policies, |i| run(i, (300, 1), 15, 9));
    let attempts: usize = chart.panels.iter().map(|panel| panel.attempts.len()).sum();
    let size = svg(&chart, &policies).len();
    assert!(attempts > 12_000, "{attempts}");
    assert!(size < 250_000, "{size} for {attempts}");
}

#[test]
fn a_sample_says_of_how_many() {
    let policies = names(1, false);
    let svg =
        |clients, every| svg(&chart(&policies, |i| run(i, (clients, every), 1, 3)), &policies);
    let says = |svg: &str, note: &str| {
        read(svg).2.iter().any(|word| word.content.split(" · ").any(|part| part == note))
    };
    assert!(says(&svg(200, 1), "200 clients"));
    assert!(says(&svg(5000, 17), "295 of 5,000 clients"));
    // More rows than can be told apart.
    assert!(says(&svg(700, 1), "234 of 700 clients"));
}

#[test]
fn only_outcomes_that_occur_are_explained() {
    let policies = names(1, false);
    let svg = svg(&chart(&policies, |i| run(i, (5, 5), 1, 1)), &policies);
    let (_, _, words) = read(&svg);
    let has = |content: &str| words.iter().any(|word| word.content == content);
    assert!(has("accepted") && has("fault") && !has("refused") && !has("failed"));
    assert!(svg.contains("attempts 1 accepted; half of the clients had a success by"), "{svg}");
}
