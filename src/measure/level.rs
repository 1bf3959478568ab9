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
    /// The end so far, and the integral up to it if the level changed afterwards.
    end: Instant,
    integral_at_end: Option<u128>,
}

impl Level {
    /// A level of zero that counts from `from` on.
    pub fn from(from: Instant) -> Self {
        Level {
            from,
            value: 0,
            since: from,
            integral: 0,
            peak: 0,
            end: from,
            integral_at_end: None,
        }
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

    /// The average may have to end at `at`, which must not lie before the last change. A later
    /// call replaces an earlier one.
    #[inline]
    pub fn may_end(&mut self, at: Instant) {
        if at > self.end {
            (self.end, self.integral_at_end) = (at, None);
        }
    }

    fn advance(&mut self, at: Instant) {
        if at > self.since {
            // What stood when watching began counts too.
            self.peak = self.peak.max(self.value);
            if (self.since..at).contains(&self.end) {
                self.integral_at_end = Some(self.integral_to(self.end));
            }
            self.integral = self.integral_to(at);
            self.since = at;
        }
    }

    fn integral_to(&self, at: Instant) -> u128 {
        let span = at.saturating_since(self.since).get();
        self.integral + u128::from(self.value) * u128::from(span)
    }

    /// The largest value.
    pub fn peak(&self) -> u64 {
        // What stood when watching began, and never changed, counts too.
        self.peak.max(self.value)
    }

    /// The average up to `end`; `None` if no time has passed. Changes after it are ignored if
    /// [`Level::may_end`] was told of it.
    pub fn mean(&self, end: Instant) -> Option<f64> {
        let integral = match self.integral_at_end {
            Some(integral) if end == self.end => integral,
            _ => self.integral_to(end),
        };
        let span = end.saturating_since(self.from).get();
        (span > 0).then(|| integral as f64 / span as f64)
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

    /// 1 until 10 ms, 3 until 40. Nothing after the end counts, even if that is put off.
    #[test]
    fn what_comes_after_the_end_does_not_count() {
        let mut level = Level::from(at(0));
        level.set(at(0), 1);
        level.may_end(at(5));
        level.set(at(10), 3);
        level.may_end(at(20));
        level.may_end(at(15));
        level.set(at(40), 0);
        level.set(at(50), 7);
        assert_eq!(level.mean(at(20)), Some((10.0 + 30.0) / 20.0));
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
