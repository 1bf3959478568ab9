//! Everything that is said about the stream of attempts at a route.

use retrial_policy::{Instant, Nanos};

use super::clustering::Clustering;
use super::dispersion::{Dispersion, Span};
use super::metric::{Id, MetricRow};
use super::peak::Peak;
use crate::engine::stream::Stream;

/// Statistics of an arrival stream. Arrivals must come in order of time.
#[derive(Clone, Debug)]
pub struct Arrivals {
    span: Span,
    count: u64,
    peak: Peak,
    fano_10ms: Dispersion,
    fano_100ms: Dispersion,
    fano_1s: Dispersion,
    clustering: Clustering,
}

impl Default for Arrivals {
    fn default() -> Self {
        Arrivals {
            span: Span::default(),
            count: 0,
            peak: Peak::new(Nanos::from_millis(100)),
            fano_10ms: Dispersion::new(Nanos::from_millis(10)),
            fano_100ms: Dispersion::new(Nanos::from_millis(100)),
            fano_1s: Dispersion::new(Nanos::from_secs(1)),
            clustering: Clustering::default(),
        }
    }
}

impl Arrivals {
    /// Counts an arrival.
    #[inline]
    pub fn arrive(&mut self, now: Instant) {
        let since_first = self.span.arrive(now);
        self.count += 1;
        self.peak.arrive(now);
        self.fano_10ms.arrive(since_first);
        self.fano_100ms.arrive(since_first);
        self.fano_1s.arrive(since_first);
        self.clustering.arrive(since_first);
    }

    /// The first arrival.
    pub fn first(&self) -> Option<Instant> {
        self.span.first()
    }

    /// Fills in the metrics. `reference` draws the arrivals that clustering is measured against.
    pub fn fill(&self, row: &mut MetricRow, reference: &mut Stream) {
        if self.count == 0 {
            return;
        }
        let peak = self.peak.per_second();
        let mean = self.count as f64 * 1e9 / self.span.length().get() as f64;
        row.set(Id::ArrivalsPeakPerS, peak);
        // With a single arrival there is no span and no mean rate.
        if mean.is_finite() {
            row.set(Id::ArrivalsPeakToMean, peak / mean);
        }
        let estimates = [
            (Id::ArrivalsFano10Ms, self.fano_10ms.index()),
            (Id::ArrivalsFano100Ms, self.fano_100ms.index()),
            (Id::ArrivalsFano1S, self.fano_1s.index()),
            (Id::ArrivalsClustering, self.clustering.ratio(self.span.length(), reference)),
        ];
        for (id, estimate) in estimates {
            if let Some(value) = estimate {
                row.set(id, value);
            }
        }
    }
}
