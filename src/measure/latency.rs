//! Latencies of logical requests: exact mean and maximum, quantiles to three digits.

use hdrhistogram::Histogram;
use retrial_policy::Nanos;

use super::metric::{Id, MetricRow};

/// The metrics of one population of latencies.
#[derive(Clone, Copy, Debug)]
pub struct Columns {
    mean: Id,
    p50: Id,
    p90: Id,
    p99: Id,
    p999: Id,
    max: Id,
}

impl Columns {
    /// Copies the figures of these columns into those of `into`.
    pub fn copy(self, into: Columns, row: &mut MetricRow) {
        for (from, to) in [
            (self.mean, into.mean),
            (self.p50, into.p50),
            (self.p90, into.p90),
            (self.p99, into.p99),
            (self.p999, into.p999),
            (self.max, into.max),
        ] {
            if let Some(value) = row.get(from) {
                row.set(to, value);
            }
        }
    }
}

/// Of accepted requests.
pub const ACCEPTED: Columns = Columns {
    mean: Id::LatencyMeanMs,
    p50: Id::LatencyP50Ms,
    p90: Id::LatencyP90Ms,
    p99: Id::LatencyP99Ms,
    p999: Id::LatencyP999Ms,
    max: Id::LatencyMaxMs,
};

/// Of all that ended, accepted or not.
pub const ALL: Columns = Columns {
    mean: Id::LatencyAllMeanMs,
    p50: Id::LatencyAllP50Ms,
    p90: Id::LatencyAllP90Ms,
    p99: Id::LatencyAllP99Ms,
    p999: Id::LatencyAllP999Ms,
    max: Id::LatencyAllMaxMs,
};

/// A population of latencies as a histogram keeps it: the largest nanosecond of each bucket that is
/// not empty, in order, and how many are in it.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct Buckets(pub Vec<(u64, u64)>);

/// The significant digits of histograms.
pub const DIGITS: u8 = 3;

/// A population of latencies. The histogram is made with the first one.
#[derive(Clone, Debug, Default)]
pub struct Latencies {
    histogram: Option<Histogram<u32>>,
    sum: u128,
    max: Nanos,
}

impl Latencies {
    /// Adds one.
    pub fn record(&mut self, latency: Nanos) {
        self.sum += u128::from(latency.get());
        self.max = self.max.max(latency);
        // So many digits are a legal precision, and an automatically growing histogram takes any
        // value, so neither call has a way to fail.
        if self.histogram.is_none() {
            self.histogram = Histogram::new(DIGITS).ok();
        }
        if let Some(histogram) = &mut self.histogram {
            let _ = histogram.record(latency.get());
        }
    }

    /// Adds all of another population.
    pub fn join(&mut self, other: &Latencies) {
        self.sum += other.sum;
        self.max = self.max.max(other.max);
        match (&mut self.histogram, &other.histogram) {
            (Some(own), Some(more)) => {
                let _ = own.add(more);
            }
            (None, Some(more)) => self.histogram = Some(more.clone()),
            (_, None) => {}
        }
    }

    /// All of them, bucket by bucket.
    pub fn buckets(&self) -> Buckets {
        let buckets = self.histogram.iter().flat_map(|histogram| histogram.iter_recorded());
        let bucket =
            buckets.map(|bucket| (bucket.value_iterated_to(), bucket.count_since_last_iteration()));
        Buckets(bucket.collect())
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.histogram.is_none()
    }

    /// Fills in the metrics, if there is any latency at all.
    pub fn fill(&self, row: &mut MetricRow, columns: Columns) {
        let Some(histogram) = &self.histogram else { return };
        let ms = |ns: f64| ns / 1e6;
        row.set(columns.mean, ms(self.sum as f64 / histogram.len() as f64));
        row.set(columns.max, self.max.as_millis_f64());
        for (id, quantile) in
            [(columns.p50, 0.5), (columns.p90, 0.9), (columns.p99, 0.99), (columns.p999, 0.999)]
        {
            // The histogram gives the upper end of a bucket, which may lie above the maximum.
            let value = histogram.value_at_quantile(quantile).min(self.max.get());
            row.set(id, ms(value as f64));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(latencies: &Latencies) -> MetricRow {
        let mut row = MetricRow::default();
        latencies.fill(&mut row, ACCEPTED);
        row
    }

    #[test]
    fn figures_of_one_to_a_thousand_milliseconds() {
        let mut latencies = Latencies::default();
        (1..=1000).for_each(|ms| latencies.record(Nanos::from_millis(ms)));
        let row = row(&latencies);
        assert_eq!(row.get(Id::LatencyMeanMs), Some(500.5));
        assert_eq!(row.get(Id::LatencyMaxMs), Some(1000.0));
        for (id, exact) in [
            (Id::LatencyP50Ms, 500.0),
            (Id::LatencyP90Ms, 900.0),
            (Id::LatencyP99Ms, 990.0),
            (Id::LatencyP999Ms, 999.0),
        ] {
            let estimate = row.get(id).unwrap();
            assert!((estimate / exact - 1.0).abs() < 1e-3, "{id:?}: {estimate}");
        }
    }

    #[test]
    fn no_latency_gives_no_figure() {
        assert_eq!(row(&Latencies::default()), MetricRow::default());
    }

    #[test]
    fn joining_is_recording_both() {
        let of = |latencies: &[u64]| {
            let mut population = Latencies::default();
            latencies.iter().for_each(|ms| population.record(Nanos::from_millis(*ms)));
            population
        };
        for (own, more) in
            [(&[10][..], &[30][..]), (&[30], &[10]), (&[10, 30], &[]), (&[], &[10, 30])]
        {
            let mut joined = of(own);
            joined.join(&of(more));
            assert_eq!(row(&joined), row(&of(&[10, 30])), "{own:?} and {more:?}");
        }
    }
}
