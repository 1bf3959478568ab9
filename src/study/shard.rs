//! A shard: one machine's part of a study.
//!
//! Every machine expands the same plan and takes its own units of it. A shard's folder holds the
//! files of those units and a `plan.json` from which [`super::merge`] writes the results.

use std::fmt;
use std::num::NonZeroU32;
use std::path::Path;
use std::str::FromStr;

use super::close_up;
use super::plan_file::{self, PLAN_FILE};
use super::planned_cell::{PlannedCell, distinct_units};
use super::runner::{Options, Progress, StudyError, make, open, pool};
use super::whole_file::write_whole;
use super::work::Work;
use crate::experiment::plan::Plan;

/// Shard `number` of `of`, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shard {
    number: u32,
    of: NonZeroU32,
}

impl Shard {
    /// Shard `number` of `of`.
    ///
    /// # Errors
    ///
    /// It is not among 1 to `of`.
    pub fn new(number: u64, of: NonZeroU32) -> Result<Self, String> {
        let number = u32::try_from(number).ok().filter(|number| (1..=of.get()).contains(number));
        let number = number.ok_or_else(|| format!("shards are numbered from 1 to {of}"))?;
        Ok(Shard { number, of })
    }

    /// How many shards there are.
    pub fn of(self) -> NonZeroU32 {
        self.of
    }

    /// Which of `of` shards makes the unit at `index` of [`distinct_units`]. Their order is that of
    /// hashes: in the order of the plan, an axis of `of` values would give all units of its most
    /// expensive value to one shard.
    pub fn making(index: usize, of: NonZeroU32) -> Self {
        // Less than `of`.
        let number = (index % of.get() as usize) as u32;
        Shard { number: number + 1, of }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (number, of) = text.split_once('/').ok_or("write I/N, such as 1/4")?;
        let of = shards(of)?;
        let number = number.parse().map_err(|_| format!("`{number}` is no whole number"))?;
        Shard::new(number, of)
    }
}

/// A number of shards.
///
/// # Errors
///
/// It is none.
pub fn shards(text: &str) -> Result<NonZeroU32, String> {
    text.parse().map_err(|_| format!("`{text}` is no number of shards: write 1 or more"))
}

/// What a shard did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Done {
    /// Its units.
    pub units: usize,
    /// Distinct units of the whole plan.
    pub of_units: usize,
    /// Its runs.
    pub runs: u64,
    /// Those that were there already.
    pub kept: u64,
}

/// Makes the runs of one shard that `out` does not hold yet. Other shards may be at work in the
/// same folder, so nothing is deleted there.
///
/// # Errors
///
/// As [`super::runner::run`].
pub fn run(
    plan: &Plan,
    shard: Shard,
    out: &Path,
    options: &Options,
    progress: &dyn Progress,
) -> Result<Done, StudyError> {
    let store = open(options)?;
    let cells = PlannedCell::all(plan);
    let distinct = distinct_units(&cells, plan.replications);
    let of_units = distinct.len();
    let own = (0..).zip(distinct).filter(|(index, _)| Shard::making(*index, shard.of) == shard);
    let own: Vec<_> = own.map(|(_, unit)| (unit, store.path(&cells[unit.cell], unit))).collect();
    let path = out.join(PLAN_FILE);
    let written = plan_file::to_bytes(&plan.outline, &cells, shard.of);
    let written = written.and_then(|bytes| write_whole(&path, &bytes));
    written.map_err(|error| StudyError::Write(path, error))?;
    let units = own.len();
    let pool = pool(options.threads)?;
    let work = pool.install(|| Work::of(&own, &store));
    let (runs, kept) = (work.runs(), work.kept());
    pool.install(|| make(work, plan, &store, progress, drop))?;
    // Whoever has the first replications of a cell looks closely at it, too.
    let is_own = |cell: &PlannedCell| {
        own.iter().any(|(unit, _)| unit.first == 0 && cells[unit.cell].units == cell.units)
    };
    close_up::make(plan, options, is_own)?;
    Ok(Done { units, of_units, runs, kept })
}

#[cfg(test)]
mod tests {
    use sha2::{Digest, Sha256};

    use super::*;

    fn of(count: u32) -> NonZeroU32 {
        NonZeroU32::new(count).unwrap()
    }

    #[test]
    fn shards_are_counted_from_one() {
        assert_eq!("2/4".parse(), Ok(Shard { number: 2, of: of(4) }));
        assert_eq!("4/4".parse::<Shard>().unwrap().to_string(), "4/4");
        for (text, problem) in [
            ("0/4", "shards are numbered from 1 to 4"),
            ("5/4", "shards are numbered from 1 to 4"),
            ("4294967297/4", "shards are numbered from 1 to 4"),
            ("1/0", "`0` is no number of shards: write 1 or more"),
            ("x/4", "`x` is no whole number"),
            ("3", "write I/N, such as 1/4"),
        ] {
            assert_eq!(text.parse::<Shard>(), Err(problem.to_string()), "{text}");
        }
    }

    /// Five policies, two axes of four values, three blocks of replications, four shards: each has
    /// its share of the most expensive corner, and of the most expensive value of either axis.
    #[test]
    fn an_expensive_corner_is_spread_over_the_shards() {
        let of = of(4);
        let cells: Vec<_> = (0..5 * 4 * 4)
            .map(|cell: usize| PlannedCell {
                policy: cell / 16,
                point: cell % 16,
                layers: Vec::new(),
                units: Sha256::digest(cell.to_string())
                    .iter()
                    .map(|b| format!("{b:02x}"))
                    .collect(),
            })
            .collect();
        let (mut corner, mut slow, mut fast) = ([0; 4], [0; 4], [0; 4]);
        for (index, unit) in distinct_units(&cells, 30).into_iter().enumerate() {
            let shard = Shard::making(index, of).number as usize - 1;
            let (is_slow, is_fast) = (unit.cell / 4 % 4 == 3, unit.cell % 4 == 3);
            slow[shard] += usize::from(is_slow);
            fast[shard] += usize::from(is_fast);
            corner[shard] += usize::from(is_slow && is_fast);
        }
        assert_eq!((slow.iter().sum(), fast.iter().sum(), corner.iter().sum()), (60, 60, 15));
        assert!(slow.iter().chain(&fast).all(|n| (12..=18).contains(n)), "{slow:?} {fast:?}");
        assert!(corner.iter().all(|n| (2..=5).contains(n)), "{corner:?}");
    }
}
