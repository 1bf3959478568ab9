//! How logical requests ended.

use retrial::report::charts::{Ending, EndingsChart, EndingsRow};

use crate::policies::{names, svg};
use crate::words::{assert_readable, read};

/// The shares of a policy.
type Shares<'a> = &'a dyn Fn(usize) -> [f64; 8];

fn endings(policies: &[String], shares: impl Fn(usize) -> [f64; 8]) -> EndingsChart {
    let rows = policies.iter().enumerate();
    let rows =
        rows.map(|(index, policy)| EndingsRow { policy: policy.clone(), shares: shares(index) });
    EndingsChart {
        title: "How requests end".into(),
        subtitle: "200 clients, seed 1".into(),
        rows: rows.collect(),
    }
}

/// All of them by one ending.
fn only(ending: Ending) -> [f64; 8] {
    Ending::ALL.map(|other| if other == ending { 1.0 } else { 0.0 })
}

/// Equal ratios from one ending to the next.
fn falling(ratio: f64) -> [f64; 8] {
    let weights: Vec<f64> = (0..8).map(|place| ratio.powi(place)).collect();
    let all: f64 = weights.iter().sum();
    std::array::from_fn(|place| weights[place] / all)
}

#[test]
fn every_word_of_an_endings_chart_can_be_read() {
    for count in [0, 1, 2, 5, 12, 30] {
        for long in [false, true] {
            let policies = names(count, long);
            let shares: [(&str, Shares<'_>); 5] = [
                ("none", &|_| [0.0; 8]),
                ("one", &|policy| only(Ending::ALL[policy % 8])),
                ("equal", &|_| falling(1.0)),
                ("falling", &|policy| falling(1.0 / (1.0 + policy as f64))),
                ("nearly one", &|_| falling(1e-5)),
            ];
            for (case, shares) in shares {
                let svg = svg(&endings(&policies, shares), &policies);
                assert_readable(&format!("{count} {long} {case}"), &svg);
            }
        }
    }
}

#[test]
fn a_segment_says_its_share_if_it_has_room() {
    let policies = names(1, false);
    let mut shares = only(Ending::FirstTry);
    shares[Ending::FirstTry as usize] = 0.749;
    shares[Ending::Stopped as usize] = 0.25;
    shares[Ending::Unfinished as usize] = 0.001;
    let svg = svg(&endings(&policies, |_| shares), &policies);
    let (_, _, words) = read(&svg);
    let said = |text: &str| words.iter().any(|word| word.content == text);
    assert!(said("74.9 %") && said("25 %") && !said("0.1 %"));
    assert!(said("unfinished") && !said("reconciled"), "the legend has what occurs");
    assert!(svg.contains("74.9 % succeeded at first try, 25 % stopped, 0.1 % unfinished."));
}

#[test]
fn what_is_not_all_is_not_called_so() {
    let policies = names(1, false);
    let mut shares = only(Ending::FirstTry);
    shares[Ending::FirstTry as usize] = 0.99999;
    shares[Ending::Budget as usize] = 0.00001;
    let (_, _, words) = read(&svg(&endings(&policies, |_| shares), &policies));
    assert!(words.iter().any(|word| word.content == "> 99.9 %"), "{words:?}");
}
