//! A results folder read back: the runs of an earlier study, from this or another version.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{Path, PathBuf};

use csv::StringRecord;
use serde::Deserialize;
use serde_json::{Map, Number, Value};

use super::files::data_files;
use super::results::Results;
use crate::experiment::changed_keys::{ChangedKey, changed_keys};
use crate::experiment::files::why;
use crate::experiment::node::Node;
use crate::experiment::parse::parse_value;
use crate::experiment::plan::Plan;
use crate::experiment::source::Sources;
use crate::measure::metric;

/// The file of runs.
pub const RUNS: &str = "runs.csv";
/// The file that says what was run.
pub const MANIFEST: &str = "manifest.json";

/// The runs of a results folder.
#[derive(Clone, Debug)]
pub struct Kept {
    /// What was run.
    pub manifest: Manifest,
    /// For each of [`metric::ALL`] whether there is a column of it.
    pub has_metric: Vec<bool>,
    /// The runs, in the order of the file.
    pub runs: Vec<KeptRun>,
}

/// What a manifest says.
#[derive(Clone, Debug, Deserialize)]
pub struct Manifest {
    /// The experiment's name.
    pub experiment: String,
    /// The line for people.
    #[serde(default)]
    pub title: String,
    /// Its seed.
    pub seed: u64,
    /// Runs of each policy at each point.
    pub replications: u64,
    /// The version of the program.
    pub version: String,
    /// The sum of all fingerprints.
    pub fingerprint: String,
    /// The policies, in the order of the experiment.
    #[serde(default)]
    pub policies: Vec<String>,
    /// The policy that the others were compared with, if one was named.
    #[serde(default)]
    pub against: Option<String>,
    /// The swept keys.
    pub axes: Vec<String>,
    /// The flags that changed the experiment file.
    #[serde(default)]
    pub flags: Vec<String>,
    /// What was done to the input.
    #[serde(default)]
    pub notes: Vec<String>,
    /// The experiment file as it was found.
    #[serde(default)]
    pub experiment_text: String,
    /// The experiment as it was run, a table of TOML in one line.
    pub effective_experiment: String,
    /// Data files and the hashes of their content.
    #[serde(default)]
    pub files: BTreeMap<String, String>,
}

/// Keys that change no run.
const NOT_PART_OF_A_RUN: [&str; 5] = ["title", "replications", "thresholds", "tune", "gate"];

impl Manifest {
    /// The experiment as it was run.
    pub fn root(&self) -> Node {
        let text = &self.effective_experiment;
        parse_value(text, Sources::default().add("effective_experiment", text), 0)
    }

    /// The data files whose content is another one now.
    pub fn changed_files(&self, now: &BTreeMap<String, String>) -> Vec<ChangedKey> {
        // The beginning tells two hashes apart.
        let short = |hash: &str| Some(format!("SHA-256 {}…", hash.get(..12).unwrap_or(hash)));
        let changed = self.files.iter().filter_map(|(name, old)| {
            let new = now.get(name).filter(|new| *new != old)?;
            Some(ChangedKey { key: name.clone(), old: short(old), new: short(new) })
        });
        changed.collect()
    }

    /// What differs between this experiment and another one, but keys that change no run: first data
    /// files, then keys.
    pub fn changes(&self, root: &Node, files: &BTreeMap<String, String>) -> Vec<ChangedKey> {
        let part_of_a_run = |root: &Node| root.without(&NOT_PART_OF_A_RUN);
        let mut changes = self.changed_files(files);
        changes.extend(changed_keys(&part_of_a_run(&self.root()), &part_of_a_run(root)));
        changes
    }
}

/// A policy at a point, as result files name it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CellName {
    /// The policy.
    pub policy: String,
    /// Swept keys and their values as text.
    pub point: Vec<(String, String)>,
}

/// A run.
#[derive(Clone, Debug, PartialEq)]
pub struct KeptRun {
    /// Whose.
    pub cell: CellName,
    /// Which.
    pub replication: u64,
    /// Its metrics in the order of [`metric::ALL`].
    pub metrics: Vec<Option<f64>>,
    /// Its fingerprint, as written.
    pub fingerprint: String,
}

