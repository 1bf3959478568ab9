//! One request, attempt by attempt.

use retrial::measure::close_up::SampledAttempt;
use retrial::report::charts::{WaterfallChart, WaterfallPanel};

use crate::close_ups::request;
use crate::policies::{names, svg};
use crate::words::{assert_readable, read};

pub fn chart(
    policies: &[String],
    deadline_ms: Option<f64>,
    attempts: impl Fn(usize) -> Vec<SampledAttempt>,
) -> WaterfallChart {
    let panels = policies.iter().enumerate().map(|(index, policy)| WaterfallPanel {
        policy: policy.clone(),
        deadline_ms,
        end_ms: 60_000.0,
        attempts: attempts(index),
    });
    WaterfallChart {
        title: "Request 2 of client 17: accepted after 5 attempts in 3.2 s under full-jitter"
            .into(),
        subtitle: "thundering-herd · seed 1 · replication 0 of 30".into(),
        panels: panels.collect(),
    }
}

#[test]
fn every_word_can_be_read() {
    for count in [0, 1, 2, 3] {
        for long in [false, true] {
            let policies = names(count, long);
            for deadline in [None, Some(1500.0), Some(90_000.0)] {
                for (client, attempts) in [(0, 0), (0, 1), (7, 5), (2, 12), (9, 300)] {
                    let case = format!("{count} {long} {deadline:?} {attempts}");
                    let chart = chart(&policies, deadline, |i| {
                        request((client, 2), attempts, 1e9, i % 2 == 1)
                    });
                    assert_readable(&case, &svg(&chart, &policies));
                }
            }
            let wordy = chart(&policies, None, |_| {
                let wordy = |attempt: SampledAttempt| SampledAttempt {
                    branch: "a_branch_with_a_name_of_so_many_words".into(),
                    class: "outcome_unknown_and_then_some_more".into(),
                    action: "retry_after_hint_on_another_route_and_so_on".into(),
                    ..attempt
                };
                request((3, 1), 6, 1e9, true).into_iter().map(wordy).collect()
            });
            assert_readable(&format!("{count} {long} wordy"), &svg(&wordy, &policies));
        }
    }
}

#[test]
fn long_requests_show_how_they_began_and_ended() {
    let policies = names(1, false);
    let says = |attempts: u32| {
        let chart = chart(&policies, None, |_| request((0, 0), attempts, 1e9, true));
        let (_, _, words) = read(&svg(&chart, &policies));
        let rows = words
            .iter()
            .filter(|word| ["first try", "same route retry"].contains(&word.content.as_str()));
        let more = words.iter().find(|word| word.content.starts_with('…'));
        (rows.count(), more.map(|word| word.content.clone()))
    };
    assert_eq!(says(12), (12, None));
    assert_eq!(says(25), (11, Some("… 14 more".to_owned())));
}

#[test]
fn the_words_tell_the_whole_story() {
    let policies = names(1, false);
    let chart = chart(&policies, Some(700.0), |_| request((7, 0), 3, 1e9, false));
    let svg = svg(&chart, &policies);
    let (_, _, words) = read(&svg);
    let has = |content: &str| words.iter().any(|word| word.content == content);
    // From the planned beginning: 12 ms in flight, thrice, and the waits of 200 and 400 ms.
    assert!(has("accepted after 3 attempts in 636 ms"), "{words:?}");
    assert!(has("refused · 503 · transient"), "{words:?}");
    assert!(has("retry same route, waits 200 ms") && has("retry same route, waits 400 ms"));
    assert!(has("time since the planned beginning (ms), deadline dashed"));
    assert!(svg.contains("2 same route retry at 212 ms, refused · 503 · transient"), "{svg}");
}
