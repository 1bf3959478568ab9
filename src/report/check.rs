//! What `retrial check` found: for people, programs, CI servers and pull requests.

pub mod annotations;
mod data;
mod junit;
mod tables;

use std::path::PathBuf;

pub use data::json;
pub use junit::junit;
pub use tables::{markdown, text};

use super::figures;
use crate::experiment::changed_keys::ChangedKey;
use crate::experiment::location::Location;
use crate::measure::metric;
use crate::study::baseline::divergence::{Cause, Divergence, Found};
use crate::study::baseline::{CellExactness, Exactness};
use crate::study::results::Results;
use crate::study::threshold::Judgement;

/// What was found of an experiment.
#[derive(Debug)]
pub struct Checked {
    /// What it is called on the command line.
    pub experiment: String,
    /// Where its baseline is.
    pub baseline: PathBuf,
    /// The fingerprint of the baseline; `None` if there was none before this one was accepted.
    pub old_fingerprint: Option<String>,
    /// Its results.
    pub results: Results,
    /// How far they are what the baseline says.
    pub exactness: Exactness,
    /// Keys of the experiment that are others than in the baseline.
    pub changed: Vec<ChangedKey>,
    /// Where the first run that differs parts from the baseline.
    pub divergence: Option<Divergence>,
    /// Its thresholds, each with its place in the file, if it has one.
    pub judgements: Vec<(Judgement, Option<Location>)>,
    /// Where its policies are written, by policy.
    pub policies: Vec<Option<Location>>,
    /// Its results have just become the baseline.
    pub accepted: bool,
}

impl Checked {
    /// Whether results differ from a baseline that stays.
    pub fn differs(&self) -> bool {
        !self.accepted && !self.exactness.holds()
    }

    /// Whether a threshold does not hold that does more than warn.
    pub fn fails(&self) -> bool {
        self.judgements.iter().any(|(judgement, _)| judgement.fails())
    }
}

/// One line on whether results are what the baseline says.
fn headline(checked: &Checked) -> String {
    let Checked { experiment, exactness, results, .. } = checked;
    let baseline = checked.baseline.display();
    let now = results.fingerprint;
    if checked.accepted {
        return match &checked.old_fingerprint {
            Some(old) if *old == now.to_string() => {
                format!("{experiment}: accepted as {baseline}; the fingerprint is still {now}")
            }
            Some(old) => format!("{experiment}: accepted as {baseline}; {old} is now {now}"),
            None => format!("{experiment}: accepted as {baseline}, fingerprint {now}"),
        };
    }
    let runs = exactness.runs();
    match exactness.holds() {
        true => format!("{experiment}: all {runs} runs are those of {baseline} ({now})"),
        false => {
            let differing: usize = exactness.cells.iter().map(|cell| cell.differing.len()).sum();
            format!("{experiment}: {differing} of {runs} runs differ from {baseline}")
        }
    }
}

/// What differs at a policy and point, in one line.
fn difference(cell: &CellExactness) -> String {
    let mut parts = Vec::new();
    if let Some(first) = cell.differing.first() {
        let counts = first.counts.iter().map(|(metric, old, new)| {
            let text = |value: &Option<f64>| value.map_or("none".to_string(), whole);
            format!("{} {} → {}", metric::ALL[*metric].name, text(old), text(new))
        });
        let mut counts: Vec<_> = counts.collect();
        if counts.is_empty() {
            counts.push(format!("no count differs, fingerprint {} → {}", first.old, first.new));
        }
        parts.push(format!(
            "{} of {} replications differ; in replication {}: {}",
            cell.differing.len(),
            cell.runs,
            first.replication,
            counts.join(", ")
        ));
    }
    if cell.missing > 0 {
        parts.push(format!("{} replications of the baseline are not there any more", cell.missing));
    }
    if cell.added > 0 {
        parts.push(format!("the baseline does not have {} replications", cell.added));
    }
    format!("{}: {}", cell.cell, parts.join("; "))
}

fn whole(value: f64) -> String {
    match value.fract() == 0.0 {
        true => figures::with_decimals(value, 0),
        false => value.to_string(),
    }
}

