//! What is wrong, where, and what would be right.

use std::fmt;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use super::source::{Place, Source, Sources};

/// A fault in the input. Made into a [`Report`] it shows the line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// What is wrong.
    pub message: String,
    /// Where, if it has a place.
    pub place: Option<Place>,
    /// What would be right.
    pub help: Option<String>,
}

/// A [`Diagnostic`] that carries the text it points into.
#[derive(Clone, Debug)]
pub struct Report {
    // Boxed: errors travel through many results and are rare.
    diagnostic: Box<Diagnostic>,
    source: Option<Box<Source>>,
}

impl Diagnostic {
    /// A fault without a place.
    pub fn new(message: impl Into<String>) -> Self {
        Diagnostic { message: message.into(), place: None, help: None }
    }

    /// With a place, unless it has one already: the innermost wins.
    #[must_use]
    pub fn at(mut self, place: Option<Place>) -> Self {
        self.place = self.place.or(place);
        self
    }

    /// With what would be right.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// With the text it points into.
    pub fn report(self, sources: &Sources) -> Report {
        let source = self.place.map(|place| Box::new(sources.get(place.source).clone()));
        Report { diagnostic: Box::new(self), source }
    }
}

impl Report {
    /// What is wrong, without the place.
    pub fn message(&self) -> &str {
        &self.diagnostic.message
    }

    /// The message, the place and the line itself, for people; `styled` adds colour.
    pub fn render(&self, level: Level<'static>, styled: bool) -> String {
        let renderer = if styled { Renderer::styled() } else { Renderer::plain() };
        let message = self.diagnostic.message.as_str();
        let mut group = match (self.diagnostic.place, &self.source) {
            (Some(place), Some(source)) => {
                let span = visible(&source.text, place);
                level.primary_title(message).element(
                    Snippet::source(source.text.as_str())
                        .path(source.name.as_str())
                        .annotation(AnnotationKind::Primary.span(span)),
                )
            }
            _ => Group::with_title(level.primary_title(message)),
        };
        if let Some(help) = &self.diagnostic.help {
            group = group.element(Level::HELP.message(help.as_str()));
        }
        renderer.render(&[group])
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(Level::ERROR, false))
    }
}

impl std::error::Error for Report {}

/// The first line of a place, inside the text and on character boundaries: a table can span half
/// a file, and the head says enough.
fn visible(text: &str, place: Place) -> std::ops::Range<usize> {
    let inside = |mut at: usize| {
        at = at.min(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    let start = inside(place.start);
    let end = inside(place.end).max(start);
    let line = text[start..end].find('\n').map_or(end, |newline| start + newline);
    start..line
}
