//! The chart of a tuning: what is reached against what that costs.

use crate::measure::metric;
use crate::report::charts::{
    Constraint, ParetoChart, ParetoPoint, Quantity, Reference, Spacing, Span, Styles,
};
use crate::report::figures;
use crate::report::tuning::effect::scaled;
use crate::study::statistics::estimate::Estimate;
use crate::study::tune::front::Trade;
use crate::study::tune::tuning::Tuning;

/// What a point can be; the first are drawn above the others.
const KINDS: [&str; 5] =
    ["recommended", "today", "on the front", "keeps the constraints", "breaks a constraint"];

/// The looks of the points.
pub fn styles() -> Styles {
    Styles::new(&KINDS.map(String::from))
}

/// The Pareto front among the candidates that are known well enough.
pub fn pareto(tuning: &Tuning) -> ParetoChart {
    let names: Vec<_> = tuning.experiments.iter().map(|e| e.name.as_str()).collect();
    let mut points: Vec<_> =
        tuning.trades.iter().filter_map(|trade| point(tuning, trade)).collect();
    points.sort_by_key(|point| std::cmp::Reverse(point.kind));
    let replications = tuning.trades.iter().map(|trade| trade.replications).max().unwrap_or(0);
    ParetoChart {
        title: title(tuning),
        subtitle: format!(
            "{} · up to {replications} replications of the search · crosses: 95 % intervals of the mean",
            names.join(", ")
        ),
        x: cost(tuning.cost.metric),
        y: Quantity::new("objective (% of today's)", Spacing::ByReach),
        kinds: KINDS.map(String::from).to_vec(),
        rejected: None,
        shows_all: false,
        points,
        constraints: constraints(tuning),
    }
}

/// The axis of a metric.
fn cost(name: &str) -> Quantity {
    match name.strip_suffix("_ms") {
        Some(time) => Quantity::new(time, Spacing::ByReach).of_times(),
        None => Quantity::new(name, Spacing::ByReach),
    }
}

/// What is demanded of the cost, each bound once. The objective has none that its axis could show:
/// it is relative to today's.
fn constraints(tuning: &Tuning) -> Vec<Constraint> {
    let mut bounds: Vec<Reference> = Vec::new();
    for condition in tuning.experiments.iter().flat_map(|experiment| &experiment.conditions) {
        let label = condition.to_string();
        let known = bounds.iter().any(|bound| bound.label == label);
        if metric::ALL[condition.metric].name == tuning.cost.metric && !known {
            bounds.push(Reference { at: condition.bound, label });
        }
    }
    bounds.into_iter().map(Constraint::Cost).collect()
}

fn title(tuning: &Tuning) -> String {
    let winner = tuning.confirmed.winner();
    let objective = winner.standing.objective.and_then(|objective| objective.mean);
    let cost = tuning.cost.of(&winner.samples).mean;
    match (objective, cost) {
        (Some(objective), Some(cost)) if winner.standing.is_feasible() => format!(
            "The recommended policy reaches {} % of today's objective with {} {}",
            figures::plain(100.0 * objective),
            tuning.cost.metric,
            figures::plain(cost)
        ),
        _ => "No policy in the space keeps the constraints".to_string(),
    }
}

fn point(tuning: &Tuning, trade: &Trade) -> Option<ParetoPoint> {
    let (name, kind) = match trade.candidate {
        None => (Some("today".to_string()), 1),
        Some(index) if Some(index) == tuning.chosen() => {
            (Some(format!("#{index} (recommended)")), 0)
        }
        Some(index) if trade.is_on_front => (Some(format!("#{index}")), 2),
        Some(_) if trade.is_feasible => (None, 3),
        Some(_) => (None, 4),
    };
    let (x, y) = (span(&trade.cost)?, span(&scaled(&trade.objective, 100.0))?);
    Some(ParetoPoint { name, kind, x, y, size: None, is_rejected: kind == KINDS.len() - 1 })
}

fn span(estimate: &Estimate) -> Option<Span> {
    let mean = estimate.mean?;
    let (low, high) = estimate.ci95.unwrap_or((mean, mean));
    Some(Span { mean, low, high })
}
