//! Close-ups read back from the files of a results folder.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use super::files::{
    ABOUT, ATTEMPTS, AboutPolicy, DISPERSION, FOLDER, LATENCIES, LATENCY_MAP, PHASES, TIMELINE,
};
use super::rows::{LatencyRow, PhaseRow, Row};
use crate::experiment::files::why;
use crate::measure::close_up::{About, CloseUp, Phases};
use crate::measure::latency::Buckets;

/// The close-ups in a results folder by policy; none if it has no folder of them.
///
/// # Errors
///
/// Which file can't be read, where, and why.
pub fn read(results: &Path) -> Result<BTreeMap<String, CloseUp>, String> {
    let folder = results.join(FOLDER);
    if !folder.is_dir() {
        return Ok(BTreeMap::new());
    }
    let path = folder.join(ABOUT);
    let about = fs::read(&path).map_err(|error| unreadable(&path, why(&error)))?;
    let about: Vec<AboutPolicy<About>> =
        serde_json::from_slice(&about).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut close_ups: BTreeMap<String, CloseUp> = about
        .into_iter()
        .map(|of| (of.policy, CloseUp { about: of.about, ..CloseUp::default() }))
        .collect();
    let file = |name: &str| folder.join(name);
    rows(&file(ATTEMPTS), &mut close_ups, |close_up, rows| close_up.attempts = rows)?;
    rows(&file(TIMELINE), &mut close_ups, |close_up, rows| close_up.timeline = rows)?;
    rows(&file(PHASES), &mut close_ups, |close_up, rows| {
        close_up.phases = phases(close_up.about.period_ms, &rows);
    })?;
    rows(&file(DISPERSION), &mut close_ups, |close_up, rows| close_up.dispersion = rows)?;
    rows(&file(LATENCIES), &mut close_ups, |close_up, rows: Vec<LatencyRow>| {
        let bucket = |row: &LatencyRow| (libm::round(row.up_to_ms * 1e6) as u64, row.requests);
        close_up.latencies = Buckets(rows.iter().map(bucket).collect());
    })?;
    rows(&file(LATENCY_MAP), &mut close_ups, |close_up, rows| close_up.latency_map = rows)?;
    Ok(close_ups)
}

fn unreadable(path: &Path, why: String) -> String {
    format!("can't read {}: {why}", path.display())
}

/// Reads a file and gives each policy its rows.
fn rows<R: Row>(
    path: &Path,
    close_ups: &mut BTreeMap<String, CloseUp>,
    give: impl Fn(&mut CloseUp, Vec<R>),
) -> Result<(), String> {
    let bytes = fs::read(path).map_err(|error| unreadable(path, why(&error)))?;
    let problem = |error: csv::Error| format!("{}: {error}", path.display());
    let mut csv = csv::Reader::from_reader(&bytes[..]);
    let header = csv.headers().map_err(problem)?.clone();
    let policy = header.iter().position(|column| column == "policy");
    let policy = policy.ok_or_else(|| format!("{}: it has no column `policy`", path.display()))?;
    let mut by_policy: BTreeMap<String, Vec<R>> = BTreeMap::new();
    for record in csv.records() {
        let record = record.map_err(problem)?;
        let row = record.deserialize(Some(&header)).map_err(problem)?;
        by_policy.entry(record[policy].to_string()).or_default().push(row);
    }
    for (policy, close_up) in close_ups {
        give(close_up, by_policy.remove(policy).unwrap_or_default());
    }
    Ok(())
}

/// The histogram of these rows; `None` where the backoff has no period.
fn phases(period_ms: Option<f64>, rows: &[PhaseRow]) -> Option<Phases> {
    let period_ms = period_ms.filter(|period| *period > 0.0)?;
    let first = rows.first()?;
    let place = |value: f64, width: f64| libm::round(value / width) as u32;
    let cells = rows.iter().map(|row| {
        let column = place(row.bin_start_ms, row.bin_ms);
        (column, place(row.phase_start_ms, row.phase_ms), row.attempts)
    });
    Some(Phases {
        period_ms,
        column_ms: first.bin_ms,
        rows: place(period_ms, first.phase_ms),
        cells: cells.collect(),
    })
}
