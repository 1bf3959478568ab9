//! What is wrong with a CSV table, in words.

use csv::ErrorKind;

/// The fault, with the line where there is one.
pub(super) fn table_fault(error: &csv::Error) -> String {
    match error.kind() {
        ErrorKind::UnequalLengths { pos, expected_len, len } => {
            let line = pos.as_ref().map_or(1, csv::Position::line);
            format!("line {line} has {len} fields, the first line {expected_len}")
        }
        _ => error.to_string(),
    }
}
