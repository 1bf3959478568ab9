//! Where in a file a key of an experiment is written.

use std::path::Path;

use super::key_path::place_of;
use super::load::Loaded;

/// A place in a file, counted from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// The path.
    pub file: String,
    /// The line.
    pub line: usize,
    /// The column, in characters.
    pub column: usize,
}

impl Loaded {
    /// Where the dotted `key` is written; `None` if that is no file, as in a packaged experiment.
    pub fn location(&self, key: &str) -> Option<Location> {
        let place = place_of(&self.root, key)?;
        let source = self.sources.get(place.source);
        if !Path::new(&source.name).is_file() {
            return None;
        }
        let before = source.text.get(..place.start)?;
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        Some(Location {
            file: source.name.clone(),
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
        })
    }
}
