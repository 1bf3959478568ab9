//! The result files. Each is complete or absent.

use std::collections::BTreeMap;
use std::io;

use rayon::prelude::*;
use serde::Serialize;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use super::results::{CellResults, Results};
use super::stopping::Why;
use crate::experiment::outline::Outline;
use crate::measure::metric;

/// A file by name and content.
pub type File = (&'static str, Vec<u8>);

/// All data files of a study, in the order of writing: the manifest comes last, so that it never
/// vouches for files of an earlier study.
///
/// # Errors
///
/// None in practice: writing CSV and JSON into memory.
pub fn data_files(outline: &Outline, results: &Results) -> io::Result<Vec<File>> {
    Ok(vec![
        ("runs.csv", runs_csv(results)?),
        ("summary.csv", summary_csv(results)?),
        ("arrivals.csv", arrivals_csv(results)?),
        ("manifest.json", manifest(outline, results)?),
    ])
}

/// Floats in the shortest form that reads back as the same number.
pub(super) fn number(value: Option<f64>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

/// The columns that say which cell a row belongs to.
pub(super) fn cell_columns(results: &Results, cell: &CellResults) -> Vec<String> {
    let point = &results.points[cell.point];
    let mut columns = vec![results.policies[cell.policy].clone()];
    columns.extend(point.values.iter().map(|value| value.text.clone()));
    columns
}

pub(super) fn header<'a>(
    results: &'a Results,
    rest: impl IntoIterator<Item = &'a str>,
) -> Vec<&'a str> {
    let mut header = vec!["policy"];
    header.extend(results.axes.iter().map(String::as_str));
    header.extend(rest);
    header
}

pub(super) fn finish(writer: csv::Writer<Vec<u8>>) -> io::Result<Vec<u8>> {
    writer.into_inner().map_err(|error| error.into_error())
}

/// A CSV of all cells, one after the other; `rows` writes those of one. Cells are written on all
/// cores, since most of the time goes into the digits of numbers.
fn csv_of_cells<'a>(
    results: &'a Results,
    columns: impl IntoIterator<Item = &'a str>,
    rows: impl Fn(&mut csv::Writer<Vec<u8>>, &CellResults) -> csv::Result<()> + Sync,
) -> io::Result<Vec<u8>> {
    let mut head = csv::Writer::from_writer(Vec::new());
    head.write_record(header(results, columns))?;
    let cells = results.cells.par_iter().map(|cell| {
        let mut csv = csv::Writer::from_writer(Vec::new());
        rows(&mut csv, cell)?;
        finish(csv)
    });
    let cells: Vec<Vec<u8>> = cells.collect::<io::Result<_>>()?;
    let mut file = finish(head)?;
    file.reserve_exact(cells.iter().map(Vec::len).sum());
    cells.into_iter().for_each(|cell| file.extend(cell));
    Ok(file)
}

/// Wide: a row a run, a column a metric.
fn runs_csv(results: &Results) -> io::Result<Vec<u8>> {
    let metrics = metric::ALL.iter().map(|metric| metric.name);
    let columns = ["replication"].into_iter().chain(metrics).chain(["fingerprint"]);
    csv_of_cells(results, columns, |csv, cell| {
        for (replication, run) in cell.runs.iter().enumerate() {
            let mut row = cell_columns(results, cell);
            row.push(replication.to_string());
            row.extend(run.metrics.values().iter().map(|value| number(*value)));
            row.push(format!("{:016x}", run.fingerprint));
            csv.write_record(row)?;
        }
        Ok(())
    })
}

/// Tidy: a row a metric.
///
/// # Errors
///
/// None in practice: writing into memory.
pub fn summary_csv(results: &Results) -> io::Result<Vec<u8>> {
    let columns = ["metric", "unit", "mean", "ci95_low", "ci95_high", "n"];
    csv_of_cells(results, columns, |csv, cell| {
        for (metric, estimate) in metric::ALL.iter().zip(&cell.estimates) {
            let mut row = cell_columns(results, cell);
            row.extend([
                metric.name.to_string(),
                metric.unit.to_string(),
                number(estimate.mean),
                number(estimate.ci95.map(|(low, _)| low)),
                number(estimate.ci95.map(|(_, high)| high)),
                estimate.n.to_string(),
            ]);
            csv.write_record(row)?;
        }
        Ok(())
    })
}

