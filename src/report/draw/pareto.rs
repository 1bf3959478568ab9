//! What does a low latency cost?

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

/// A policy at a point, and what it plays.
#[derive(Clone, Copy)]
struct Candidate<'a> {
    cell: &'a CellResults,
    x: Span,
    y: Span,
    is_rejected: bool,
    is_on_front: bool,
    /// The swept keys change nothing for its policy, so it stands for all points.
    stands_for_all: bool,
}

/// Every policy at every point by amplification and the 99th percentile of latency.
pub fn chart(shown: &Shown<'_>) -> Option<ParetoChart> {
    let Shown { outline, results, point } = *shown;
    let (objective, of) = match has(results, Id::LatencyAllP99Ms) {
        true => (Id::LatencyAllP99Ms, "all requests"),
        false => (Id::LatencyP99Ms, "accepted requests"),
    };
    let judgements = judge(outline, results);
    let fails = |cell: &CellResults| {
        judgements.iter().any(|j| j.fails() && (j.policy, j.point) == (cell.policy, cell.point))
    };
    let all = results.cells.len() <= MOST;
    let cells = results.cells.iter().filter(|cell| all || cell.point == point);
    let mut candidates: Vec<_> = cells
        .filter_map(|cell| {
            let x = span(&cell.estimate(Id::Amplification))?;
            let y = span(&cell.estimate(objective))?;
            let is_rejected = fails(cell);
            let (is_on_front, stands_for_all) = (false, false);
            Some(Candidate { cell, x, y, is_rejected, is_on_front, stands_for_all })
        })
        .collect();
    join_same(&mut candidates);
    mark_front(&mut candidates);
    let title = title(results, &candidates)?;
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
        y: Quantity::new(format!("99th percentile of latency, {of}"), spacing).of_times(),
        kinds: results.policies.clone(),
        rejected: Some("a threshold fails".to_string()),
        shows_all: true,
        points,
        constraints: constraints(shown, objective),
    })
}

fn has(results: &Results, id: Id) -> bool {
    results.cells.iter().any(|cell| cell.estimate(id).mean.is_some())
}

fn span(estimate: &Estimate) -> Option<Span> {
    let mean = estimate.mean?;
    let (low, high) = estimate.ci95.unwrap_or((mean, mean));
    Some(Span { mean, low, high })
}

/// Leaves one of a policy that is the same at every point.
fn join_same(candidates: &mut Vec<Candidate<'_>>) {
    let of = |candidate: &Candidate<'_>| (candidate.x, candidate.y, candidate.is_rejected);
    let mut joined: Vec<Candidate<'_>> = Vec::new();
    // Cells of a policy stand together.
    for same in candidates.chunk_by(|a, b| a.cell.policy == b.cell.policy) {
        let stands_for_all =
            same.len() > 1 && same.windows(2).all(|pair| of(&pair[0]) == of(&pair[1]));
        let kept = if stands_for_all { &same[..1] } else { same };
        joined.extend(kept.iter().map(|candidate| Candidate { stands_for_all, ..*candidate }));
    }
    *candidates = joined;
}

/// Marks what nothing else that keeps its thresholds beats: better in both, beyond the intervals.
fn mark_front(candidates: &mut [Candidate<'_>]) {
    let places: Vec<_> = candidates
        .iter()
        .filter(|candidate| !candidate.is_rejected)
        .map(|candidate| (candidate.x, candidate.y))
        .collect();
    for candidate in candidates.iter_mut().filter(|candidate| !candidate.is_rejected) {
        let beats = |(x, y): &(Span, Span)| x.high < candidate.x.low && y.high < candidate.y.low;
        candidate.is_on_front = !places.iter().any(beats);
    }
}

/// The policy, and the values of the axes where there are several points.
fn name(results: &Results, candidate: &Candidate<'_>) -> String {
    let cell = candidate.cell;
    let policy = &results.policies[cell.policy];
    let values = results.points[cell.point].values.iter().map(|value| value.text.as_str());
    match results.points.len() {
        _ if candidate.stands_for_all => policy.clone(),
        1 => policy.clone(),
        _ => format!("{policy} ({})", values.collect::<Vec<_>>().join(", ")),
    }
}

fn title(results: &Results, candidates: &[Candidate<'_>]) -> Option<String> {
    candidates.first()?;
    let mut front: Vec<_> = candidates.iter().filter(|candidate| candidate.is_on_front).collect();
    front.sort_by(|a, b| a.y.mean.total_cmp(&b.y.mean));
    let names: Vec<_> = front.iter().map(|candidate| name(results, candidate)).collect();
    Some(match &names[..] {
        [] => "No policy keeps its thresholds".to_string(),
        [only] if candidates.len() == 1 => format!("{only}: latency and what it costs"),
        [only] => format!(
            "{only} is the fastest and needs the fewest attempts{}",
            price(candidates, front[0])
        ),
        [fastest, .., thriftiest] if names.len() < candidates.len() => format!(
            "{} of {} are not beaten in both, from {fastest}, the fastest, to {thriftiest}",
            names.len(),
            candidates.len()
        ),
        _ => "None is beaten in both: a lower latency costs attempts".to_string(),
    })
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
    if !all {
        parts.push(format!("only {}", results.describe_point(point)));
    } else if results.points.len() > 1 {
        parts.push(format!("by {}", results.axes.join(", ")));
    }
    parts.push(format!("seed {}", results.seed));
    parts.push(format!("{} replications", results.replications));
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
