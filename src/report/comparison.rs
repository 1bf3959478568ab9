//! A comparison of two policies or studies: the sentence on top, the tables, the footnotes.

mod data;
mod tables;

pub use data::{csv, json};
pub use tables::{markdown, text};

use super::figures;
use super::verdict::MIN_REPLICATIONS;
use crate::measure::metric::{self, Id};
use crate::study::comparison::{CellComparison, Change, Comparison, Method, Verdict};
use crate::study::gate::{Gated, Outcome};

/// What people look at first.
const FIRST: [Id; 12] = [
    Id::SuccessRatio,
    Id::GoodputPerS,
    Id::Attempts,
    Id::Amplification,
    Id::MakespanMs,
    Id::LatencyP50Ms,
    Id::LatencyP99Ms,
    Id::ArrivalsPeakPerS,
    Id::ArrivalsClustering,
    Id::RecoveredRatio,
    Id::RecoveryMs,
    Id::SpendTokens,
];

/// Whether a metric is among those, or a gate is on it.
fn comes_first(change: &Change, gated: &[Gated]) -> bool {
    FIRST.iter().any(|id| *id as usize == change.metric)
        || gated.iter().any(|gated| gated.gate.metric == change.metric)
}

/// One sentence: what the new side does better, what worse.
pub fn verdict(comparison: &Comparison, gated: &[Gated]) -> String {
    let (old, new) = (&comparison.old, &comparison.new);
    let changes = || comparison.cells.iter().flat_map(|cell| &cell.changes);
    if changes().all(|change| change.verdict == Verdict::Identical) {
        return format!("`{new}` does what `{old}` does: every metric is the same in every run.");
    }
    let verdicts = [
        (Verdict::Better, "better in"),
        (Verdict::Worse, "worse in"),
        (Verdict::NoDifference, "no difference shown in"),
    ];
    let parts = verdicts.into_iter().filter_map(|(verdict, words)| {
        let found = found(comparison, gated, verdict);
        (!found.is_empty()).then(|| format!("{words} {}", found.join(", ")))
    });
    let parts: Vec<_> = parts.collect();
    let replications = comparison.cells.iter().map(|cell| cell.replications).min();
    let doubt = match replications.unwrap_or(0) {
        few @ 0..MIN_REPLICATIONS => format!(" {few} replications tell little."),
        _ => String::new(),
    };
    match parts.is_empty() {
        false => format!("`{new}` against `{old}`: {}.{doubt}", parts.join("; ")),
        true => {
            format!("`{new}` against `{old}`: nothing that matters most can be compared.{doubt}")
        }
    }
}

/// The metrics of the short list with this verdict: with the change where there is one cell, with
/// how many cells say so where there are several.
fn found(comparison: &Comparison, gated: &[Gated], verdict: Verdict) -> Vec<String> {
    let cells = comparison.cells.len();
    let metrics = (0..metric::ALL.len()).filter_map(|metric| {
        let changes = comparison.cells.iter().flat_map(|cell| &cell.changes);
        let so: Vec<_> = changes
            .filter(|change| change.metric == metric && change.verdict == verdict)
            .filter(|change| comes_first(change, gated))
            .collect();
        let name = metric::ALL[metric].name;
        match so[..] {
            [] => None,
            [_] if cells == 1 && verdict == Verdict::NoDifference => Some(name.to_string()),
            [change] if cells == 1 => Some(format!("{name} ({})", by_how_much(change))),
            _ => Some(format!("{name} ({} of {cells})", so.len())),
        }
    });
    metrics.collect()
}

fn by_how_much(change: &Change) -> String {
    match (change.relative, change.difference.mean) {
        (Some(relative), _) => percent(relative),
        (None, Some(mean)) => signed(mean),
        (None, None) => "?".to_string(),
    }
}

/// A share with its sign, in per cent.
fn percent(share: f64) -> String {
    format!("{} %", signed(100.0 * share))
}

