//! Counts and levels over time, in bins that widen as a run gets longer.
//!
//! A level that changes touches one bin only: what it leaves behind is summed up at the end. Times
//! may come in any order.

use retrial_policy::{Instant, Nanos};

/// `C` counts and `L` levels being recorded.
#[derive(Clone, Debug)]
pub struct Binned<const C: usize, const L: usize> {
    /// Bins of the finished record at most.
    most: usize,
    /// Width of a fine bin: the base width times a power of ten.
    width: u64,
    bins: Vec<Fine<C, L>>,
}

/// One fine bin while recording.
#[derive(Clone, Copy, Debug)]
struct Fine<const C: usize, const L: usize> {
    counts: [u64; C],
    levels: [Level; L],
}

/// Changes of a level within one bin.
#[derive(Clone, Copy, Debug, Default)]
struct Level {
    /// The sum of the changes: they last beyond the bin.
    change: i64,
    /// The sum of (change · time left in the bin): their share of this bin's integral.
    within: i128,
}

/// One bin of a finished record.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bin<const C: usize, const L: usize> {
    /// Where it begins.
    pub start: Instant,
    /// Its width; the last one may end early.
    pub width: Nanos,
    /// What was counted in it.
    pub counts: [u64; C],
    /// Time averages.
    pub levels: [f64; L],
}

impl<const C: usize, const L: usize> Default for Fine<C, L> {
    fn default() -> Self {
        Fine { counts: [0; C], levels: [Level::default(); L] }
    }
}

impl<const C: usize, const L: usize> Binned<C, L> {
    /// Bins that are at least `width` wide, `most` of them at most in the end.
    pub fn new(width: Nanos, most: usize) -> Self {
        Binned { most: most.max(1), width: width.get().max(1), bins: Vec::new() }
    }

    /// Counts one.
    pub fn count(&mut self, which: usize, at: Instant) {
        let index = self.index(at);
        self.bins[index].counts[which] += 1;
    }

    /// Changes a level by `change` from `at` on.
    pub fn change(&mut self, which: usize, at: Instant, change: i64) {
        let index = self.index(at);
        let left = self.width - at.as_nanos() % self.width;
        let level = &mut self.bins[index].levels[which];
        level.change += change;
        level.within += i128::from(change) * i128::from(left);
    }

    /// The fine bin of `at`, which exists then. While recording there may be five times as many as in
    /// the end: one power of ten of the ladder 1-2-5 at its widest.
    fn index(&mut self, at: Instant) -> usize {
        while at.as_nanos() / self.width >= 5 * self.most as u64 {
            self.bins = merge(&self.bins, 10, self.width);
            self.width = self.width.saturating_mul(10);
        }
        let index = (at.as_nanos() / self.width) as usize;
        if index >= self.bins.len() {
            self.bins.resize(index + 1, Fine::default());
        }
        index
    }

    /// The record up to `end`, with bins on the ladder 1, 2, 5, 10, … of the base width.
    pub fn finish(mut self, end: Instant) -> Vec<Bin<C, L>> {
        // Levels last to the end, even if nothing happened since. What happens at the very end
        // belongs to the last bin.
        let last = self.index(Instant::from_nanos(end.as_nanos().saturating_sub(1)));
        for late in self.bins.split_off(last + 1) {
            for (into, from) in self.bins[last].counts.iter_mut().zip(late.counts) {
                *into += from;
            }
        }
        let factor = [1, 2, 5].into_iter().find(|f| self.bins.len().div_ceil(*f) <= self.most);
        let factor = factor.unwrap_or(10);
        let merged = merge(&self.bins, factor, self.width);
        let width = self.width * factor as u64;
        let mut before = [0_i64; L];
        let bins = (0_u64..).zip(&merged).map(|(index, fine)| {
            let start = index * width;
            let length = (end.as_nanos() - start).clamp(1, width);
            let mut levels = [0.0; L];
            for ((average, level), before) in levels.iter_mut().zip(fine.levels).zip(&mut before) {
                let whole = i128::from(*before) * i128::from(length);
                // Changes were weighed with the whole bin; the last one may end early.
                let beyond = i128::from(level.change) * i128::from(width - length);
                *before += level.change;
                *average = (whole + level.within - beyond) as f64 / length as f64;
            }
            let (start, width) = (Instant::from_nanos(start), Nanos::new(width));
            Bin { start, width, counts: fine.counts, levels }
        });
        bins.collect()
    }
}

/// Bins `factor` times as wide. A change in an early bin also fills the later ones it merges with.
fn merge<const C: usize, const L: usize>(
    bins: &[Fine<C, L>],
    factor: usize,
    width: u64,
) -> Vec<Fine<C, L>> {
    let chunks = bins.chunks(factor).map(|chunk| {
        let mut sum = Fine::default();
        for (index, fine) in chunk.iter().enumerate() {
            let after = i128::from(width) * (factor - 1 - index) as i128;
            for (into, from) in sum.counts.iter_mut().zip(fine.counts) {
                *into += from;
            }
            for (into, from) in sum.levels.iter_mut().zip(fine.levels) {
                into.change += from.change;
                into.within += from.within + i128::from(from.change) * after;
            }
        }
        sum
    });
    chunks.collect()
}
