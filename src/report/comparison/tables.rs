//! A comparison for people, on a terminal or in a pull request.

use super::{comes_first, footnotes, gate_lines, identical, percent, place, signed, verdict};
use crate::report::figures;
use crate::report::table::{Style, aligned};
use crate::study::comparison::{CellComparison, Change, Comparison, Verdict};
use crate::study::gate::Gated;

/// Tables of cells at most before only those are shown that differ.
const MOST_CELLS: usize = 6;

/// A comparison for a terminal; `all` shows every metric and every cell.
pub fn text(comparison: &Comparison, gated: &[Gated], all: bool) -> String {
    let mut blocks = vec![verdict(comparison, gated)];
    if !gated.is_empty() {
        blocks.push(gate_lines(comparison, gated).join("\n"));
    }
    let shown = shown(comparison, gated, all);
    for cell in &shown {
        blocks.extend(block(comparison, cell, gated, all, Style::Terminal));
    }
    blocks.extend(left_out(comparison, shown.len()));
    blocks.push(footnotes(comparison).join("\n"));
    blocks.join("\n\n") + "\n"
}

/// A comparison for a pull request: what matters first in sight, every metric folded away.
pub fn markdown(comparison: &Comparison, gated: &[Gated]) -> String {
    let title = format!("### `{}` against `{}`", comparison.new, comparison.old);
    let mut blocks = vec![title, verdict(comparison, gated)];
    if !gated.is_empty() {
        let lines = gate_lines(comparison, gated);
        blocks.push(lines.iter().map(|line| format!("- {line}")).collect::<Vec<_>>().join("\n"));
    }
    let shown = shown(comparison, gated, false);
    for cell in &shown {
        blocks.extend(block(comparison, cell, gated, false, Style::Markdown));
    }
    blocks.extend(left_out(comparison, shown.len()));
    blocks.push("<details><summary>All metrics, and how they were compared</summary>".to_string());
    for cell in &comparison.cells {
        blocks.extend(block(comparison, cell, gated, true, Style::Markdown));
    }
    blocks.extend(footnotes(comparison));
    blocks.push("</details>".to_string());
    blocks.join("\n\n") + "\n"
}

/// The cells to show: all, or of many only those where something that comes first differs.
fn shown<'a>(comparison: &'a Comparison, gated: &[Gated], all: bool) -> Vec<&'a CellComparison> {
    let cells = comparison.cells.iter();
    if all || comparison.cells.len() <= MOST_CELLS {
        return cells.collect();
    }
    let differs = |change: &Change| match change.verdict {
        Verdict::Better | Verdict::Worse => comes_first(change, gated),
        _ => false,
    };
    cells.filter(|cell| cell.changes.iter().any(differs)).take(MOST_CELLS).collect()
}

fn left_out(comparison: &Comparison, shown: usize) -> Option<String> {
    let cells = comparison.cells.len();
    (shown < cells).then(|| {
        format!(
            "{shown} of {cells} shown, the first that differ; all with --all, or as csv or json."
        )
    })
}

/// The heading, the table and the folded metrics of a cell.
fn block(
    comparison: &Comparison,
    cell: &CellComparison,
    gated: &[Gated],
    all: bool,
    style: Style,
) -> Vec<String> {
    let mut blocks = Vec::new();
    let place = place(cell);
    if !place.is_empty() {
        blocks.push(match style {
            Style::Terminal => place,
            Style::Markdown => format!("**{place}**"),
        });
    }
    let rows = cell
        .changes
        .iter()
        .filter(|change| change.verdict != Verdict::Identical)
        .filter(|change| all || comes_first(change, gated));
    let rows: Vec<_> = rows.map(row).collect();
    if !rows.is_empty() {
        let (old, new) = (comparison.old.as_str(), comparison.new.as_str());
        let header =
            ["metric", old, new, "difference", "95 % interval", "relative", "corr.", "verdict"];
        blocks.push(aligned(&header, rows, style));
    }
    blocks.extend(identical(cell));
    blocks
}

fn row(change: &Change) -> Vec<String> {
    let none = || "–".to_string();
    let Change { difference, relative, correlation, .. } = change;
    vec![
        change.metric().name.to_string(),
        figures::estimate(&change.old),
        figures::estimate(&change.new),
        difference.mean.map_or_else(none, signed),
        difference
            .ci95
            .map_or_else(none, |(low, high)| format!("{} to {}", signed(low), signed(high))),
        relative.map_or_else(none, percent),
        correlation.map_or_else(none, |correlation| format!("{correlation:.2}")),
        change.verdict.words().to_string(),
    ]
}
