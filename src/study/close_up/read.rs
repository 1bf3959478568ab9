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
    let mut is_sound = true;
    rows(&file(PHASES), &mut close_ups, |close_up, rows| {
        let phases = phases(close_up.about.period_ms, &rows);
        is_sound &= phases.is_some();
        close_up.phases = phases.flatten();
    })?;
    // Charts make room for all rows of a plane, and for all clients.
    if !is_sound {
        return Err(format!("{}: no run writes such spans and parts", file(PHASES).display()));
    }
    let is_possible = |about: &About| about.every > 0 && about.clients / about.every <= MAX_CLIENTS;
    if !close_ups.values().all(|close_up| is_possible(&close_up.about)) {
        return Err(format!("{}: no run looks at so many clients", path.display()));
    }
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
    mut give: impl FnMut(&mut CloseUp, Vec<R>),
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

/// The histogram of these rows, `None` in it where the backoff has no period; `None` if it is
/// larger than any that a run makes.
fn phases(period_ms: Option<f64>, rows: &[PhaseRow]) -> Option<Option<Phases>> {
    let (Some(period_ms), Some(first)) = (period_ms.filter(|period| *period > 0.0), rows.first())
    else {
        return Some(None);
    };
    let place = |value: f64, width: f64| {
        let place = libm::round(value / width);
        (0.0..=MAX_PLACE).contains(&place).then_some(place as u32)
    };
    let cells = rows.iter().map(|row| {
        let column = place(row.bin_start_ms, row.bin_ms)?;
        Some((column, place(row.phase_start_ms, row.phase_ms)?, row.retries))
    });
    Some(Some(Phases {
        period_ms,
        column_ms: Some(first.bin_ms).filter(|width| width.is_finite() && *width > 0.0)?,
        rows: place(period_ms, first.phase_ms)?,
        cells: cells.collect::<Option<_>>()?,
    }))
}

/// More columns or rows than this are no picture.
const MAX_PLACE: f64 = 10_000.0;
/// More clients than this are none.
const MAX_CLIENTS: u32 = 1000;
