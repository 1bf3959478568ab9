//! Traces: CSV files of requests as they were recorded.

use retrial_policy::Nanos;

use super::schema::Unit;
use super::table_fault::table_fault;
use crate::model::trace::{Row, Trace};

/// Columns of time, and nanoseconds of their unit.
const TIMES: [(&str, f64); 3] = [("t_us", 1e3), ("t_ms", 1e6), ("t_s", 1e9)];

/// Rows more than this don't fit in memory many times over.
const MAX_ROWS: usize = 50_000_000;

/// Reads a trace.
///
/// # Errors
///
/// What is wrong in words, with the row it is in.
pub fn parse(text: &str) -> Result<Trace, String> {
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(text.as_bytes());
    let header = reader.headers().map_err(|error| table_fault(&error))?.clone();
    let column = |name: &str| header.iter().position(|column| column == name);
    let times = TIMES.iter().find_map(|(name, unit)| column(name).map(|at| (at, *name, *unit)));
    if header.is_empty() {
        return Err("it is empty".to_string());
    }
    let Some((time, time_name, unit)) = times else {
        return Err(format!(
            "its header has no column of times: t_us, t_ms or t_s, but {}",
            header.iter().collect::<Vec<_>>().join(", ")
        ));
    };
    let sizes = (column("input_tokens"), column("output_tokens"));
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| table_fault(&error))?;
        let line = record.position().map_or(0, csv::Position::line);
        let field = |index: usize, name: &str| {
            record.get(index).ok_or_else(|| format!("line {line}: there is no `{name}`"))
        };
        let text = field(time, time_name)?;
        let ticks = text.parse().ok().filter(|ticks: &f64| ticks.is_finite() && *ticks >= 0.0);
        let Some(ticks) = ticks else {
            return Err(format!("line {line}: `{text}` is no time since the first request"));
        };
        let size = |place: Option<usize>, name: &str| match place {
            None => Ok(0),
            Some(index) => {
                let text = field(index, name)?;
                text.parse::<u32>().map_err(|_| {
                    format!("line {line}: `{text}` in `{name}` is no whole number of tokens")
                })
            }
        };
        let at = Nanos::new(libm::round(ticks * unit) as u64);
        if at > Nanos::LARGEST {
            return Err(format!("line {line}: {}", Nanos::too_large()));
        }
        rows.push(Row {
            at,
            input: size(sizes.0, "input_tokens")?,
            output: size(sizes.1, "output_tokens")?,
        });
        if let [.., before, last] = rows[..]
            && last.at < before.at
        {
            return Err(format!("line {line}: its time is before that of the row above it"));
        }
        if rows.len() > MAX_ROWS {
            return Err(format!("it has more than {MAX_ROWS} rows"));
        }
    }
    if rows.is_empty() {
        return Err("it has no rows".to_string());
    }
    let times: Vec<_> = rows.iter().map(|row| row.at).collect();
    Ok(Trace { tick: Trace::tick_of(&times), has_tokens: sizes != (None, None), rows })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_the_unit_of_their_column() {
        for (text, nanos) in [
            ("t_us,input_tokens,output_tokens\n0,1,2\n52000,3,4\n", 52_000_000),
            ("t_ms,input_tokens,output_tokens\n0,1,2\n7,3,4\n", 7_000_000),
            ("input_tokens, output_tokens, t_s\n1,2,0\n3,4,1.5\n", 1_500_000_000),
        ] {
            let trace = parse(text).unwrap();
            let second = Row { at: Nanos::new(nanos), input: 3, output: 4 };
            assert_eq!(trace.rows[1], second, "{text}");
            assert!(trace.has_tokens);
        }
        assert!(!parse("t_s\n0\n1\n").unwrap().has_tokens);
    }

    #[test]
    fn a_broken_row_is_named() {
        for (text, expected) in [
            ("t_us,input_tokens\n0,1\nsoon,3\n", "line 3: `soon` is no time"),
            ("t_us,input_tokens\n0,1\n5,many\n", "line 3: `many` in `input_tokens`"),
            ("t_us,input_tokens\n0,1\n5,-1\n", "line 3: `-1` in `input_tokens`"),
            ("t_us,input_tokens\n9,1\n5,1\n", "line 3: its time is before"),
            ("t_us,input_tokens\n9,1\n10\n", "line 3 has 1 fields, the first line 2"),
            ("t_us\n-1\n", "line 2: `-1` is no time"),
            ("t_us\n", "it has no rows"),
            ("", "it is empty"),
            ("time,input_tokens\n1,2\n", "no column of times"),
        ] {
            let problem = parse(text).unwrap_err();
            assert!(problem.contains(expected), "{text:?}: {problem}");
        }
    }

    /// Four rows a tick of 3 s, as in the Mooncake trace.
    #[test]
    fn a_clock_too_coarse_is_recognised() {
        let rows: String = (0..40).map(|row| format!("{}\n", row / 4 * 3000)).collect();
        assert_eq!(parse(&format!("t_ms\n{rows}")).unwrap().tick, Nanos::from_secs(3));
        assert_eq!(parse("t_ms\n0\n0\n1\n2\n").unwrap().tick, Nanos::ZERO);
    }
}
