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

/// What was held against the bound of a threshold, and where it comes from.
pub fn found(judgement: &Judgement) -> String {
    let Judgement { n, replications, .. } = judgement;
    let upper = judgement.condition.comparison.is_upper_bound();
    let value = telling(judgement);
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

/// The figure that was judged, with as many decimals as it takes to stand on the right side of the
/// bound: 0.9985 breaks `>= 0.999`, and 1.00 would not.
fn telling(judgement: &Judgement) -> String {
    let Judgement { condition, holds, .. } = judgement;
    let value = judgement.judged.unwrap_or_default();
    let plain = figures::plain(value);
    let tells = |text: &str| {
        let shown: f64 = text.replace(',', "").parse().unwrap_or(value);
        condition.comparison.holds(shown, condition.bound) == *holds
    };
    let exact = (0..MAX_DECIMALS).map(|decimals| figures::with_decimals(value, decimals));
    let finer = exact.filter(|text| text.len() > plain.len());
    let texts = std::iter::once(plain.clone()).chain(finer);
    texts.into_iter().find(|text| tells(text)).unwrap_or_else(|| value.to_string())
}

/// More decimals than a float holds tell nothing.
const MAX_DECIMALS: usize = 17;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::condition::Condition;

    #[test]
    fn what_is_shown_never_contradicts_the_judgement() {
        for (condition, judged, holds, shown) in [
            ("success_ratio >= 0.999", 0.9985, false, "0.9985"),
            ("success_ratio >= 0.99", 0.9985, true, "1.00"),
            ("amplification <= 1.3", 1.3004, false, "1.3004"),
            ("latency_p99_ms <= 8000", 8000.2, false, "8,000.2"),
            ("attempts <= 4600", 4588.0, true, "4,588"),
        ] {
            let judgement = Judgement {
                policy: 0,
                point: 0,
                condition: Condition::parse(condition).unwrap(),
                only_warns: false,
                judged: Some(judged),
                basis: Basis::Interval,
                n: 30,
                replications: 30,
                holds,
            };
            assert_eq!(telling(&judgement), shown, "{condition}");
        }
    }
}
