//! What is valid but not built yet.

use retrial_policy::config::NOT_SUPPORTED;

use super::problem::{Check, problem};
use crate::experiment::schema::ExperimentFile;

pub(super) fn supported(file: &ExperimentFile) -> Check {
    match file.gate {
        Some(_) => not_supported("gate"),
        None => Ok(()),
    }
}

fn not_supported(key: impl Into<String>) -> Check {
    let key = key.into();
    let message = format!("`{key}` is {NOT_SUPPORTED}");
    problem(key, message)
}
