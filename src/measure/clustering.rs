//! How clustered arrivals are, compared with chance: the headline number of a run.
//!
//! The index of dispersion confuses waves with a changing rate: after an outage the falling rate
//! of retries is dispersion itself. The *local* dispersion compares each bin with its
//! neighbourhood only, and dividing by the same figure for Poisson arrivals with the same smoothed
//! rate leaves 1 for arrivals as spread as chance would spread them.

use crate::engine::sample::Poisson;
use crate::engine::stream::Stream;
use retrial_policy::Nanos;

/// Bins of 50 ms.
const WIDTH: u64 = 50_000_000;
/// A bin and five neighbours on each side.
const NEIGHBOURHOOD: usize = 11;
const REACH: usize = NEIGHBOURHOOD / 2;
/// Fewer arrivals than this in a neighbourhood say nothing.
const LEAST_ARRIVALS: u64 = 5;
/// Bounds memory: the first 10,000 s.
const MAX_BINS: usize = 200_000;
const REFERENCE_DRAWS: usize = 10;

/// Arrivals per bin, from the first arrival on.
#[derive(Clone, Debug, Default)]
pub struct Clustering {
    counts: Vec<u32>,
}

impl Clustering {
    /// Counts an arrival `since_first` after the first one.
    #[inline]
    pub fn arrive(&mut self, since_first: Nanos) {
        let bin = (since_first.get() / WIDTH) as usize;
        if bin >= self.counts.len() {
            if bin >= MAX_BINS {
                return;
            }
            self.counts.resize(bin + 1, 0);
        }
        self.counts[bin] += 1;
    }

    /// Local dispersion over that of the reference; `None` where no neighbourhood has enough
    /// arrivals. `span` is the time from the first to the last arrival.
    pub fn ratio(&self, span: Nanos, stream: &mut Stream) -> Option<f64> {
        let whole = ((span.get() / WIDTH) as usize).min(self.counts.len());
        let counts = &self.counts[..whole];
        let own = local_dispersion(counts)?;
        let rates: Vec<_> = smoothed(counts).map(Poisson::new).collect();
        let mut drawn = vec![0; whole];
        let (mut sum, mut draws) = (0.0, 0.0);
        for _ in 0..REFERENCE_DRAWS {
            for (count, rate) in drawn.iter_mut().zip(&rates) {
                *count = rate.sample(stream) as u32;
            }
            if let Some(dispersion) = local_dispersion(&drawn) {
                sum += dispersion;
                draws += 1.0;
            }
        }
        (sum > 0.0).then(|| own / (sum / draws))
    }
}

/// Mean over bins of (c − m)² / m · 11/10, with m the mean of the bin's neighbourhood. The factor
/// makes up for m containing c.
fn local_dispersion(counts: &[u32]) -> Option<f64> {
    let (mut total, mut bins) = (0.0, 0_u32);
    for window in counts.windows(NEIGHBOURHOOD) {
        let sum: u64 = window.iter().map(|count| u64::from(*count)).sum();
        if sum >= LEAST_ARRIVALS {
            let mean = sum as f64 / NEIGHBOURHOOD as f64;
            let excess = f64::from(window[REACH]) - mean;
            total += excess * excess / mean;
            bins += 1;
        }
    }
    let correction = NEIGHBOURHOOD as f64 / (NEIGHBOURHOOD - 1) as f64;
    (bins > 0).then(|| total / f64::from(bins) * correction)
}

/// The mean of each bin's neighbourhood, as far as there are bins.
fn smoothed(counts: &[u32]) -> impl Iterator<Item = f64> {
    (0..counts.len()).map(|bin| {
        let near = &counts[bin.saturating_sub(REACH)..(bin + REACH + 1).min(counts.len())];
        near.iter().map(|count| f64::from(*count)).sum::<f64>() / near.len() as f64
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::sample::standard_exponential;
    use crate::engine::stream::{Purpose, StreamKey};

    fn stream(replication: u64) -> Stream {
        StreamKey::of_run(7, replication, Purpose::Reference, 0).part(0)
    }

    /// Twelve bins with 11 arrivals all in bin 5: two whole neighbourhoods (bins 5 and 6), mean 1.
    /// Bin 5: (11 − 1)² / 1 = 100; bin 6: (0 − 1)² / 1 = 1. Mean 50.5, times 11/10.
    #[test]
    fn local_dispersion_matches_a_hand_computed_case() {
        let mut counts = [0; 12];
        counts[5] = 11;
        let dispersion = local_dispersion(&counts).unwrap();
        assert!((dispersion - 55.55).abs() < 1e-12, "{dispersion}");
    }

    #[test]
    fn too_few_arrivals_or_bins_are_not_estimated() {
        assert_eq!(local_dispersion(&[4; 10]), None);
        let mut sparse = [0; 30];
        sparse[15] = 4;
        assert_eq!(local_dispersion(&sparse), None);
    }

    /// Poisson arrivals whose rate triples half-way. Over 200 fixed seeds the mean ratio must be 1
    /// within 4 standard errors: a false alarm in 1 of 16,000 choices of seeds.
    #[test]
    fn poisson_arrivals_with_a_changing_rate_have_ratio_one() {
        let mut ratios = Vec::new();
        for seed in 0..200 {
            let mut arrivals = StreamKey::of_run(seed, 0, Purpose::Network, 0).part(0);
            let mut clustering = Clustering::default();
            let mut t = 0.0;
            while t < 20e9 {
                clustering.arrive(Nanos::new(t as u64));
                let rate = if t < 10e9 { 50.0 } else { 150.0 };
                t += standard_exponential(&mut arrivals) * 1e9 / rate;
            }
            ratios.push(clustering.ratio(Nanos::new(t as u64), &mut stream(seed)).unwrap());
        }
        let n = ratios.len() as f64;
        let mean = ratios.iter().sum::<f64>() / n;
        let variance = ratios.iter().map(|r| (r - mean) * (r - mean)).sum::<f64>() / (n - 1.0);
        let standard_error = (variance / n).sqrt();
        assert!((mean - 1.0).abs() < 4.0 * standard_error, "{mean} ± {standard_error}");
        assert!(standard_error < 0.01, "the test has no power: {standard_error}");
    }

    #[test]
    fn waves_stand_out_from_chance() {
        let mut clustering = Clustering::default();
        for wave in 0..20 {
            (0..200).for_each(|_| clustering.arrive(Nanos::from_millis(400 * wave)));
        }
        let ratio = clustering.ratio(Nanos::from_millis(400 * 19), &mut stream(0)).unwrap();
        assert!(ratio > 20.0, "{ratio}");
    }
}
