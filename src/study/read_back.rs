//! A results folder turned back into what it was written from, so that tables and pictures can be
//! made of it again without simulating.
//!
//! Figures are read, not computed again: what an older version has estimated stays what it said.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde::Deserialize;

use super::close_up::files::FOLDER;
use super::close_up::read as close_ups;
use super::kept::{CellName, Kept, MANIFEST, Manifest, RUNS};
use super::layers::{LayerResults, unbound};
use super::results::{CellResults, Results};
use super::statistics::estimate::Estimate;
use super::stopping::is_exact;
use super::unit::Run;
use crate::engine::fingerprint::Fingerprint;
use crate::experiment::condition::Threshold;
use crate::experiment::deserialize::from_node;
use crate::experiment::files::why;
use crate::experiment::node::Node;
use crate::experiment::outline::Outline;
use crate::experiment::parse::parse_value;
use crate::experiment::schema::StopForm;
use crate::experiment::source::Sources;
use crate::experiment::stop::Stop;
use crate::experiment::sweep::{AxisValue, Point};
use crate::measure::latency::Buckets;
use crate::measure::layers::AttemptsByLayer;
use crate::measure::metric::{self, Id, MetricRow};
use crate::measure::series::Bin;
use crate::measure::telemetry::Signals;

/// What a results folder holds.
///
/// # Errors
///
/// Which file is missing or can't be read, where, and why.
pub fn read(folder: &Path) -> Result<(Outline, Results), String> {
    let kept = Kept::read(folder)?;
    let outline = outline(&kept, &folder.join(MANIFEST))?;
    let mut results = results(&outline, &kept, &folder.join(MANIFEST))?;
    read_estimates(&mut results, &outline, folder)?;
    read_series(&mut results, &outline, folder)?;
    read_layers(&mut results, &outline, folder)?;
    read_close_ups(&mut results, &outline, folder)?;
    Ok((outline, results))
}

fn outline(kept: &Kept, path: &Path) -> Result<Outline, String> {
    let Manifest { policies, axes, .. } = &kept.manifest;
    let broken = |problem: String| format!("{}: {problem}", path.display());
    let index = |name: &str| {
        let place = policies.iter().position(|policy| policy == name);
        place.ok_or_else(|| broken(format!("it does not list the policy `{name}`")))
    };
    let (mut points, mut seen) = (Vec::new(), BTreeSet::new());
    for (cell, _) in kept.cells() {
        index(&cell.policy)?;
        if seen.insert(&cell.point) {
            points.push(&cell.point);
        }
    }
    if points.is_empty() {
        return Err(format!("{}: it has no runs", path.with_file_name(RUNS).display()));
    }
    let value = |text: &str| AxisValue::of(&parse_value(text, Sources::default().add("", text), 0));
    let points = points
        .into_iter()
        .map(|point| Point { values: point.iter().map(|(_, text)| value(text)).collect() });
    let root = kept.manifest.root();
    let mut thresholds = Vec::new();
    for (policy, conditions) in root.entries("thresholds") {
        let policy = index(policy)?;
        for condition in conditions.items() {
            let text = condition.as_str().unwrap_or_default();
            let threshold = Threshold::parse(text)
                .map_err(|fault| broken(format!("the threshold `{text}`: {}", fault.message)))?;
            thresholds.push((policy, threshold));
        }
    }
    Ok(Outline {
        name: kept.manifest.experiment.clone(),
        title: kept.manifest.title.clone(),
        version: kept.manifest.version.clone(),
        text: kept.manifest.experiment_text.clone(),
        flags: kept.manifest.flags.clone(),
        effective: kept.manifest.effective_experiment.clone(),
        seed: kept.manifest.seed,
        replications: kept.manifest.replications,
        stop: stop(&root),
        axes: axes.clone(),
        points: points.collect(),
        thresholds,
        against: kept.manifest.against.as_deref().map(index).transpose()?,
        notes: kept.manifest.notes.clone(),
        files: kept.manifest.files.clone(),
        policies: policies.clone(),
    })
}

/// When there were enough replications, if that was decided.
fn stop(root: &Node) -> Option<Stop> {
    let form: StopForm = from_node(root.as_table()?.get("stop")?).ok()?;
    Some(Stop::new(&form, None))
}

