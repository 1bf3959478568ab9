//! What became of the thresholds, for people.

use super::figures;
use crate::study::results::Results;
use crate::study::threshold::{Basis, Judgement};

/// A line for each threshold at each point: first those that failed, then those that only warn.
pub fn lines(results: &Results, judgements: &[Judgement]) -> Vec<String> {
    let (held, broken): (Vec<_>, Vec<_>) = judgements.iter().partition(|judged| judged.holds);
    let (failed, warnings): (Vec<_>, Vec<_>) = broken.into_iter().partition(|j| j.fails());
    let all = failed.into_iter().chain(warnings).chain(held);
    all.map(|judged| line(results, judged)).collect()
}

fn line(results: &Results, judgement: &Judgement) -> String {
    let mark = match (judgement.holds, judgement.only_warns) {
        (true, _) => "ok    ",
        (false, true) => "warn  ",
        (false, false) => "FAILED",
    };
    format!("{mark}  {}", finding(results, judgement))
}

/// A threshold at a point, and what was found.
pub fn finding(results: &Results, judgement: &Judgement) -> String {
    let place = match results.describe_point(judgement.point) {
        place if place.is_empty() => String::new(),
        place => format!(" at {place}"),
    };
    let policy = &results.policies[judgement.policy];
    format!("{policy}: {}{place} ({})", judgement.condition, found(judgement))
}

fn found(judgement: &Judgement) -> String {
    let Judgement { n, replications, .. } = judgement;
    let upper = judgement.condition.comparison.is_upper_bound();
    let value = figures::plain(judgement.judged.unwrap_or_default());
    let mut found = match judgement.basis {
        Basis::Interval => format!("{} {value}", if upper { "up to" } else { "down to" }),
        Basis::OnlyRun => value,
        Basis::EveryRun if judgement.holds => "in every run".to_string(),
        Basis::EveryRun => {
            format!("{value} in {} run", if upper { "the highest" } else { "the lowest" })
        }
        Basis::Nothing => return "it has no estimate".to_string(),
        Basis::TooFew(shortage) => {
            let (had, needed) =
                (figures::plain(shortage.had), figures::plain(shortage.needed as f64));
            return format!("it takes {needed} requests a run, there are {had}");
        }
    };
    if n < replications {
        found.push_str(&format!(", in {n} of {replications} replications"));
    }
    found
}
