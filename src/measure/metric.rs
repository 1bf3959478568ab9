//! The names, units and order of all metrics: the columns of `runs.csv`.

/// One metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Metric {
    /// The column name; ends in the unit where there is one.
    pub name: &'static str,
    /// The unit; empty for a pure number.
    pub unit: &'static str,
}

macro_rules! metrics {
    ($($id:ident = $name:literal, $unit:literal;)*) => {
        /// Every metric, by its place in [`ALL`].
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[allow(missing_docs, reason = "the names are the documentation of the result files")]
        pub enum Id { $($id,)* }

        /// All metrics in the order of the columns.
        pub const ALL: &[Metric] = &[$(Metric { name: $name, unit: $unit },)*];
    };
}

metrics! {
    Requests = "requests", "";
    Attempts = "attempts", "";
    Retries = "retries", "";
    Fallbacks = "fallbacks", "";
    FirstTrySucceeded = "first_try_succeeded", "";
    RetriedSucceeded = "retried_succeeded", "";
    RetriedGaveUp = "retried_gave_up", "";
    FixedNoRetry = "fixed_no_retry", "";
    EndedOtherwise = "ended_otherwise", "";
    Succeeded = "succeeded", "";
    Stopped = "stopped", "";
    GaveUpAttempts = "gave_up_attempts", "";
    GaveUpDeadline = "gave_up_deadline", "";
    GaveUpBudget = "gave_up_budget", "";
    Reconciled = "reconciled", "";
    Unfinished = "unfinished", "";
    SuccessRatio = "success_ratio", "";
    GoodputPerS = "goodput_per_s", "1/s";
    Amplification = "amplification", "";
    WastedRatio = "wasted_ratio", "";
    MakespanMs = "makespan_ms", "ms";
    LatencyMeanMs = "latency_mean_ms", "ms";
    LatencyP50Ms = "latency_p50_ms", "ms";
    LatencyP90Ms = "latency_p90_ms", "ms";
    LatencyP99Ms = "latency_p99_ms", "ms";
    LatencyP999Ms = "latency_p999_ms", "ms";
    LatencyMaxMs = "latency_max_ms", "ms";
    LatencyAllMeanMs = "latency_all_mean_ms", "ms";
    LatencyAllP50Ms = "latency_all_p50_ms", "ms";
    LatencyAllP90Ms = "latency_all_p90_ms", "ms";
    LatencyAllP99Ms = "latency_all_p99_ms", "ms";
    LatencyAllP999Ms = "latency_all_p999_ms", "ms";
    LatencyAllMaxMs = "latency_all_max_ms", "ms";
    ArrivalsPeakPerS = "arrivals_peak_per_s", "1/s";
    ArrivalsPeakToMean = "arrivals_peak_to_mean", "";
    ArrivalsFano10Ms = "arrivals_fano_10ms", "";
    ArrivalsFano100Ms = "arrivals_fano_100ms", "";
    ArrivalsFano1S = "arrivals_fano_1s", "";
    ArrivalsClustering = "arrivals_clustering", "";
    DrainMs = "drain_ms", "ms";
    RecoveryMs = "recovery_ms", "ms";
    RecoveredRatio = "recovered_ratio", "";
    BacklogPeak = "backlog_peak", "";
    QueueMean = "queue_mean", "";
    OrbitMean = "orbit_mean", "";
    Utilisation = "utilisation", "";
    BlockingRatio = "blocking_ratio", "";
    BlockingFirstRatio = "blocking_first_ratio", "";
    EarlyRetries = "early_retries", "";
    Duplicates = "duplicates", "";
    SpendTokens = "spend_tokens", "";
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
