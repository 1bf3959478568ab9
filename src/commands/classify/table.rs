//! The table that reads the replies.

use retrial_policy::providers::Provider;

use super::Args;
use crate::commands::input::{self, shown, unreadable};
use crate::experiment::diagnostic::{Diagnostic, Report};
use crate::experiment::files::as_text;
use crate::experiment::source::Sources;
use crate::experiment::tables;

/// The table that the flags name, if they name one.
///
/// # Errors
///
/// There is no such provider, or the user's own table can't be read or is not sound.
pub(super) fn chosen(args: &Args) -> Result<Option<Provider>, Report> {
    let named = args.provider.as_deref().map(named).transpose()?;
    match &args.table {
        Some(path) => own(path, args.provider.as_deref()).map(Some),
        None => Ok(named),
    }
}

/// The table of the provider called `name`.
///
/// # Errors
///
/// There is none.
pub(in crate::commands) fn named(name: &str) -> Result<Provider, Report> {
    tables::find(name).map_err(|unknown| unknown.report(&Sources::default()))
}

/// A user's own table.
///
/// # Errors
///
/// It can't be read or is not sound; the line is shown.
pub(in crate::commands) fn own(path: &str, base: Option<&str>) -> Result<Provider, Report> {
    let text = as_text(input::read("the table", path)?)
        .map_err(|problem| unreadable("the table", path, &problem))?;
    tables::own(path, &text, base).map_err(|error| {
        let mut sources = Sources::default();
        let source = sources.add(shown(path), text.as_str());
        let place = sources.place(source, error.line, error.column);
        Diagnostic::new(error.message).at(Some(place)).report(&sources)
    })
}
