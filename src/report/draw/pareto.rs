//! What does a low latency cost?

use std::collections::BTreeSet;

use super::Shown;
use crate::experiment::condition::Condition;
use crate::measure::metric::Id;
use crate::report::charts::{
    Constraint, ParetoChart, ParetoPoint, Quantity, Reference, Spacing, Span,
};
use crate::report::figures;
use crate::study::results::{CellResults, Results};
use crate::study::statistics::estimate::Estimate;
use crate::study::threshold::judge;

/// Points at most: of more, those of the point that is shown.
const MOST: usize = 400;
/// So many times the fastest is too much for a linear axis.
const DWARFED: f64 = 8.0;
/// So few points all have names.
const FEW: usize = 12;

/// What lies upright, the first that was measured: short runs have no p99, and runs without an answer
/// no latency.
const OBJECTIVES: [(Id, &str); 4] = [
    (Id::LatencyAllP99Ms, "99th percentile of latency, all requests"),
    (Id::LatencyP99Ms, "99th percentile of latency, accepted requests"),
    (Id::LatencyAllMeanMs, "mean latency, all requests"),
    (Id::MakespanMs, "time of the last end"),
];

/// A policy at a point, and what it plays.
#[derive(Clone, Copy)]
struct Candidate<'a> {
    cell: &'a CellResults,
    x: Span,
    y: Span,
    is_rejected: bool,
    is_on_front: bool,
    /// Its policy has no other that differs.
    stands_alone: bool,
}

impl Candidate<'_> {
    /// Whether it is better in both, beyond the intervals.
    fn beats(&self, other: &Candidate<'_>) -> bool {
        self.x.high < other.x.low && self.y.high < other.y.low
    }
}

/// Every policy by amplification and latency, at every point if they all are of one world; `None` if
/// there are no two to compare.
pub fn chart(shown: &Shown<'_>) -> Option<ParetoChart> {
    let Shown { outline, results, point } = *shown;
    let all = results.cells.len() <= MOST && is_one_world(results);
    let cells = || results.cells.iter().filter(|cell| all || cell.point == point);
    let measured = |id: Id| cells().any(|cell| cell.estimate(id).mean.is_some());
    let (objective, objective_title) = OBJECTIVES.into_iter().find(|(id, _)| measured(*id))?;
    let judgements = judge(outline, results);
    let failed = judgements.iter().filter(|judgement| judgement.fails());
    let failed: BTreeSet<_> = failed.map(|failed| (failed.policy, failed.point)).collect();
    let candidates = cells().filter_map(|cell| {
        Some(Candidate {
            cell,
            x: span(&cell.estimate(Id::Amplification))?,
            y: span(&cell.estimate(objective))?,
            is_rejected: failed.contains(&(cell.policy, cell.point)),
            is_on_front: false,
            stands_alone: !all || results.points.len() == 1,
        })
    });
    let mut candidates = join_same(&candidates.collect::<Vec<_>>());
    if candidates.len() < 2 {
        return None;
    }
    mark_front(&mut candidates);
    let title = title(results, &candidates, objective);
    let ends = candidates.iter().map(|candidate| candidate.y.mean);
    let (low, high) = ends.fold((f64::INFINITY, 0.0), |(low, high), y| (y.min(low), y.max(high)));
    // One policy that is much slower must not press the others together.
    let spacing = match low > 0.0 && high > DWARFED * low {
        true => Spacing::Logarithmic,
        false => Spacing::Linear,
    };
    // What matters most lies above and is named first.
    candidates.sort_by_key(|candidate| {
        (candidate.is_on_front, outline.against == Some(candidate.cell.policy))
    });
    let few = candidates.len() <= FEW;
    let points = candidates.iter().map(|candidate| ParetoPoint {
        name: (few || candidate.is_on_front).then(|| name(results, candidate)),
        kind: candidate.cell.policy,
        x: candidate.x,
        y: candidate.y,
        size: candidate.cell.estimate(Id::SpendTokens).mean,
        is_rejected: candidate.is_rejected,
    });
    let points: Vec<_> = points.collect();
    let sized = points.iter().any(|point| point.size.is_some_and(|size| size > 0.0));
    Some(ParetoChart {
        title,
        subtitle: subtitle(shown, all, sized),
        x: Quantity::new("amplification (attempts per request)", Spacing::ByReach),
        y: Quantity::new(objective_title, spacing).of_times(),
        kinds: results.policies.clone(),
        rejected: Some("a threshold fails".to_string()),
        shows_all: true,
        points,
        constraints: constraints(shown, objective),
    })
}

