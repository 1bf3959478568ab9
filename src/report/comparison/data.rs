//! A comparison for programs: every metric, whatever people are shown.

use std::io;

use serde_json::{Map, Value, json};

use super::verdict;
use crate::study::comparison::{CellComparison, Change, Comparison, Method};
use crate::study::gate::{Gated, Outcome};
use crate::study::kept::CellName;
use crate::study::statistics::estimate::Estimate;
use crate::study::statistics::holm::SIGNIFICANT;

/// Everything as one JSON document.
pub fn json(comparison: &Comparison, gated: &[Gated]) -> Value {
    let only = |cells: &[CellName]| -> Vec<Value> { cells.iter().map(cell_json).collect() };
    json!({
        "old": comparison.old,
        "new": comparison.new,
        "method": method(comparison),
        "correction": { "method": "holm", "tests": comparison.tests, "alpha": SIGNIFICANT },
        "verdict": verdict(comparison, gated),
        "cells": comparison.cells.iter().map(comparison_json).collect::<Vec<_>>(),
        "changed_keys": comparison.world_changes,
        "only_in_old": only(&comparison.only_old),
        "only_in_new": only(&comparison.only_new),
        "gate": gated.iter().map(gated_json).collect::<Vec<_>>(),
    })
}

fn method(comparison: &Comparison) -> &'static str {
    match comparison.method {
        Method::Paired => "paired",
        Method::Welch => "welch",
    }
}

fn cell_json(cell: &CellName) -> Value {
    json!({ "policy": cell.policy, "point": cell.point_json() })
}

fn comparison_json(cell: &CellComparison) -> Value {
    let metrics: Map<String, Value> = cell
        .changes
        .iter()
        .map(|change| (change.metric().name.to_string(), change_json(change)))
        .collect();
    json!({
        "old": cell.old.policy,
        "new": cell.new.policy,
        "point": cell.new.point_json(),
        "metrics": metrics,
    })
}

fn change_json(change: &Change) -> Value {
    json!({
        "unit": change.metric().unit,
        "old": estimate(&change.old),
        "new": estimate(&change.new),
        "difference": estimate(&change.difference),
        "relative": change.relative,
        "correlation": change.correlation,
        "p": change.p,
        "p_holm": change.p_holm,
        "verdict": change.verdict.words(),
    })
}

fn estimate(estimate: &Estimate) -> Value {
    let (low, high) = estimate.ci95.unzip();
    json!({ "mean": estimate.mean, "ci95_low": low, "ci95_high": high, "n": estimate.n })
}

fn gated_json(gated: &Gated) -> Value {
    let (worse, allowed, p_holm) = match gated.outcome {
        Outcome::AtLeast { worse, allowed, p_holm } => (Some(worse), Some(allowed), p_holm),
        Outcome::Lost | Outcome::NothingBefore => (None, None, None),
    };
    json!({
        "metric": gated.gate.metric().name,
        "slack": gated.gate.slack.to_string(),
        "policy": gated.cell.policy,
        "point": gated.cell.point_json(),
        "worse_by_at_least": worse,
        "allowed": allowed,
        "p_holm": p_holm,
        "passes": gated.outcome.passes(),
    })
}

/// A row a metric, policy and point.
///
/// # Errors
///
/// None in practice: writing into memory.
pub fn csv(comparison: &Comparison) -> io::Result<Vec<u8>> {
    let mut csv = ::csv::Writer::from_writer(Vec::new());
    let axes = comparison.cells.first().map_or(&[][..], |cell| &cell.new.point);
    let mut header = vec!["old", "new"];
    header.extend(axes.iter().map(|(axis, _)| axis.as_str()));
    header.extend([
        "metric",
        "unit",
        "old_mean",
        "new_mean",
        "difference",
        "ci95_low",
        "ci95_high",
        "relative",
        "correlation",
        "p",
        "p_holm",
        "n",
        "method",
        "verdict",
    ]);
    csv.write_record(header)?;
    let number = |value: Option<f64>| value.map_or_else(String::new, |value| value.to_string());
    for cell in &comparison.cells {
        for change in &cell.changes {
            let mut row = vec![cell.old.policy.clone(), cell.new.policy.clone()];
            row.extend(cell.new.point.iter().map(|(_, value)| value.clone()));
            let (low, high) = change.difference.ci95.unzip();
            row.extend([
                change.metric().name.to_string(),
                change.metric().unit.to_string(),
                number(change.old.mean),
                number(change.new.mean),
                number(change.difference.mean),
                number(low),
                number(high),
                number(change.relative),
                number(change.correlation),
                number(change.p),
                number(change.p_holm),
                change.difference.n.to_string(),
                method(comparison).to_string(),
                change.verdict.words().to_string(),
            ]);
            csv.write_record(row)?;
        }
    }
    csv.into_inner().map_err(|error| error.into_error())
}
