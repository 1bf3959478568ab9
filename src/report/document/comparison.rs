//! The policies side by side, and everything that was measured of them.

use maud::{Markup, html};

use super::inline::sentence;
use super::section::Section;
use super::study::Study;
use super::{mark, metrics};
use crate::measure::metric;
use crate::report::{against, layers, table};

/// The section.
pub const SECTION: Section = Section { id: "comparison", title: "Comparison" };

/// Its contents.
pub fn contents(study: &Study<'_>) -> Markup {
    let (results, point) = (study.results, study.point);
    let changes = study.outline.against.map(|today| against::lines(results, today, point));
    let caption = match (results.replications_at(point), study.recommendation.policy) {
        (1, Some(_)) => "One replication, without an interval; the recommended policy in bold",
        (1, None) => "One replication, without an interval",
        (_, Some(_)) => "Means ± half the 95 % interval; the recommended policy in bold",
        (_, None) => "Means ± half the 95 % interval",
    };
    html! {
        (metrics::table(study, caption, &table::COLUMNS))
        (list(study, "Set against the policy of today, pair by pair of runs", &changes.unwrap_or_default()))
        (list(study, "How the layers of a policy multiply", &layers::lines(results, point)))
        (all_metrics(study))
        @if study.is_swept() { (all_points(study)) }
    }
}

fn list(study: &Study<'_>, title: &str, lines: &[String]) -> Markup {
    html! {
        @if !lines.is_empty() {
            h3 { (title) }
            ul { @for line in lines { li { (sentence(line, &study.results.policies)) } } }
        }
    }
}

/// A row a metric, a column a policy: metrics are many and policies few.
fn all_metrics(study: &Study<'_>) -> Markup {
    html! {
        details {
            summary { "All " (metric::ALL.len()) " metrics" }
            div.scroll {
                table.sortable {
                    caption { "Every metric as " code { "summary.csv" } " has it; a dash where it can't be estimated or does not apply" }
                    thead {
                        tr {
                            th scope="col" { "metric" }
                            th scope="col" { "unit" }
                            @for cell in study.cells() {
                                th.number scope="col" { (mark::policy(study, cell.policy)) }
                            }
                        }
                    }
                    tbody {
                        @for (index, metric) in metric::ALL.iter().enumerate() {
                            tr {
                                th scope="row" data-value=(metric.name) { code { (metric.name) } }
                                td { (metric.unit) }
                                @for cell in study.cells() { (metrics::estimate(&cell.estimates[index])) }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// More rows than this are for programs.
const ROWS: usize = 600;

/// More rows than this are not printed.
const PRINTED: usize = 80;

/// Every policy at every point, by the metrics of the comparison.
fn all_points(study: &Study<'_>) -> Markup {
    let results = study.results;
    let columns: Vec<_> = table::COLUMNS
        .iter()
        .filter(|(_, id)| results.cells.iter().any(|cell| cell.estimate(*id).mean.is_some()))
        .collect();
    let (points, rows) = (results.points.len(), results.cells.len());
    if rows > ROWS {
        return html! {
            p.note {
                "All " (points) " points are " (rows) " rows, too many to read: they are in "
                code { "summary.csv" } "."
            }
        };
    }
    html! {
        details class=[(rows > PRINTED).then_some("long")] {
            summary { "All " (points) " points" }
            div.scroll {
                table.sortable {
                    caption { "Every policy at every point, means ± half the 95 % interval" }
                    thead {
                        tr {
                            th scope="col" { "policy" }
                            @for axis in &results.axes { th scope="col" { code { (axis) } } }
                            @for (title, id) in &columns {
                                th.number scope="col" title=(metric::ALL[*id as usize].name) { (title) }
                            }
                        }
                    }
                    tbody {
                        @for cell in &results.cells {
                            tr data-policy=(cell.policy) {
                                th scope="row" data-value=(study.name(cell)) {
                                    (mark::policy(study, cell.policy))
                                }
                                @for value in &results.points[cell.point].values {
                                    td data-value=[value.number] { (value.text) }
                                }
                                @for (_, id) in &columns { (metrics::estimate(&cell.estimate(*id))) }
                            }
                        }
                    }
                }
            }
        }
    }
}
