//! Whether what is to be made small can be estimated at all.

use super::simulated::Rows;
use super::tuning::Experiment;
use crate::measure::metric;
use crate::study::estimates::shortage;
use crate::study::unit::Run;

/// Why the objective can't be estimated in some experiment from the runs of the policy called
/// `policy`, if so. A value in some runs is enough, or it has to be in all where `every_run`.
pub fn fault(
    experiments: &[Experiment],
    rows: &Rows,
    policy: &str,
    every_run: bool,
) -> Option<String> {
    experiments.iter().zip(rows).find_map(|(experiment, runs)| {
        let why = reason(runs, experiment.minimise, every_run)?;
        let (metric, name) = (metric::ALL[experiment.minimise].name, &experiment.name);
        Some(format!("`{metric}` can't be estimated in `{name}` with {policy}: {why}"))
    })
}

fn reason(runs: &[Run], metric: usize, every_run: bool) -> Option<String> {
    if let Some(shortage) = shortage(runs, &metric::ALL[metric]) {
        let (needed, had) = (shortage.needed, libm::round(shortage.had));
        return Some(format!("it takes {needed} requests a run, and there are {had} on average"));
    }
    let without = runs.iter().filter(|run| run.metrics.values()[metric].is_none()).count();
    let is_missing = without == runs.len() || (every_run && without > 0);
    is_missing.then(|| format!("{without} of {} runs have no value", runs.len()))
}