impl Kept {
    /// Whether `folder` holds results.
    pub fn is_at(folder: &Path) -> bool {
        folder.join(RUNS).is_file()
    }

    /// Reads a folder.
    ///
    /// # Errors
    ///
    /// Which file can't be read, where, and why.
    pub fn read(folder: &Path) -> Result<Self, String> {
        let read = |name: &str| {
            let path = folder.join(name);
            let bytes = std::fs::read(&path);
            bytes.map_err(|error| format!("can't read {}: {}", path.display(), why(&error)))
        };
        let at = |name: &str| folder.join(name);
        Kept::parse(&read(MANIFEST)?, &read(RUNS)?, at)
    }

    /// What [`Kept::read`] would give of the folder that these results are written to.
    ///
    /// # Errors
    ///
    /// None in practice: what this version writes it reads.
    pub fn of(plan: &Plan, results: &Results) -> Result<Self, String> {
        let files = data_files(plan, results).map_err(|error| error.to_string())?;
        let file = |wanted: &str| {
            let file = files.iter().find(|(name, _)| *name == wanted);
            file.map_or(&[][..], |(_, bytes)| bytes)
        };
        Kept::parse(file(MANIFEST), file(RUNS), |name| name.into())
    }

    fn parse(manifest: &[u8], runs: &[u8], at: impl Fn(&str) -> PathBuf) -> Result<Self, String> {
        let manifest: Manifest = serde_json::from_slice(manifest)
            .map_err(|error| format!("{}: {error}", at(MANIFEST).display()))?;
        let runs = parse_runs(&manifest.axes, runs);
        let (has_metric, runs) =
            runs.map_err(|problem| format!("{}: {problem}", at(RUNS).display()))?;
        Ok(Kept { manifest, has_metric, runs })
    }

    /// The runs by policy and point, in the order of the file.
    pub fn cells(&self) -> Vec<(&CellName, Vec<&KeptRun>)> {
        let mut cells: Vec<(&CellName, Vec<&KeptRun>)> = Vec::new();
        let mut index = BTreeMap::new();
        for run in &self.runs {
            let at = *index.entry(&run.cell).or_insert(cells.len());
            match cells.get_mut(at) {
                Some((_, runs)) => runs.push(run),
                None => cells.push((&run.cell, vec![run])),
            }
        }
        cells
    }
}

