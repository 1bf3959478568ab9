//! Tables of metrics: a row a policy, a column a metric, each with its interval.

use maud::{Markup, html};

use super::mark;
use super::study::Study;
use crate::measure::metric::{self, Id};
use crate::report::figures;
use crate::study::statistics::estimate::Estimate;

/// What a column is called, and what it shows.
pub type Column = (&'static str, Id);

/// The policies at the point that is shown. Columns that no policy has an estimate for are left
/// out; without any column there is a sentence instead.
pub fn table(study: &Study<'_>, caption: &str, columns: &[Column]) -> Markup {
    let has = |id: Id| study.cells().any(|cell| cell.estimate(id).mean.is_some());
    let columns: Vec<_> = columns.iter().filter(|(_, id)| has(*id)).collect();
    if columns.is_empty() {
        return html! { p.note { "No policy has a figure for this: " (lowered(caption)) "." } };
    }
    html! {
        div.scroll {
            table.sortable {
                caption { (caption) }
                thead {
                    tr {
                        th scope="col" { "policy" }
                        @for (title, id) in &columns {
                            th.number scope="col" title=(metric::ALL[*id as usize].name) { (title) }
                        }
                    }
                }
                tbody {
                    @for cell in study.cells() {
                        tr data-policy=(cell.policy) {
                            th scope="row" data-value=(study.name(cell)) {
                                @if study.recommendation.policy == Some(cell.policy) {
                                    strong { (mark::policy(study, cell.policy)) }
                                } @else {
                                    (mark::policy(study, cell.policy))
                                }
                            }
                            @for (_, id) in &columns { (estimate(&cell.estimate(*id))) }
                        }
                    }
                }
            }
        }
    }
}

/// A cell with an estimate: rounded as its interval deserves, exact on demand.
pub fn estimate(estimate: &Estimate) -> Markup {
    let value = estimate.mean.map(|mean| mean.to_string());
    html! {
        td.number data-value=[value] title=[exact(estimate)] { (figures::estimate(estimate)) }
    }
}

/// An estimate in full.
fn exact(estimate: &Estimate) -> Option<String> {
    let Estimate { mean, ci95, n } = estimate;
    let mean = (*mean)?;
    Some(match ci95 {
        Some((low, high)) => format!("{mean}, 95 % interval {low} to {high}, n = {n}"),
        None => format!("{mean}, n = {n}"),
    })
}

fn lowered(text: &str) -> String {
    let mut characters = text.chars();
    match characters.next() {
        Some(first) => first.to_lowercase().chain(characters).collect(),
        None => String::new(),
    }
}
