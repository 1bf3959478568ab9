//! When there are enough replications: `stop = { half_width = "5%", max = 400 }`.

use super::schema::{HalfWidth, Precision, StopForm};
use crate::measure::metric;

/// When a point has been run often enough.
#[derive(Clone, Debug, PartialEq)]
pub struct Stop {
    /// The places of metrics in [`metric::ALL`], and how exact each must be.
    pub precisions: Vec<(usize, Precision)>,
    /// Replications before the first look.
    pub first: u64,
    /// Replications at most.
    pub max: u64,
}

/// What is watched unless the experiment says: load, success and time.
pub const METRICS: [&str; 3] = ["attempts", "success_ratio", "latency_mean_ms"];

/// Replications before the first look; an interval from fewer is not to be relied on (Law,
/// "Simulation Modeling and Analysis", 5th edition, 2015, chapter 9).
pub const FIRST: u32 = 10;

/// Replications at most, unless the experiment says.
pub const MAX: u32 = 400;

impl Stop {
    /// The rule that was written, with the replications of the first look if they were.
    /// What it names was checked before.
    pub fn new(form: &StopForm, replications: Option<u32>) -> Self {
        let named = |name: &str, precision| Some((metric::by_name(name)?, precision));
        let precisions = match (&form.half_width, &form.metrics) {
            (HalfWidth::ByMetric(by_metric), _) => {
                by_metric.iter().filter_map(|(name, one)| named(name, *one)).collect()
            }
            (HalfWidth::Same(one), Some(names)) => {
                names.iter().filter_map(|name| named(name, *one)).collect()
            }
            (HalfWidth::Same(one), None) => {
                METRICS.iter().filter_map(|name| named(name, *one)).collect()
            }
        };
        let first = replications.unwrap_or(FIRST).into();
        Stop { precisions, first, max: form.max.unwrap_or(MAX).into() }
    }

    /// The number of replications at the look after one at `n`: 1.4 times as many, so that few looks
    /// are taken; looking after every run would stop on lucky streaks.
    pub fn next_look(&self, n: u64) -> u64 {
        (n * 7).div_ceil(5).min(self.max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_are_few_and_end_at_the_cap() {
        let stop = Stop { precisions: Vec::new(), first: 10, max: 50 };
        let looks: Vec<_> =
            std::iter::successors(Some(10), |n| Some(stop.next_look(*n))).take(7).collect();
        assert_eq!(looks, [10, 14, 20, 28, 40, 50, 50]);
    }
}
