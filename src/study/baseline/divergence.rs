//! The first decision that is another one than in the baseline.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::decisions::{Decisions, FILE, kept_decisions};
use super::{Differing, Exactness};
use crate::experiment::cell::Cell;
use crate::experiment::load::Loaded;
use crate::experiment::parse::parse_value;
use crate::experiment::plan::Plan;
use crate::experiment::source::Sources;
use crate::model::run_id::RunId;
use crate::study::kept::{CellName, Kept};
use crate::study::runner::StudyError;

/// Why a run is another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The baseline's experiment still gives what the baseline says: the experiment has changed.
    Experiment,
    /// It gives something else: the program has changed.
    Program,
    /// It gives something else, and so do these data files.
    Files(Vec<String>),
    /// The baseline's experiment can't be run any more.
    Unrunnable(String),
}

/// Where a run and its baseline part.
#[derive(Clone, Debug)]
pub struct Divergence {
    /// The policy and point.
    pub cell: CellName,
    /// The replication.
    pub replication: u64,
    /// Why.
    pub cause: Cause,
    /// What was found.
    pub found: Found,
}

/// What the decisions say.
#[derive(Clone, Debug)]
pub enum Found {
    /// The first that differ, old and new; one is `None` where it has no counterpart.
    Records {
        /// How many before them are the same.
        same: usize,
        /// In the baseline.
        old: Option<Value>,
        /// Now.
        new: Option<Value>,
    },
    /// So many are the same, and there are no others to compare.
    AllSame(usize),
    /// So many are the same, and the baseline keeps no more.
    Beyond(usize),
    /// The baseline keeps no records of such a run, and why they are needed.
    NotKept,
}

/// Finds where the first run that differs parts from its baseline.
///
/// # Errors
///
/// A run stands still.
pub fn divergence(
    loaded: &Loaded,
    plan: &Plan,
    baseline: (&Path, &Kept),
    exactness: &Exactness,
) -> Result<Option<Divergence>, StudyError> {
    let (folder, kept) = baseline;
    let differing = exactness
        .cells
        .iter()
        .flat_map(|cell| cell.differing.iter().map(move |differing| (&cell.cell, differing)));
    let differing: Vec<_> = differing.filter(|(_, run)| run.old != run.new).collect();
    let Some((name, run)) = differing.first().copied() else { return Ok(None) };
    let Some(new_cell) = find(plan, name) else { return Ok(None) };
    let cause = match old_run(loaded, kept, name, run)? {
        Ok((old_plan, old_cell)) => {
            let old = Decisions::of(&old_plan, &old_cell, run.replication)?;
            let new = Decisions::of(plan, new_cell, run.replication)?;
            let found = first_difference(|index| old.record(index), &new)
                .unwrap_or(Found::AllSame(new.len()));
            return Ok(Some(at(name, run, Cause::Experiment, found)));
        }
        Err(cause) => cause,
    };
    // The program can't make the old decisions any more: what the baseline keeps of them is left.
    let first_point = kept.runs.first().map(|run| &run.cell.point);
    let kept_of = |(name, run): &&(&CellName, &Differing)| {
        run.replication == 0 && Some(&name.point) == first_point
    };
    let text = fs::read_to_string(folder.join(FILE)).unwrap_or_default();
    let mut beyond = None;
    for (name, run) in differing.iter().filter(kept_of) {
        let old = kept_decisions(&text, &name.policy).unwrap_or_default();
        let Some(cell) = find(plan, name).filter(|_| !old.is_empty()) else { continue };
        let new = Decisions::of(plan, cell, 0)?;
        let limit = |index: usize| old.get(index).cloned();
        match first_difference(limit, &new) {
            // The list of the baseline ends here, the run need not.
            Some(Found::Records { old: None, same, .. }) if same == old.len() => {
                beyond = beyond.or(Some(at(name, run, cause.clone(), Found::Beyond(same))));
            }
            None => {
                beyond = beyond.or(Some(at(name, run, cause.clone(), Found::Beyond(old.len()))));
            }
            // Its counterpart may lie beyond what is kept: then the record at its place is shown.
            Some(Found::Records { old: None, same, new }) => {
                let found = Found::Records { same, old: limit(same), new };
                return Ok(Some(at(name, run, cause, found)));
            }
            Some(found) => return Ok(Some(at(name, run, cause, found))),
        }
    }
    Ok(Some(beyond.unwrap_or_else(|| at(name, run, cause, Found::NotKept))))
}

