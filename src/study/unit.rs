//! A unit: some replications of one policy at one point, kept in a file of its own.
//!
//! The file is named after everything that determines its content, so a study that was
//! interrupted goes on from what exists, and a changed policy runs again while the others don't.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{fs, io};

use serde::{Deserialize, Serialize};

use super::planned_cell::PlannedCell;
use crate::measure::close_up::CloseUp;
use crate::measure::latency::Buckets;
use crate::measure::layers::AttemptsByLayer;
use crate::measure::metric::MetricRow;
use crate::measure::recorder::Measurements;
use crate::measure::series::Bin;
use crate::measure::telemetry::Signals;
use crate::study::whole_file::{PARTIAL, write_whole};

/// Replications of a unit. Fixed, so that raising their number finds the files of before.
pub const REPLICATIONS: u64 = 10;

/// Stands in the place of the first replication in the names of files that hold close-ups.
const CLOSE_UP: &str = "close-up";

/// Replications `first..first + count` of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unit {
    /// Index of the cell in the plan.
    pub cell: usize,
    /// The first replication.
    pub first: u64,
    /// How many.
    pub count: u64,
}

/// What one run gave.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// Its metrics.
    pub metrics: MetricRow,
    /// Its fingerprint.
    pub fingerprint: u64,
    /// How often each layer of the policy on trial tried, if it has inner ones.
    pub layers: AttemptsByLayer,
}

/// What a unit has given so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UnitResults {
    /// Its runs, in order; fewer than it has replications while it is not finished.
    pub runs: Vec<Run>,
    /// The series of replication 0, in the unit that has it.
    pub series: Option<Vec<Bin>>,
    /// What alerts would have said in replication 0, in the unit that has it.
    pub signals: Option<Signals>,
    /// The latencies of accepted requests of replication 0, in the unit that has it.
    pub latencies: Option<Buckets>,
}

impl UnitResults {
    /// Adds the next run.
    pub fn push(&mut self, measurements: Measurements) {
        self.series = self.series.take().or(measurements.series);
        self.signals = self.signals.take().or(measurements.signals);
        self.latencies = self.latencies.take().or(measurements.latencies);
        let Measurements { metrics, fingerprint, layers, .. } = measurements;
        self.runs.push(Run { metrics, fingerprint, layers });
    }

    /// What a unit's file holds; nothing if it is not whole.
    pub fn parse(bytes: &[u8]) -> Self {
        let Ok(UnitFile { runs, series, signals, latencies }) = serde_json::from_slice(bytes)
        else {
            return UnitResults::default();
        };
        let runs: Option<Vec<Run>> = runs
            .into_iter()
            .map(|line| {
                let metrics = MetricRow::from_values(line.metrics)?;
                Some(Run { metrics, fingerprint: line.fingerprint, layers: line.layers })
            })
            .collect();
        runs.map_or_else(UnitResults::default, |runs| UnitResults {
            runs,
            series,
            signals,
            latencies,
        })
    }
}

/// A unit's file as written.
#[derive(Serialize, Deserialize)]
struct UnitFile {
    runs: Vec<RunLine>,
    series: Option<Vec<Bin>>,
    signals: Option<Signals>,
    latencies: Option<Buckets>,
}

#[derive(Serialize, Deserialize)]
struct RunLine {
    fingerprint: u64,
    metrics: Vec<Option<f64>>,
    layers: AttemptsByLayer,
}

/// The units of all cells in order, each cell's replications in blocks.
pub fn split(cells: usize, replications: u64) -> Vec<Unit> {
    (0..cells).flat_map(|cell| split_cell(cell, replications)).collect()
}

/// The replications of one cell in blocks.
pub fn split_cell(cell: usize, replications: u64) -> impl Iterator<Item = Unit> {
    let blocks = (0..replications).step_by(REPLICATIONS as usize);
    blocks.map(move |first| Unit { cell, first, count: REPLICATIONS.min(replications - first) })
}

/// The folder of unit files.
#[derive(Clone, Debug)]
pub struct Store {
    folder: PathBuf,
}

impl Store {
    /// Opens the folder, making it if need be.
    ///
    /// # Errors
    ///
    /// It can't be made.
    pub fn open(folder: PathBuf) -> io::Result<Self> {
        fs::create_dir_all(&folder)?;
        Ok(Store { folder })
    }

    /// The folder as it is, there or not.
    pub fn at(folder: PathBuf) -> Self {
        Store { folder }
    }

    /// The file of a unit of `cell`.
    pub fn path(&self, cell: &PlannedCell, unit: Unit) -> PathBuf {
        self.folder.join(format!("{}-{:06}.json", cell.units, unit.first))
    }

    /// The file of the close-up of `cell`.
    pub fn close_up_path(&self, cell: &PlannedCell) -> PathBuf {
        self.folder.join(format!("{}-{CLOSE_UP}.json", cell.units))
    }

