//! Two policies, or two studies, metric by metric.
//!
//! Runs that share seed and replication met the same world, so they are compared by pairs; others
//! as two samples. Several metrics at several points are many chances to find a difference that is
//! none: what is called better or worse still is so after Holm's correction.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::estimates::{draws_of, of_metric};
use super::kept::{CellName, Kept, KeptRun, Manifest};
use super::statistics::estimate::{Estimate, Estimator};
use super::statistics::holm::{SIGNIFICANT, adjusted};
use super::statistics::paired::paired;
use super::statistics::welch::welch;
use super::unit::Run;
use crate::engine::stream::StreamKey;
use crate::measure::layers::AttemptsByLayer;
use crate::measure::metric::{self, Better, Metric, MetricRow};

/// How runs are set against each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// By pairs of the same replication.
    Paired,
    /// As two independent samples.
    Welch,
}

/// What a comparison says of a metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The new one is better.
    Better,
    /// The new one is worse.
    Worse,
    /// Larger, and neither way is better.
    Higher,
    /// Smaller, and neither way is better.
    Lower,
    /// The two may be the same.
    NoDifference,
    /// Every pair is the same to the last digit.
    Identical,
    /// Too few values on one side, too few requests for a quantile, or too few runs for a test.
    NoEstimate,
}

/// A metric of the old and of the new.
#[derive(Clone, Debug)]
pub struct Change {
    /// The metric's place in [`metric::ALL`].
    pub metric: usize,
    /// The old mean.
    pub old: Estimate,
    /// The new mean.
    pub new: Estimate,
    /// New less old, with its plain 95 % interval; its `n` counts pairs, or values of both.
    pub difference: Estimate,
    /// The difference in terms of the old mean; `None` where that is 0.
    pub relative: Option<f64>,
    /// Pearson's correlation within pairs.
    pub correlation: Option<f64>,
    /// The p-value of the difference alone.
    pub p: Option<f64>,
    /// The same after Holm's correction over everything that is compared at once.
    pub p_holm: Option<f64>,
    /// What to make of it.
    pub verdict: Verdict,
}

/// A policy at a point on both sides.
#[derive(Clone, Debug)]
pub struct CellComparison {
    /// The old one.
    pub old: CellName,
    /// The new one.
    pub new: CellName,
    /// How many runs the side has that has fewer.
    pub replications: u64,
    /// The metrics that at least one side has.
    pub changes: Vec<Change>,
}

/// What is compared with what.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// What to call the old side.
    pub old: String,
    /// What to call the new side.
    pub new: String,
    /// How.
    pub method: Method,
    /// Policies and points that both have.
    pub cells: Vec<CellComparison>,
    /// How many differences were tested together.
    pub tests: usize,
    /// What differs between the experiments but policies and what is asked of them: with it the two
    /// did not meet the same world.
    pub world_changes: Vec<String>,
    /// What only the old side has.
    pub only_old: Vec<CellName>,
    /// What only the new side has.
    pub only_new: Vec<CellName>,
}

impl Change {
    /// The metric.
    pub fn metric(&self) -> Metric {
        metric::ALL[self.metric]
    }

    /// Means, of which one is none.
    fn without_difference(metric: usize, [old, new]: [Estimate; 2], verdict: Verdict) -> Self {
        Change {
            metric,
            old,
            new,
            difference: Estimate { mean: None, ci95: None, n: 0 },
            relative: None,
            correlation: None,
            p: None,
            p_holm: None,
            verdict,
        }
    }
}

impl Verdict {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Verdict::Better => "better",
            Verdict::Worse => "worse",
            Verdict::Higher => "higher",
            Verdict::Lower => "lower",
            Verdict::NoDifference => "no difference shown",
            Verdict::Identical => "identical",
            Verdict::NoEstimate => "no estimate",
        }
    }
}

impl Comparison {
    /// Two policies of one study, point by point.
    pub fn of_policies(kept: &Kept, old: &str, new: &str) -> Self {
        let cells = kept.cells();
        let of_new = cells.iter().filter(|(cell, _)| cell.policy == new);
        let of_new: BTreeMap<_, _> = of_new.map(|cell| (&cell.0.point, cell)).collect();
        let of_old = cells.iter().filter(|(cell, _)| cell.policy == old);
        let matched = of_old.filter_map(|a| Some((a, *of_new.get(&a.0.point)?)));
        let matched: Vec<_> = matched.collect();
        let seed = kept.manifest.seed;
        Comparison::new([(old, seed), (new, seed)], Method::Paired, &matched)
    }