impl fmt::Display for CellName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`", self.policy)?;
        if !self.point.is_empty() {
            write!(f, " at {}", self.place())?;
        }
        Ok(())
    }
}

impl CellName {
    /// The point as people read it: `workload.clients = 200`; empty if nothing is swept.
    pub fn place(&self) -> String {
        let values = self.point.iter().map(|(axis, value)| format!("{axis} = {value}"));
        values.collect::<Vec<_>>().join(", ")
    }

    /// The point as JSON: what reads as a number is one.
    pub fn point_json(&self) -> Map<String, Value> {
        let values = self.point.iter().map(|(axis, text)| {
            let number = text.parse::<Number>().map(Value::from);
            (axis.clone(), number.unwrap_or_else(|_| text.as_str().into()))
        });
        values.collect()
    }
}

type Runs = (Vec<bool>, Vec<KeptRun>);

fn parse_runs(axes: &[String], bytes: &[u8]) -> Result<Runs, String> {
    let mut csv = csv::Reader::from_reader(bytes);
    let header = csv.headers().map_err(|error| error.to_string())?.clone();
    let column = |name: &str| header.iter().position(|column| column == name);
    let needed = |name: &str| column(name).ok_or_else(|| format!("it has no column `{name}`"));
    let policy = needed("policy")?;
    let replication = needed("replication")?;
    let fingerprint = needed("fingerprint")?;
    let axes: Vec<_> =
        axes.iter().map(|axis| Ok((axis.clone(), needed(axis)?))).collect::<Result<_, String>>()?;
    let metrics: Vec<_> = metric::ALL.iter().map(|metric| column(metric.name)).collect();
    let mut runs = Vec::new();
    let mut seen = BTreeSet::new();
    for record in csv.records() {
        let record = record.map_err(|error| error.to_string())?;
        let text = |column: usize| record.get(column).unwrap_or_default().to_string();
        let cell = CellName {
            policy: text(policy),
            point: axes.iter().map(|(axis, at)| (axis.clone(), text(*at))).collect(),
        };
        let replication = number(&record, replication, "replication")?
            .ok_or_else(|| format!("line {}: it has no replication", line(&record)))?;
        if !seen.insert((cell.clone(), replication)) {
            let line = line(&record);
            return Err(format!("line {line}: replication {replication} of {cell} is there twice"));
        }
        runs.push(KeptRun {
            cell,
            replication,
            metrics: metrics
                .iter()
                .zip(metric::ALL)
                .map(|(at, metric)| at.map_or(Ok(None), |at| number(&record, at, metric.name)))
                .collect::<Result<_, String>>()?,
            fingerprint: text(fingerprint),
        });
    }
    Ok((metrics.iter().map(Option::is_some).collect(), runs))
}

/// The number in a column; `None` if there is none.
fn number<T: std::str::FromStr>(
    record: &StringRecord,
    column: usize,
    name: &str,
) -> Result<Option<T>, String> {
    let text = record.get(column).unwrap_or_default();
    if text.is_empty() {
        return Ok(None);
    }
    let problem = || format!("line {}: the {name} `{text}` is not a number", line(record));
    // What is not finite can't be estimated, and would have been left empty.
    if text.parse().is_ok_and(|number: f64| !number.is_finite()) {
        return Err(problem());
    }
    text.parse().map(Some).map_err(|_| problem())
}

fn line(record: &StringRecord) -> u64 {
    record.position().map_or(0, csv::Position::line)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MANIFEST_TEXT: &str = r#"{"experiment": "x", "seed": 1, "replications": 2,
        "version": "0.0.1", "fingerprint": "00", "axes": ["a"], "effective_experiment": "{ }"}"#;

    fn parse(runs: &str) -> Result<Kept, String> {
        Kept::parse(MANIFEST_TEXT.as_bytes(), runs.as_bytes(), |name| name.into())
    }

    #[test]
    fn columns_are_found_by_name_and_what_is_empty_is_none() {
        let kept = parse(
            "policy,a,replication,attempts,of_another_version,fingerprint\n\
             p,1,0,3,x,0a\nq,1,0,,x,0b\np,1,1,4.5,x,0c\n",
        )
        .unwrap();
        let attempts = metric::by_name("attempts").unwrap();
        let values: Vec<_> = kept.runs.iter().map(|run| run.metrics[attempts]).collect();
        assert_eq!(values, [Some(3.0), None, Some(4.5)]);
        assert_eq!(kept.has_metric.iter().filter(|has| **has).count(), 1);
        let cells = kept.cells();
        let names: Vec<_> =
            cells.iter().map(|(name, runs)| (name.to_string(), runs.len())).collect();
        assert_eq!(names, [("`p` at a = 1".to_string(), 2), ("`q` at a = 1".to_string(), 1)]);
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        for (runs, problem) in [
            ("policy,replication,fingerprint\n", "it has no column `a`"),
            (
                "policy,a,replication,attempts,fingerprint\np,1,0,many,0a\n",
                "line 2: the attempts `many` is not a number",
            ),
            (
                "policy,a,replication,fingerprint\np,1,0,0a\np,2,0,0a\np,1,0,0b\n",
                "line 4: replication 0 of `p` at a = 1 is there twice",
            ),
            ("policy,a,replication,fingerprint\np,1,,0a\n", "line 2: it has no replication"),
        ] {
            assert_eq!(parse(runs).unwrap_err(), format!("runs.csv: {problem}"));
        }
    }
}