fn results(outline: &Outline, kept: &Kept, path: &Path) -> Result<Results, String> {
    let fingerprint = Fingerprint::parse(&kept.manifest.fingerprint);
    let fingerprint = fingerprint.ok_or_else(|| {
        format!("{}: `{}` is no fingerprint", path.display(), kept.manifest.fingerprint)
    })?;
    let places = Places::of(outline);
    let mut cells = Vec::new();
    for (name, kept_runs) in kept.cells() {
        let Some((policy, point)) = places.find(name) else { continue };
        let runs = kept_runs.into_iter().filter_map(|run| {
            Some(Run {
                metrics: MetricRow::from_values(run.metrics.clone())?,
                fingerprint: u64::from_str_radix(&run.fingerprint, 16).unwrap_or(0),
                layers: AttemptsByLayer::default(),
            })
        });
        cells.push(CellResults {
            policy,
            point,
            runs: runs.collect(),
            series: Vec::new(),
            signals: Signals::default(),
            latencies: Buckets::default(),
            close_up: None,
            estimates: vec![Estimate { mean: None, ci95: None, n: 0 }; metric::ALL.len()],
            layers: Vec::new(),
            is_exact: true,
        });
    }
    cells.sort_by_key(|cell| (cell.policy, cell.point));
    let results = Results::of_cells(outline, cells);
    whole(outline, &results, fingerprint).map_err(|problem| {
        let runs = path.with_file_name(RUNS);
        format!("{}: {problem}: it was cut off, or is of another study", runs.display())
    })?;
    Ok(results)
}

/// Whether these are all runs that the manifest speaks of, and no others.
fn whole(outline: &Outline, results: &Results, fingerprint: Fingerprint) -> Result<(), String> {
    let expected = outline.policies.len() * outline.points.len();
    let found = results.cells.len();
    if found != expected {
        return Err(format!("it has {found} of {expected} policies at points"));
    }
    let runs = results.cells.iter().map(CellResults::replications).min().unwrap_or(0);
    if outline.stop.is_none() && runs != outline.replications {
        return Err(format!("it has {runs} of {} replications", outline.replications));
    }
    let sum = results.fingerprint;
    match sum == fingerprint {
        true => Ok(()),
        false => {
            Err(format!("its runs have the fingerprint {sum}, and the manifest {fingerprint}"))
        }
    }
}

/// Where policies and points stand in their lists.
struct Places<'a> {
    outline: &'a Outline,
    points: BTreeMap<Vec<&'a str>, usize>,
}

impl<'a> Places<'a> {
    fn of(outline: &'a Outline) -> Self {
        let texts = |point: &'a Point| point.values.iter().map(|value| value.text.as_str());
        let points = outline.points.iter().map(|point| texts(point).collect()).zip(0..);
        Places { outline, points: points.collect() }
    }

    fn find(&self, name: &CellName) -> Option<(usize, usize)> {
        let texts: Vec<&str> = name.point.iter().map(|(_, text)| text.as_str()).collect();
        let policy = self.outline.policies.iter().position(|policy| *policy == name.policy)?;
        Some((policy, *self.points.get(&texts)?))
    }
}

/// Reads the rows of a file and gives each to its cell.
fn rows<T: for<'de> Deserialize<'de>>(
    results: &mut Results,
    outline: &Outline,
    path: &Path,
    mut give: impl FnMut(&mut CellResults, T),
) -> Result<(), String> {
    let bytes = fs::read(path);
    let bytes = bytes.map_err(|error| format!("can't read {}: {}", path.display(), why(&error)))?;
    let problem = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let mut csv = csv::Reader::from_reader(&bytes[..]);
    let header = csv.headers().map_err(|error| problem(&error))?.clone();
    let column = |name: &str| {
        let place = header.iter().position(|column| column == name);
        place.ok_or_else(|| problem(&format!("it has no column `{name}`")))
    };
    let policy = column("policy")?;
    let axes: Vec<_> = outline.axes.iter().map(|axis| column(axis)).collect::<Result<_, _>>()?;
    let places = Places::of(outline);
    let cells: BTreeMap<_, _> =
        results.cells.iter().map(|cell| (cell.policy, cell.point)).zip(0..).collect();
    for record in csv.records() {
        let record = record.map_err(|error| problem(&error))?;
        let text = |column: usize| record.get(column).unwrap_or_default().to_string();
        let name = CellName {
            policy: text(policy),
            point: outline.axes.iter().cloned().zip(axes.iter().map(|at| text(*at))).collect(),
        };
        let cell = places.find(&name).and_then(|place| cells.get(&place));
        let row = record.deserialize(Some(&header)).map_err(|error| problem(&error))?;
        if let Some(cell) = cell {
            give(&mut results.cells[*cell], row);
        }
    }
    Ok(())
}