    /// The close-up kept at `path`; `None` if there is no file or it is not whole.
    pub fn read_close_up(&self, path: &Path) -> Option<CloseUp> {
        serde_json::from_slice(&fs::read(path).ok()?).ok()
    }

    /// Keeps a close-up.
    ///
    /// # Errors
    ///
    /// The file can't be written.
    pub fn write_close_up(&self, path: &Path, close_up: &CloseUp) -> io::Result<()> {
        write_whole(path, &serde_json::to_vec(close_up)?)
    }

    /// What is kept at `path`; nothing if there is no file or it is not whole.
    pub fn read(&self, path: &Path) -> UnitResults {
        fs::read(path).map_or_else(|_| UnitResults::default(), |bytes| UnitResults::parse(&bytes))
    }

    /// Keeps a unit's results.
    ///
    /// # Errors
    ///
    /// The file can't be written.
    pub fn write(&self, path: &Path, results: &UnitResults) -> io::Result<()> {
        let lines = results.runs.iter().map(|run| RunLine {
            fingerprint: run.fingerprint,
            metrics: run.metrics.values().to_vec(),
            layers: run.layers.clone(),
        });
        let file = UnitFile {
            runs: lines.collect(),
            series: results.series.clone(),
            signals: results.signals.clone(),
            latencies: results.latencies.clone(),
        };
        write_whole(path, &serde_json::to_vec(&file)?)
    }

    /// Deletes the files of units that are not among `kept`, and what an interrupted write left
    /// behind. Anything else in the folder is not ours.
    ///
    /// # Errors
    ///
    /// The folder can't be read, or a file in it not be deleted.
    pub fn retain(&self, kept: &BTreeSet<PathBuf>) -> io::Result<()> {
        for entry in fs::read_dir(&self.folder)? {
            let path = entry?.path();
            if is_unit_file(&path) && !kept.contains(&path) {
                fs::remove_file(path)?;
            }
        }
        Ok(())
    }
}

/// Whether a file has a name that [`Store::path`] or [`Store::close_up_path`] gives, whole or partial.
fn is_unit_file(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    // A partial file has the number of its process before its ending.
    let name = match name.strip_suffix(PARTIAL) {
        Some(partial) => partial.rsplit_once('.').map_or(partial, |(name, _)| name),
        None => name,
    };
    let stem = name.strip_suffix(".json").and_then(|stem| stem.split_once('-'));
    stem.is_some_and(|(digest, first)| {
        digest.len() == 24
            && digest.bytes().all(|byte| byte.is_ascii_hexdigit())
            && (first == CLOSE_UP || first.bytes().all(|byte| byte.is_ascii_digit()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_cover_every_replication_once() {
        let units = split(2, 25);
        let counts: Vec<_> = units.iter().map(|unit| (unit.cell, unit.first, unit.count)).collect();
        assert_eq!(
            counts,
            [(0, 0, 10), (0, 10, 10), (0, 20, 5), (1, 0, 10), (1, 10, 10), (1, 20, 5)]
        );
    }

    #[test]
    fn only_files_of_units_are_ever_deleted() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path().to_path_buf()).unwrap();
        let unit = "0123456789abcdef01234567-000010.json";
        let partial = format!("{unit}.4711-0.partial");
        let kept = "fedcba9876543210fedcba98-000000.json";
        for name in [unit, &partial, kept, "notes.txt", "data.json"] {
            fs::write(folder.path().join(name), "x").unwrap();
        }
        fs::create_dir(folder.path().join("mine")).unwrap();
        store.retain(&BTreeSet::from([folder.path().join(kept)])).unwrap();
        let left = fs::read_dir(folder.path()).unwrap();
        let mut left: Vec<_> =
            left.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        left.sort();
        assert_eq!(left, ["data.json", kept, "mine", "notes.txt"]);
    }

    #[test]
    fn results_come_back_as_they_were_kept_and_broken_files_as_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path().join("units")).unwrap();
        let path = store.folder.join("x.json");
        let mut metrics = MetricRow::default();
        metrics.set(crate::measure::metric::Id::Amplification, 0.1 + 0.2);
        let layers = AttemptsByLayer { requests: 3, attempts: vec![6, 24] };
        let runs = vec![Run { metrics, fingerprint: u64::MAX, layers }];
        let latencies = Some(Buckets(vec![(1_000_447, 3), (u64::MAX, 1)]));
        let results = UnitResults { runs, series: None, signals: None, latencies };
        store.write(&path, &results).unwrap();
        assert_eq!(store.read(&path), results);
        fs::write(&path, "{\"runs\": [{\"fingerp").unwrap();
        assert_eq!(store.read(&path), UnitResults::default());
    }
}
