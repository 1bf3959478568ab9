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

/// A mean and half its interval, `1,890 ± 3`, with decimals as the interval deserves; `1 (≥ 0.9995)`
/// where the mean is an end of it, and `–` where there is no estimate.
pub fn estimate(estimate: &Estimate) -> String {
    let Some(mean) = estimate.mean else { return "–".to_string() };
    match bounded(estimate) {
        Bounded::Not => plain(mean),
        Bounded::Below(bound) => format!("{mean} (≥ {bound})"),
        Bounded::Above(bound) => format!("{mean} (≤ {bound})"),
        Bounded::Around(half_width) => {
            let decimals = decimals(half_width);
            format!("{} ± {}", with_decimals(mean, decimals), with_decimals(half_width, decimals))
        }
    }
}

/// A share in per cent: `83.4 ± 0.4 %`, or `100 %, at least 99.95 %`.
pub fn percent(share: &Estimate) -> String {
    let scaled = Estimate {
        mean: share.mean.map(|mean| 100.0 * mean),
        ci95: share.ci95.map(|(low, high)| (100.0 * low, 100.0 * high)),
        n: share.n,
    };
    match (scaled.mean, bounded(&scaled)) {
        (Some(mean), Bounded::Below(bound)) => format!("{mean} %, at least {bound} %"),
        (Some(mean), Bounded::Above(bound)) => format!("{mean} %, at most {bound} %"),
        _ => format!("{} %", estimate(&scaled)),
    }
}

/// A share in per cent to a tenth. What is not all is not called 100 %, and what is not none not 0 %.
pub fn share(share: f64) -> String {
    match 100.0 * share {
        percent if percent > 99.9 && percent < 100.0 - 1e-9 => "more than 99.9 %".to_string(),
        percent if percent > 0.0 && percent < 0.1 => "less than 0.1 %".to_string(),
        percent => format!("{} %", with_decimals(percent, 1).trim_end_matches(".0")),
    }
}

/// How often something was run: `1 replication`, `30 replications`.
pub fn replications(count: u64) -> String {
    match count {
        1 => "1 replication".to_string(),
        _ => format!("{count} replications"),
    }
}

/// Where an interval lies about its mean.
enum Bounded {
    /// There is none, or it has no width: every replication gave the same.
    Not,
    /// The mean is its upper end; the lower one as text.
    Below(String),
    /// The mean is its lower end; the upper one as text.
    Above(String),
    /// On both sides, with half its width.
    Around(f64),
}

fn bounded(estimate: &Estimate) -> Bounded {
    let (Some(mean), Some((low, high))) = (estimate.mean, estimate.ci95) else {
        return Bounded::Not;
    };
    // As many decimals as the room between mean and bound deserves, away from the mean: what is
    // read is never more than what was shown.
    let decimals = decimals(high - low);
    let scale = libm::pow(10.0, decimals as f64);
    let bound = |bound: f64| with_decimals(bound / scale, decimals);
    // Products that are whole but for their rounding stay as they are.
    let rounding = 1e-6;
    match (low < mean, high > mean) {
        (false, false) => Bounded::Not,
        (true, false) => Bounded::Below(bound(libm::floor(low * scale + rounding))),
        (false, true) => Bounded::Above(bound(libm::ceil(high * scale - rounding))),
        (true, true) => Bounded::Around(0.5 * (high - low)),
    }
}

/// The decimals of which so wide an uncertainty leaves one digit.
fn decimals(width: f64) -> usize {
    match width {
        size if size >= 2.0 => 0,
        size if size >= 0.2 => 1,
        size if size >= 0.02 => 2,
        size if size >= 0.002 => 3,
        _ => 4,
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
    fn a_mean_at_the_end_of_its_interval_has_one_bound() {
        let never = Estimate { mean: Some(0.0), ci95: Some((0.0, 0.1)), n: 30 };
        assert_eq!(estimate(&never), "0 (≤ 0.10)");
        assert_eq!(percent(&never), "0 %, at most 10 %");
        let always = Estimate { mean: Some(1.0), ci95: Some((0.9995, 1.0)), n: 30 };
        assert_eq!(estimate(&always), "1 (≥ 0.9995)");
        assert_eq!(percent(&always), "100 %, at least 99.95 %");
        let surely = Estimate { mean: Some(1.0), ci95: Some((1.0 - 1e-9, 1.0)), n: 30 };
        assert_eq!(estimate(&surely), "1 (≥ 0.9999)", "not 1.0000");
        let share = Estimate { mean: Some(0.834), ci95: Some((0.83, 0.838)), n: 30 };
        assert_eq!(percent(&share), "83.4 ± 0.4 %");
    }

    #[test]
    fn a_share_is_all_or_none_only_if_it_is() {
        for (of, text) in [
            (0.0, "0 %"),
            (0.0004, "less than 0.1 %"),
            (0.25, "25 %"),
            (0.834, "83.4 %"),
            (0.999, "99.9 %"),
            (0.9997, "more than 99.9 %"),
            (1.0, "100 %"),
        ] {
            assert_eq!(share(of), text);
        }
    }

    #[test]
    fn times_come_in_the_unit_that_suits_them() {
        for (ms, text) in [(12.3, "12.3 ms"), (3700.0, "3.70 s"), (600_000.0, "10.0 min")] {
            assert_eq!(milliseconds(ms), text);
        }
    }
}
