//! How often each point is run: as often as the experiment says, or in rounds until `stop` finds
//! its figures exact enough.

use std::collections::BTreeSet;
use std::path::PathBuf;

use rayon::prelude::*;

use super::estimates::{draws, of_metric};
use super::planned_cell::PlannedCell;
use super::statistics::estimate::Estimator;
use super::stopping::is_exact;
use super::unit::{Run, Store, Unit, split_cell};
use crate::experiment::cell::Cell;
use crate::experiment::plan::Plan;
use crate::experiment::stop::Stop;

/// The replications of each point, and which points may still get more.
pub struct Rounds {
    replications: Vec<u64>,
    open: Vec<bool>,
}

impl Rounds {
    /// The first round of a plan.
    pub fn of(plan: &Plan) -> Self {
        let points = plan.points.len();
        Rounds {
            replications: vec![plan.replications; points],
            open: vec![plan.stop.is_some(); points],
        }
    }

    /// The units of a round in the order of the cells and of their replications, each with its file.
    pub fn units(&self, cells: &[PlannedCell], store: &Store) -> Vec<(Unit, PathBuf)> {
        let of_cell =
            |(index, cell): (usize, &PlannedCell)| split_cell(index, self.replications[cell.point]);
        let units = cells.iter().enumerate().flat_map(of_cell);
        units.map(|unit| (unit, store.path(&cells[unit.cell], unit))).collect()
    }

    /// Looks at the runs of a round, on the threads of the pool it is called in, and asks for more of
    /// the points at which some policy is not exact enough. Whether there are any.
    pub fn ask_for_more<'a>(
        &mut self,
        plan: &Plan,
        units: &[(Unit, PathBuf)],
        runs: impl Fn(&Unit, &PathBuf) -> &'a [Run] + Sync,
    ) -> bool {
        let Some(stop) = &plan.stop else { return false };
        let by_cell: Vec<_> = units.chunk_by(|(a, _), (b, _)| a.cell == b.cell).collect();
        let inexact = by_cell.into_par_iter().filter_map(|units| {
            let cell = &plan.cells[units.first()?.0.cell];
            let runs = || units.iter().flat_map(|(unit, path)| runs(unit, path).iter().cloned());
            let is_open = self.open[cell.point_index];
            (is_open && !is_cell_exact(plan, stop, cell, &runs().collect::<Vec<_>>()))
                .then_some(cell.point_index)
        });
        let inexact: BTreeSet<_> = inexact.collect();
        for (point, open) in self.open.iter_mut().enumerate() {
            *open = inexact.contains(&point);
        }
        let open = self.open.iter().zip(&mut self.replications);
        let more = open.filter(|(open, n)| **open && **n < stop.max);
        more.map(|(_, n)| *n = stop.next_look(*n)).count() > 0
    }
}

fn is_cell_exact(plan: &Plan, stop: &Stop, cell: &Cell, runs: &[Run]) -> bool {
    let draws = draws(plan, cell.policy_index, cell.point_index);
    let mut estimator = Estimator::default();
    is_exact(stop, |column| of_metric(runs, column, draws, &mut estimator))
}