/// Whether all points differ in keys of policies only. Under another load or fault a policy meets
/// another world, and being better there is no merit.
fn is_one_world(results: &Results) -> bool {
    (0..results.axes.len()).all(|axis| {
        let mut values = results.points.iter().map(|point| &point.values[axis]);
        let first = values.next();
        is_of_policies(&results.axes[axis]) || values.all(|value| Some(value) == first)
    })
}

/// Whether a swept key is one of policies.
pub(super) fn is_of_policies(axis: &str) -> bool {
    axis.starts_with("policies.")
}

fn span(estimate: &Estimate) -> Option<Span> {
    let mean = estimate.mean?;
    let (low, high) = estimate.ci95.unwrap_or((mean, mean));
    Some(Span { mean, low, high })
}

/// Leaves one of a policy that is the same at every point.
fn join_same<'a>(candidates: &[Candidate<'a>]) -> Vec<Candidate<'a>> {
    let mut joined = Vec::new();
    // Cells of a policy stand together.
    for same in candidates.chunk_by(|a, b| a.cell.policy == b.cell.policy) {
        let is_same = same.len() > 1
            && same.windows(2).all(|pair| {
                pair[0].is_rejected == pair[1].is_rejected && are_same(pair[0].cell, pair[1].cell)
            });
        match is_same {
            true => joined.push(Candidate { stands_alone: true, ..same[0] }),
            false => joined.extend_from_slice(same),
        }
    }
    joined
}

/// Whether every metric is the same in two cells. Intervals may differ: what they resample depends on
/// the point.
pub(super) fn are_same(one: &CellResults, other: &CellResults) -> bool {
    let means = |of: &Estimate| (of.mean, of.n);
    one.estimates.iter().map(means).eq(other.estimates.iter().map(means))
}

