//! The files of the close-ups of a study, in a folder of their own.

use std::io;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::rows::{LatencyRow, PhaseRow, Row};
use crate::measure::close_up::{About, CloseUp};
use crate::study::files::{File, cell_columns, finish, header};
use crate::study::results::{CellResults, Results};

/// The folder.
pub const FOLDER: &str = "close-up";
/// The attempts of some clients.
pub const ATTEMPTS: &str = "attempts.csv";
/// What happened when.
pub const TIMELINE: &str = "timeline.csv";
/// Retries by time and phase.
pub const PHASES: &str = "phases.csv";
/// The index of dispersion by window.
pub const DISPERSION: &str = "dispersion.csv";
/// How many requests took how long.
pub const LATENCIES: &str = "latencies.csv";
/// How many took how long, by when they were to begin.
pub const LATENCY_MAP: &str = "latency_map.csv";
/// What is no table.
pub const ABOUT: &str = "about.json";

/// The names of all files.
pub const NAMES: [&str; 7] =
    [ATTEMPTS, TIMELINE, PHASES, DISPERSION, LATENCIES, LATENCY_MAP, ABOUT];

/// What is known of one policy's close-up besides the tables.
#[derive(Serialize, Deserialize)]
pub(super) struct AboutPolicy<A> {
    pub policy: String,
    #[serde(flatten)]
    pub about: A,
}

/// All files; none if no cell has a close-up.
///
/// # Errors
///
/// None in practice: writing into memory.
pub fn close_up_files(results: &Results) -> io::Result<Vec<File>> {
    if results.cells.iter().all(|cell| cell.close_up.is_none()) {
        return Ok(Vec::new());
    }
    // Most of the time goes into the digits of numbers.
    NAMES.into_par_iter().map(|name| Ok((name, content(name, results)?))).collect()
}

fn content(name: &str, results: &Results) -> io::Result<Vec<u8>> {
    match name {
        ATTEMPTS => table(results, |close_up| close_up.attempts.clone()),
        TIMELINE => table(results, |close_up| close_up.timeline.clone()),
        PHASES => table(results, phase_rows),
        DISPERSION => table(results, |close_up| close_up.dispersion.clone()),
        LATENCIES => table(results, latency_rows),
        LATENCY_MAP => table(results, |close_up| close_up.latency_map.clone()),
        _ => about_json(results),
    }
}

/// Cells that have a close-up.
fn close_ups(results: &Results) -> impl Iterator<Item = (&CellResults, &CloseUp)> {
    results.cells.iter().filter_map(|cell| Some((cell, cell.close_up.as_ref()?)))
}

fn table<R: Row>(results: &Results, rows: impl Fn(&CloseUp) -> Vec<R>) -> io::Result<Vec<u8>> {
    let mut csv = csv::Writer::from_writer(Vec::new());
    csv.write_record(header(results, R::COLUMNS.iter().copied()))?;
    for (cell, close_up) in close_ups(results) {
        for row in rows(close_up) {
            let mut fields = cell_columns(results, cell);
            fields.extend(row.fields());
            csv.write_record(fields)?;
        }
    }
    finish(csv)
}

fn phase_rows(close_up: &CloseUp) -> Vec<PhaseRow> {
    let Some(phases) = &close_up.phases else { return Vec::new() };
    let phase_ms = phases.period_ms / f64::from(phases.rows);
    let rows = phases.cells.iter().map(|(column, row, retries)| PhaseRow {
        bin_start_ms: f64::from(*column) * phases.column_ms,
        bin_ms: phases.column_ms,
        phase_start_ms: f64::from(*row) * phase_ms,
        phase_ms,
        retries: *retries,
    });
    rows.collect()
}

fn latency_rows(close_up: &CloseUp) -> Vec<LatencyRow> {
    let buckets = close_up.latencies.0.iter();
    let row = |(ns, requests): &(u64, u64)| LatencyRow {
        up_to_ms: *ns as f64 / 1e6,
        requests: *requests,
    };
    buckets.map(row).collect()
}

fn about_json(results: &Results) -> io::Result<Vec<u8>> {
    let policies = close_ups(results).map(|(cell, close_up)| AboutPolicy::<&About> {
        policy: results.policies[cell.policy].clone(),
        about: &close_up.about,
    });
    let mut bytes = serde_json::to_vec(&policies.collect::<Vec<_>>())?;
    bytes.push(b'\n');
    Ok(bytes)
}
