//! What `retrial check` found, on a terminal or in the summary of a job.

use super::{Checked, about, changed, difference, fields, headline, how_to_accept, remarks};
use crate::report::table::{Style, aligned};
use crate::report::thresholds;
use crate::study::threshold::Judgement;

/// Policies and points that are named before the rest is counted.
const MOST_CELLS: usize = 10;

/// For a terminal.
pub fn text(checked: &Checked) -> String {
    let mut blocks = vec![headline(checked)];
    if checked.differs() {
        blocks.push(differences(checked, "  ").join("\n"));
        if !checked.changed.is_empty() {
            let keys = checked.changed.iter().map(|key| format!("  {}", changed(key)));
            let head = "Changed in the experiment since the baseline:".to_string();
            blocks.push(std::iter::once(head).chain(keys).collect::<Vec<_>>().join("\n"));
        }
        blocks.extend(records(checked, Style::Terminal));
        blocks.push(how_to_accept(checked));
    }
    blocks.extend(remarks(checked));
    let lines = threshold_lines(checked);
    if !lines.is_empty() {
        blocks.push(lines.join("\n"));
    }
    blocks.join("\n\n") + "\n"
}

/// For the summary of a job.
pub fn markdown(checked: &Checked) -> String {
    let mark = if checked.differs() || checked.fails() { "✗" } else { "✓" };
    let mut blocks = vec![format!("### {mark} {}", headline(checked))];
    if checked.differs() {
        blocks.push(differences(checked, "- ").join("\n"));
        if !checked.changed.is_empty() {
            let keys = checked.changed.iter().map(|key| {
                let value = |value: &Option<String>| match value {
                    Some(value) => format!("`{value}`"),
                    None => "–".to_string(),
                };
                vec![format!("`{}`", key.key), value(&key.old), value(&key.new)]
            });
            blocks.push(aligned(&["changed key", "baseline", "now"], keys, Style::Markdown));
        }
        blocks.extend(records(checked, Style::Markdown));
        blocks.push(how_to_accept(checked));
    }
    blocks.extend(remarks(checked));
    let rows = checked.judgements.iter().map(|(judgement, _)| {
        let mark = match (judgement.holds, judgement.only_warns) {
            (true, _) => "ok",
            (false, true) => "warn",
            (false, false) => "**FAILED**",
        };
        vec![thresholds::finding(&checked.results, judgement), mark.to_string()]
    });
    let rows: Vec<_> = rows.collect();
    if !rows.is_empty() {
        blocks.push(aligned(&["threshold", ""], rows, Style::Markdown));
    }
    blocks.join("\n\n") + "\n"
}

fn threshold_lines(checked: &Checked) -> Vec<String> {
    let judgements: Vec<Judgement> =
        checked.judgements.iter().map(|(judgement, _)| judgement.clone()).collect();
    thresholds::lines(&checked.results, &judgements)
}

/// A line for each policy and point that differs, the first ones at least.
fn differences(checked: &Checked, bullet: &str) -> Vec<String> {
    let cells: Vec<_> = checked.exactness.cells.iter().filter(|cell| !cell.holds()).collect();
    let first = cells.iter().take(MOST_CELLS);
    let mut lines: Vec<_> = first.map(|cell| format!("{bullet}{}", difference(cell))).collect();
    if cells.len() > MOST_CELLS {
        lines.push(format!("{bullet}and {} more policies and points", cells.len() - MOST_CELLS));
    }
    lines
}

/// The first decision that differs, field by field, with a mark where old and new differ.
fn records(checked: &Checked, style: Style) -> Vec<String> {
    let Some(divergence) = &checked.divergence else { return Vec::new() };
    let mut blocks = vec![about(divergence)];
    let rows = fields(divergence).into_iter().map(|(name, old, new, differs)| {
        let mark = if differs { '*' } else { ' ' };
        vec![format!("{mark} {name}"), old, new]
    });
    let rows: Vec<_> = rows.collect();
    if !rows.is_empty() {
        blocks.push(aligned(&["field", "baseline", "now"], rows, style));
    }
    blocks
}