    /// Two studies, policy by policy and point by point.
    pub fn of_studies(old: (&str, &Kept), new: (&str, &Kept)) -> Self {
        let ((old_name, old), (new_name, new)) = (old, new);
        let method = match old.manifest.seed == new.manifest.seed {
            true => Method::Paired,
            false => Method::Welch,
        };
        let names = [(old_name, old.manifest.seed), (new_name, new.manifest.seed)];
        let world_changes = world_changes(&old.manifest, &new.manifest);
        let (old, new) = (old.cells(), new.cells());
        let [by_old, by_new] = [&old, &new].map(|cells| {
            let cells = cells.iter().map(|cell| (cell.0, cell));
            cells.collect::<BTreeMap<_, _>>()
        });
        let matched = old.iter().filter_map(|a| Some((a, *by_new.get(a.0)?)));
        let matched: Vec<_> = matched.collect();
        let only = |of: &[Cell<'_>], others: &BTreeMap<&CellName, &Cell<'_>>| {
            let lonely = of.iter().filter(|a| !others.contains_key(a.0));
            lonely.map(|(cell, _)| (*cell).clone()).collect()
        };
        Comparison {
            world_changes,
            only_old: only(&old, &by_new),
            only_new: only(&new, &by_old),
            ..Comparison::new(names, method, &matched)
        }
    }

    /// Of names and seeds, old and new. Cells are compared on the threads of the pool it is called in.
    fn new(names: [(&str, u64); 2], method: Method, matched: &[(&Cell<'_>, &Cell<'_>)]) -> Self {
        let [(old_name, old_seed), (new_name, new_seed)] = names;
        let cells = matched.par_iter().map_init(Estimator::default, |estimator, (old, new)| {
            let sides = Sides::new(Side::new(old, old_seed), Side::new(new, new_seed));
            let metrics = 0..metric::ALL.len();
            let changes = metrics.filter_map(|metric| sides.change(metric, method, estimator));
            CellComparison {
                old: old.0.clone(),
                new: new.0.clone(),
                replications: old.1.len().min(new.1.len()) as u64,
                changes: changes.collect(),
            }
        });
        let mut cells: Vec<_> = cells.collect();
        let tests = judge(&mut cells);
        Comparison {
            old: old_name.to_string(),
            new: new_name.to_string(),
            method,
            cells,
            tests,
            world_changes: Vec::new(),
            only_old: Vec::new(),
            only_new: Vec::new(),
        }
    }
}

/// Tables that say who goes through the world, how often, and at which points.
const NOT_OF_THE_WORLD: [&str; 3] = ["policies", "stop", "sweep"];

fn world_changes(old: &Manifest, new: &Manifest) -> Vec<String> {
    let is_else = |key: &str| {
        let first = key.split('.').next().unwrap_or_default();
        NOT_OF_THE_WORLD.contains(&first) && !new.files.contains_key(key)
    };
    let changed = old.changes(&new.root(), &new.files).into_iter();
    changed.map(|change| change.key).filter(|key| !is_else(key)).collect()
}

type Cell<'a> = (&'a CellName, Vec<&'a KeptRun>);

/// The runs of one side.
struct Side<'a> {
    kept: &'a [&'a KeptRun],
    /// The same as estimates are made of.
    runs: Vec<Run>,
    /// The key of what it resamples.
    draws: StreamKey,
}

impl<'a> Side<'a> {
    fn new((name, kept): &'a Cell<'_>, seed: u64) -> Self {
        let runs = kept.iter().map(|run| Run {
            // A run that was read has a place for each metric.
            metrics: MetricRow::from_values(run.metrics.clone()).unwrap_or_default(),
            // No estimate is made of it.
            fingerprint: 0,
            layers: AttemptsByLayer::default(),
        });
        let point = name.point.iter().map(|(axis, value)| (axis.as_str(), value.as_str()));
        Side { kept, runs: runs.collect(), draws: draws_of(seed, &name.policy, point) }
    }

    fn values(&self, metric: usize) -> Vec<f64> {
        self.kept.iter().filter_map(|run| run.metrics[metric]).collect()
    }
}

/// The runs of both sides, and which belong together.
struct Sides<'a> {
    old: Side<'a>,
    new: Side<'a>,
    pairs: Vec<(&'a KeptRun, &'a KeptRun)>,
}

impl<'a> Sides<'a> {
    fn new(old: Side<'a>, new: Side<'a>) -> Self {
        let by_replication: BTreeMap<_, _> =
            new.kept.iter().map(|run| (run.replication, *run)).collect();
        let pairs =
            old.kept.iter().filter_map(|a| Some((*a, *by_replication.get(&a.replication)?)));
        let pairs = pairs.collect();
        Sides { old, new, pairs }
    }

