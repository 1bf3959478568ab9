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

    /// A text.
    pub fn get(&self, id: SourceId) -> &Source {
        &self.0[id.0]
    }
}
