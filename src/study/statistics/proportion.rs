//! How often something happens, from how often it was seen.

use super::normal;

/// Wilson's 95 % interval for the probability of what was seen `events` times in `trials` (Wilson,
/// "Probable inference, the law of succession, and statistical inference", Journal of the American
/// Statistical Association 22, 1927): it stays within 0 and 1, and keeps its coverage for few
/// trials. Where nothing was seen, or nothing else, see [`never()`].
pub fn wilson(events: f64, trials: f64) -> (f64, f64) {
    let z = normal::quantile(0.975);
    let share = events / trials;
    let scale = 1.0 + z * z / trials;
    let centre = (share + z * z / (2.0 * trials)) / scale;
    let spread = share * (1.0 - share) / trials + z * z / (4.0 * trials * trials);
    let half = z * libm::sqrt(spread) / scale;
    (centre - half, centre + half)
}

/// The largest probability, with 95 % confidence, of what was never seen in `trials`: the rule of
/// three (Hanley and Lippman-Hand, "If nothing goes wrong, is everything all right?", JAMA 249,
/// 1983). It holds for independent trials.
pub fn never(trials: f64) -> f64 {
    (3.0 / trials).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Source: `statsmodels.stats.proportion.proportion_confint(27, 30, method="wilson")`; by hand
    /// (0.9 + 0.064024) / 1.128049 = 0.854597 and 1.959964 · 0.063532 / 1.128049 = 0.110388.
    #[test]
    fn twenty_seven_of_thirty() {
        let (low, high) = wilson(27.0, 30.0);
        assert!((low - 0.743_793).abs() < 1e-4 && (high - 0.965_401).abs() < 1e-4, "{low} {high}");
    }

    #[test]
    fn what_was_never_seen_in_thirty_is_rarer_than_one_in_ten() {
        assert_eq!(never(30.0), 0.1);
        assert_eq!(never(2.0), 1.0);
        // The exact bound, 1 - 0.05^(1/n), is a little lower.
        for trials in [10.0, 30.0, 6000.0] {
            let exact = 1.0 - 0.05_f64.powf(1.0 / trials);
            assert!(never(trials) > exact && never(trials) < 1.16 * exact, "{trials}: {exact}");
        }
    }
}
