//! The names, units and order of all metrics: the columns of `runs.csv`.

/// One metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Metric {
    /// The column name; ends in the unit where there is one.
    pub name: &'static str,
    /// The unit; empty for a pure number.
    pub unit: &'static str,
    /// Which way it is better.
    pub better: Better,
    /// What its value in one run is.
    pub kind: Kind,
}

/// Which way a metric is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Better {
    /// Smaller values.
    Lower,
    /// Larger values.
    Higher,
    /// Neither: what is good depends on what it is set against.
    Neither,
}

/// What the value of one run is: statistics treat them differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A count, a time, a mean: any number.
    Number,
    /// 1 or 0: something came to pass in the run, or did not.
    Event,
    /// A share, between 0 and 1, of what the metric with this id counts.
    ShareOf(Id),
    /// A quantile of the run's latencies.
    Quantile {
        /// Thousandths of the latencies that are at or below it.
        per_mille: u64,
        /// Of accepted requests only, not of all that ended.
        accepted: bool,
    },
}

impl Kind {
    /// Whether it lies between 0 and 1.
    pub fn is_rate(self) -> bool {
        match self {
            Kind::Event | Kind::ShareOf(_) => true,
            Kind::Number | Kind::Quantile { .. } => false,
        }
    }
}

/// The kind of a metric.
const fn kind(id: Id) -> Kind {
    match id {
        Id::RecoveredRatio => Kind::Event,
        // A request has one first attempt at most.
        Id::SuccessRatio | Id::BlockingFirstRatio => Kind::ShareOf(Id::Requests),
        Id::WastedRatio | Id::BlockingRatio => Kind::ShareOf(Id::Attempts),
        Id::LatencyP50Ms => quantile(500, true),
        Id::LatencyP90Ms => quantile(900, true),
        Id::LatencyP99Ms => quantile(990, true),
        Id::LatencyP999Ms => quantile(999, true),
        Id::LatencyAllP50Ms => quantile(500, false),
        Id::LatencyAllP90Ms => quantile(900, false),
        Id::LatencyAllP99Ms => quantile(990, false),
        Id::LatencyAllP999Ms => quantile(999, false),
        _ => Kind::Number,
    }
}

const fn quantile(per_mille: u64, accepted: bool) -> Kind {
    Kind::Quantile { per_mille, accepted }
}

macro_rules! metrics {
    ($($id:ident = $name:literal, $unit:literal, $better:ident;)*) => {
        /// Every metric, by its place in [`ALL`].
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[allow(missing_docs, reason = "the names are the documentation of the result files")]
        pub enum Id { $($id,)* }

        /// All metrics in the order of the columns.
        pub const ALL: &[Metric] = &[$(
            Metric {
                name: $name,
                unit: $unit,
                better: Better::$better,
                kind: kind(Id::$id),
            },
        )*];
    };
}