fn read_estimates(results: &mut Results, outline: &Outline, folder: &Path) -> Result<(), String> {
    #[derive(Deserialize)]
    struct Row {
        metric: String,
        mean: Option<f64>,
        ci95_low: Option<f64>,
        ci95_high: Option<f64>,
        n: u64,
    }
    rows(results, outline, &folder.join("summary.csv"), |cell, row: Row| {
        // Metrics that another version had are of no use to this one.
        if let Some(column) = metric::by_name(&row.metric) {
            let ci95 = row.ci95_low.zip(row.ci95_high);
            cell.estimates[column] = Estimate { mean: row.mean, ci95, n: row.n };
        }
    })?;
    let ends = |estimate: &Estimate| {
        let (low, high) = estimate.ci95.unzip();
        [estimate.mean, low, high].into_iter().flatten().all(f64::is_finite)
    };
    if !results.cells.iter().flat_map(|cell| &cell.estimates).all(ends) {
        let path = folder.join("summary.csv");
        return Err(format!("{}: a figure is not finite", path.display()));
    }
    for cell in &mut results.cells {
        let of = |column: usize| cell.estimates[column];
        cell.is_exact = outline.stop.as_ref().is_none_or(|stop| is_exact(stop, of));
    }
    Ok(())
}

fn read_series(results: &mut Results, outline: &Outline, folder: &Path) -> Result<(), String> {
    #[derive(Deserialize)]
    struct Row {
        bin_start_ms: f64,
        bin_ms: f64,
        attempts: u64,
        rejected: u64,
        in_flight: f64,
        waiting: f64,
    }
    rows(results, outline, &folder.join("arrivals.csv"), |cell, row: Row| {
        let Row { bin_start_ms, bin_ms, attempts, rejected, in_flight, waiting } = row;
        cell.series.push(Bin {
            start_ms: bin_start_ms,
            width_ms: bin_ms,
            attempts,
            rejected,
            in_flight,
            waiting,
        });
    })
}

/// Layers, which not every study has.
fn read_layers(results: &mut Results, outline: &Outline, folder: &Path) -> Result<(), String> {
    #[derive(Deserialize)]
    struct Row {
        max_attempts: String,
        max_product: String,
        attempts: Option<f64>,
        attempts_ci95_low: Option<f64>,
        attempts_ci95_high: Option<f64>,
        amplification: Option<f64>,
        amplification_ci95_low: Option<f64>,
        amplification_ci95_high: Option<f64>,
        n: u64,
    }
    let path = folder.join("layers.csv");
    if !path.exists() {
        return Ok(());
    }
    rows(results, outline, &path, |cell, row: Row| {
        let estimate =
            |mean, low: Option<f64>, high| Estimate { mean, ci95: low.zip(high), n: row.n };
        cell.layers.push(LayerResults {
            max_attempts: unbound(&row.max_attempts),
            max_product: unbound(&row.max_product),
            attempts: estimate(row.attempts, row.attempts_ci95_low, row.attempts_ci95_high),
            amplification: estimate(
                row.amplification,
                row.amplification_ci95_low,
                row.amplification_ci95_high,
            ),
        });
    })
}

fn read_close_ups(results: &mut Results, outline: &Outline, folder: &Path) -> Result<(), String> {
    let mut close_ups = close_ups::read(folder)?;
    let shown = outline.shown_point();
    for cell in results.cells.iter_mut().filter(|cell| cell.point == shown) {
        if let Some(close_up) = close_ups.remove(&outline.policies[cell.policy]) {
            let accepted: u64 = close_up.timeline.iter().map(|bin| bin.accepted).sum();
            let succeeded = cell.runs.first().and_then(|run| run.metrics.get(Id::Succeeded));
            if succeeded != Some(accepted as f64) {
                let (folder, policy) = (folder.join(FOLDER), &outline.policies[cell.policy]);
                return Err(format!(
                    "{}: `{policy}` has {accepted} accepted requests here, and another number in \
                     {RUNS}: it was cut off, or is of another study",
                    folder.display()
                ));
            }
            cell.signals = close_up.about.signals.clone();
            cell.latencies = close_up.latencies.clone();
            cell.close_up = Some(close_up);
        }
    }
    Ok(())
}
