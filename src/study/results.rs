//! The results of a study: one struct that every table, chart and file is made from.

use super::layers::{LayerResults, layers};
use super::statistics::estimate::{Estimate, Estimator};
use super::unit::{Run, Unit, UnitResults};
use crate::engine::fingerprint::Fingerprint;
use crate::experiment::plan::Plan;
use crate::experiment::sweep::Point;
use crate::measure::latency::Buckets;
use crate::measure::metric::{self, Id};
use crate::measure::series::Bin;
use crate::measure::telemetry::Signals;

/// Everything a study found.
#[derive(Clone, Debug)]
pub struct Results {
    /// The experiment's name.
    pub experiment: String,
    /// The line for people.
    pub title: String,
    /// The seed.
    pub seed: u64,
    /// Replications of each cell.
    pub replications: u64,
    /// The swept keys.
    pub axes: Vec<String>,
    /// The points.
    pub points: Vec<Point>,
    /// The policies.
    pub policies: Vec<String>,
    /// Every policy at every point, points of one policy together.
    pub cells: Vec<CellResults>,
    /// The sum of all runs' fingerprints.
    pub fingerprint: Fingerprint,
}

/// What one policy did at one point.
#[derive(Clone, Debug)]
pub struct CellResults {
    /// Index of the policy.
    pub policy: usize,
    /// Index of the point.
    pub point: usize,
    /// Its runs by replication.
    pub runs: Vec<Run>,
    /// The series of replication 0.
    pub series: Vec<Bin>,
    /// What alerts would have said in replication 0.
    pub signals: Signals,
    /// The latencies of accepted requests of replication 0.
    pub latencies: Buckets,
    /// The estimates, in the order of [`metric::ALL`].
    pub estimates: Vec<Estimate>,
    /// The layers of its policy, the outermost first; empty if it has no inner ones.
    pub layers: Vec<LayerResults>,
}

impl CellResults {
    /// The estimate of a metric.
    pub fn estimate(&self, id: Id) -> Estimate {
        self.estimates[id as usize]
    }

    /// A metric by replication; `None` if some replication has none.
    pub fn values(&self, id: Id) -> Option<Vec<f64>> {
        self.runs.iter().map(|run| run.metrics.get(id)).collect()
    }
}

impl Results {
    /// Collects the results of a plan's units.
    pub fn new(plan: &Plan, units: Vec<(Unit, UnitResults)>) -> Self {
        let mut cells: Vec<_> = plan
            .cells
            .iter()
            .map(|cell| CellResults {
                policy: cell.policy_index,
                point: cell.point_index,
                runs: Vec::new(),
                series: Vec::new(),
                signals: Signals::default(),
                latencies: Buckets::default(),
                estimates: Vec::new(),
                layers: Vec::new(),
            })
            .collect();
        for (unit, results) in units {
            let cell = &mut cells[unit.cell];
            cell.runs.extend(results.runs);
            cell.series.extend(results.series.into_iter().flatten());
            if let Some(signals) = results.signals {
                cell.signals = signals;
            }
            if let Some(latencies) = results.latencies {
                cell.latencies = latencies;
            }
        }
        let mut estimator = Estimator::default();
        let mut fingerprint = Fingerprint::default();
        for (cell, planned) in cells.iter_mut().zip(&plan.cells) {
            cell.layers = layers(&planned.layers, &cell.runs, &mut estimator);
            let columns = 0..metric::ALL.len();
            let estimates = columns.map(|column| {
                let values = cell.runs.iter().filter_map(|run| run.metrics.values()[column]);
                estimator.estimate(values)
            });
            cell.estimates = estimates.collect();
            for (replication, run) in (0..).zip(&cell.runs) {
                let (policy, point) = (cell.policy as u64, cell.point as u64);
                fingerprint.add_run(policy, point, replication, run.fingerprint);
            }
        }
        Results {
            experiment: plan.name.clone(),
            title: plan.title.clone(),
            seed: plan.seed,
            replications: plan.replications,
            axes: plan.axes.clone(),
            points: plan.points.clone(),
            policies: plan.policies.clone(),
            cells,
            fingerprint,
        }
    }

    /// The cells of one point, in the order of the policies.
    pub fn at_point(&self, point: usize) -> impl Iterator<Item = &CellResults> {
        self.cells.iter().filter(move |cell| cell.point == point)
    }

    /// A point as people read it: `workload.clients = 200`; empty if nothing is swept.
    pub fn describe_point(&self, point: usize) -> String {
        let values = &self.points[point].values;
        let parts = self.axes.iter().zip(values).map(|(axis, v)| format!("{axis} = {}", v.text));
        parts.collect::<Vec<_>>().join(", ")
    }
}