fn at(name: &CellName, run: &Differing, cause: Cause, found: Found) -> Divergence {
    Divergence { cell: name.clone(), replication: run.replication, cause, found }
}

/// The cell that result files call so.
fn find<'a>(plan: &'a Plan, name: &CellName) -> Option<&'a Cell> {
    plan.cells.iter().find(|cell| {
        let values = plan.axes.iter().zip(&plan.points[cell.point_index].values);
        plan.policies[cell.policy_index] == name.policy
            && values
                .map(|(axis, value)| (axis, &value.text))
                .eq(name.point.iter().map(|(a, v)| (a, v)))
    })
}

/// The baseline's own experiment, if it still gives the baseline's fingerprint of that run.
fn old_run(
    loaded: &Loaded,
    kept: &Kept,
    name: &CellName,
    run: &Differing,
) -> Result<Result<(Plan, Cell), Cause>, StudyError> {
    let text = &kept.manifest.effective_experiment;
    let mut sources = Sources::default();
    let source = sources.add("the baseline's experiment", text);
    let old = Loaded {
        text: text.clone(),
        root: parse_value(text, source, 0),
        sources,
        against: None,
        chosen: Vec::new(),
        added: Vec::new(),
        ..loaded.clone()
    };
    let plan = match Plan::new(&old) {
        Ok(plan) => plan,
        Err(report) => return Ok(Err(Cause::Unrunnable(report.message().to_string()))),
    };
    let Some(cell) = find(&plan, name).cloned() else {
        return Ok(Err(Cause::Unrunnable(format!("it has no {name}"))));
    };
    let id = RunId { seed: plan.seed, replication: run.replication };
    let measured = cell.measure(id, false).map_err(|instant| StudyError::Endless {
        policy: name.policy.clone(),
        run: id,
        instant,
    })?;
    Ok(match format!("{:016x}", measured.fingerprint) == run.old {
        true => Ok((plan, cell)),
        false => {
            let changed = kept.manifest.changed_files(&plan.files);
            let names: Vec<_> = changed.into_iter().map(|file| file.key).collect();
            Err(if names.is_empty() { Cause::Program } else { Cause::Files(names) })
        }
    })
}

/// The first place where two lists differ. Where that is about two requests, the earlier record
/// counts, and its counterpart is the next one about the same request on the other side.
fn first_difference(old: impl Fn(usize) -> Option<Value>, new: &Decisions) -> Option<Found> {
    let new = |index: usize| new.record(index);
    let mut same = 0;
    let (before, now) = loop {
        match (old(same), new(same)) {
            (None, None) => return None,
            (before, now) if before == now => same += 1,
            differing => break differing,
        }
    };
    let request = |record: &Value| (record["client"].as_u64(), record["request"].as_u64());
    let at = |record: &Value| record["at_ms"].as_f64().unwrap_or(f64::INFINITY);
    let next_of = |of: &Value, list: &dyn Fn(usize) -> Option<Value>| {
        let mut rest = (same..).map_while(list);
        rest.find(|record| request(record) == request(of))
    };
    let (old, new) = match (before, now) {
        (Some(before), Some(now)) if request(&before) == request(&now) => (Some(before), Some(now)),
        (Some(before), Some(now)) => {
            match (at(&before), request(&before)) <= (at(&now), request(&now)) {
                true => {
                    let counterpart = next_of(&before, &new);
                    (Some(before), counterpart)
                }
                false => (next_of(&now, &old), Some(now)),
            }
        }
        one_sided => one_sided,
    };
    Some(Found::Records { same, old, new })
}
