//! Spans of time as the targets write them.

use std::time::Duration;

use retrial_policy::Nanos;

/// In seconds, as a Python or JSON number: the shortest that reads back as the same float.
pub fn seconds(span: Nanos) -> String {
    Duration::from(span).as_secs_f64().to_string()
}

/// In milliseconds, as a JSON number.
pub fn milliseconds(span: Nanos) -> f64 {
    span.as_millis_f64()
}

/// As JSON has a protobuf `Duration`: decimal seconds with up to nine digits, then `s`.
pub fn protobuf(span: Nanos) -> String {
    let (whole, rest) = (span.get() / 1_000_000_000, span.get() % 1_000_000_000);
    let decimals = format!("{rest:09}");
    match decimals.trim_end_matches('0') {
        "" => format!("{whole}s"),
        digits => format!("{whole}.{digits}s"),
    }
}

/// In whole milliseconds, rounded to the nearest.
pub fn whole_milliseconds(span: Nanos) -> Nanos {
    Nanos::from_millis(span.get().saturating_add(500_000) / 1_000_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_protobuf_duration_keeps_every_nanosecond() {
        for (nanos, text) in [
            (0, "0s"),
            (1, "0.000000001s"),
            (500_000_000, "0.5s"),
            (90_000_000_000, "90s"),
            (1_250_000_000, "1.25s"),
            (u64::MAX, "18446744073.709551615s"),
        ] {
            assert_eq!(protobuf(Nanos::new(nanos)), text);
        }
    }
}
