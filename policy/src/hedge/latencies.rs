//! What is slow: percentiles of the latencies seen so far, in a kilobyte of counts.

use crate::ratio::Ratio;
use crate::time::Nanos;

/// Counts within a power of two: a percentile is exact to an eighth.
const STEPS: usize = 8;
/// Powers of two of nanoseconds, from 2³ on: below, every value has its own count.
const POWERS: usize = 62;
/// Latencies after which all counts are halved, so that old ones fade.
const HALVED_AT: u32 = 8_192;

/// Latencies of attempts that got an answer. Old ones fade as new ones come.
#[derive(Clone, Debug)]
pub struct Latencies {
    counts: [u16; STEPS * POWERS],
    total: u32,
}

impl Default for Latencies {
    fn default() -> Self {
        Latencies { counts: [0; STEPS * POWERS], total: 0 }
    }
}

impl Latencies {
    /// Latencies that must be known before a percentile means anything.
    pub const ENOUGH: u32 = 20;

    /// An answer took so long.
    pub fn record(&mut self, latency: Nanos) {
        let count = &mut self.counts[place(latency.get())];
        *count = count.saturating_add(1);
        self.total += 1;
        if self.total >= HALVED_AT {
            self.counts.iter_mut().for_each(|count| *count /= 2);
            self.total = self.counts.iter().map(|count| u32::from(*count)).sum();
        }
    }

    /// A latency that at least `share` of those seen did not exceed, and at most an eighth above the
    /// smallest such. `None` before [`Latencies::ENOUGH`] were seen.
    pub fn percentile(&self, share: Ratio) -> Option<Nanos> {
        if self.total < Self::ENOUGH {
            return None;
        }
        // In nanoseconds, the ratio's own arithmetic, rounded up to whole latencies.
        let scaled = share.of(Nanos::new(u64::from(self.total) * SCALE)).get();
        let wanted = scaled.div_ceil(SCALE).min(self.total.into());
        let mut seen = 0;
        let place = self.counts.iter().position(|count| {
            seen += u64::from(*count);
            seen >= wanted.max(1)
        });
        place.map(|place| Nanos::new(upper_edge(place)))
    }
}

/// Fine enough that rounding down within [`Ratio::of`] is not seen.
const SCALE: u64 = 1_000_000;

/// The count that a latency belongs to.
fn place(latency: u64) -> usize {
    let power = latency.max(1).ilog2().saturating_sub(STEPS.ilog2());
    let step = (latency >> power) as usize;
    // Steps of the first power start at 0, those of the others in the middle of their octave.
    power as usize * STEPS + step
}

/// The largest latency of a count.
fn upper_edge(place: usize) -> u64 {
    let power = (place / STEPS).saturating_sub(1) as u32;
    let step = (place - power as usize * STEPS) as u64;
    // The very last edge is the largest number there is.
    ((step + 1) << power).wrapping_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_latency_has_a_place_whose_edge_is_at_most_an_eighth_above() {
        let mut last = 0;
        for power in 0..64 {
            for offset in [0, 1, 2, 3, 5, 7] {
                let latency = (1_u64 << power).saturating_add((1_u64 << power) / 8 * offset);
                let place = place(latency);
                assert!(place < STEPS * POWERS, "{latency}");
                assert!(place >= last, "{latency}");
                last = place;
                let edge = upper_edge(place);
                assert!(edge >= latency && edge - latency <= latency / 8, "{latency}: {edge}");
            }
        }
    }

    #[test]
    fn percentiles_are_those_of_the_sample() {
        let mut latencies = Latencies::default();
        assert_eq!(latencies.percentile(Ratio::from_percent(50)), None);
        (1..=1_000).for_each(|ms| latencies.record(Nanos::from_millis(ms)));
        for percent in [1, 10, 50, 90, 95, 99, 100] {
            let exact = Nanos::from_millis(percent * 10).get();
            let got = latencies.percentile(Ratio::from_percent(percent)).unwrap().get();
            assert!(got >= exact && got <= exact + exact / 8, "{percent}: {got}");
        }
    }

    #[test]
    fn old_latencies_fade() {
        let mut latencies = Latencies::default();
        (0..HALVED_AT).for_each(|_| latencies.record(Nanos::from_secs(1)));
        (0..5 * HALVED_AT).for_each(|_| latencies.record(Nanos::from_millis(1)));
        let median = latencies.percentile(Ratio::from_percent(95)).unwrap();
        assert!(median < Nanos::from_millis(2), "{median}");
    }
}
