//! Who owns the stops: requests that ended because the same request would fail again.

use maud::{Markup, html};

use super::inline::sentence;
use super::section::Section;
use super::study::Study;
use super::{advice, mark, metrics};
use crate::measure::metric::Id;
use crate::report::signals;

/// The section.
pub const SECTION: Section = Section { id: "stops", title: "Who owns the stops" };

/// Its contents.
pub fn contents(study: &Study<'_>) -> Markup {
    let (advice, names) = (advice::lines(study), &study.results.policies);
    let alerts = signals::lines(study.results, study.point);
    html! {
        p {
            "A request stops without a retry (" code { "fixed_no_retry" } ") where repeating it would \
             fail again: a malformed request, a wrong key, a spent account, or a server that forbids \
             it. Each of these has an owner, and it is not the retry policy. The policy's own are \
             those that its rules end although they might pass: a hint above its cap, a reply that \
             its rules do not repeat, or a request that it may not send twice. None of them stops \
             for want of a retry budget."
        }
        @if !advice.is_empty() {
            div.advice role="note" { @for line in &advice { p { (sentence(line, names)) } } }
        }
        (table(study))
        @if alerts.is_empty() {
            p { "Alerts would have been silent in replication 0." }
        } @else {
            h3 { "What alerts would have said in replication 0" }
            ul { @for line in &alerts { li { (sentence(line, names)) } } }
        }
    }
}

fn table(study: &Study<'_>) -> Markup {
    let halves = |half: usize| {
        move |counts: [(u64, u64); 2]| {
            let (stopped, ended) = counts[half];
            format!("{} of {}", advice::whole(stopped), advice::whole(ended))
        }
    };
    html! {
        div.scroll {
            table.sortable {
                caption { "Requests that stopped without a retry" }
                thead {
                    tr {
                        th scope="col" { "policy" }
                        th.number scope="col" { "stopped" }
                        th.number scope="col" { "share" }
                        th.number scope="col" { "first half of replication 0" }
                        th.number scope="col" { "second half" }
                    }
                }
                tbody {
                    @for cell in study.cells() {
                        @let counts = advice::halves(&cell.signals);
                        tr data-policy=(cell.policy) {
                            th scope="row" data-value=(study.name(cell)) {
                                (mark::policy(study, cell.policy))
                            }
                            (metrics::estimate(&cell.estimate(Id::FixedNoRetry)))
                            (metrics::estimate(&advice::share(cell)))
                            @for half in 0..2 {
                                td.number data-value=[counts.map(|counts| counts[half].0)] {
                                    (counts.map_or("–".to_string(), halves(half)))
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}
