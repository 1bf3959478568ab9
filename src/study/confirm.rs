//! The best of a screening, run again.
//!
//! The best of many figures owes part of its lead to luck, so it looks better than it is. What it is
//! worth shows in replications that took no part in the choice.

use rayon::prelude::*;

use super::estimates::{draws, of_metric};
use super::results::{CellResults, Results};
use super::runner::{StudyError, measure, pool};
use super::statistics::estimate::{Estimate, Estimator};
use super::unit::UnitResults;
use crate::experiment::plan::Plan;
use crate::measure::metric::{self, Better};

/// What to confirm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Screening {
    /// The place in [`metric::ALL`] of the metric that ranks policies at points.
    pub metric: usize,
    /// How many of the best are run again.
    pub best: usize,
}

/// A policy at a point, and what it is worth.
#[derive(Clone, Debug, PartialEq)]
pub struct Confirmed {
    /// Index of the policy.
    pub policy: usize,
    /// Index of the point.
    pub point: usize,
    /// By the replications that chose it.
    pub screened: Estimate,
    /// By as many others.
    pub confirmed: Estimate,
    /// Those others.
    pub replications: u64,
}

/// Runs the best of `results` again, as often as before, on replications that nothing has had.
/// Their order is that of the screening.
///
/// # Errors
///
/// A run stands still, or the threads can't be started.
pub fn confirm(
    plan: &Plan,
    results: &Results,
    screening: Screening,
    threads: usize,
) -> Result<Vec<Confirmed>, StudyError> {
    let Screening { metric, best } = screening;
    let mut ranked: Vec<_> = (0..results.cells.len())
        .filter_map(|cell| Some((results.cells[cell].estimates[metric].mean?, cell)))
        .collect();
    // Stable: among equals the order of the file decides.
    ranked.sort_by(|(a, _), (b, _)| match metric::ALL[metric].better {
        Better::Higher => b.total_cmp(a),
        Better::Lower | Better::Neither => a.total_cmp(b),
    });
    let chosen = ranked.into_iter().take(best).map(|(_, cell)| cell);
    let chosen = chosen.map(|cell| again(plan, results, cell, metric));
    pool(threads)?.install(|| chosen.collect())
}

fn again(
    plan: &Plan,
    results: &Results,
    cell: usize,
    metric: usize,
) -> Result<Confirmed, StudyError> {
    let CellResults { policy, point, ref estimates, .. } = results.cells[cell];
    let replications = results.cells[cell].replications();
    let fresh = results.replications..results.replications + replications;
    let measured = fresh
        .into_par_iter()
        .map(|replication| measure(plan, &plan.cells[cell], replication, false));
    let mut runs = UnitResults::default();
    for measurements in measured.collect::<Result<Vec<_>, _>>()? {
        runs.push(measurements);
    }
    let draws = draws(plan, policy, point).of_name("confirmed");
    let confirmed = of_metric(&runs.runs, metric, draws, &mut Estimator::default());
    Ok(Confirmed { policy, point, screened: estimates[metric], confirmed, replications })
}
