//! Whose table reads the replies of a route.

use std::path::Path;
use std::sync::Arc;

use retrial_policy::providers::{Library, Provider};

use super::Worlds;
use crate::experiment::check::problem::Problem;
use crate::experiment::schema::Route;

/// The table of a route that names no provider.
const GENERIC: &str = "generic";

impl Worlds {
    pub(super) fn provider(&self, key: &str, route: &Route) -> Result<Provider, Problem> {
        let name = route.provider.as_deref().unwrap_or(GENERIC);
        let Some(path) = &route.table else {
            return Provider::find(name).ok_or_else(|| Problem {
                key: format!("{key}.provider"),
                message: format!("no provider is called `{name}`"),
                help: None,
            });
        };
        let read = |text: &str| own_table(path, text, route.provider.as_deref()).map(Arc::new);
        let table = self.tables.get(path, name, read).map_err(|fault| Problem {
            key: format!("{key}.table"),
            message: format!("can't use the table `{path}`: {fault}"),
            help: None,
        })?;
        Ok(Provider::clone(&table))
    }
}

/// A user's own table, which extends that of `provider` unless it says otherwise.
///
/// # Errors
///
/// What is wrong with it, with line and column.
pub fn own_table(path: &str, text: &str, provider: Option<&str>) -> Result<Provider, String> {
    let name =
        Path::new(path).file_stem().map_or_else(Default::default, |stem| stem.to_string_lossy());
    let library = Library::embedded().with(&name, text, provider);
    library.map(|library| library.own()).map_err(|error| error.to_string())
}
