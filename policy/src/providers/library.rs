//! [`Library`]: all tables, the embedded ones and a user's own.

use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use std::sync::{LazyLock, OnceLock};

use super::chain::{Chain, position};
use super::check;
use super::file::{self, TableError};
use super::phrases::Phrases;
use super::provider::Provider;
use super::row::Row;
use super::table::Table;

macro_rules! files {
    ($($name:literal),* $(,)?) => {
        [$(($name, include_str!(concat!("../../providers/", $name, ".toml")))),*]
    };
}

const FILES: [(&str, &str); 23] = files![
    "anthropic",
    "anthropic_bedrock",
    "anthropic_vertex",
    "azure_openai",
    "bedrock",
    "cohere",
    "cometapi",
    "deepseek",
    "edges",
    "gemini",
    "gemini_code_assist",
    "generic",
    "generic_openai",
    "groq",
    "mistral",
    "ollama",
    "openai",
    "openai_codex",
    "openrouter",
    "sume",
    "together",
    "vertex",
    "xai",
];

static EMBEDDED: LazyLock<Arc<Library>> = LazyLock::new(|| {
    let read = |(name, text): (&str, &str)| {
        // The text is part of the build, and a test loads all of it.
        file::read(name, text)
            .unwrap_or_else(|error| panic!("providers/{name}.toml is embedded and tested: {error}"))
    };
    let tables = FILES.into_iter().map(read).collect();
    Arc::new(Library::of(tables).unwrap_or_else(|| panic!("the embedded phrases fit an automaton")))
});

/// Tables that know of each other.
#[derive(Debug)]
pub struct Library {
    pub(super) tables: Vec<Table>,
    pub(super) phrases: Phrases,
    /// By the number of the table; made when it is first asked for.
    chains: Vec<OnceLock<Arc<Chain>>>,
}

impl Library {
    /// The tables that come with this crate, parsed once.
    pub fn embedded() -> Arc<Library> {
        EMBEDDED.clone()
    }

    /// These tables and one more, called `name` and read from TOML `text`. It takes the place of a
    /// table with the same name, but may extend it. If it does not say what it extends, it extends
    /// the table called `base`.
    ///
    /// # Errors
    ///
    /// What is wrong with the text or with a row, with line and column.
    pub fn with(
        &self,
        name: &str,
        text: &str,
        base: Option<&str>,
    ) -> Result<Arc<Library>, TableError> {
        let mut table = file::read(name, text)?;
        if let (None, Some(base)) = (&table.extends, base) {
            table.extends = Some(Vec::from([base.into()]));
        }
        if let Some((line, problem)) = check::problem(&table) {
            return Err(TableError { line, column: 1, message: problem });
        }
        let unknown = table.extends().iter().find(|name| position(&self.tables, name).is_none());
        if let Some(unknown) = unknown {
            let known: Vec<&str> = self.tables.iter().map(Table::name).collect();
            let message =
                format!("extends: no table is called `{unknown}`; there are {}", known.join(", "));
            return Err(TableError { line: line_of(text, "extends"), column: 1, message });
        }
        let mut tables = self.tables.clone();
        if let Some(taken) = tables.iter().position(|other| other.name == table.name) {
            let extends_it =
                table.extends().iter().any(|name| name.replace('-', "_") == table.name);
            if extends_it {
                // Both are needed: the embedded one goes on under its own name.
                table.name.push_str(" (own)");
            } else {
                tables.remove(taken);
            }
        }
        tables.insert(0, table);
        let too_many = || TableError { line: 1, column: 1, message: "too many messages".into() };
        Library::of(tables).map(Arc::new).ok_or_else(too_many)
    }

    fn of(mut tables: Vec<Table>) -> Option<Library> {
        let mut all: Vec<String> = Vec::new();
        for row in tables.iter_mut().flat_map(|table| &mut table.rows) {
            row.when.phrase_ids = (all.len()..all.len() + row.when.phrases.len()).collect();
            all.extend(row.when.phrases.iter().cloned());
        }
        let chains = tables.iter().map(|_| OnceLock::new()).collect();
        Some(Library { tables, phrases: Phrases::new(all).ok()?, chains })
    }

    /// The tables, a user's own first.
    pub fn tables(&self) -> &[Table] {
        &self.tables
    }

    /// The table with this name or alias, ready to read replies; `-` and `_` are the same.
    pub fn provider(self: &Arc<Self>, name: &str) -> Option<Provider> {
        position(&self.tables, name).map(|index| self.at(index))
    }

    /// The table that was added last.
    pub fn own(self: &Arc<Self>) -> Provider {
        self.at(0)
    }

    fn at(self: &Arc<Self>, index: usize) -> Provider {
        let chain = self.chains[index].get_or_init(|| Arc::new(Chain::of(&self.tables, index)));
        Provider::new(self.clone(), index, chain.clone())
    }

    pub(super) fn row(&self, table: usize, row: usize) -> Option<(&Table, &Row)> {
        let table = self.tables.get(table)?;
        Some((table, table.rows.get(row)?))
    }
}

fn line_of(text: &str, key: &str) -> usize {
    text.lines().position(|line| line.trim_start().starts_with(key)).map_or(1, |index| index + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_embedded_table_is_sound() {
        for (name, text) in FILES {
            let table = file::read(name, text).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(check::problem(&table), None, "{name}");
            for other in table.extends() {
                assert!(FILES.iter().any(|(name, _)| name == other), "{name} extends {other}");
            }
        }
    }
}
