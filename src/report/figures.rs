//! Numbers for people: as many digits as mean something, and thousands set apart.

use crate::study::statistics::estimate::Estimate;

/// `value` with about three significant digits, all digits before the point, and thousands set
/// apart by commas.
pub fn plain(value: f64) -> String {
    let decimals = match value.abs() {
        0.0 => 0,
        size if size >= 100.0 => 0,
        size if size >= 10.0 => 1,
        size if size >= 0.1 => 2,
        size if size >= 0.01 => 3,
        _ => 4,
    };
    with_decimals(value, decimals)
}

/// `value` with so many decimals, and thousands set apart by commas.
pub fn with_decimals(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    let (whole, fraction) = text.split_once('.').map_or((&text[..], None), |(w, f)| (w, Some(f)));
    let (sign, digits) = whole.strip_prefix('-').map_or(("", whole), |digits| ("-", digits));
    let mut grouped = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    match fraction {
        Some(fraction) => format!("{sign}{grouped}.{fraction}"),
        None => format!("{sign}{grouped}"),
    }
}

/// A mean and half its interval, `1,890 ± 3`, with decimals as the interval deserves; `–` where
/// there is no estimate.
pub fn estimate(estimate: &Estimate) -> String {
    let Some(mean) = estimate.mean else { return "–".to_string() };
    match estimate.half_width() {
        // Interval of no width: every replication gave the same, to the last digit.
        None | Some(0.0) => plain(mean),
        Some(half_width) => {
            let decimals = match half_width {
                size if size >= 2.0 => 0,
                size if size >= 0.2 => 1,
                size if size >= 0.02 => 2,
                size if size >= 0.002 => 3,
                _ => 4,
            };
            format!("{} ± {}", with_decimals(mean, decimals), with_decimals(half_width, decimals))
        }
    }
}

/// Milliseconds in the unit that suits them.
pub fn milliseconds(ms: f64) -> String {
    match ms.abs() {
        size if size >= 120_000.0 => format!("{} min", plain(ms / 60_000.0)),
        size if size >= 1000.0 => format!("{} s", plain(ms / 1000.0)),
        _ => format!("{} ms", plain(ms)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_follow_the_size_of_a_number() {
        for (value, text) in [
            (0.0, "0"),
            (0.001_24, "0.0012"),
            (0.987_6, "0.99"),
            (12.34, "12.3"),
            (1_234_567.8, "1,234,568"),
            (-1234.0, "-1,234"),
        ] {
            assert_eq!(plain(value), text);
        }
    }

    #[test]
    fn an_estimate_shows_what_its_interval_deserves() {
        let estimate_of = |mean: f64, half: f64| {
            estimate(&Estimate { mean: Some(mean), ci95: Some((mean - half, mean + half)), n: 30 })
        };
        assert_eq!(estimate_of(1889.6, 2.6), "1,890 ± 3");
        assert_eq!(estimate_of(9.4567, 0.021), "9.46 ± 0.02");
        assert_eq!(estimate_of(200.0, 0.0), "200");
        assert_eq!(estimate(&Estimate { mean: None, ci95: None, n: 0 }), "–");
    }

    #[test]
    fn times_come_in_the_unit_that_suits_them() {
        for (ms, text) in [(12.3, "12.3 ms"), (3700.0, "3.70 s"), (600_000.0, "10.0 min")] {
            assert_eq!(milliseconds(ms), text);
        }
    }
}
