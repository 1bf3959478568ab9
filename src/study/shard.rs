//! A shard: one machine's part of a study.
//!
//! Every machine expands the same plan and takes its own units of it. A shard's folder holds the
//! files of those units and a `plan.json` from which [`super::merge`] writes the results.

use std::fmt;
use std::num::NonZeroU32;
use std::path::Path;
use std::str::FromStr;

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

    /// Which of `of` shards makes the unit at `index` of the plan's distinct units.
    ///
    /// Any `of` units in a row, begun at a multiple of `of`, go to as many shards. Taking `index`
    /// modulo `of` alone would do that as well, but give all units of an axis's most expensive
    /// value to one shard where the axis has `of` values. The sum of the digits of `index` in base
    /// `of` (the generalised Thue–Morse sequence) spreads them on every axis at once.
    pub fn making(index: usize, of: NonZeroU32) -> Self {
        let base = of.get() as usize;
        let (mut rest, mut sum) = (index, 0);
        while rest > 0 && base > 1 {
            sum += rest % base;
            rest /= base;
        }
        // Less than `of`.
        Shard { number: (sum % base) as u32 + 1, of }
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
    Ok(Done { units, of_units, runs, kept })
}

#[cfg(test)]
mod tests {
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

    /// The first terms of the Thue–Morse sequence, OEIS A010060, and of its form in base 3, A053838.
    #[test]
    fn units_are_dealt_as_the_thue_morse_sequence_deals() {
        let dealt = |count: u32, first: usize| -> Vec<u32> {
            (0..first).map(|index| Shard::making(index, of(count)).number - 1).collect()
        };
        assert_eq!(dealt(2, 16), [0, 1, 1, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 1, 1, 0]);
        assert_eq!(dealt(3, 12), [0, 1, 2, 1, 2, 0, 2, 0, 1, 1, 2, 0]);
        assert_eq!(dealt(1, 3), [0, 0, 0]);
    }

    /// Five policies, two axes of four values, three blocks of replications: the most expensive
    /// corner, and the most expensive value of either axis, are spread over all shards.
    #[test]
    fn an_expensive_corner_is_spread_over_the_shards() {
        let of = of(4);
        let mut corner = [0; 4];
        let mut last_slow = [0; 4];
        let mut last_fast = [0; 4];
        for index in 0..5 * 4 * 4 * 3 {
            let (fast, slow) = (index / 3 % 4, index / 12 % 4);
            let shard = Shard::making(index, of).number as usize - 1;
            last_fast[shard] += usize::from(fast == 3);
            last_slow[shard] += usize::from(slow == 3);
            corner[shard] += usize::from(fast == 3 && slow == 3);
        }
        assert_eq!((last_fast, last_slow), ([15; 4], [15; 4]));
        assert_eq!(corner.iter().sum::<usize>(), 15);
        assert!(corner.iter().all(|units| (3..=5).contains(units)), "{corner:?}");
    }
}
