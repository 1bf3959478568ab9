//! A key and what is wrong with it, on its way to a diagnostic.

/// A key and what is wrong with it.
pub(super) struct Problem {
    pub(super) key: String,
    pub(super) message: String,
    pub(super) help: Option<String>,
}

pub(super) type Check = Result<(), Problem>;

pub(super) fn problem(key: impl Into<String>, message: impl Into<String>) -> Check {
    Err(Problem { key: key.into(), message: message.into(), help: None })
}

pub(super) fn problem_with_help(
    key: impl Into<String>,
    message: impl Into<String>,
    help: impl Into<String>,
) -> Check {
    Err(Problem { key: key.into(), message: message.into(), help: Some(help.into()) })
}
