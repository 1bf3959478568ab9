//! What became of the thresholds, for people.

use super::figures;
use crate::study::results::Results;
use crate::study::threshold::Judgement;

/// A line for each threshold at each point: first those that failed.
pub fn lines(results: &Results, judgements: &[Judgement]) -> Vec<String> {
    let (held, failed): (Vec<_>, Vec<_>) = judgements.iter().partition(|judged| judged.holds);
    failed.into_iter().chain(held).map(|judged| line(results, judged)).collect()
}

/// A threshold at a point, and what was found.
pub fn line(results: &Results, judgement: &Judgement) -> String {
    let mark = if judgement.holds { "ok    " } else { "FAILED" };
    let end = if judgement.condition.comparison.is_upper_bound() { "up to" } else { "down to" };
    let mut found = match judgement.judged {
        Some(value) if results.replications > 1 => format!("{end} {}", figures::plain(value)),
        Some(value) => figures::plain(value),
        None => "it has no estimate".to_string(),
    };
    if judgement.n < results.replications && judgement.judged.is_some() {
        found.push_str(&format!(", in {} of {} replications", judgement.n, results.replications));
    }
    let place = match results.describe_point(judgement.point) {
        place if place.is_empty() => String::new(),
        place => format!(" at {place}"),
    };
    let policy = &results.policies[judgement.policy];
    format!("{mark}  {policy}: {}{place} ({found})", judgement.condition)
}
