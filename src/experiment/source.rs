//! Texts that values come from: files and command-line flags.

/// Where in which text something was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The text.
    pub source: SourceId,
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

/// A text among [`Sources`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SourceId(usize);

/// A text and what to call it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// A path, or the flag it was given with.
    pub name: String,
    /// The text.
    pub text: String,
}

/// All texts that make up one experiment.
#[derive(Clone, Debug, Default)]
pub struct Sources(Vec<Source>);

impl Sources {
    /// Adds a text.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> SourceId {
        self.0.push(Source { name: name.into(), text: text.into() });
        SourceId(self.0.len() - 1)
    }

    /// The rest of a line from `column` on; both are counted from 1, columns in characters.
    pub fn place(&self, source: SourceId, line: usize, column: usize) -> Place {
        let text = &self.get(source).text;
        let mut before = text.split_inclusive('\n');
        let line_start: usize = before.by_ref().take(line.saturating_sub(1)).map(str::len).sum();
        let line = before.next().unwrap_or_default().trim_end_matches(['\r', '\n']);
        let offset = line.char_indices().nth(column.saturating_sub(1));
        let start = line_start + offset.map_or(line.len(), |(offset, _)| offset);
        Place { source, start, end: line_start + line.len() }
    }

    /// A text.
    pub fn get(&self, id: SourceId) -> &Source {
        &self.0[id.0]
    }
}
