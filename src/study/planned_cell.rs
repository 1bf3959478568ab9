//! A cell as its results need it: whose it is, and which files they are in.

use std::collections::BTreeSet;
use std::num::NonZeroU32;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::unit::{Unit, split};
use crate::experiment::cell::Cell;
use crate::experiment::plan::Plan;

/// The version, and a hash of the code that results come from (see `build.rs`): what another
/// program has left behind is not taken for this one's.
pub const PROGRAM: &str = concat!(env!("CARGO_PKG_VERSION"), "+", env!("RETRIAL_RESULTS_CODE"));

/// A policy at a point, without the means to run it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlannedCell {
    /// Index of the policy.
    pub policy: usize,
    /// Index of the point.
    pub point: usize,
    /// Attempts at most of a call of each layer of the policy, the outermost first; `None` is
    /// unlimited. Empty for a policy without inner ones.
    pub layers: Vec<Option<NonZeroU32>>,
    /// How the names of its unit files begin: 24 hexadecimal digits of a hash of everything that
    /// determines its results, the program included.
    pub units: String,
}

impl PlannedCell {
    /// What the results of `cell` need.
    pub fn of(cell: &Cell) -> Self {
        let mut hash = Sha256::new();
        hash.update(PROGRAM);
        hash.update(&cell.identity);
        PlannedCell {
            policy: cell.policy_index,
            point: cell.point_index,
            layers: cell.layers.clone(),
            units: hash.finalize()[..12].iter().map(|byte| format!("{byte:02x}")).collect(),
        }
    }

    /// All cells of a plan, in its order.
    pub fn all(plan: &Plan) -> Vec<Self> {
        plan.cells.iter().map(PlannedCell::of).collect()
    }
}

/// The units to make, in the order of their files' names. These are hashes, so that no axis of a
/// sweep shows in the order. Cells with the same content share their files: a swept key that one
/// policy does not have leaves that policy the same at every point. Each unit is that of the first
/// cell that needs it.
pub fn distinct_units(cells: &[PlannedCell], replications: u64) -> Vec<Unit> {
    let mut seen = BTreeSet::new();
    let first: Vec<bool> = cells.iter().map(|cell| seen.insert(&cell.units)).collect();
    let units = split(cells.len(), replications).into_iter();
    let mut distinct: Vec<_> = units.filter(|unit| first[unit.cell]).collect();
    distinct.sort_by_key(|unit| (&cells[unit.cell].units, unit.first));
    distinct
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_of_the_same_content_are_made_once_by_the_first() {
        let cell = |units: &str| PlannedCell {
            policy: 0,
            point: 0,
            layers: Vec::new(),
            units: units.to_string(),
        };
        let units = distinct_units(&[cell("b"), cell("a"), cell("b"), cell("c")], 11);
        let found: Vec<_> = units.iter().map(|unit| (unit.cell, unit.first, unit.count)).collect();
        assert_eq!(found, [(1, 0, 10), (1, 10, 1), (0, 0, 10), (0, 10, 1), (3, 0, 10), (3, 10, 1)]);
    }
}
