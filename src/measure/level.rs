//! A number that changes in steps: its largest value and its average over time.

use retrial_policy::Instant;

/// A level, watched from a certain instant on. Changes must come in the order of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    from: Instant,
    value: u64,
    since: Instant,
    /// Value times nanoseconds, from `from` to `since`.
    integral: u128,
    peak: u64,
}

impl Level {
    /// A level of zero that counts from `from` on.
    pub fn from(from: Instant) -> Self {
        Level { from, value: 0, since: from, integral: 0, peak: 0 }
    }

    /// The level is `value` from `at` on.
    #[inline]
    pub fn set(&mut self, at: Instant, value: u64) {
        self.advance(at);
        self.value = value;
        if at >= self.from {
            self.peak = self.peak.max(value);
        }
    }

    fn advance(&mut self, at: Instant) {
        if at > self.since {
            let span = at.saturating_since(self.since).get();
            // What stood when watching began counts too.
            self.peak = self.peak.max(self.value);
            self.integral += u128::from(self.value) * u128::from(span);
            self.since = at;
        }
    }

    /// The largest value.
    pub fn peak(&self) -> u64 {
        self.peak
    }

    /// The average up to `end`; `None` if no time has passed.
    pub fn mean(mut self, end: Instant) -> Option<f64> {
        self.advance(end);
        let span = end.saturating_since(self.from).get();
        (span > 0).then(|| self.integral as f64 / span as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(ms: u64) -> Instant {
        Instant::from_nanos(ms * 1_000_000)
    }

    /// 2 for 10 ms, 5 for 20, 1 for 10: 130 over 40.
    #[test]
    fn the_average_weighs_values_with_time() {
        let mut level = Level::from(at(0));
        level.set(at(0), 2);
        level.set(at(10), 5);
        level.set(at(30), 1);
        assert_eq!(level.mean(at(40)), Some(130.0 / 40.0));
        assert_eq!(level.peak(), 5);
    }

    #[test]
    fn what_came_before_watching_counts_only_as_it_then_stands() {
        let mut level = Level::from(at(100));
        level.set(at(10), 9);
        level.set(at(20), 3);
        level.set(at(150), 1);
        assert_eq!(level.mean(at(200)), Some(2.0));
        assert_eq!(level.peak(), 3);
        assert_eq!(Level::from(at(5)).mean(at(5)), None);
    }
}
