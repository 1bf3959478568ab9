//! Axes of simulated time: in the unit that suits their length.

use super::number::rounded;
use super::ticks::{self, Tick};

/// A unit of time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Unit {
    /// As it stands behind a number.
    pub name: &'static str,
    /// Its length in milliseconds.
    pub ms: f64,
}

/// The unit for a span of so many milliseconds.
pub fn unit(span_ms: f64) -> Unit {
    match span_ms {
        ms if ms < 1e3 => Unit { name: "ms", ms: 1.0 },
        ms if ms < 1200e3 => Unit { name: "s", ms: 1e3 },
        ms if ms < 12.0 * 3600e3 => Unit { name: "min", ms: 60e3 },
        _ => Unit { name: "h", ms: 3600e3 },
    }
}

/// A time with its unit: `200 ms`, `1.5 s`, and `0`.
pub fn label(ms: f64) -> String {
    if ms == 0.0 {
        return "0".to_owned();
    }
    let unit = unit(ms);
    format!("{} {}", rounded(ms / unit.ms), unit.name)
}

/// The title of an axis from 0 to `end_ms`: what it shows, and its unit.
pub fn title(what: &str, end_ms: f64) -> String {
    format!("{what} ({})", unit(end_ms).name)
}

/// The ticks of an axis from 0 to `end_ms`, `most` at most: values in milliseconds, labels in its
/// unit.
pub fn ticks(end_ms: f64, most: usize) -> Vec<Tick> {
    let unit = unit(end_ms);
    let ticks = ticks::linear(0.0, end_ms / unit.ms, most);
    ticks.into_iter().map(|tick| Tick { value: tick.value * unit.ms, ..tick }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_in_the_unit_of_the_axis() {
        let ends = |end_ms: f64| {
            let ticks = ticks(end_ms, 4);
            let last = ticks.last().map(|tick| (tick.value, tick.label.clone()));
            (title("time", end_ms), last)
        };
        let last = |value: f64, label: &str| Some((value, label.to_owned()));
        assert_eq!(ends(900.0), ("time (ms)".to_owned(), last(500.0, "500")));
        assert_eq!(ends(20e3), ("time (s)".to_owned(), last(20e3, "20")));
        assert_eq!(ends(1800e3), ("time (min)".to_owned(), last(1800e3, "30")));
        assert_eq!(ends(86400e3), ("time (h)".to_owned(), last(72000e3, "20")));
        assert_eq!(ends(0.0), ("time (ms)".to_owned(), None));
    }
}