    /// `None` if neither side has the metric.
    fn change(&self, metric: usize, method: Method, estimator: &mut Estimator) -> Option<Change> {
        let (old, new) = (self.old.values(metric), self.new.values(metric));
        if old.is_empty() && new.is_empty() {
            return None;
        }
        let mut mean = |side: &Side<'_>| of_metric(&side.runs, metric, side.draws, estimator);
        let means = [mean(&self.old), mean(&self.new)];
        let is_identical = method == Method::Paired && self.is_identical(metric);
        if means.iter().any(|estimate| estimate.mean.is_none()) {
            // What one side can't tell by itself shows no difference either.
            let verdict = if is_identical { Verdict::Identical } else { Verdict::NoEstimate };
            return Some(Change::without_difference(metric, means, verdict));
        }
        let (before, after): (Vec<f64>, Vec<f64>) = match method {
            Method::Paired => {
                let pairs = self.pairs.iter();
                pairs.filter_map(|(a, b)| a.metrics[metric].zip(b.metrics[metric])).unzip()
            }
            Method::Welch => (old, new),
        };
        let (difference, p, correlation) = match method {
            Method::Paired => {
                let paired = paired(&after, &before, estimator);
                (paired.difference, paired.p, paired.correlation)
            }
            Method::Welch => {
                let welch = welch(&after, &before, estimator);
                (welch.difference, welch.p, None)
            }
        };
        let base = estimator.estimate(before.iter().copied()).mean.filter(|base| *base != 0.0);
        Some(Change {
            metric,
            old: means[0],
            new: means[1],
            difference,
            relative: difference.mean.zip(base).map(|(mean, base)| mean / base.abs()),
            correlation,
            p,
            p_holm: None,
            verdict: match p {
                _ if is_identical => Verdict::Identical,
                None => Verdict::NoEstimate,
                Some(_) => Verdict::NoDifference,
            },
        })
    }

    fn is_identical(&self, metric: usize) -> bool {
        self.pairs.len() == self.old.kept.len()
            && self.pairs.len() == self.new.kept.len()
            && self.pairs.iter().all(|(a, b)| a.metrics[metric] == b.metrics[metric])
    }
}

