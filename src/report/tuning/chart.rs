//! The chart of a tuning: what is reached against what that costs.

use crate::report::charts::{
    Constraint, ParetoChart, ParetoPoint, Quantity, Reference, Spacing, Span, Styles,
};
use crate::report::figures;
use crate::report::tuning::effect::scaled;
use crate::study::statistics::estimate::Estimate;
use crate::study::tune::front::Trade;
use crate::study::tune::trade_off::{Reached, TradeOff};

/// What a point can be; the first are drawn above the others.
const KINDS: [&str; 5] =
    ["recommended", "today", "on the front", "keeps the constraints", "breaks a constraint"];

/// The looks of the points.
pub fn styles() -> Styles {
    Styles::new(&KINDS.map(String::from))
}

/// The Pareto front among the candidates that are known well enough.
pub fn pareto(trade_off: &TradeOff) -> ParetoChart {
    let trades = &trade_off.trades;
    let mut points: Vec<_> = trades.iter().filter_map(|trade| point(trade_off, trade)).collect();
    points.sort_by_key(|point| std::cmp::Reverse(point.kind));
    let replications = trades.iter().map(|trade| trade.replications).max().unwrap_or(0);
    // The objective has no bounds that its axis could show: it is relative to today's.
    let constraints = trade_off.constraints.iter().map(|condition| {
        Constraint::Cost(Reference { at: condition.bound, label: condition.to_string() })
    });
    ParetoChart {
        title: title(trade_off),
        subtitle: format!(
            "{} · up to {replications} replications of the search · crosses: 95 % intervals of the mean",
            trade_off.experiments.join(", ")
        ),
        x: cost(&trade_off.cost),
        y: Quantity::new("objective (% of today's)", Spacing::ByReach),
        kinds: KINDS.map(String::from).to_vec(),
        rejected: None,
        shows_all: false,
        points,
        constraints: constraints.collect(),
    }
}

/// The axis of a metric.
fn cost(name: &str) -> Quantity {
    match name.strip_suffix("_ms") {
        Some(time) => Quantity::new(time, Spacing::ByReach).of_times(),
        None => Quantity::new(name, Spacing::ByReach),
    }
}

fn title(trade_off: &TradeOff) -> String {
    match trade_off.reached {
        Some(Reached { objective, cost }) => format!(
            "The recommended policy reaches {} % of today's objective with {} {}",
            figures::plain(100.0 * objective),
            trade_off.cost,
            figures::plain(cost)
        ),
        None => "No policy in the space keeps the constraints".to_string(),
    }
}

fn point(trade_off: &TradeOff, trade: &Trade) -> Option<ParetoPoint> {
    let (name, kind) = match trade.candidate {
        None => (Some("today".to_string()), 1),
        Some(index) if Some(index) == trade_off.chosen => {
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
