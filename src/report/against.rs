//! What a change from today's policy to another would bring, pair by pair of runs.

use super::figures;
use crate::measure::metric::{self, Id};
use crate::study::results::{CellResults, Results};
use crate::study::statistics::estimate::Estimator;

/// What is compared.
const METRICS: [Id; 6] = [
    Id::SuccessRatio,
    Id::Amplification,
    Id::LatencyP99Ms,
    Id::ArrivalsPeakPerS,
    Id::RecoveredRatio,
    Id::RecoveryMs,
];

/// A line for each other policy at one point: the differences from the policy numbered `today`
/// with half their 95 % interval.
pub fn lines(results: &Results, today: usize, point: usize) -> Vec<String> {
    let cells: Vec<_> = results.at_point(point).collect();
    let Some(base) = cells.iter().find(|cell| cell.policy == today) else { return Vec::new() };
    let others = cells.iter().filter(|cell| cell.policy != today);
    others.map(|cell| line(results, base, cell)).collect()
}

fn line(results: &Results, base: &CellResults, cell: &CellResults) -> String {
    let changes: Vec<_> = METRICS.into_iter().filter_map(|id| change(base, cell, id)).collect();
    let (name, today) = (&results.policies[cell.policy], &results.policies[base.policy]);
    format!("`{name}` against `{today}`: {}", changes.join(", "))
}

/// `None` where either lacks the metric in some replication.
fn change(base: &CellResults, cell: &CellResults, id: Id) -> Option<String> {
    let (before, after) = (base.values(id)?, cell.values(id)?);
    let difference = Estimator::default().difference(&after, &before);
    let mean = difference.mean?;
    let sign = if mean < 0.0 { "" } else { "+" };
    let shown = match difference.ci95 {
        Some((low, high)) if low <= 0.0 && high >= 0.0 => " (no difference shown)",
        _ => "",
    };
    let name = metric::ALL[id as usize].name;
    Some(format!("{name} {sign}{}{shown}", figures::estimate(&difference)))
}