/// Marks what nothing else that keeps its thresholds beats.
fn mark_front(candidates: &mut [Candidate<'_>]) {
    let kept = candidates.iter().copied().filter(|candidate| !candidate.is_rejected);
    let kept: Vec<_> = kept.collect();
    for candidate in candidates.iter_mut().filter(|candidate| !candidate.is_rejected) {
        candidate.is_on_front = !kept.iter().any(|other| other.beats(candidate));
    }
}

/// The policy, and the values of the axes where several of its points are shown.
fn name(results: &Results, candidate: &Candidate<'_>) -> String {
    let cell = candidate.cell;
    let policy = &results.policies[cell.policy];
    let values = results.points[cell.point].values.iter().map(|value| value.text.as_str());
    match candidate.stands_alone {
        true => policy.clone(),
        false => format!("{policy} ({})", values.collect::<Vec<_>>().join(", ")),
    }
}

/// Who is not beaten. What fails a threshold beats nobody, and may be faster all the same.
fn title(results: &Results, candidates: &[Candidate<'_>], objective: Id) -> String {
    let front = || candidates.iter().filter(|candidate| candidate.is_on_front);
    let fastest = front().min_by(|a, b| a.y.mean.total_cmp(&b.y.mean));
    let thriftiest = front().min_by(|a, b| a.x.mean.total_cmp(&b.x.mean));
    let Some((fastest, thriftiest)) = fastest.zip(thriftiest) else {
        return "No policy keeps its thresholds".to_string();
    };
    let fast = name(results, fastest);
    let kept = candidates.iter().filter(|candidate| !candidate.is_rejected).count();
    let rejects = kept < candidates.len();
    let count = front().count();
    if count == 1 {
        let is_other = |other: &&Candidate<'_>| !std::ptr::eq(*other, fastest);
        let beats_all = candidates.iter().filter(is_other).all(|other| fastest.beats(other));
        // It beats all that keep theirs: whoever is not on the front is beaten by someone there.
        let found = match (beats_all, kept) {
            (true, _) => "is the fastest and needs the fewest attempts",
            (false, 1) => "is the only one that keeps its thresholds",
            (false, _) => {
                "is the fastest and needs the fewest attempts of those that keep their thresholds"
            }
        };
        return format!("{fast} {found}{}", price(candidates, fastest));
    }
    if count < kept {
        let of = match rejects {
            true => format!("{kept} that keep their thresholds"),
            false => kept.to_string(),
        };
        return match std::ptr::eq(fastest, thriftiest) {
            true => format!("{count} of {of} are not beaten in both, {fast} is one of them"),
            false => format!(
                "{count} of {of} are not beaten in both, from {fast}, the fastest, to {}",
                name(results, thriftiest)
            ),
        };
    }
    let none = match rejects {
        true => "None of those that keep their thresholds is",
        false => "None is",
    };
    let gain = match objective {
        Id::MakespanMs => "an earlier end",
        _ => "a lower latency",
    };
    match fastest.x.low > thriftiest.x.high && fastest.y.high < thriftiest.y.low {
        true => format!("{none} beaten in both: {gain} costs attempts"),
        false => format!("{none} shown to be beaten in both"),
    }
}

/// What giving up early does to both figures: said where others answer clearly more requests.
fn price(candidates: &[Candidate<'_>], of: &Candidate<'_>) -> String {
    let answered = |candidate: &Candidate<'_>| candidate.cell.estimate(Id::SuccessRatio);
    let low = |estimate: Estimate| estimate.ci95.map(|(low, _)| low).or(estimate.mean);
    let most = candidates.iter().filter_map(|candidate| low(answered(candidate))).reduce(f64::max);
    let own = answered(of);
    let high = own.ci95.map(|(_, high)| high).or(own.mean);
    match most.zip(high) {
        Some((most, high)) if high < most => {
            format!(", and answers {} of requests", figures::percent(&own))
        }
        _ => String::new(),
    }
}

fn subtitle(shown: &Shown<'_>, all: bool, sized: bool) -> String {
    let Shown { results, point, .. } = *shown;
    let mut parts = vec![results.experiment.clone()];
    match all {
        _ if results.points.len() == 1 => {}
        true => parts.push(format!("by {}", results.axes.join(", "))),
        false => parts.push(format!("only {}", results.describe_point(point))),
    }
    parts.push(format!("seed {}", results.seed));
    parts.push(match all {
        true => super::scaling::replications(results),
        false => figures::replications(results.replications_at(point)),
    });
    parts.push("crosses: 95 % intervals of the mean".to_string());
    if sized {
        parts.push("area of a marker: tokens charged".to_string());
    }
    parts.join(" · ")
}

/// The thresholds on one of the two quantities, each once.
fn constraints(shown: &Shown<'_>, objective: Id) -> Vec<Constraint> {
    let mut found: Vec<(Condition, Vec<&str>)> = Vec::new();
    for (policy, threshold) in &shown.outline.thresholds {
        let policy = shown.results.policies[*policy].as_str();
        match found.iter_mut().find(|(condition, _)| *condition == threshold.condition) {
            Some((_, policies)) => policies.push(policy),
            None => found.push((threshold.condition, vec![policy])),
        }
    }
    let all = shown.results.policies.len();
    let constraints = found.into_iter().filter_map(|(condition, policies)| {
        let whose = match policies.len() {
            count if count == all => String::new(),
            count if count > 2 => format!("{count} policies: "),
            _ => format!("{}: ", policies.join(", ")),
        };
        let reference = Reference { at: condition.bound, label: format!("{whose}{condition}") };
        match condition.metric {
            metric if metric == Id::Amplification as usize => Some(Constraint::Cost(reference)),
            metric if metric == objective as usize => Some(Constraint::Objective(reference)),
            _ => None,
        }
    });
    constraints.collect()
}
