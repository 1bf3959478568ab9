//! What a change from today's policy to another would bring, pair by pair of runs.

use super::figures;
use crate::measure::metric::{self, Id};
use crate::study::results::{CellResults, Results};
use crate::study::statistics::estimate::Estimator;
use crate::study::statistics::holm::{SIGNIFICANT, adjusted};
use crate::study::statistics::paired::{Paired, paired};

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
/// with half their 95 % interval, and the correlation of the pairs. Whether a difference is shown is
/// judged over all these policies together.
pub fn lines(results: &Results, today: usize, point: usize) -> Vec<String> {
    let cells: Vec<_> = results.at_point(point).collect();
    let Some(base) = cells.iter().find(|cell| cell.policy == today) else { return Vec::new() };
    let others: Vec<_> = cells.iter().filter(|cell| cell.policy != today).collect();
    let mut lines: Vec<_> = others
        .iter()
        .map(|cell| {
            let (name, today) = (&results.policies[cell.policy], &results.policies[base.policy]);
            (format!("`{name}` against `{today}`: "), Vec::new())
        })
        .collect();
    for id in METRICS {
        let paired: Vec<_> = others.iter().map(|cell| change(base, cell, id)).collect();
        // Whoever can't be compared is no comparison.
        let p =
            adjusted(&paired.iter().flatten().filter_map(|change| change.p).collect::<Vec<_>>());
        let mut p = p.into_iter();
        for (change, (_, found)) in paired.iter().zip(&mut lines) {
            let Some(change) = change else { continue };
            let p = change.p.and_then(|_| p.next());
            found.extend(describe(change, p, id));
        }
    }
    lines.into_iter().map(|(subject, found)| subject + &found.join(", ")).collect()
}

/// `None` where either has no estimate of the metric.
fn change(base: &CellResults, cell: &CellResults, id: Id) -> Option<Paired> {
    cell.estimate(id).mean.and(base.estimate(id).mean)?;
    let (after, before) = cell.pairs(base, id);
    Some(paired(&after, &before, &mut Estimator::default()))
}

/// One difference with its p-value, corrected for all policies.
fn describe(change: &Paired, p: Option<f64>, id: Id) -> Option<String> {
    let mean = change.difference.mean?;
    let sign = if mean < 0.0 { "" } else { "+" };
    let unshown = p.filter(|p| *p >= SIGNIFICANT).map(|_| "no difference shown".to_string());
    let r = change.correlation.map(|r| format!("r = {}", figures::with_decimals(r, 2)));
    let remarks: Vec<_> = unshown.into_iter().chain(r).collect();
    let remarks = match &remarks[..] {
        [] => String::new(),
        _ => format!(" ({})", remarks.join("; ")),
    };
    let name = metric::ALL[id as usize].name;
    Some(format!("{name} {sign}{}{remarks}", figures::estimate(&change.difference)))
}
