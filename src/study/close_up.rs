//! Close-ups of what pictures show: replication 0 of every policy at the last point.
//!
//! They are made beside the runs that figures come from, and kept in files of their own, named like
//! those of units: a study that is done again finds them, and a merge takes them from the shards.

pub mod files;
pub mod read;
mod rows;

use std::path::PathBuf;

use rayon::prelude::*;

use super::planned_cell::PlannedCell;
use super::runner::{Options, StudyError, open, pool};
use super::unit::Store;
use crate::experiment::plan::Plan;
use crate::measure::close_up::CloseUp;
use crate::model::run_id::RunId;

/// A close-up and the index of its cell.
pub type OfCell = (usize, CloseUp);

/// Makes the close-ups of a plan that are not there yet, of the cells that `is_wanted` names.
///
/// # Errors
///
/// A file can't be written, or a run stands still.
pub fn make(
    plan: &Plan,
    options: &Options,
    is_wanted: impl Fn(&PlannedCell) -> bool + Sync,
) -> Result<Vec<OfCell>, StudyError> {
    let store = open(options)?;
    let planned = PlannedCell::all(plan);
    let wanted = shown(&planned, plan.shown_point()).filter(|(_, cell)| is_wanted(cell));
    let wanted: Vec<_> = wanted.collect();
    pool(options.threads)?.install(|| {
        let close_ups = wanted.into_par_iter().map(|(index, planned)| {
            let path = store.close_up_path(planned);
            if let Some(kept) = store.read_close_up(&path) {
                return Ok((index, kept));
            }
            let cell = &plan.cells[index];
            let run = RunId { seed: plan.seed, replication: 0 };
            let close_up = cell.close_up(run).map_err(|instant| StudyError::Endless {
                policy: plan.policies[cell.policy_index].clone(),
                run,
                instant,
            })?;
            let written = store.write_close_up(&path, &close_up);
            written.map_err(|error| StudyError::Write(path, error))?;
            Ok((index, close_up))
        });
        close_ups.collect()
    })
}

/// The close-ups that these folders hold of the cells that pictures show. What is not there, or
/// damaged, is left out: figures don't need it.
pub fn kept(planned: &[PlannedCell], shown_point: usize, stores: &[Store]) -> Vec<OfCell> {
    let shown = shown(planned, shown_point).filter_map(|(index, cell)| {
        let paths = stores.iter().map(|store| store.close_up_path(cell));
        let found = stores.iter().zip(paths).find_map(|(store, path)| store.read_close_up(&path));
        Some((index, found?))
    });
    shown.collect()
}

/// The files of the close-ups of a plan.
pub fn paths(planned: &[PlannedCell], shown_point: usize, store: &Store) -> Vec<PathBuf> {
    shown(planned, shown_point).map(|(_, cell)| store.close_up_path(cell)).collect()
}

fn shown(planned: &[PlannedCell], point: usize) -> impl Iterator<Item = (usize, &PlannedCell)> {
    planned.iter().enumerate().filter(move |(_, cell)| cell.point == point)
}
