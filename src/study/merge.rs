//! Joins what shards have made into the results of one study.
//!
//! A part is a folder that a shard was written to. The results depend on the plan and the runs
//! alone: they are those that one machine would have written.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::{fmt, fs, io};

use rayon::prelude::*;

use super::close_up;
use super::plan_file::{self, PLAN_FILE, PlanFile, Unusable};
use super::planned_cell::{PROGRAM, distinct_units};
use super::results::Results;
use super::shard::Shard;
use super::unit::{Store, Unit, UnitResults, split};
use crate::experiment::files::why;
use crate::experiment::outline::Outline;

/// The folder of unit files in that of a shard.
pub const UNITS: &str = "units";

/// Missing units that are named one by one.
const NAMED: usize = 5;
/// Shards that are named one by one.
const SHARDS_NAMED: usize = 10;

/// A whole study.
#[derive(Debug)]
pub struct Merged {
    /// What it was about.
    pub outline: Outline,
    /// What it found.
    pub results: Results,
}

/// Why parts don't make a whole.
#[derive(Debug)]
pub enum MergeError {
    /// A file of a part can't be read.
    Unreadable(PathBuf, String),
    /// A part's plan is not what a shard writes.
    NoPart(PathBuf, String),
    /// A part comes from another program.
    OtherProgram(PathBuf, String),
    /// A part belongs to another plan than the first.
    OtherPlan {
        /// The first part.
        first: PathBuf,
        /// The other one.
        other: PathBuf,
        /// What tells them apart.
        difference: String,
    },
    /// Two files of one unit have different results.
    Differ(PathBuf, PathBuf),
    /// Some units are in no part.
    Missing {
        /// How many.
        missing: usize,
        /// Units of the plan.
        of: usize,
        /// The shards that would make them.
        shards: Vec<String>,
        /// The first of them, for people.
        first: Vec<String>,
    },
}

impl fmt::Display for MergeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MergeError::Unreadable(path, why) => write!(f, "can't read {}: {why}", path.display()),
            MergeError::NoPart(part, why) => write!(
                f,
                "{} is no part: {why}; parts are the folders that `retrial run --shard I/N` wrote to",
                part.display()
            ),
            MergeError::OtherProgram(part, program) => write!(
                f,
                "{} was made by retrial {program}, and this is {PROGRAM}: one version must make and \
                 merge all parts",
                part.display()
            ),
            MergeError::OtherPlan { first, other, difference } => write!(
                f,
                "{} belongs to another plan than {}: {difference}",
                other.display(),
                first.display()
            ),
            MergeError::Differ(a, b) => {
                let (a, b) = (a.display(), b.display());
                write!(
                    f,
                    "{a} and {b} should hold the same runs, and differ: one was changed or damaged"
                )
            }
            MergeError::Missing { missing, of, shards, first } => {
                let units = if *missing == 1 { "unit is" } else { "units are" };
                write!(f, "{missing} of {of} {units} missing: run {} ", listed(shards))?;
                write!(f, "with the command of the other shards, and merge again")?;
                first.iter().try_for_each(|unit| write!(f, "\n  missing: {unit}"))?;
                match missing - first.len() {
                    0 => Ok(()),
                    more => write!(f, "\n  and {more} more"),
                }
            }
        }
    }
}

impl std::error::Error for MergeError {}

/// `--shard 1/4, 2/4`, the first of them only if there are many.
fn listed(shards: &[String]) -> String {
    let mut listed = format!("--shard {}", shards[..shards.len().min(SHARDS_NAMED)].join(", "));
    if shards.len() > SHARDS_NAMED {
        listed.push_str(&format!(" and {} more", shards.len() - SHARDS_NAMED));
    }
    listed
}

/// The study whose parts are in these folders; they may overlap.
///
/// # Errors
///
/// They are no parts of one study, or not all of it.
pub fn merge(parts: &[PathBuf]) -> Result<Merged, MergeError> {
    let (plan, shards) = plan_of(parts)?;
    let stores: Vec<_> = parts.iter().map(|part| Store::at(part.join(UNITS))).collect();
    let PlanFile { outline, cells } = &plan;
    let distinct = distinct_units(cells, outline.replications);
    let units = distinct.par_iter().map(|unit| {
        let paths = stores.iter().map(|store| store.path(&cells[unit.cell], *unit));
        Ok(read_unit(paths, unit.count as usize)?.ok_or(*unit))
    });
    let units: Vec<Result<UnitResults, Unit>> = units.collect::<Result<_, MergeError>>()?;
    let missing: Vec<_> = (0..).zip(&units).filter(|(_, unit)| unit.is_err()).collect();
    if !missing.is_empty() {
        let makers = missing.iter().map(|(index, _)| Shard::making(*index, shards));
        let makers: BTreeSet<Shard> = makers.collect();
        let mut first: Vec<_> =
            missing.iter().filter_map(|(_, unit)| unit.as_ref().err()).collect();
        first.sort_by_key(|unit| (unit.cell, unit.first));
        return Err(MergeError::Missing {
            missing: missing.len(),
            of: units.len(),
            shards: makers.iter().map(Shard::to_string).collect(),
            first: first.iter().take(NAMED).map(|unit| describe(&plan, **unit)).collect(),
        });
    }
    let units = for_every_cell(&plan, &distinct, units.into_iter().flatten());
    let close_ups = close_up::kept(cells, outline.shown_point(), &stores);
    let results = Results::collect(outline, cells, units).with_close_ups(close_ups);
    Ok(Merged { outline: plan.outline, results })
}

