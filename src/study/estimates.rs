//! The estimates of a cell's metrics from its runs.

use super::statistics::estimate::{Estimate, Estimator};
use super::statistics::interval::{Sample, estimate};
use super::unit::Run;
use crate::engine::stream::{Purpose, StreamKey};
use crate::experiment::outline::Outline;
use crate::measure::metric::{self, Id, Kind, Metric};

/// The estimates in the order of [`metric::ALL`]; `draws` is the key of all that the cell resamples.
pub fn estimates(runs: &[Run], draws: StreamKey, estimator: &mut Estimator) -> Vec<Estimate> {
    let columns = 0..metric::ALL.len();
    columns.map(|column| of_metric(runs, column, draws, estimator)).collect()
}

/// The key of what a policy at a point resamples.
pub fn draws(outline: &Outline, policy: usize, point: usize) -> StreamKey {
    let values = outline.axes.iter().zip(&outline.points[point].values);
    let values = values.map(|(axis, value)| (axis.as_str(), value.text.as_str()));
    draws_of(outline.seed, &outline.policies[policy], values)
}

/// The same by names: the policy's, and the swept keys with their values as text. They make the key,
/// not their places, so that what else a study holds does not show in a cell's intervals.
pub fn draws_of<'a>(
    seed: u64,
    policy: &str,
    point: impl Iterator<Item = (&'a str, &'a str)>,
) -> StreamKey {
    let key = StreamKey::of_run(seed, 0, Purpose::Resample, 0).of_name(policy);
    point.fold(key, |key, (axis, value)| key.of_name(axis).of_name(value))
}

/// The estimate of the metric at place `column` of [`metric::ALL`].
pub fn of_metric(
    runs: &[Run],
    column: usize,
    draws: StreamKey,
    estimator: &mut Estimator,
) -> Estimate {
    let metric = &metric::ALL[column];
    if shortage(runs, metric).is_some() {
        return Estimate { mean: None, ci95: None, n: 0 };
    }
    let with_value = || runs.iter().filter(|run| run.metrics.values()[column].is_some());
    let values: Vec<_> = with_value().filter_map(|run| run.metrics.values()[column]).collect();
    let sample = match metric.kind {
        Kind::Number | Kind::Quantile { .. } => Sample::Numbers,
        Kind::Event => Sample::Events,
        Kind::ShareOf(whole) => {
            let counts = with_value().filter_map(|run| run.metrics.get(whole));
            Sample::Shares { trials: counts.sum() }
        }
    };
    estimate(&values, sample, draws.of_name(metric.name), estimator)
}

/// Too few requests for a quantile.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shortage {
    /// How many latencies a run has, on average.
    pub had: f64,
    /// How many it would take.
    pub needed: u64,
}

