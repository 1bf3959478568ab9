//! Percentile files of HdrHistogram (`.hgrm`), as `outputPercentileDistribution` of its Java library
//! writes them and the plotter at hdrhistogram.github.io reads them.

use std::fmt::Write;

use hdrhistogram::Histogram;

use super::results::{CellResults, Results};
use crate::measure::latency::{Buckets, DIGITS};

/// Lines for each halving of the distance to 100 %, as the library's own programs choose.
const TICKS_PER_HALF: u32 = 5;

/// Nanoseconds of a millisecond.
const MS: f64 = 1e6;

/// Counters of the first bucket at [`DIGITS`] digits: the power of two from twice a thousand on.
const SUB_BUCKETS: u32 = 2048;

/// The file of one policy at one point: latencies of accepted requests of replication 0 in
/// milliseconds.
pub fn hgrm(buckets: &Buckets) -> String {
    let mut text = format!(
        "{:>12} {:>14} {:>10} {:>14}\n\n",
        "Value", "Percentile", "TotalCount", "1/(1-Percentile)"
    );
    let Some(histogram) = histogram(buckets) else { return text };
    let mut count = 0;
    for step in histogram.iter_quantiles(TICKS_PER_HALF) {
        count += step.count_since_last_iteration();
        let (value, quantile) = (step.value_iterated_to() as f64 / MS, step.quantile_iterated_to());
        // Writing to a string does not fail.
        let _ = write!(text, "{value:>12.3} {quantile:.12} {count:>10}");
        // The last one is the largest value: 1 in infinity.
        if quantile < 1.0 {
            let _ = write!(text, " {:>14.2}", 1.0 / (1.0 - quantile));
        }
        text.push('\n');
    }
    let (mean, deviation) = (histogram.mean() / MS, histogram.stdev() / MS);
    let (max, total) = (histogram.max() as f64 / MS, histogram.len());
    let buckets = histogram.buckets();
    let _ = write!(
        text,
        "#[Mean    = {mean:>12.3}, StdDeviation   = {deviation:>12.3}]\n\
         #[Max     = {max:>12.3}, Total count    = {total:>12}]\n\
         #[Buckets = {buckets:>12}, SubBuckets     = {SUB_BUCKETS:>12}]\n"
    );
    text
}

/// The histogram that was kept bucket by bucket.
fn histogram(buckets: &Buckets) -> Option<Histogram<u64>> {
    // The digits are a legal precision, and it grows as needed: neither fails.
    let mut histogram = Histogram::new(DIGITS).ok()?;
    for (value, count) in &buckets.0 {
        histogram.record_n(*value, *count).ok()?;
    }
    Some(histogram)
}

/// The longest name of a file, without ending, that every file system takes.
const MAX_NAME: usize = 200;

/// The name of a cell's percentile file: the policy, and at a point of a sweep each key with its
/// value. Whatever is neither a letter or digit of ASCII nor one of `-_.` is percent-encoded, so
/// that different cells never share a name; one that grows too long gives the point by number.
pub fn file_name(results: &Results, cell: &CellResults) -> String {
    let policy = encoded(&results.policies[cell.policy]);
    let values = &results.points[cell.point].values;
    let mut name = policy.clone();
    for (axis, value) in results.axes.iter().zip(values) {
        name.push_str(&format!(",{}={}", encoded(axis), encoded(&value.text)));
    }
    if name.len() > MAX_NAME {
        // Policies can be told apart by their number where even their names are too long.
        let policy = if policy.len() > MAX_NAME - 30 { cell.policy.to_string() } else { policy };
        name = format!("{policy},point={}", cell.point);
    }
    format!("{name}.hgrm")
}

fn encoded(text: &str) -> String {
    let mut encoded = String::new();
    for (index, byte) in text.bytes().enumerate() {
        match byte {
            // A name with a dot in front is hidden, or a folder.
            b'.' if index == 0 => encoded.push_str("%2E"),
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' => {
                encoded.push(byte.into());
            }
            byte => encoded.push_str(&format!("%{byte:02X}")),
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ten values of 1 ms to 10 ms: the layout is that of the Java library's
    /// `AbstractHistogram.outputPercentileDistribution` with three digits, five ticks and a scale of
    /// a million (format strings `%12.3f %2.12f %10d %14.2f`, the last line without its fourth
    /// column); the figures are counted by hand.
    #[test]
    fn the_layout_is_that_of_the_library() {
        let ms = |n: u64| (n * 1_000_000, 1);
        let text = hgrm(&Buckets((1..=10).map(ms).collect()));
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "       Value     Percentile TotalCount 1/(1-Percentile)");
        assert_eq!(lines[1], "");
        assert_eq!(lines[2], "       1.000 0.000000000000          1           1.00");
        assert_eq!(lines[3], "       1.000 0.100000000000          1           1.11");
        // Half of them are at most 5 ms, which a bucket of 4,096 ns holds: 5.001 is its end.
        assert!(lines.contains(&"       5.001 0.500000000000          5           2.00"), "{text}");
        let [.., last, mean, max, buckets] = &lines[..] else { panic!("{text}") };
        assert_eq!(*last, "      10.002 1.000000000000         10");
        // The mean of 1 … 10 is 5.5, its deviation √8.25 = 2.872.
        let known = "#[Mean    =        5.5";
        assert!(
            mean.starts_with(known) && mean.contains(", StdDeviation   =        2.87"),
            "{mean}"
        );
        assert_eq!(*max, "#[Max     =       10.002, Total count    =           10]");
        assert!(buckets.ends_with("SubBuckets     =         2048]"), "{buckets}");
    }

    #[test]
    fn no_latency_gives_a_file_without_rows() {
        let text = hgrm(&Buckets::default());
        let rows = text.lines().skip(2).filter(|line| !line.starts_with('#'));
        assert_eq!(rows.count(), 0, "{text}");
    }

    #[test]
    fn names_of_files_are_safe_and_differ() {
        for (text, expected) in [
            ("full-jitter", "full-jitter"),
            ("../a b", "%2E.%2Fa%20b"),
            ("policies.*.backoff.base", "policies.%2A.backoff.base"),
            ("x=1,y", "x%3D1%2Cy"),
            ("100%", "100%25"),
            ("ü", "%C3%BC"),
        ] {
            assert_eq!(encoded(text), expected);
        }
    }
}
