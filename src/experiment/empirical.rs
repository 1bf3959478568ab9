//! Columns of CSV files as distributions.

use std::sync::Arc;

use csv::{ReaderBuilder, StringRecord, Trim};
use retrial_policy::Nanos;

use super::schema::{Count, Unit};
use super::suggest;
use super::table_fault::table_fault;

/// What a column's numbers are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnOf {
    /// Durations; the end of the column's name is their unit.
    Durations,
    /// Counts.
    Counts,
}

/// The values of `column` in the order of the table `text`: nanoseconds or counts, rounded to
/// whole ones.
///
/// # Errors
///
/// Names the line where that helps: there is no such column, or it has no values or holds
/// something else than numbers that are possible here.
pub fn read_column(text: &str, column: &str, of: ColumnOf) -> Result<Arc<[u64]>, String> {
    let (factor, largest, too_large) = match of {
        ColumnOf::Counts => (1.0, Count::LARGEST.number(), Count::too_large()),
        ColumnOf::Durations => {
            let factor = nanos_per_unit(column).ok_or_else(|| {
                format!(
                    "the column `{column}` does not say the unit of its durations: its name must \
                     end in _s, _ms, _us or _ns"
                )
            })?;
            (factor, Nanos::LARGEST.number(), Nanos::too_large())
        }
    };
    let mut reader = ReaderBuilder::new().trim(Trim::All).from_reader(text.as_bytes());
    let bad = |error: csv::Error| format!("it is no table: {}", table_fault(&error));
    let header = reader.headers().map_err(bad)?;
    let Some(index) = header.iter().position(|name| name == column) else {
        return Err(format!("it has no column `{column}`: {}", columns(column, header)));
    };
    let mut values = Vec::new();
    let mut record = StringRecord::new();
    while reader.read_record(&mut record).map_err(bad)? {
        let text = record.get(index).unwrap_or_default();
        let line = record.position().map_or(0, |position| position.line());
        let fault = |what: &str| format!("line {line}, column `{column}`: {what}");
        let value = match text.parse::<f64>() {
            Ok(number) if number.is_finite() && number >= 0.0 => number * factor,
            _ => return Err(fault(&format!("expected a number, not negative, found {text:?}"))),
        };
        if value > largest {
            return Err(fault(&too_large));
        }
        values.push(libm::round(value) as u64);
    }
    if values.is_empty() {
        return Err("it has a header, but no rows below it".to_string());
    }
    Ok(values.into())
}

/// Nanoseconds in the unit that a column's name ends in.
fn nanos_per_unit(column: &str) -> Option<f64> {
    match column.rsplit_once('_')?.1 {
        "ns" => Some(1.0),
        "us" => Some(1e3),
        "ms" => Some(1e6),
        "s" => Some(1e9),
        _ => None,
    }
}

fn columns(wanted: &str, header: &StringRecord) -> String {
    if header.is_empty() {
        return "it is empty".to_string();
    }
    let names: Vec<_> = header.iter().collect();
    let there_are = format!("its columns are {}", names.join(", "));
    match suggest::nearest(wanted, names) {
        Some(near) => format!("did you mean `{near}`? {there_are}"),
        None => there_are,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, column: &str, of: ColumnOf) -> Result<Vec<u64>, String> {
        read_column(text, column, of).map(|values| values.to_vec())
    }

    #[test]
    fn values_come_in_the_unit_of_the_columns_name() {
        let text = "a_ns,a_us,a_ms,a_s,tokens\n5,5,5,5,5\n1.6, 1.5 ,0.000001,0.25,1e3\n";
        for (column, of, values) in [
            ("a_ns", ColumnOf::Durations, [5, 2]),
            ("a_us", ColumnOf::Durations, [5_000, 1_500]),
            ("a_ms", ColumnOf::Durations, [5_000_000, 1]),
            ("a_s", ColumnOf::Durations, [5_000_000_000, 250_000_000]),
            ("tokens", ColumnOf::Counts, [5, 1000]),
            ("a_ns", ColumnOf::Counts, [5, 2]),
        ] {
            assert_eq!(read(text, column, of).unwrap(), values, "{column}");
        }
    }

    #[test]
    fn faults_name_line_and_column() {
        let no_number = "expected a number, not negative, found";
        for (text, column, message) in [
            ("a_ms\n1\n-1\n", "a_ms", format!("line 3, column `a_ms`: {no_number} \"-1\"")),
            ("a_ms,b\n,1\n", "a_ms", format!("line 2, column `a_ms`: {no_number} \"\"")),
            ("a_ms\nNaN\n", "a_ms", format!("line 2, column `a_ms`: {no_number} \"NaN\"")),
            (
                "a_s\n1e9\n",
                "a_s",
                "line 2, column `a_s`: nothing takes longer than 31536000s here".into(),
            ),
            ("a_ms\n1,2\n", "a_ms", "it is no table: line 2 has 2 fields, the first line 1".into()),
            ("a_ms\n", "a_ms", "it has a header, but no rows below it".into()),
            ("", "a_ms", "it has no column `a_ms`: it is empty".into()),
            (
                "a_ms,b\n1,2\n",
                "aa_ms",
                "it has no column `aa_ms`: did you mean `a_ms`? its columns are a_ms, b".into(),
            ),
            (
                "a\n1\n",
                "a",
                "the column `a` does not say the unit of its durations: its name must end in _s, \
                 _ms, _us or _ns"
                    .into(),
            ),
        ] {
            assert_eq!(read(text, column, ColumnOf::Durations).unwrap_err(), message);
        }
        let fault = read("n\n1e10\n", "n", ColumnOf::Counts).unwrap_err();
        assert_eq!(fault, "line 2, column `n`: no number is above 1000000000 here");
    }
}
