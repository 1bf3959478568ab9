//! How do logical requests end?

use super::Shown;
use crate::measure::metric::Id;
use crate::report::charts::{Ending, EndingsChart, EndingsRow};
use crate::report::figures;

/// The shares of all endings, a bar a policy, over all replications at the point.
pub fn chart(shown: &Shown<'_>) -> Option<EndingsChart> {
    let Shown { results, point, .. } = *shown;
    let rows: Vec<_> = results
        .at_point(point)
        .map(|cell| EndingsRow {
            policy: results.policies[cell.policy].clone(),
            shares: shares(|id| cell.estimate(id).mean.unwrap_or(0.0)),
        })
        .collect();
    rows.iter().flat_map(|row| row.shares).find(|share| *share > 0.0)?;
    Some(EndingsChart { title: title(&rows)?, subtitle: subtitle(shown), rows })
}

/// The shares by mean counts.
fn shares(mean: impl Fn(Id) -> f64) -> [f64; 8] {
    let counts = Ending::ALL.map(|ending| mean(count(ending)));
    let all: f64 = counts.iter().sum();
    counts.map(|count| if all > 0.0 { count / all } else { 0.0 })
}

/// The metric that counts an ending.
fn count(ending: Ending) -> Id {
    match ending {
        Ending::FirstTry => Id::FirstTrySucceeded,
        Ending::Retried => Id::RetriedSucceeded,
        Ending::Attempts => Id::GaveUpAttempts,
        Ending::Deadline => Id::GaveUpDeadline,
        Ending::Budget => Id::GaveUpBudget,
        Ending::Stopped => Id::Stopped,
        Ending::Reconciled => Id::Reconciled,
        Ending::Unfinished => Id::Unfinished,
    }
}

/// Who answers most and least, and what most of the rest ends with.
fn title(rows: &[EndingsRow]) -> Option<String> {
    let answered = |row: &&EndingsRow| row.answered();
    let most = rows.iter().max_by(|a, b| answered(a).total_cmp(&answered(b)))?;
    let least = rows.iter().min_by(|a, b| answered(a).total_cmp(&answered(b)))?;
    let share = |row: &EndingsRow| figures::share(row.answered());
    let failed = Ending::ALL.into_iter().zip(least.shares).skip(2);
    let why = failed.max_by(|(_, one), (_, other)| one.total_cmp(other));
    let why = why.filter(|(_, share)| *share > 0.0).map(|(ending, share)| {
        format!("; {} of its requests {}", figures::share(share), ended(ending))
    });
    let why = why.unwrap_or_default();
    Some(match share(most) == share(least) {
        true if rows.len() == 1 => format!("{} answers {}{why}", most.policy, share(most)),
        true => format!("All policies answer {} of requests", share(most)),
        false => format!(
            "{} answers {} of requests, {} {}{why}",
            most.policy,
            share(most),
            least.policy,
            share(least)
        ),
    })
}

/// How requests ended, in a sentence about them.
fn ended(ending: Ending) -> &'static str {
    match ending {
        Ending::FirstTry => "succeed at the first try",
        Ending::Retried => "succeed after retries",
        Ending::Attempts => "run out of attempts",
        Ending::Deadline => "run out of time",
        Ending::Budget => "find the retry budget empty",
        Ending::Stopped => "stop on an error that must not be repeated",
        Ending::Reconciled => "have an unknown outcome",
        Ending::Unfinished => "are not done when the run ends",
    }
}

fn subtitle(shown: &Shown<'_>) -> String {
    let Shown { results, point, .. } = *shown;
    let mut parts = vec![results.experiment.clone()];
    parts.extend(Some(results.describe_point(point)).filter(|place| !place.is_empty()));
    parts.push(format!("seed {}", results.seed));
    parts.push(format!("means of {}", figures::replications(results.replications_at(point))));
    parts.join(" · ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_are_shares_of_all() {
        let shares = shares(|id| match id {
            Id::FirstTrySucceeded => 150.0,
            Id::GaveUpBudget => 50.0,
            _ => 0.0,
        });
        assert_eq!(shares, [0.75, 0.0, 0.0, 0.0, 0.25, 0.0, 0.0, 0.0]);
        let row = |policy: &str, shares| EndingsRow { policy: policy.to_string(), shares };
        let all = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        assert_eq!(
            title(&[row("b", shares), row("a", all)]).as_deref(),
            Some(
                "a answers 100 % of requests, b 75 %; 25 % of its requests find the retry budget empty"
            )
        );
        assert_eq!(super::shares(|_| 0.0), [0.0; 8]);
    }
}
