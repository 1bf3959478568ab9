//! What a study would take, without making it: runs, units, what is kept already, and about how
//! long the rest would run.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde::Serialize;

use super::planned_cell::PlannedCell;
use super::rounds::Rounds;
use super::runner::{StudyError, measure, pool};
use super::unit::Store;
use super::work::{Job, Work};
use crate::experiment::plan::Plan;

/// How long runs are tried for.
const TRIAL: Duration = Duration::from_secs(1);

/// What a study would take.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DryRun {
    /// The experiment's name.
    pub experiment: String,
    /// Policies on trial.
    pub policies: u64,
    /// Points of the sweep.
    pub points: u64,
    /// Replications of each policy at each point.
    pub replications: u64,
    /// Policies × points × replications.
    pub runs: u64,
    /// Where `stop` decides: runs at most. The other figures are then those of its first look.
    pub runs_at_most: Option<u64>,
    /// Unit files: blocks of replications, without those that are the same as another.
    pub units: u64,
    /// Those that are whole already.
    pub units_kept: u64,
    /// Those to make, or to complete.
    pub units_missing: u64,
    /// Runs to make: those of missing units that are not kept.
    pub runs_missing: u64,
    /// What the missing runs take; an estimate.
    pub estimate: Estimate,
}

/// A time to expect, from some runs that were made to measure it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// Of all cores together.
    pub cpu_s: f64,
    /// From start to end.
    pub wall_s: f64,
    /// Threads that share the work.
    pub threads: usize,
    /// Runs that were made to find out.
    pub runs_tried: u64,
}

/// What `plan` would take with so many threads (0 for all cores), if units are kept in `units`.
/// Makes single runs for about a second, and writes nothing.
///
/// # Errors
///
/// A run stands still.
pub fn dry_run(plan: &Plan, units: PathBuf, threads: usize) -> Result<DryRun, StudyError> {
    let pool = pool(threads)?;
    let store = Store::at(units);
    let cells = PlannedCell::all(plan);
    let planned = Rounds::of(plan).units(&cells, &store);
    let jobs = pool.install(|| Work::of(&planned, &store)).largest_first(plan);
    let missing: Vec<&Job> = jobs.iter().filter(|job| job.missing() > 0).collect();
    let runs_missing = missing.iter().map(|job| job.missing()).sum();
    let (units, left) = (jobs.len() as u64, missing.len() as u64);
    Ok(DryRun {
        experiment: plan.name.clone(),
        policies: plan.policies.len() as u64,
        points: plan.points.len() as u64,
        replications: plan.replications,
        runs: plan.cells.len() as u64 * plan.replications,
        runs_at_most: plan.stop.as_ref().map(|stop| plan.cells.len() as u64 * stop.max),
        units,
        units_kept: units - left,
        units_missing: left,
        runs_missing,
        estimate: estimate(plan, &missing, pool.current_num_threads())?,
    })
}

/// Tries runs of jobs spread over all, which are in order of their size, and takes time to be in
/// proportion to size: the ratio estimator of surveys (Cochran, Sampling Techniques, chapter 6).
fn estimate(plan: &Plan, missing: &[&Job], threads: usize) -> Result<Estimate, StudyError> {
    let size = |job: &Job| plan.cells[job.unit.cell].scenario.expected_requests();
    let (mut tried, mut time, mut sizes) = (0, Duration::ZERO, 0.0);
    let mut round = 0;
    while time < TRIAL && !missing.is_empty() {
        // Any first part of these is spread evenly over the jobs.
        let share = f64::from(u32::reverse_bits(round)) / 2_f64.powi(32);
        let job = missing[(share * missing.len() as f64) as usize];
        // Replication 0 does more than the others, and there are few of it.
        let replication = job.unit.first + 1 + u64::from(round) / missing.len() as u64;
        let started = Instant::now();
        measure(plan, &plan.cells[job.unit.cell], replication, false)?;
        time += started.elapsed();
        sizes += size(job);
        tried += 1;
        round += 1;
    }
    let total: f64 = missing.iter().map(|job| job.missing() as f64 * size(job)).sum();
    let cpu_s = if tried == 0 { 0.0 } else { time.as_secs_f64() * total / sizes };
    Ok(Estimate { cpu_s, wall_s: cpu_s / threads as f64, threads, runs_tried: tried })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::load::{Change, Wanted, load};
    use crate::study::runner::{self, Options, Progress};

    struct Silent;

    impl Progress for Silent {
        fn begin(&self, _runs: u64, _kept: u64) {}
        fn ran(&self) {}
    }

    fn plan(replications: u32) -> Plan {
        let change = |text: String| Change { flag: "--set", text };
        let wanted = Wanted {
            experiment: Some("aws-occ".into()),
            changes: vec![
                change("sweep.\"workload.clients\"=[5, 10]".into()),
                change(format!("replications={replications}")),
            ],
            ..Wanted::default()
        };
        Plan::new(&load(&wanted).unwrap()).unwrap()
    }

    #[test]
    fn what_is_kept_is_told_from_what_is_missing_and_nothing_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let units = folder.path().join("units");
        let first = dry_run(&plan(25), units.clone(), 2).unwrap();
        assert!(!units.exists());
        // 5 policies at 2 points, 25 replications in blocks of 10.
        assert_eq!((first.runs, first.units, first.runs_missing), (250, 30, 250));
        assert_eq!((first.units_kept, first.units_missing), (0, 30));
        let Estimate { cpu_s, wall_s, threads, runs_tried } = first.estimate;
        assert!(cpu_s > 0.0 && runs_tried > 1, "{first:?}");
        assert_eq!((wall_s, threads), (cpu_s / 2.0, 2));

        let options = Options { threads: 2, units: units.clone() };
        runner::run(&plan(15), &options, &Silent).unwrap();
        let second = dry_run(&plan(25), units.clone(), 2).unwrap();
        // Whole are the first blocks; of the second ones half is kept.
        assert_eq!((second.units_kept, second.units_missing, second.runs_missing), (10, 20, 100));
        let third = dry_run(&plan(15), units, 2).unwrap();
        assert_eq!((third.units_missing, third.estimate.cpu_s), (0, 0.0));
    }
}
