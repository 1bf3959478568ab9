//! The comparison of policies as a table, for a terminal or in Markdown.

use comfy_table::{CellAlignment, Table, presets};

use super::figures;
use crate::measure::metric::Id;
use crate::study::results::Results;

/// What the table shows of each policy; columns that no policy has an estimate for are left out.
pub const COLUMNS: [(&str, Id); 8] = [
    ("success", Id::SuccessRatio),
    ("attempts", Id::Attempts),
    ("per request", Id::Amplification),
    ("last end (ms)", Id::MakespanMs),
    ("p50 (ms)", Id::LatencyP50Ms),
    ("p99 (ms)", Id::LatencyP99Ms),
    ("peak (1/s)", Id::ArrivalsPeakPerS),
    ("clustering", Id::ArrivalsClustering),
];

/// Where a table is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// On a terminal.
    Terminal,
    /// In Markdown.
    Markdown,
}

/// All policies at one point: means and half 95 % intervals.
pub fn comparison(results: &Results, point: usize, style: Style) -> String {
    let cells: Vec<_> = results.at_point(point).collect();
    let shown: Vec<_> = COLUMNS
        .into_iter()
        .filter(|(_, id)| cells.iter().any(|cell| cell.estimate(*id).mean.is_some()))
        .collect();
    let mut header = vec!["policy"];
    header.extend(shown.iter().map(|(title, _)| *title));
    let rows = cells.iter().map(|cell| {
        let mut row = vec![results.policies[cell.policy].clone()];
        row.extend(shown.iter().map(|(_, id)| figures::estimate(&cell.estimate(*id))));
        row
    });
    aligned(&header, rows, style)
}

/// Rows under a header, the first column to the left and the others to the right.
pub fn aligned(
    header: &[&str],
    rows: impl IntoIterator<Item = Vec<String>>,
    style: Style,
) -> String {
    let mut table = Table::new();
    table.load_style(match style {
        Style::Terminal => presets::NOTHING,
        Style::Markdown => presets::ASCII_MARKDOWN,
    });
    table.set_header(header);
    for row in rows {
        // A bar would end the cell.
        let cells = row.into_iter().map(|cell| match style {
            Style::Terminal => cell,
            Style::Markdown => cell.replace('|', "\\|"),
        });
        table.add_row(cells);
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    let lines = table.to_string();
    let lines: Vec<_> = lines.lines().map(str::trim_end).collect();
    lines.join("\n")
}
