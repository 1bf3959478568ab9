//! [`Table`]: what one provider's replies mean.

use alloc::string::String;
use alloc::vec::Vec;

use super::row::Row;

/// What a success must hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Accept {
    /// An answer of a known shape that says why it ended.
    Answer,
    /// JSON without an error in it.
    Json,
    /// Nothing in particular.
    Any,
}

/// A provider's table.
#[derive(Clone, Debug)]
pub struct Table {
    pub(super) name: String,
    pub(super) title: String,
    pub(super) reviewed: String,
    pub(super) sources: Vec<String>,
    pub(super) aliases: Vec<String>,
    pub(super) extends: Option<Vec<String>>,
    pub(super) accept: Option<Accept>,
    pub(super) codes: Vec<String>,
    pub(super) stop_reasons: Vec<String>,
    pub(super) rows: Vec<Row>,
}

impl Table {
    /// What a provider of this name is called in experiments and on the command line, with `_`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What people call it.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// When the table was last compared with its sources, as `2026-11-30`.
    pub fn reviewed(&self) -> &str {
        &self.reviewed
    }

    /// The provider's pages.
    pub fn sources(&self) -> &[String] {
        &self.sources
    }

    /// Other names of the provider.
    pub fn aliases(&self) -> &[String] {
        &self.aliases
    }

    /// Its name and its other names.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        core::iter::once(&*self.name).chain(self.aliases.iter().map(|alias| &**alias))
    }

    /// The tables that are looked at after this one, as the file names them.
    pub fn extends(&self) -> &[String] {
        self.extends.as_deref().unwrap_or_default()
    }

    /// Whether it says that it extends nothing: then it looks at no other table, not even at
    /// `generic`.
    pub fn stands_alone(&self) -> bool {
        self.extends.as_ref().is_some_and(Vec::is_empty)
    }

    /// Every code and type that the sources list.
    pub fn codes(&self) -> &[String] {
        &self.codes
    }

    /// Every reason why an answer ends that the sources list.
    pub fn stop_reasons(&self) -> &[String] {
        &self.stop_reasons
    }

    /// The rows in the order of the file.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }
}