/// What happened when, in replication 0.
fn arrivals_csv(results: &Results) -> io::Result<Vec<u8>> {
    let columns = ["bin_start_ms", "bin_ms", "attempts", "rejected", "in_flight", "waiting"];
    csv_of_cells(results, columns, |csv, cell| {
        for bin in &cell.series {
            let mut row = cell_columns(results, cell);
            row.extend([
                bin.start_ms.to_string(),
                bin.width_ms.to_string(),
                bin.attempts.to_string(),
                bin.rejected.to_string(),
                bin.in_flight.to_string(),
                bin.waiting.to_string(),
            ]);
            csv.write_record(row)?;
        }
        Ok(())
    })
}

/// What was run, in enough detail to run it again.
#[derive(Serialize)]
struct Manifest<'a> {
    experiment: &'a str,
    title: &'a str,
    seed: u64,
    replications: u64,
    /// Where `stop` decided: how many each point has.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    stopped: Vec<Stopped>,
    version: &'a str,
    fingerprint: String,
    policies: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    against: Option<&'a str>,
    axes: &'a [String],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    flags: &'a [String],
    files: &'a BTreeMap<String, String>,
    notes: &'a [String],
    experiment_sha256: String,
    experiment_text: &'a str,
    effective_experiment: &'a str,
}

/// The hash of the experiment as it is run.
pub fn experiment_sha256(outline: &Outline) -> String {
    let hash = Sha256::digest(outline.effective.as_bytes());
    hash.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The replications of each policy at one point.
#[derive(Serialize)]
struct Stopped {
    point: Map<String, Value>,
    replications: u64,
    why: Why,
}

fn stopped(outline: &Outline, results: &Results) -> Vec<Stopped> {
    let points = 0..results.points.len();
    let points = points.filter(|_| outline.stop.is_some());
    let stopped = points.map(|point| Stopped {
        point: point_json(results, point),
        replications: results.replications_at(point),
        why: results.why_stopped(point),
    });
    stopped.collect()
}

/// A point as JSON: its values by axis.
fn point_json(results: &Results, point: usize) -> Map<String, Value> {
    let values = &results.points[point].values;
    let values = results.axes.iter().zip(values);
    values.map(|(axis, value)| (axis.clone(), value.json.clone())).collect()
}

fn manifest(outline: &Outline, results: &Results) -> io::Result<Vec<u8>> {
    let manifest = Manifest {
        experiment: &outline.name,
        title: &outline.title,
        seed: outline.seed,
        replications: results.replications,
        stopped: stopped(outline, results),
        version: &outline.version,
        fingerprint: results.fingerprint.to_string(),
        policies: &outline.policies,
        against: outline.against.map(|policy| outline.policies[policy].as_str()),
        axes: &outline.axes,
        flags: &outline.flags,
        files: &outline.files,
        notes: &outline.notes,
        experiment_sha256: experiment_sha256(outline),
        experiment_text: &outline.text,
        effective_experiment: &outline.effective,
    };
    let mut bytes = serde_json::to_vec_pretty(&manifest)?;
    bytes.push(b'\n');
    Ok(bytes)
}

/// The numbers of `summary.csv` as one JSON document.
pub fn to_json(results: &Results) -> Value {
    cells_to_json(results, results.cells.iter())
}

/// As [`to_json`], of one point only.
pub fn point_to_json(results: &Results, point: usize) -> Value {
    cells_to_json(results, results.at_point(point))
}

fn cells_to_json<'a>(results: &Results, cells: impl Iterator<Item = &'a CellResults>) -> Value {
    let rows = cells.map(|cell| {
        let point = point_json(results, cell.point);
        let metrics: Map<String, Value> = metric::ALL
            .iter()
            .zip(&cell.estimates)
            .map(|(metric, estimate)| {
                let (low, high) = estimate.ci95.unzip();
                let estimate = json!({
                    "mean": estimate.mean, "ci95_low": low, "ci95_high": high, "n": estimate.n,
                });
                (metric.name.to_string(), estimate)
            })
            .collect();
        json!({ "policy": results.policies[cell.policy], "point": point, "metrics": metrics })
    });
    json!({
        "experiment": results.experiment,
        "seed": results.seed,
        "replications": results.replications,
        "fingerprint": results.fingerprint.to_string(),
        "rows": rows.collect::<Vec<_>>(),
    })
}
