//! What do policies make of one and the same request?

use std::collections::{BTreeMap, BTreeSet};

use super::Shown;
use crate::measure::close_up::{CloseUp, SampledAttempt};
use crate::report::charts::{WaterfallChart, WaterfallPanel};
use crate::report::recommended::recommended;

/// Policies at most.
const MOST: usize = 3;
/// A request with more attempts is chosen only if there is none with fewer retries.
const SHOWN: usize = 12;

/// The attempts of one logical request, a panel a policy; `None` if no policy retries.
pub fn chart(shown: &Shown<'_>) -> Option<WaterfallChart> {
    let results = shown.results;
    let runs: Vec<_> = shown.close_ups().map(|(policy, _, run)| (policy, run)).collect();
    let cells: Vec<_> = results.at_point(shown.point).collect();
    let best = recommended(cells.iter().copied());
    let best = best.map(|cell| results.policies[cell.policy].as_str());
    let of_best = runs.iter().position(|(policy, _)| Some(*policy) == best);
    let by_best = of_best.and_then(|place| Some((place, longest(runs[place].1)?)));
    let (place, request) = by_best.or_else(|| {
        let mut others = runs.iter().enumerate().rev();
        others.find_map(|(place, (_, run))| Some((place, longest(run)?)))
    })?;
    // The policy whose request it is, the one that others are compared with, and then the first.
    let against = shown.outline.against.map(|policy| results.policies[policy].as_str());
    let against = runs.iter().position(|(policy, _)| Some(*policy) == against);
    let mut places = vec![place];
    for other in against.into_iter().chain(0..runs.len()) {
        let has = runs[other].1.attempts.iter().any(|attempt| is_of(attempt, request));
        if has && places.len() < MOST && !places.contains(&other) {
            places.push(other);
        }
    }
    places.sort_unstable();
    let panels = places.into_iter().map(|place| {
        let (policy, run) = runs[place];
        let own = run.attempts.iter().filter(|attempt| is_of(attempt, request));
        WaterfallPanel {
            policy: policy.to_string(),
            deadline_ms: run.about.deadline_ms,
            end_ms: run.about.end_ms,
            attempts: own.cloned().collect(),
        }
    });
    let panels: Vec<_> = panels.collect();
    Some(WaterfallChart { title: title(request, &panels), subtitle: shown.subtitle(), panels })
}

/// A client and its logical request.
type Request = (u32, u32);

fn is_of(attempt: &SampledAttempt, request: Request) -> bool {
    (attempt.client, attempt.request) == request
}

/// The request with most attempts, but not more than are shown if it can be; the first of equals.
/// `None` if none has two.
fn longest(run: &CloseUp) -> Option<Request> {
    let mut attempts: BTreeMap<Request, usize> = BTreeMap::new();
    let mut cut = BTreeSet::new();
    for attempt in &run.attempts {
        let request = (attempt.client, attempt.request);
        *attempts.entry(request).or_default() += 1;
        // Of a sample that ends early, what waits goes on where nobody looked.
        match run.about.attempts_until_ms.is_some() && attempt.wait_ms.is_some() {
            true => cut.insert(request),
            false => cut.remove(&request),
        };
    }
    let retried =
        || attempts.iter().filter(|(request, count)| **count > 1 && !cut.contains(*request));
    let most = |(best, most): (Request, usize), (request, count): (&Request, &usize)| {
        if *count > most { (*request, *count) } else { (best, most) }
    };
    let fitting = retried().filter(|(_, count)| **count <= SHOWN).fold(((0, 0), 0), most);
    let (request, count) = if fitting.1 > 0 { fitting } else { retried().fold(((0, 0), 0), most) };
    (count > 0).then_some(request)
}

/// The finding: what became of the request under each policy.
fn title((client, request): Request, panels: &[WaterfallPanel]) -> String {
    let ends = panels.iter().map(|panel| format!("{} under {}", panel.end(), panel.policy));
    let ends: Vec<_> = ends.collect();
    format!("Request {request} of client {client}: {}", ends.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::close_up::AttemptOutcome;

    #[test]
    fn the_longest_request_that_can_be_shown_whole_is_chosen() {
        let run = |requests: &[(Request, usize)]| CloseUp {
            attempts: requests
                .iter()
                .flat_map(|((client, request), count)| {
                    (1..=*count as u32).map(|attempt| SampledAttempt {
                        client: *client,
                        request: *request,
                        planned_ms: 0.0,
                        attempt,
                        branch: "first_try".into(),
                        route: "primary".into(),
                        sent_ms: f64::from(attempt),
                        ended_ms: None,
                        outcome: AttemptOutcome::InFlight,
                        status: None,
                        class: String::new(),
                        action: String::new(),
                        wait_ms: None,
                    })
                })
                .collect(),
            ..CloseUp::default()
        };
        let requests = [((0, 0), 1), ((0, 1), 12), ((1, 0), 40), ((2, 0), 12)];
        assert_eq!(longest(&run(&requests)), Some((0, 1)));
        assert_eq!(longest(&run(&[((0, 0), 1), ((1, 0), 40)])), Some((1, 0)));
        assert_eq!(longest(&run(&[((0, 0), 1), ((1, 0), 1)])), None);
    }
}
