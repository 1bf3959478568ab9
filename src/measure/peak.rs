//! The largest number of arrivals in any sliding window.

use std::collections::VecDeque;

use retrial_policy::{Instant, Nanos};

/// Slides a half-open window over arrivals that come in order: two arrivals exactly one width
/// apart are never in it together. Holds the arrivals of one window.
#[derive(Clone, Debug)]
pub struct Peak {
    width: Nanos,
    recent: VecDeque<Instant>,
    most: usize,
}

impl Peak {
    /// For windows of `width`.
    pub fn new(width: Nanos) -> Self {
        Peak { width, recent: VecDeque::new(), most: 0 }
    }

    /// Counts an arrival.
    #[inline]
    pub fn arrive(&mut self, now: Instant) {
        while let Some(oldest) = self.recent.front()
            && now.saturating_since(*oldest) >= self.width
        {
            self.recent.pop_front();
        }
        self.recent.push_back(now);
        self.most = self.most.max(self.recent.len());
    }

    /// The largest count, as a rate per second; zero without arrivals.
    pub fn per_second(&self) -> f64 {
        self.most as f64 * 1e9 / self.width.get() as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn window_slides_and_is_half_open() {
        let mut peak = Peak::new(Nanos::from_millis(100));
        // 60, 90 and 150 ms fit in one window, in no fixed bin of 100 ms; 160 drops 60.
        for ms in [0, 60, 90, 150, 160] {
            peak.arrive(Instant::from_nanos(ms * 1_000_000));
        }
        assert_eq!(peak.per_second(), 30.0);
    }
}