/// A number with its sign; one too small for the usual digits as a power of ten.
fn signed(value: f64) -> String {
    let sign = if value > 0.0 { "+" } else { "" };
    match value.abs() {
        0.0 => "0".to_string(),
        size if size < 0.0001 => format!("{sign}{value:.1e}"),
        _ => format!("{sign}{}", figures::plain(value)),
    }
}

/// Lines on how the comparison was made, and what has no counterpart.
fn footnotes(comparison: &Comparison) -> Vec<String> {
    let (old, new) = (&comparison.old, &comparison.new);
    let how = match comparison.method {
        Method::Paired if !comparison.world_changes.is_empty() => {
            "paired: run by run with the same seed, and the difference is that of the pairs"
        }
        Method::Paired => {
            "paired: both met the same world, run by run, and the difference is that of the pairs"
        }
        Method::Welch => {
            "Welch's test: the seeds differ, so the runs are two samples that share nothing"
        }
    };
    let mut lines =
        vec![format!("Difference is `{new}` less `{old}`, with its 95 % interval; {how}.")];
    if !comparison.world_changes.is_empty() {
        lines.push(format!(
            "The two did not meet the same world, for their experiments differ in {}: the \
             difference may be owed to that.",
            some_of(&comparison.world_changes)
        ));
    }
    if comparison.tests > 0 {
        lines.push(format!(
            "Verdicts hold for all {} differences tested here together (Holm, 5 %); each interval \
             stands alone.",
            comparison.tests
        ));
    }
    for (name, only) in [(old, &comparison.only_old), (new, &comparison.only_new)] {
        if !only.is_empty() {
            let names: Vec<_> = only.iter().map(ToString::to_string).collect();
            lines.push(format!("Only `{name}` has {}.", names.join("; ")));
        }
    }
    lines
}

/// The first few of many.
fn some_of(names: &[String]) -> String {
    let shown = names.iter().take(5).map(String::as_str).collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(5) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// The line that stands for the metrics that are the same in every pair of a cell.
fn identical(cell: &CellComparison) -> Option<String> {
    let same = cell.changes.iter().filter(|change| change.verdict == Verdict::Identical);
    let names: Vec<_> = same.map(|change| change.metric().name).collect();
    (!names.is_empty()).then(|| format!("Identical in every pair: {}.", names.join(", ")))
}

/// A line for each gate at each policy and point: first those that failed.
pub fn gate_lines(comparison: &Comparison, gated: &[Gated]) -> Vec<String> {
    let (passed, failed): (Vec<_>, Vec<_>) = gated.iter().partition(|gated| gated.outcome.passes());
    failed.into_iter().chain(passed).map(|gated| gate_line(comparison, gated)).collect()
}

fn gate_line(comparison: &Comparison, gated: &Gated) -> String {
    let mark = if gated.outcome.passes() { "ok       " } else { "REGRESSED" };
    let Gated { gate, cell, outcome } = gated;
    let metric = gate.metric().name;
    let found = match outcome {
        Outcome::AtLeast { worse, allowed, .. } => {
            let unshown = outcome.passes() && worse > allowed;
            let change = match *worse > 0.0 {
                _ if unshown => "no difference shown".to_string(),
                true => format!("worse by at least {}", figures::plain(*worse)),
                false => "no worse as far as can be shown".to_string(),
            };
            match *allowed > 0.0 {
                true => format!("{change}, {} allowed", figures::plain(*allowed)),
                false => change,
            }
        }
        Outcome::Lost if comparison.only_old.contains(cell) => {
            format!("`{}` does not have this, `{}` has", comparison.new, comparison.old)
        }
        Outcome::Lost => format!("`{}` has no estimate, `{}` has", comparison.new, comparison.old),
        Outcome::NothingBefore => format!("`{}` has no estimate", comparison.old),
    };
    format!("{mark}  {cell}: {metric} ({found})")
}

/// What two policies or studies are called where both sides of a cell are named.
fn place(cell: &CellComparison) -> String {
    match cell.old.policy == cell.new.policy {
        true => cell.new.to_string(),
        false => cell.new.place(),
    }
}
