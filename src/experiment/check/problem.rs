//! A key and what is wrong with it, on its way to a diagnostic.

use crate::experiment::diagnostic::Diagnostic;
use crate::experiment::key_path::place_of;
use crate::experiment::node::Node;

/// A key and what is wrong with it.
pub(in crate::experiment) struct Problem {
    pub(in crate::experiment) key: String,
    pub(in crate::experiment) message: String,
    pub(in crate::experiment) help: Option<String>,
}

impl Problem {
    /// The same with the place of the key in the tree it was read from.
    pub(in crate::experiment) fn placed(self, root: &Node) -> Diagnostic {
        let place = place_of(root, &self.key).unwrap_or(root.place);
        let diagnostic = Diagnostic::new(self.message).at(Some(place));
        match self.help {
            Some(help) => diagnostic.help(help),
            None => diagnostic,
        }
    }
}

pub(in crate::experiment) type Check = Result<(), Problem>;

pub(super) fn problem(key: impl Into<String>, message: impl Into<String>) -> Check {
    Err(Problem { key: key.into(), message: message.into(), help: None })
}

pub(in crate::experiment) fn problem_with_help(
    key: impl Into<String>,
    message: impl Into<String>,
    help: impl Into<String>,
) -> Check {
    Err(Problem { key: key.into(), message: message.into(), help: Some(help.into()) })
}