/// Why a quantile of latencies can't be estimated from `runs`, if so: a p-quantile needs
/// 10 / (1 - p) latencies of each run on average, ten beyond it (Law, "Simulation Modeling and
/// Analysis", chapter 9; with fewer it is mostly the maximum). `None` for other metrics, and where
/// there is no latency at all.
pub fn shortage(runs: &[Run], metric: &Metric) -> Option<Shortage> {
    let Kind::Quantile { per_mille, accepted } = metric.kind else { return None };
    let latencies = |run: &Run| {
        let count = |id: Id| run.metrics.get(id).unwrap_or(0.0);
        if accepted { count(Id::Succeeded) } else { count(Id::Requests) - count(Id::Unfinished) }
    };
    let had = runs.iter().map(latencies).sum::<f64>() / runs.len() as f64;
    let needed = 10_000 / (1000 - per_mille);
    (had > 0.0 && had < needed as f64).then_some(Shortage { had, needed })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::layers::AttemptsByLayer;
    use crate::measure::metric::MetricRow;

    fn run(values: &[(Id, f64)]) -> Run {
        let mut metrics = MetricRow::default();
        values.iter().for_each(|(id, value)| metrics.set(*id, *value));
        Run { metrics, fingerprint: 0, layers: AttemptsByLayer::default() }
    }

    fn estimated(runs: &[Run], id: Id) -> Estimate {
        let draws = StreamKey::of_run(1, 0, Purpose::Resample, 0);
        estimates(runs, draws, &mut Estimator::default())[id as usize]
    }

    /// 30 · 200 requests without a failure: 3 / 6000.
    #[test]
    fn a_share_that_is_always_one_is_bounded_by_all_its_requests() {
        let runs = vec![run(&[(Id::Requests, 200.0), (Id::SuccessRatio, 1.0)]); 30];
        let estimate = estimated(&runs, Id::SuccessRatio);
        assert_eq!((estimate.mean, estimate.ci95), (Some(1.0), Some((1.0 - 3.0 / 6000.0, 1.0))));
        let runs = vec![run(&[(Id::Attempts, 50.0), (Id::BlockingRatio, 0.0)]); 20];
        assert_eq!(estimated(&runs, Id::BlockingRatio).ci95, Some((0.0, 0.003)));
        let counts = vec![run(&[(Id::Duplicates, 0.0)]); 20];
        assert_eq!(
            estimated(&counts, Id::Duplicates).ci95,
            Some((0.0, 0.0)),
            "a count is not a rate"
        );
    }

    #[test]
    fn what_happened_in_every_run_may_fail_in_one_of_ten() {
        let recovered = |count: usize| {
            let runs: Vec<_> = (0..30)
                .map(|n| run(&[(Id::RecoveredRatio, if n < count { 1.0 } else { 0.0 })]))
                .collect();
            estimated(&runs, Id::RecoveredRatio).ci95.unwrap()
        };
        assert_eq!(recovered(30), (0.9, 1.0));
        assert_eq!(recovered(0), (0.0, 0.1));
        let (low, high) = recovered(27);
        // scipy's `binomtest(27, 30).proportion_ci(method="wilson")`.
        assert!((low - 0.743_789).abs() < 1e-6 && (high - 0.965_400).abs() < 1e-6, "{low} {high}");
    }

    #[test]
    fn a_quantile_needs_ten_requests_beyond_it() {
        let of = |requests: f64, unfinished: f64, succeeded: f64| {
            let counts = [
                (Id::Requests, requests),
                (Id::Unfinished, unfinished),
                (Id::Succeeded, succeeded),
            ];
            let quantiles = [(Id::LatencyP99Ms, 5.0), (Id::LatencyAllP99Ms, 6.0)];
            let runs = vec![run(&[&counts[..], &quantiles].concat()); 12];
            let (accepted, all) =
                (estimated(&runs, Id::LatencyP99Ms), estimated(&runs, Id::LatencyAllP99Ms));
            (accepted.mean, accepted.n, all.mean, all.n)
        };
        assert_eq!(of(1000.0, 0.0, 1000.0), (Some(5.0), 12, Some(6.0), 12));
        assert_eq!(of(1000.0, 0.0, 999.0), (None, 0, Some(6.0), 12));
        assert_eq!(of(1000.0, 1.0, 999.0), (None, 0, None, 0));
    }

    #[test]
    fn each_quantile_has_its_number_of_requests() {
        let one = [run(&[(Id::Succeeded, 1.0)])];
        let needed = [Id::LatencyP50Ms, Id::LatencyP90Ms, Id::LatencyP99Ms, Id::LatencyP999Ms]
            .map(|id| shortage(&one, &metric::ALL[id as usize]).unwrap().needed);
        assert_eq!(needed, [20, 100, 1000, 10_000]);
        assert_eq!(shortage(&one, &metric::ALL[Id::LatencyMaxMs as usize]), None);
    }

    /// A share has t's interval, cut off where no share can be: 0.999 ± 0.0024.
    #[test]
    fn no_interval_of_a_share_leaves_its_range() {
        let runs: Vec<_> = [1.0, 1.0, 0.997, 1.0, 0.998]
            .map(|share| run(&[(Id::Requests, 1000.0), (Id::SuccessRatio, share)]))
            .to_vec();
        let (low, high) = estimated(&runs, Id::SuccessRatio).ci95.unwrap();
        assert!((low - 0.997_244).abs() < 1e-5 && high == 1.0, "{low} {high}");
    }
}