/// The plan that all parts share, and how many shards the first was one of.
fn plan_of(parts: &[PathBuf]) -> Result<(PlanFile, NonZeroU32), MergeError> {
    let mut known: Option<(&PathBuf, String, PlanFile, NonZeroU32)> = None;
    for part in parts {
        let unusable = |unusable: Unusable| match unusable {
            Unusable::Broken(why) => {
                MergeError::NoPart(part.clone(), format!("{PLAN_FILE}: {why}"))
            }
            Unusable::OtherProgram(program) => MergeError::OtherProgram(part.clone(), program),
        };
        let bytes = fs::read(part.join(PLAN_FILE)).map_err(|error| {
            let why = match error.kind() {
                io::ErrorKind::NotFound => format!("it has no {PLAN_FILE}"),
                _ => format!("{PLAN_FILE}: {}", why(&error)),
            };
            MergeError::NoPart(part.clone(), why)
        })?;
        let read = plan_file::read(&bytes).map_err(unusable)?;
        match &known {
            None => {
                let plan = read.plan().map_err(unusable)?;
                known = Some((part, read.sha256, plan, read.shards));
            }
            Some((first, sha256, plan, _)) if *sha256 != read.sha256 => {
                let difference = plan.difference(&read.plan().map_err(unusable)?);
                let (first, other) = ((*first).clone(), part.clone());
                return Err(MergeError::OtherPlan { first, other, difference });
            }
            Some(_) => {}
        }
    }
    let (_, _, plan, shards) =
        known.ok_or_else(|| MergeError::NoPart(PathBuf::new(), "there is none".to_string()))?;
    Ok((plan, shards))
}

/// The runs of a unit that has `count` of them; `None` if no file holds them all.
fn read_unit(
    paths: impl Iterator<Item = PathBuf>,
    count: usize,
) -> Result<Option<UnitResults>, MergeError> {
    let mut found: Option<(PathBuf, Vec<u8>, UnitResults)> = None;
    for path in paths {
        let Some(bytes) = read_if_there(&path)? else { continue };
        if found.as_ref().is_some_and(|(_, known, _)| *known == bytes) {
            continue;
        }
        let mut results = UnitResults::parse(&bytes);
        // A study of more replications may have left more runs, one of fewer less. A damaged file has
        // none, and differs from every whole one.
        if (1..count).contains(&results.runs.len()) {
            continue;
        }
        results.runs.truncate(count);
        match found {
            Some((first, _, known)) if known != results => {
                return Err(MergeError::Differ(first, path));
            }
            Some(_) => {}
            None => found = Some((path, bytes, results)),
        }
    }
    Ok(found.map(|(_, _, results)| results).filter(|results| results.runs.len() == count))
}

fn read_if_there(path: &Path) -> Result<Option<Vec<u8>>, MergeError> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(MergeError::Unreadable(path.to_path_buf(), why(&error))),
    }
}

/// The results of every cell's units, in the order of [`split`], from those of the distinct ones.
fn for_every_cell(
    plan: &PlanFile,
    distinct: &[Unit],
    results: impl Iterator<Item = UnitResults>,
) -> Vec<(Unit, UnitResults)> {
    let name = |unit: &Unit| (plan.cells[unit.cell].units.as_str(), unit.first);
    let mut by_name: BTreeMap<_, _> = distinct.iter().map(name).zip(results).collect();
    let units = split(plan.cells.len(), plan.outline.replications);
    let mut uses = BTreeMap::new();
    units.iter().for_each(|unit| *uses.entry(name(unit)).or_insert(0_usize) += 1);
    let of = |unit: Unit| {
        let name = name(&unit);
        let left = uses.get_mut(&name)?;
        *left -= 1;
        // Mostly there is one use, and nothing to copy.
        let results = if *left == 0 { by_name.remove(&name) } else { by_name.get(&name).cloned() };
        results.map(|results| (unit, results))
    };
    units.into_iter().filter_map(of).collect()
}

/// A unit as people know it.
fn describe(plan: &PlanFile, unit: Unit) -> String {
    let PlanFile { outline, cells } = plan;
    let cell = &cells[unit.cell];
    let place = match outline.points[cell.point].describe(&outline.axes) {
        place if place.is_empty() => place,
        place => format!(" at {place}"),
    };
    let last = unit.first + unit.count - 1;
    format!("`{}`{place}, replications {} to {last}", outline.policies[cell.policy], unit.first)
}
