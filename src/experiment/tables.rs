//! Provider tables by name, and tables of a user's own.

use std::path::Path;

use retrial_policy::providers::{Library, Provider, TableError};

use super::diagnostic::Diagnostic;
use super::suggest;

/// The table that reads replies where nobody names a provider.
pub const GENERIC: &str = "generic";

/// The table of the provider called `name`.
///
/// # Errors
///
/// There is none; the nearest name is in the help.
pub fn find(name: &str) -> Result<Provider, Diagnostic> {
    Provider::find(name).ok_or_else(|| {
        let library = Library::embedded();
        let names: Vec<&str> = library.tables().iter().flat_map(|table| table.names()).collect();
        Diagnostic::new(format!("no provider is called `{name}`"))
            .help(suggest::help(&name.replace('-', "_"), &names))
    })
}

/// A user's own table in the file `path`, which extends that of `provider` unless it says
/// otherwise.
///
/// # Errors
///
/// What is wrong with it, with line and column.
pub fn own(path: &str, text: &str, provider: Option<&str>) -> Result<Provider, TableError> {
    let name =
        Path::new(path).file_stem().map_or_else(Default::default, |stem| stem.to_string_lossy());
    Library::embedded().with(&name, text, provider).map(|library| library.own())
}