/// Whose records are shown, and how they were come by.
fn about(divergence: &Divergence) -> String {
    let Divergence { cell, replication, cause, found } = divergence;
    let why = match cause {
        Cause::Experiment => {
            "the baseline's experiment still gives the baseline, so the experiment has changed"
                .to_string()
        }
        Cause::Program => {
            "the baseline's own experiment gives something else now, so the program has changed"
                .to_string()
        }
        Cause::Files(names) => {
            format!("the content of {} has changed since the baseline", names.join(", "))
        }
        Cause::Unrunnable(problem) => {
            format!("the baseline's own experiment can't be run any more ({problem})")
        }
    };
    let of = format!("{cell}, replication {replication}");
    match found {
        Found::Records { same, .. } => {
            format!("First decision that differs, {of}, after {same} that are the same ({why}):")
        }
        Found::AllSame(same) => format!(
            "All {same} decisions are the same, {of}: what differs is when attempts arrived or \
             were answered, and nothing was decided differently ({why})."
        ),
        Found::Beyond(same) => format!(
            "The first {same} decisions are the same, {of}, and the baseline keeps no more: the \
             first that differs lies beyond them ({why})."
        ),
        Found::NotKept => format!(
            "The first decision that differs can't be told: {why}, and the baseline keeps no \
             decisions of a run that differs."
        ),
    }
}

/// What stands for a field without a value.
const NOTHING: &str = "–";

/// The fields of two records, old beside new, and whether they differ; those that neither has are
/// left out.
fn fields(divergence: &Divergence) -> Vec<(String, String, String, bool)> {
    let Found::Records { old, new, .. } = &divergence.found else { return Vec::new() };
    let keys = |record: &Option<serde_json::Value>| -> Vec<String> {
        let record = record.as_ref().and_then(serde_json::Value::as_object);
        record.map_or_else(Vec::new, |record| record.keys().cloned().collect())
    };
    let mut names = keys(old);
    names.extend(keys(new));
    let place = |name: &str| ORDER.iter().position(|field| *field == name).unwrap_or(ORDER.len());
    names.sort_by(|a, b| (place(a), a).cmp(&(place(b), b)));
    names.dedup();
    let rows = names.into_iter().map(|name| {
        let value = |record: &Option<serde_json::Value>| {
            let value = record.as_ref().and_then(|record| record.get(&name));
            match value {
                None | Some(serde_json::Value::Null) => NOTHING.to_string(),
                Some(serde_json::Value::String(text)) => text.clone(),
                Some(value) => value.to_string(),
            }
        };
        let (old, new) = (value(old), value(new));
        let differs = old != new;
        (name, old, new, differs)
    });
    rows.filter(|(_, old, new, _)| old != NOTHING || new != NOTHING).collect()
}

/// The fields of a record in the order of reading: who, what happened, what was decided.
const ORDER: [&str; 24] = [
    "at_ms",
    "client",
    "request",
    "logical_request_id",
    "policy",
    "layer",
    "attempt",
    "sent_ms",
    "branch",
    "route",
    "model",
    "class",
    "reason",
    "status",
    "code",
    "request_id",
    "rejected_param",
    "action",
    "delay_ms",
    "delay_source",
    "fallback_reason",
    "remaining_attempts",
    "remaining_time_ms",
    "terminal_outcome",
];

/// What is told and not judged.
fn remarks(checked: &Checked) -> Vec<String> {
    let Exactness { redefined, unknown, .. } = &checked.exactness;
    let mut remarks = Vec::new();
    if !redefined.is_empty() {
        let metrics = redefined.iter().map(|(name, runs)| format!("{name} ({runs} runs)"));
        remarks.push(format!(
            "Runs that are the same have other values of {}: their definition has changed.",
            metrics.collect::<Vec<_>>().join(", ")
        ));
    }
    if !unknown.is_empty() {
        remarks.push(format!("The baseline does not have {}.", unknown.join(", ")));
    }
    remarks
}

/// A changed key, old and new.
fn changed(key: &ChangedKey) -> String {
    let value = |value: &Option<String>| value.clone().unwrap_or_else(|| "(not given)".to_string());
    format!("{}: {} → {}", key.key, value(&key.old), value(&key.new))
}

/// The command that accepts the results.
fn how_to_accept(checked: &Checked) -> String {
    format!("If this is meant: retrial check {} --bless --note \"why\"", checked.experiment)
}