metrics! {
    Requests = "requests", "", Neither;
    Attempts = "attempts", "", Lower;
    Retries = "retries", "", Lower;
    Fallbacks = "fallbacks", "", Neither;
    FirstTrySucceeded = "first_try_succeeded", "", Higher;
    RetriedSucceeded = "retried_succeeded", "", Neither;
    RetriedGaveUp = "retried_gave_up", "", Neither;
    FixedNoRetry = "fixed_no_retry", "", Neither;
    EndedOtherwise = "ended_otherwise", "", Neither;
    Succeeded = "succeeded", "", Higher;
    Stopped = "stopped", "", Neither;
    GaveUpAttempts = "gave_up_attempts", "", Neither;
    GaveUpDeadline = "gave_up_deadline", "", Neither;
    GaveUpBudget = "gave_up_budget", "", Neither;
    Reconciled = "reconciled", "", Neither;
    Unfinished = "unfinished", "", Lower;
    SuccessRatio = "success_ratio", "", Higher;
    GoodputPerS = "goodput_per_s", "1/s", Higher;
    Amplification = "amplification", "", Lower;
    WastedRatio = "wasted_ratio", "", Lower;
    MakespanMs = "makespan_ms", "ms", Lower;
    LatencyMeanMs = "latency_mean_ms", "ms", Lower;
    LatencyP50Ms = "latency_p50_ms", "ms", Lower;
    LatencyP90Ms = "latency_p90_ms", "ms", Lower;
    LatencyP99Ms = "latency_p99_ms", "ms", Lower;
    LatencyP999Ms = "latency_p999_ms", "ms", Lower;
    LatencyMaxMs = "latency_max_ms", "ms", Lower;
    LatencyAllMeanMs = "latency_all_mean_ms", "ms", Lower;
    LatencyAllP50Ms = "latency_all_p50_ms", "ms", Lower;
    LatencyAllP90Ms = "latency_all_p90_ms", "ms", Lower;
    LatencyAllP99Ms = "latency_all_p99_ms", "ms", Lower;
    LatencyAllP999Ms = "latency_all_p999_ms", "ms", Lower;
    LatencyAllMaxMs = "latency_all_max_ms", "ms", Lower;
    ArrivalsPeakPerS = "arrivals_peak_per_s", "1/s", Lower;
    ArrivalsPeakToMean = "arrivals_peak_to_mean", "", Lower;
    ArrivalsFano10Ms = "arrivals_fano_10ms", "", Lower;
    ArrivalsFano100Ms = "arrivals_fano_100ms", "", Lower;
    ArrivalsFano1S = "arrivals_fano_1s", "", Lower;
    ArrivalsClustering = "arrivals_clustering", "", Lower;
    DrainMs = "drain_ms", "ms", Lower;
    RecoveryMs = "recovery_ms", "ms", Lower;
    RecoveredRatio = "recovered_ratio", "", Higher;
    BacklogPeak = "backlog_peak", "", Lower;
    QueueMean = "queue_mean", "", Lower;
    OrbitMean = "orbit_mean", "", Neither;
    Utilisation = "utilisation", "", Neither;
    BlockingRatio = "blocking_ratio", "", Lower;
    BlockingFirstRatio = "blocking_first_ratio", "", Lower;
    EarlyRetries = "early_retries", "", Lower;
    Duplicates = "duplicates", "", Lower;
    SpendTokens = "spend_tokens", "", Lower;
}

/// Whether a metric of one run is a whole number that is counted, not computed.
pub fn is_count(metric: usize) -> bool {
    let is = |id: Id| id as usize == metric;
    metric <= Id::Unfinished as usize
        || is(Id::BacklogPeak)
        || is(Id::EarlyRetries)
        || is(Id::Duplicates)
}

/// The metric called `name`.
pub fn by_name(name: &str) -> Option<usize> {
    ALL.iter().position(|metric| metric.name == name)
}

/// The values of one run, in the order of [`ALL`]; `None` where a metric can't be estimated or
/// does not apply.
#[derive(Clone, Debug, PartialEq)]
pub struct MetricRow(Vec<Option<f64>>);

impl Default for MetricRow {
    fn default() -> Self {
        MetricRow(vec![None; ALL.len()])
    }
}

impl MetricRow {
    /// A row from values in the order of [`ALL`]; `None` if their number is wrong.
    pub fn from_values(values: Vec<Option<f64>>) -> Option<Self> {
        (values.len() == ALL.len()).then_some(MetricRow(values))
    }

    /// Sets a metric; a value that is not finite can't be estimated.
    pub fn set(&mut self, id: Id, value: f64) {
        self.0[id as usize] = value.is_finite().then_some(value);
    }

    /// A metric's value.
    pub fn get(&self, id: Id) -> Option<f64> {
        self.0[id as usize]
    }

    /// All values in the order of [`ALL`].
    pub fn values(&self) -> &[Option<f64>] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_found() {
        for (index, metric) in ALL.iter().enumerate() {
            assert_eq!(by_name(metric.name), Some(index), "{}", metric.name);
        }
        assert_eq!(by_name("amplificaton"), None);
    }

    #[test]
    fn names_of_times_and_rates_end_in_their_unit() {
        for metric in ALL {
            let suffix = match metric.unit {
                "ms" => "_ms",
                "1/s" => "_per_s",
                _ => continue,
            };
            assert!(metric.name.ends_with(suffix), "{}", metric.name);
        }
    }
}
