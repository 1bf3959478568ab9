//! The page as a whole: one file that loads nothing.
//!
//! Its policy for contents allows the styles in it and the one script that is known by its hash, so
//! that a mail client or an auditor can see that nothing else runs and nothing is fetched.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest, Sha256};

use super::section::{Section, figure};
use super::study::Study;
use super::{
    arrivals, caveats, comparison, data, model, recovery, reproduce, sensitivity, stops, tail,
    verdict,
};

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

/// Writes the contents of a section.
type Write = fn(&Study<'_>) -> Markup;

/// All sections but the first, in order.
const SECTIONS: [(Section, Write); 9] = [
    (comparison::SECTION, comparison::contents),
    (arrivals::SECTION, arrivals::contents),
    (recovery::SECTION, recovery::contents),
    (tail::SECTION, tail::contents),
    (sensitivity::SECTION, sensitivity::contents),
    (model::SECTION, model::contents),
    (caveats::SECTION, caveats::contents),
    (stops::SECTION, stops::contents),
    (reproduce::SECTION, reproduce::contents),
];

/// Where charts go that no section knows.
const MORE: Section = Section { id: "more", title: "More charts" };

/// The report as HTML.
pub fn html(study: &Study<'_>) -> String {
    let outline = study.outline;
    let more = more(study);
    let shown = SECTIONS.iter().map(|(section, _)| *section);
    let listed = std::iter::once(verdict::SECTION).chain(shown).chain(more.as_ref().map(|_| MORE));
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(policy());
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (outline.title) " – Retrial" }
                style { (PreEscaped(STYLE)) }
            }
            body {
                main {
                    header {
                        h1 { (outline.title) }
                        p.conditions { (conditions(study)) }
                    }
                    (verdict::SECTION.holding(&verdict::contents(study)))
                    nav aria-label="Contents" {
                        ol { @for Section { id, title } in listed { li { a href={ "#" (id) } { (title) } } } }
                    }
                    @for (section, write) in SECTIONS { (section.holding(&write(study))) }
                    @if let Some(more) = more { (MORE.holding(&more)) }
                }
                (data::block(study))
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    page.into_string()
}

/// What the page may load: nothing; and run: its own script.
fn policy() -> String {
    let hash = BASE64_STANDARD.encode(Sha256::digest(SCRIPT));
    format!(
        "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{hash}'; img-src data:; \
         base-uri 'none'; form-action 'none'"
    )
}

/// What the figures were found under.
fn conditions(study: &Study<'_>) -> Markup {
    let results = study.results;
    let policies = results.policies.len();
    let place = results.describe_point(study.point);
    html! {
        (study.outline.name) " · " (policies) @if policies == 1 { " policy" } @else { " policies" }
        @if !place.is_empty() { " · " (place) }
        @if study.is_swept() { ", the last of " (results.points.len()) " points" }
        " · " (reproduce::replications(study)) " replications · seed " (results.seed)
    }
}

/// Charts that no section knows, so that none is lost.
fn more(study: &Study<'_>) -> Option<Markup> {
    let known = [&arrivals::FIGURES[..], &recovery::FIGURES, &tail::FIGURES, &sensitivity::FIGURES];
    let is_known = |name: &str| known.iter().any(|all| all.iter().any(|(own, _)| *own == name));
    let unknown: Vec<_> = study.pictures.iter().filter(|picture| !is_known(picture.name)).collect();
    (!unknown.is_empty()).then(|| {
        html! { @for picture in unknown { (figure(study, picture, &picture.title)) } }
    })
}
