//! What happened when: attempts and refusals per bin, and how many requests were in flight or
//! waiting, as time averages.
//!
//! Bins widen as the run gets longer, so that there are never more than two thousand. A request
//! that begins or ends to wait changes one bin only: the level it leaves behind is summed up at
//! the end. Times may come in any order.

use retrial_policy::{Instant, Nanos};

/// Bins of the finished series at most.
pub const MAX_BINS: usize = 2000;
/// Bins kept while recording: one power of ten of the ladder 1-2-5 at its widest.
const MAX_FINE_BINS: usize = 5 * MAX_BINS;

/// One fine bin while recording.
#[derive(Clone, Copy, Debug, Default)]
struct Fine {
    attempts: u64,
    rejected: u64,
    in_flight: Level,
    waiting: Level,
}

/// Changes of a level within one bin.
#[derive(Clone, Copy, Debug, Default)]
struct Level {
    /// The sum of the changes: they last beyond the bin.
    change: i64,
    /// The sum of (change · time left in the bin): their share of this bin's integral.
    within: i128,
}

/// A series being recorded.
#[derive(Clone, Debug)]
pub struct Series {
    /// Width of a fine bin: the base width times a power of ten.
    width: u64,
    bins: Vec<Fine>,
}

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
        Series { width: width.get().max(1), bins: Vec::new() }
    }

    /// Counts an attempt that reached a route.
    pub fn attempt(&mut self, at: Instant) {
        let index = self.index(at);
        self.bins[index].attempts += 1;
    }

    /// Counts an attempt that a route refused.
    pub fn rejected(&mut self, at: Instant) {
        let index = self.index(at);
        self.bins[index].rejected += 1;
    }

    /// Changes a level by `change` from `at` on.
    pub fn change(&mut self, quantity: Quantity, at: Instant, change: i64) {
        let index = self.index(at);
        let left = self.width - at.as_nanos() % self.width;
        let level = match quantity {
            Quantity::InFlight => &mut self.bins[index].in_flight,
            Quantity::Waiting => &mut self.bins[index].waiting,
        };
        level.change += change;
        level.within += i128::from(change) * i128::from(left);
    }

    /// The fine bin of `at`, which exists then; bins widen until it is among the first 10,000.
    fn index(&mut self, at: Instant) -> usize {
        while at.as_nanos() / self.width >= MAX_FINE_BINS as u64 {
            self.widen();
        }
        let index = (at.as_nanos() / self.width) as usize;
        if index >= self.bins.len() {
            self.bins.resize(index + 1, Fine::default());
        }
        index
    }

    fn widen(&mut self) {
        self.bins = merge(&self.bins, 10, self.width);
        self.width = self.width.saturating_mul(10);
    }

    /// The series up to `end`, with bins on the ladder 1, 2, 5, 10, … of the base width.
    pub fn finish(mut self, end: Instant) -> Vec<Bin> {
        // Levels last to the end, even if nothing happened since. What happens at the very end
        // belongs to the last bin.
        let last = self.index(Instant::from_nanos(end.as_nanos().saturating_sub(1)));
        for late in self.bins.split_off(last + 1) {
            self.bins[last].attempts += late.attempts;
            self.bins[last].rejected += late.rejected;
        }
        let factor = [1, 2, 5].into_iter().find(|f| self.bins.len().div_ceil(*f) <= MAX_BINS);
        let factor = factor.unwrap_or(10);
        let merged = merge(&self.bins, factor, self.width);
        let width = self.width * factor as u64;
        let (mut in_flight, mut waiting) = (0, 0);
        let average = |level: Level, before: &mut i64, length: u64| {
            let whole = i128::from(*before) * i128::from(length);
            // Changes were weighed with the whole bin; the last one may end early.
            let beyond = i128::from(level.change) * i128::from(width - length);
            *before += level.change;
            (whole + level.within - beyond) as f64 / length as f64
        };
        let bins = merged.iter().enumerate();
        bins.map(|(index, fine)| {
            let start = index as u64 * width;
            let length = (end.as_nanos() - start).clamp(1, width);
            Bin {
                start_ms: start as f64 / 1e6,
                width_ms: width as f64 / 1e6,
                attempts: fine.attempts,
                rejected: fine.rejected,
                in_flight: average(fine.in_flight, &mut in_flight, length),
                waiting: average(fine.waiting, &mut waiting, length),
            }
        })
        .collect()
    }
}

/// Bins `factor` times as wide. A change in an early bin also fills the later ones it merges with.
fn merge(bins: &[Fine], factor: usize, width: u64) -> Vec<Fine> {
    let chunks = bins.chunks(factor);
    chunks
        .map(|chunk| {
            let mut sum = Fine::default();
            for (index, fine) in chunk.iter().enumerate() {
                let after = i128::from(width) * (factor - 1 - index) as i128;
                sum.attempts += fine.attempts;
                sum.rejected += fine.rejected;
                for (into, from) in
                    [(&mut sum.in_flight, fine.in_flight), (&mut sum.waiting, fine.waiting)]
                {
                    into.change += from.change;
                    into.within += from.within + i128::from(from.change) * after;
                }
            }
            sum
        })
        .collect()
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