/// Corrects the p-values of all differences together and says what they show; gives their number.
fn judge(cells: &mut [CellComparison]) -> usize {
    let changes = cells.iter_mut().flat_map(|cell| &mut cell.changes);
    let open = |change: &&mut Change| change.verdict == Verdict::NoDifference;
    let mut changes: Vec<_> = changes.filter(open).collect();
    let p: Vec<_> = changes.iter().filter_map(|change| change.p).collect();
    for (change, p) in changes.iter_mut().zip(adjusted(&p)) {
        change.p_holm = Some(p);
        let Some(difference) = change.difference.mean.filter(|_| p < SIGNIFICANT) else { continue };
        change.verdict = match (metric::ALL[change.metric].better, difference > 0.0) {
            (Better::Higher, true) | (Better::Lower, false) => Verdict::Better,
            (Better::Higher, false) | (Better::Lower, true) => Verdict::Worse,
            (Better::Neither, true) => Verdict::Higher,
            (Better::Neither, false) => Verdict::Lower,
        };
    }
    p.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::metric::by_name;

    /// Runs of a policy whose metrics are given as name and values by replication.
    fn runs(policy: &str, metrics: &[(&str, &[f64])]) -> Vec<KeptRun> {
        let run = |replication: usize| {
            let mut values = vec![None; metric::ALL.len()];
            for (name, by_replication) in metrics {
                values[by_name(name).unwrap()] = by_replication.get(replication).copied();
            }
            KeptRun {
                cell: CellName { policy: policy.to_string(), point: Vec::new() },
                replication: replication as u64,
                metrics: values,
                fingerprint: String::new(),
            }
        };
        let count = metrics.iter().map(|(_, values)| values.len()).max().unwrap_or(0);
        (0..count).map(run).collect()
    }

    fn compared(old: &[KeptRun], new: &[KeptRun], method: Method) -> Comparison {
        let [old, new] = [old, new].map(|runs| (&runs[0].cell, runs.iter().collect::<Vec<_>>()));
        Comparison::new([("old", 1), ("new", 1)], method, &[(&old, &new)])
    }

    fn verdicts(comparison: &Comparison) -> Vec<(&str, Verdict)> {
        let changes = &comparison.cells[0].changes;
        changes.iter().map(|change| (change.metric().name, change.verdict)).collect()
    }

    #[test]
    fn the_direction_of_the_metric_makes_the_verdict() {
        let old = runs(
            "p",
            &[
                ("requests", &[5.0, 6.0, 7.0, 8.0, 9.0]),
                ("attempts", &[10.0, 11.0, 12.0, 13.0, 14.0]),
                ("succeeded", &[3.0, 4.0, 5.0, 6.0, 7.0]),
                ("duplicates", &[0.0; 5]),
                ("recovery_ms", &[7.0]),
            ],
        );
        let new = runs(
            "p",
            &[
                ("requests", &[4.0, 5.0, 6.0, 7.0, 8.0]),
                ("attempts", &[8.0, 9.0, 10.0, 11.0, 12.0]),
                ("succeeded", &[2.0, 3.0, 4.0, 5.0, 6.0]),
                ("duplicates", &[0.0; 5]),
                ("recovery_ms", &[8.0]),
            ],
        );
        let comparison = compared(&old, &new, Method::Paired);
        assert_eq!(
            verdicts(&comparison),
            [
                ("requests", Verdict::Lower),
                ("attempts", Verdict::Better),
                ("succeeded", Verdict::Worse),
                ("recovery_ms", Verdict::NoEstimate),
                ("duplicates", Verdict::Identical),
            ]
        );
        // What is identical is no chance to find a difference, and neither is what has no p-value.
        assert_eq!(comparison.tests, 3);
        let attempts = &comparison.cells[0].changes[1];
        assert_eq!(attempts.difference.mean, Some(-2.0));
        assert_eq!(attempts.relative, Some(-2.0 / 12.0));
        assert_eq!(attempts.correlation, Some(1.0));
    }

    /// 999 latencies a run are one too few for p99, whatever the difference; 1,000 are enough.
    #[test]
    fn a_quantile_of_too_few_requests_is_not_compared() {
        let of = |latencies: f64, ms: f64| {
            runs("p", &[("succeeded", &[latencies; 5]), ("latency_p99_ms", &[ms; 5])])
        };
        let p99 = |old: Vec<KeptRun>, new: Vec<KeptRun>| {
            let changes = compared(&old, &new, Method::Paired).cells.remove(0).changes;
            let change = changes.iter().find(|change| change.metric().name == "latency_p99_ms");
            change.map(|change| (change.old.mean, change.new.mean, change.p, change.verdict))
        };
        let worse = (Some(5.0), Some(9.0), Some(0.0), Verdict::Worse);
        assert_eq!(p99(of(1000.0, 5.0), of(1000.0, 9.0)), Some(worse));
        let short = (Some(5.0), None, None, Verdict::NoEstimate);
        assert_eq!(p99(of(1000.0, 5.0), of(999.0, 9.0)), Some(short));
    }

    /// As in `run`: 5 · 200 requests without a failure leave 3 / 1000.
    #[test]
    fn means_have_the_intervals_of_the_study() {
        let old = runs("p", &[("requests", &[200.0; 5]), ("success_ratio", &[1.0; 5])]);
        let comparison = compared(&old, &old, Method::Paired);
        let success = &comparison.cells[0].changes[1];
        assert_eq!(
            (success.metric().name, success.new.ci95),
            ("success_ratio", Some((0.997, 1.0)))
        );
    }

    /// Student's sleep data: by pairs p = 0.0028, as two samples p = 0.08.
    #[test]
    fn pairs_show_what_two_samples_do_not() {
        let first: &[f64] = &[0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0];
        let second: &[f64] = &[1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4];
        let (old, new) = (runs("p", &[("attempts", first)]), runs("p", &[("attempts", second)]));
        let paired = compared(&old, &new, Method::Paired);
        assert_eq!(verdicts(&paired), [("attempts", Verdict::Worse)]);
        let welch = compared(&old, &new, Method::Welch);
        assert_eq!(verdicts(&welch), [("attempts", Verdict::NoDifference)]);
        assert_eq!(welch.cells[0].changes[0].correlation, None);
    }

    /// With twenty metrics of p = 0.0028 each, Holm leaves p = 0.057: no difference is shown,
    /// though each plain interval excludes zero.
    #[test]
    fn many_looks_need_stronger_evidence() {
        let first: &[f64] = &[0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0];
        let second: &[f64] = &[1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4];
        let of = |values: &'static [f64]| {
            let metrics: Vec<_> = metric::ALL[..20].iter().map(|m| (m.name, values)).collect();
            runs("p", &metrics)
        };
        let (first, second): (&'static [f64], &'static [f64]) =
            (Vec::leak(first.to_vec()), Vec::leak(second.to_vec()));
        let comparison = compared(&of(first), &of(second), Method::Paired);
        assert_eq!(comparison.tests, 20);
        for change in &comparison.cells[0].changes {
            assert_eq!(change.verdict, Verdict::NoDifference);
            assert!(change.difference.ci95.unwrap().0 > 0.0);
            assert!((change.p_holm.unwrap() - 20.0 * change.p.unwrap()).abs() < 1e-12);
        }
    }
}
