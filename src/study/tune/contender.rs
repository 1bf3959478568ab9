//! A policy on fresh replications, judged as a study is: by the kind of each metric.

use super::confirm::fresh;
use super::goal::{Combination, Goal, Standing};
use super::simulated::{Rows, Simulated};
use super::trial::Sample;
use crate::engine::stream::{Purpose, StreamKey};
use crate::experiment::cell::Cell;
use crate::experiment::condition::Condition;
use crate::experiment::node::Node;
use crate::study::estimates::estimates;
use crate::study::runner::StudyError;
use crate::study::statistics::estimate::{Estimate, Estimator};
use crate::study::threshold::judged;

/// A policy on fresh replications.
#[derive(Clone, Debug)]
pub struct Contender {
    /// Its number among the candidates; `None` is today's policy.
    pub candidate: Option<usize>,
    /// The policy.
    pub policy: Node,
    /// It, ready to run, by experiment.
    pub cells: Vec<Cell>,
    /// Its runs.
    pub rows: Rows,
    /// The columns of the goal.
    pub samples: Vec<Sample>,
    /// The estimates by experiment and metric.
    pub estimates: Vec<Vec<Estimate>>,
    /// How it does.
    pub standing: Standing,
}

impl Contender {
    /// Judges it by `goal`, whose columns are these metrics of experiments.
    pub fn judge(&mut self, goal: &Goal, columns: &[(usize, usize)]) {
        let violations = goal.constraints.iter().map(|constraint| {
            let (experiment, metric) = columns[constraint.column];
            let (comparison, bound) = (constraint.comparison, constraint.bound);
            let condition = Condition { metric, comparison, bound };
            let estimate = &self.estimates[experiment][metric];
            let (value, _) = judged(condition, &self.rows[experiment], estimate);
            value.map_or(f64::INFINITY, |value| constraint.violation(value))
        });
        let violation = violations.sum();
        self.standing = Standing { objective: self.objective(goal, columns), violation };
    }

    /// The combined objective; `None` if some replication lacks a part of it, or it can't be
    /// estimated in some experiment.
    fn objective(&self, goal: &Goal, columns: &[(usize, usize)]) -> Option<Estimate> {
        let series = goal.series(&self.samples)?;
        let relative = goal.objectives.iter().map(|objective| {
            let (experiment, metric) = columns[objective.column];
            let Estimate { mean, ci95, n } = self.estimates[experiment][metric];
            let scale = objective.scale;
            let ci95 = ci95.map(|(low, high)| (low / scale, high / scale));
            mean.map(|mean| Estimate { mean: Some(mean / scale), ci95, n })
        });
        let relative: Vec<Estimate> = relative.collect::<Option<_>>()?;
        match goal.combination {
            Combination::Weighted(_) if relative.len() > 1 => {
                Some(Estimator::default().estimate(series.into_iter()))
            }
            _ => relative.into_iter().reduce(
                |worst, next| {
                    if next.mean > worst.mean { next } else { worst }
                },
            ),
        }
    }
}

/// Runs policies on fresh replications.
///
/// # Errors
///
/// A unit can't be written.
pub fn contenders(
    trial: &mut Simulated<'_>,
    goal: &Goal,
    policies: Vec<(Option<usize>, Node, Vec<Cell>)>,
    replications: u64,
) -> Result<Vec<Contender>, StudyError> {
    let jobs: Vec<_> =
        policies.iter().map(|(_, _, cells)| (&cells[..], fresh(replications))).collect();
    let rows = trial.rows(&jobs)?;
    let mut estimator = Estimator::default();
    let contenders = policies.into_iter().zip(rows).map(|((candidate, policy, cells), rows)| {
        let samples = trial.samples(&rows);
        let estimates = rows.iter().zip(&trial.stages).map(|(runs, stage)| {
            let draws = StreamKey::of_run(stage.seed(), 0, Purpose::Resample, 0);
            estimates(runs, draws, &mut estimator)
        });
        let estimates = estimates.collect();
        let standing = Standing { objective: None, violation: f64::INFINITY };
        let mut contender =
            Contender { candidate, policy, cells, rows, samples, estimates, standing };
        contender.judge(goal, &trial.columns);
        contender
    });
    Ok(contenders.collect())
}
