//! The verdict in two sentences, and what became of the thresholds.

use maud::{Markup, html};

use super::inline::sentence;
use super::mark;
use super::section::Section;
use super::study::Study;
use crate::report::{stopping, thresholds};
use crate::study::threshold::Judgement;

/// The section.
pub const SECTION: Section = Section { id: "verdict", title: "Verdict" };

/// Its contents.
pub fn contents(study: &Study<'_>) -> Markup {
    let (recommendation, names) = (&study.recommendation, &study.results.policies);
    html! {
        p.verdict { (sentence(&recommendation.finding, names)) }
        p { (sentence(&recommendation.certainty, names)) }
        @if let Some(note) = stopping::note(study.outline, study.results) {
            p.note { (sentence(&note, names)) "." }
        }
        @if !study.judgements.is_empty() { (judged(study)) }
    }
}

/// Thresholds by what became of them: those that fail, those that warn, those that hold.
pub fn in_order(judgements: &[Judgement]) -> Vec<&Judgement> {
    let mut ordered: Vec<_> = judgements.iter().collect();
    ordered.sort_by_key(|judged| (judged.holds, judged.only_warns));
    ordered
}

/// What became of a threshold, in a word.
pub fn outcome(judgement: &Judgement) -> &'static str {
    match (judgement.holds, judgement.only_warns) {
        (true, _) => "holds",
        (false, true) => "warns",
        (false, false) => "fails",
    }
}

/// So many thresholds are told one by one.
const TOLD: usize = 60;

fn judged(study: &Study<'_>) -> Markup {
    let ordered = in_order(&study.judgements);
    let results = study.results;
    html! {
        div.scroll {
            table {
                caption { "Thresholds, judged at the end of the 95 % interval that is least in their favour" }
                thead {
                    tr {
                        th scope="col" { "outcome" }
                        th scope="col" { "policy" }
                        th scope="col" { "condition" }
                        @if study.is_swept() { th scope="col" { "point" } }
                        th scope="col" { "found" }
                    }
                }
                tbody {
                    @for judgement in ordered.iter().take(TOLD) {
                        tr data-policy=(judgement.policy) {
                            td class=(outcome(judgement)) { (outcome(judgement)) }
                            th scope="row" { (mark::policy(study, judgement.policy)) }
                            td.condition { code { (judgement.condition) } }
                            @if study.is_swept() { td { (results.describe_point(judgement.point)) } }
                            td { (thresholds::found(judgement)) }
                        }
                    }
                }
            }
        }
        @if ordered.len() > TOLD {
            p.note { "The other " (ordered.len() - TOLD) " are told by " code { "retrial run" } "." }
        }
    }
}
