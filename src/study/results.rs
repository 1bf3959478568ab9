//! The results of a study: one struct that every table, chart and file is made from.

use rayon::prelude::*;

use super::close_up::OfCell;
use super::estimates::{draws, estimates};
use super::layers::{LayerResults, layers};
use super::planned_cell::PlannedCell;
use super::statistics::estimate::{Estimate, Estimator};
use super::stopping::{Why, is_exact};
use super::unit::{Run, Unit, UnitResults};
use crate::engine::fingerprint::Fingerprint;
use crate::experiment::outline::Outline;
use crate::experiment::plan::Plan;
use crate::experiment::sweep::Point;
use crate::measure::close_up::CloseUp;
use crate::measure::latency::Buckets;
use crate::measure::metric::Id;
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
    /// Replications of each cell; the most of any where they differ.
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
    /// Replication 0 close up, at the point that pictures show.
    pub close_up: Option<CloseUp>,
    /// The estimates, in the order of [`metric::ALL`](crate::measure::metric::ALL).
    pub estimates: Vec<Estimate>,
    /// The layers of its policy, the outermost first; empty if it has no inner ones.
    pub layers: Vec<LayerResults>,
    /// Whether it is as exact as `stop` wants it; so it is where nothing of the kind is wanted.
    pub is_exact: bool,
}

impl CellResults {
    /// The estimate of a metric.
    pub fn estimate(&self, id: Id) -> Estimate {
        self.estimates[id as usize]
    }

    /// How often it was run.
    pub fn replications(&self) -> u64 {
        self.runs.len() as u64
    }

    /// A metric of this cell and of another in the replications in which both have a value.
    pub fn pairs(&self, other: &CellResults, id: Id) -> (Vec<f64>, Vec<f64>) {
        let pairs = self.runs.iter().zip(&other.runs);
        pairs.filter_map(|(own, its)| own.metrics.get(id).zip(its.metrics.get(id))).unzip()
    }
}

impl Results {
    /// Collects the results of a plan's units, and estimates on the threads of the pool it is called
    /// in.
    pub fn new(plan: &Plan, units: Vec<(Unit, UnitResults)>) -> Self {
        Results::collect(plan, &PlannedCell::all(plan), units)
    }

    /// Collects the results of the units of these cells.
    pub fn collect(
        outline: &Outline,
        planned: &[PlannedCell],
        units: Vec<(Unit, UnitResults)>,
    ) -> Self {
        let mut cells: Vec<_> = planned
            .iter()
            .map(|cell| CellResults {
                policy: cell.policy,
                point: cell.point,
                runs: Vec::new(),
                series: Vec::new(),
                signals: Signals::default(),
                latencies: Buckets::default(),
                close_up: None,
                estimates: Vec::new(),
                layers: Vec::new(),
                is_exact: true,
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
        let planned = cells.par_iter_mut().zip(planned);
        planned.for_each_init(Estimator::default, |estimator, (cell, planned)| {
            cell.layers = layers(&planned.layers, &cell.runs, estimator);
            let draws = draws(outline, cell.policy, cell.point);
            cell.estimates = estimates(&cell.runs, draws, estimator);
            let of = |column: usize| cell.estimates[column];
            cell.is_exact = outline.stop.as_ref().is_none_or(|stop| is_exact(stop, of));
        });
        Results::of_cells(outline, cells)
    }

    /// The results that these cells are.
    pub(super) fn of_cells(outline: &Outline, cells: Vec<CellResults>) -> Self {
        let mut fingerprint = Fingerprint::default();
        for cell in &cells {
            for (replication, run) in (0..).zip(&cell.runs) {
                let (policy, point) = (cell.policy as u64, cell.point as u64);
                fingerprint.add_run(policy, point, replication, run.fingerprint);
            }
        }
        Results {
            experiment: outline.name.clone(),
            title: outline.title.clone(),
            seed: outline.seed,
            replications: cells.iter().map(CellResults::replications).max().unwrap_or(0),
            axes: outline.axes.clone(),
            points: outline.points.clone(),
            policies: outline.policies.clone(),
            cells,
            fingerprint,
        }
    }

    /// The same with these close-ups.
    pub fn with_close_ups(mut self, close_ups: Vec<OfCell>) -> Self {
        for (cell, close_up) in close_ups {
            self.cells[cell].close_up = Some(close_up);
        }
        self
    }

    /// The cells of one point, in the order of the policies.
    pub fn at_point(&self, point: usize) -> impl Iterator<Item = &CellResults> + Clone {
        self.cells.iter().filter(move |cell| cell.point == point)
    }

    /// Replications of each policy at a point.
    pub fn replications_at(&self, point: usize) -> u64 {
        self.at_point(point).map(CellResults::replications).max().unwrap_or(0)
    }

    /// Why a point has as many as it has, where `stop` decides.
    pub fn why_stopped(&self, point: usize) -> Why {
        if self.at_point(point).all(|cell| cell.is_exact) { Why::Exact } else { Why::Cap }
    }

    /// A point as people read it: `workload.clients = 200`; empty if nothing is swept.
    pub fn describe_point(&self, point: usize) -> String {
        self.points[point].describe(&self.axes)
    }
}
