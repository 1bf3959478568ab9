//! What happened when: attempts and refusals per bin, and how many requests were in flight or
//! waiting, as time averages.

use retrial_policy::{Instant, Nanos};

use super::binned::Binned;

/// Bins of the finished series at most.
pub const MAX_BINS: usize = 2000;

/// A series being recorded.
#[derive(Clone, Debug)]
pub struct Series(Binned<2, 2>);

/// The places of counts.
const ATTEMPTS: usize = 0;
const REJECTED: usize = 1;

/// One bin of a finished series.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Bin {
    /// Where it begins.
    pub start_ms: f64,
    /// Its width.
    pub width_ms: f64,
    /// Attempts that reached a route.
    pub attempts: u64,
    /// Attempts that a route refused.
    pub rejected: u64,
    /// Time average of attempts in flight.
    pub in_flight: f64,
    /// Time average of logical requests that wait between attempts.
    pub waiting: f64,
}

/// A quantity that a series averages over time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// Attempts in flight.
    InFlight,
    /// Logical requests between attempts.
    Waiting,
}

impl Series {
    /// A series whose bins are at least `width` wide.
    pub fn new(width: Nanos) -> Self {
        Series(Binned::new(width, MAX_BINS))
    }

    /// Counts an attempt that reached a route.
    pub fn attempt(&mut self, at: Instant) {
        self.0.count(ATTEMPTS, at);
    }

    /// Counts an attempt that a route refused.
    pub fn rejected(&mut self, at: Instant) {
        self.0.count(REJECTED, at);
    }

    /// Changes a level by `change` from `at` on.
    pub fn change(&mut self, quantity: Quantity, at: Instant, change: i64) {
        self.0.change(quantity as usize, at, change);
    }

    /// The series up to `end`, with bins on the ladder 1, 2, 5, 10, … of the base width.
    pub fn finish(self, end: Instant) -> Vec<Bin> {
        let bins = self.0.finish(end).into_iter();
        bins.map(|bin| {
            let ([attempts, rejected], [in_flight, waiting]) = (bin.counts, bin.levels);
            Bin {
                start_ms: bin.start.as_nanos() as f64 / 1e6,
                width_ms: bin.width.as_millis_f64(),
                attempts,
                rejected,
                in_flight,
                waiting,
            }
        })
        .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(ms: u64) -> Instant {
        Instant::from_nanos(ms * 1_000_000)
    }

    fn waits(series: &mut Series, from: u64, until: u64) {
        // The end first: order must not matter.
        series.change(Quantity::Waiting, at(until), -1);
        series.change(Quantity::Waiting, at(from), 1);
    }

    #[test]
    fn counts_and_time_averages_of_a_small_case() {
        let mut series = Series::new(Nanos::from_millis(100));
        [0, 50, 100, 250].into_iter().for_each(|ms| series.attempt(at(ms)));
        series.rejected(at(50));
        waits(&mut series, 50, 250);
        let bins = series.finish(at(300));
        let column = |f: fn(&Bin) -> f64| bins.iter().map(f).collect::<Vec<_>>();
        assert_eq!(column(|bin| bin.start_ms), [0.0, 100.0, 200.0]);
        assert_eq!(column(|bin| bin.attempts as f64), [2.0, 1.0, 1.0]);
        assert_eq!(column(|bin| bin.rejected as f64), [1.0, 0.0, 0.0]);
        assert_eq!(column(|bin| bin.waiting), [0.5, 1.0, 0.5]);
    }

    #[test]
    fn a_last_bin_that_is_cut_short_averages_over_what_there_was() {
        let mut series = Series::new(Nanos::from_millis(100));
        series.change(Quantity::InFlight, at(25), 1);
        let bins = series.finish(at(50));
        assert_eq!(bins.len(), 1);
        assert_eq!(bins[0].in_flight, 0.5);
    }

    #[test]
    fn what_happens_at_the_very_end_is_in_the_last_bin() {
        let mut series = Series::new(Nanos::from_millis(100));
        [50, 100, 200].into_iter().for_each(|ms| series.attempt(at(ms)));
        series.rejected(at(200));
        let bins = series.finish(at(200));
        let counts: Vec<_> = bins.iter().map(|bin| (bin.attempts, bin.rejected)).collect();
        assert_eq!(counts, [(1, 0), (2, 1)]);
    }

    #[test]
    fn a_run_that_takes_no_time_has_one_bin() {
        let mut series = Series::new(Nanos::from_millis(100));
        (0..3).for_each(|_| series.attempt(at(0)));
        let bins = series.finish(at(0));
        assert_eq!(bins.len(), 1);
        assert_eq!(bins[0].attempts, 3);
    }

    #[test]
    fn bins_widen_on_a_ladder_and_keep_every_count_and_integral() {
        // 100 ms bins over 1,000 s are 10,000 bins: widened to 500 ms.
        for (seconds, width_ms) in
            [(200, 100.0), (201, 200.0), (1000, 500.0), (1001, 1000.0), (30_000, 20_000.0)]
        {
            let mut series = Series::new(Nanos::from_millis(100));
            let end = seconds * 1000;
            for ms in (0..end).step_by(130) {
                series.attempt(at(ms));
                waits(&mut series, ms, (ms + 65).min(end - 1));
            }
            let attempts = (0..end).step_by(130).count() as u64;
            let bins = series.finish(at(end));
            assert!(bins.len() <= MAX_BINS, "{seconds} s: {} bins", bins.len());
            assert_eq!(bins[0].width_ms, width_ms, "{seconds} s");
            assert_eq!(bins.iter().map(|bin| bin.attempts).sum::<u64>(), attempts);
            let last = end as f64 - bins[bins.len() - 1].start_ms;
            let integral: f64 = bins
                .iter()
                .enumerate()
                .map(|(i, bin)| bin.waiting * if i + 1 == bins.len() { last } else { width_ms })
                .sum();
            let expected = attempts as f64 * 65.0;
            assert!((integral / expected - 1.0).abs() < 1e-3, "{seconds} s: {integral}");
        }
    }
}
