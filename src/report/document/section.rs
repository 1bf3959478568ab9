//! What sections are made of: a heading with an id, and figures that say how to read them.

use maud::{Markup, PreEscaped, html};

use super::picture::Picture;
use super::study::Study;

/// A part of the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Section {
    /// Where links lead.
    pub id: &'static str,
    /// The heading.
    pub title: &'static str,
}

impl Section {
    /// The section with its contents.
    pub fn holding(self, contents: &Markup) -> Markup {
        html! {
            section id=(self.id) aria-labelledby={ (self.id) "-title" } {
                h2 id={ (self.id) "-title" } { (self.title) }
                (contents)
            }
        }
    }
}

/// The charts of these names, those that were drawn, each with the words to read it by.
pub fn figures(study: &Study<'_>, captions: &[(&str, &str)]) -> Markup {
    html! {
        @for (name, caption) in captions {
            @for picture in study.pictures.iter().filter(|picture| picture.name == *name) {
                (figure(study, picture, caption))
            }
        }
    }
}

/// A chart that takes more bytes than this is left out and named: the file is to be mailed.
const LARGEST: usize = 400_000;
/// So many bytes of charts make a file too large to be mailed.
const MOST: usize = 1_500_000;

/// A chart and its caption.
pub fn figure(study: &Study<'_>, picture: &Picture, caption: &str) -> Markup {
    let name = picture.name;
    let before = study.pictures.iter().take_while(|other| other.name != name);
    let sizes = before.map(|picture| picture.svg.len()).filter(|size| *size <= LARGEST);
    let fits = picture.svg.len() <= LARGEST && sizes.sum::<usize>() + picture.svg.len() <= MOST;
    html! {
        figure id={ "figure-" (name) } {
            @if fits {
                div.chart role="group" aria-label=(picture.title) {
                    (PreEscaped(picture.inlined()))
                }
            } @else {
                p.note {
                    "This chart is too large for a file to be mailed (" (picture.svg.len() / 1000)
                    " kB); it is in " code { "charts/" (name) ".svg" } "."
                }
            }
            figcaption { (caption) }
        }
    }
}
