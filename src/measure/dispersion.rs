//! The index of dispersion of counts (Fano factor): variance ÷ mean of the arrivals per bin.
//!
//! 1 for a Poisson stream. The width of the bins decides the verdict, so several are kept.

use retrial_policy::{Instant, Nanos};

/// Counts arrivals in bins of one width, starting at the first arrival.
#[derive(Clone, Debug)]
pub struct Dispersion {
    width: u64,
    /// Bins before that of the last arrival, and where that one ends.
    bins: u64,
    bin_end: u64,
    /// Arrivals in the bin of the last arrival so far.
    count: u64,
    sum: u64,
    sum_of_squares: u128,
}

impl Dispersion {
    /// For bins of `width`, which must be above zero.
    pub fn new(width: Nanos) -> Self {
        let width = width.get();
        Dispersion { width, bins: 0, bin_end: width, count: 0, sum: 0, sum_of_squares: 0 }
    }

    /// Counts an arrival `since_first` after the first one; arrivals come in order.
    #[inline]
    pub fn arrive(&mut self, since_first: Nanos) {
        // Most arrivals fall into the bin of the last one: no division for them.
        if since_first.get() >= self.bin_end {
            self.move_to(since_first.get() / self.width);
        }
        self.count += 1;
    }

    fn move_to(&mut self, bin: u64) {
        self.sum += self.count;
        self.sum_of_squares += u128::from(self.count) * u128::from(self.count);
        self.count = 0;
        self.bins = bin;
        self.bin_end = (bin + 1).saturating_mul(self.width);
    }

    /// Bins that lie whole between the first and the last arrival.
    pub fn windows(&self) -> u64 {
        self.bins
    }

    /// The index over all bins that lie whole between the first and the last arrival, with the
    /// unbiased variance; `None` with fewer than two such bins, or no arrival in them.
    pub fn index(&self) -> Option<f64> {
        // The bin of the last arrival is cut off by it, so it does not count; the bins between
        // two arrivals that saw none do, as zeros in the sums.
        let bins = u128::from(self.bins);
        if bins < 2 || self.sum == 0 {
            return None;
        }
        let sum = u128::from(self.sum);
        let numerator = bins * self.sum_of_squares - sum * sum;
        Some(numerator as f64 / ((bins - 1) * sum) as f64)
    }
}

/// The time since the first arrival, for counters that start there.
#[derive(Clone, Copy, Debug, Default)]
pub struct Span {
    first: Option<Instant>,
    last: Instant,
}

impl Span {
    /// Notes an arrival and gives the time since the first.
    #[inline]
    pub fn arrive(&mut self, now: Instant) -> Nanos {
        self.last = now;
        now.saturating_since(*self.first.get_or_insert(now))
    }

    /// The first arrival.
    pub fn first(&self) -> Option<Instant> {
        self.first
    }

    /// From the first to the last arrival.
    pub fn length(&self) -> Nanos {
        self.first.map_or(Nanos::ZERO, |first| self.last.saturating_since(first))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn index_of(width_ms: u64, arrivals_ms: &[u64]) -> Option<f64> {
        let mut dispersion = Dispersion::new(Nanos::from_millis(width_ms));
        arrivals_ms.iter().for_each(|ms| dispersion.arrive(Nanos::from_millis(*ms)));
        dispersion.index()
    }

    #[test]
    fn index_is_variance_over_mean_of_whole_bins() {
        // Whole bins of 10 ms: 2, 0 and 1 arrivals; the one at 30 only ends the span.
        // Mean 1, variance ((2−1)² + (0−1)² + (1−1)²) / 2 = 1.
        assert_eq!(index_of(10, &[0, 5, 20, 30]), Some(1.0));
        // 3, 0, 0, 0: mean 3/4, variance (9 − 9/4) / 3 = 9/4, index 3.
        assert_eq!(index_of(10, &[0, 1, 2, 40]), Some(3.0));
    }

    #[test]
    fn regular_arrivals_have_no_dispersion() {
        assert_eq!(index_of(10, &[0, 10, 20, 30, 40]), Some(0.0));
    }

    #[test]
    fn too_short_a_span_is_not_estimated() {
        assert_eq!(index_of(10, &[]), None);
        assert_eq!(index_of(10, &[0, 1, 9]), None);
        assert_eq!(index_of(10, &[0, 15]), None);
    }
}
