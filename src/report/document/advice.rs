//! When requests that stop without a retry are too many, or become more: whose matter that is.
//!
//! A stop says that the same request would fail again, or that the policy's rules would not have it
//! sent again. Neither is for want of a retry budget, so whoever sees stops must not answer with a
//! larger one.

use super::study::Study;
use crate::measure::metric::Id;
use crate::measure::telemetry::{Repeated, SignalBin, Signals};
use crate::report::figures;
use crate::study::results::{CellResults, Results};
use crate::study::statistics::estimate::{Estimate, Estimator};
use crate::study::statistics::proportion::wilson;

/// A share of requests from which stops are many: one in a hundred.
const HIGH: f64 = 0.01;

/// The share of requests that stopped without a retry, over the replications of a cell.
pub fn share(cell: &CellResults) -> Estimate {
    let shares = cell.runs.iter().filter_map(|run| {
        let requests = run.metrics.get(Id::Requests).filter(|requests| *requests > 0.0)?;
        Some(run.metrics.get(Id::FixedNoRetry)? / requests)
    });
    let Estimate { mean, ci95, n } = Estimator::default().estimate(shares);
    let ci95 = ci95.map(|(low, high)| (low.max(0.0), high.min(1.0)));
    Estimate { mean, ci95, n }
}

/// Stopped and ended requests of replication 0 in the earlier and the later half of its windows;
/// `None` where there are no two.
pub fn halves(signals: &Signals) -> Option<[(u64, u64); 2]> {
    let middle = signals.bins.len() / 2;
    let count = |bins: &[SignalBin]| {
        let stopped = bins.iter().map(|bin| bin.stopped).sum();
        (stopped, bins.iter().map(|bin| bin.requests).sum())
    };
    let (earlier, later) = signals.bins.split_at(middle);
    (middle > 0).then(|| [count(earlier), count(later)])
}

/// A line for each policy whose stops are many or become more: where that shows, and what to do.
pub fn lines(study: &Study<'_>) -> Vec<String> {
    let lines = study.cells().filter_map(|cell| {
        let reasons = reasons(study, cell);
        (!reasons.is_empty()).then(|| {
            format!("`{}`: {}. {}", study.name(cell), reasons.join("; "), remedy(&cell.signals))
        })
    });
    lines.collect()
}

/// Why the stops of a policy are a matter for somebody.
fn reasons(study: &Study<'_>, cell: &CellResults) -> Vec<String> {
    let (results, own) = (study.results, share(cell));
    let mut reasons = Vec::new();
    if low(&own).is_some_and(|low| low >= HIGH) {
        reasons.push(format!("{} of requests stop without a retry", figures::percent(&own)));
    }
    if study.is_swept()
        && let Some(first) = cell_at(results, cell.policy, 0).map(share)
        && exceeds(&own, &first)
    {
        reasons.push(format!(
            "their share rises over the sweep, from {} at the first point to {} at the last",
            figures::percent(&first),
            figures::percent(&own)
        ));
    }
    if let Some(today) = study.outline.against.filter(|today| *today != cell.policy)
        && let Some(today) = cell_at(results, today, study.point)
        && exceeds(&own, &share(today))
    {
        reasons.push(format!(
            "their share is above that of `{}`, {} against {}",
            study.name(today),
            figures::percent(&own),
            figures::percent(&share(today)),
        ));
    }
    if let Some([earlier, later]) = halves(&cell.signals)
        && rises(earlier, later)
    {
        reasons.push(format!(
            "in replication 0 their share rises with time, from {} of {} in the first half to {} of \
             {} in the second",
            whole(earlier.0),
            whole(earlier.1),
            whole(later.0),
            whole(later.1)
        ));
    }
    reasons
}

/// A count with thousands set apart.
pub fn whole(count: u64) -> String {
    figures::with_decimals(count as f64, 0)
}

fn cell_at(results: &Results, policy: usize, point: usize) -> Option<&CellResults> {
    results.at_point(point).find(|cell| cell.policy == policy)
}

/// The lower end of an interval; the mean of a single run.
fn low(share: &Estimate) -> Option<f64> {
    share.ci95.map(|(low, _)| low).or(share.mean)
}

fn high(share: &Estimate) -> Option<f64> {
    share.ci95.map(|(_, high)| high).or(share.mean)
}

/// Whether the whole interval of one lies above that of the other, and there are many.
fn exceeds(own: &Estimate, other: &Estimate) -> bool {
    let above = low(own).zip(high(other)).is_some_and(|(low, high)| low > high);
    above && own.mean.is_some_and(|mean| mean >= HIGH)
}

/// Whether the later of two shares is larger beyond chance, and there are many.
fn rises(earlier: (u64, u64), later: (u64, u64)) -> bool {
    let interval =
        |(stopped, ended): (u64, u64)| (ended > 0).then(|| wilson(stopped as f64, ended as f64));
    interval(earlier).zip(interval(later)).is_some_and(|((_, before), (after, _))| {
        after > before && later.0 as f64 >= HIGH * later.1 as f64
    })
}

/// What to do about it. Where the policy itself does not repeat what could be repeated, that comes
/// first.
fn remedy(signals: &Signals) -> String {
    let of = |kinds: &[Repeated]| -> u64 { kinds.iter().map(|kind| kind.count).sum() };
    let stopped: u64 = signals.bins.iter().map(|bin| bin.stopped).sum();
    if 2 * of(&signals.dead_branches) > stopped {
        return "Most of these failures might pass, and the policy repeats none of them: correct \
                its rules; a larger retry budget changes nothing."
            .to_string();
    }
    let cause = match signals.repeated.first().map(|stop| &*stop.owner) {
        Some("account") => "most of them are the account's",
        Some("credentials") => "most of them are the credentials'",
        Some("caller") => "most of them are the caller's own requests",
        _ => {
            return "See what the route answers, and whether the policy's own rules stop what might \
                    pass, such as a hint above its cap; don't grow the retry budget: none of these \
                    stopped for want of it."
                .to_string();
        }
    };
    format!(
        "Fix the client's own validation, credentials or account ({cause}); don't grow the retry \
         budget: none of these stopped for want of it."
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn estimate(mean: f64, half: f64) -> Estimate {
        Estimate { mean: Some(mean), ci95: Some((mean - half, mean + half)), n: 10 }
    }

    #[test]
    fn a_share_exceeds_another_only_beyond_both_intervals() {
        assert!(exceeds(&estimate(0.10, 0.02), &estimate(0.05, 0.02)));
        assert!(!exceeds(&estimate(0.10, 0.03), &estimate(0.05, 0.02)));
        assert!(!exceeds(&estimate(0.005, 0.001), &estimate(0.0, 0.0)), "few are no matter");
    }

    /// Of stops that are the route's, such as a hint above the cap, nobody knows that they would fail
    /// again.
    #[test]
    fn each_owner_gets_its_own_advice() {
        let remedy = |owner: &str| {
            let stop = Repeated {
                what: "throttled".to_string(),
                status: Some(429),
                owner: owner.to_string(),
                not_replayable: false,
                concerns_availability: true,
                count: 10,
            };
            remedy(&Signals { repeated: vec![stop], ..Signals::default() })
        };
        assert!(remedy("account").contains("(most of them are the account's)"));
        let route = remedy("route");
        assert!(route.starts_with("See what the route answers"), "{route}");
        assert!(!route.contains("validation"), "{route}");
        for advice in [route, remedy("caller")] {
            assert!(advice.ends_with("none of these stopped for want of it."), "{advice}");
        }
    }

    /// Wilson's intervals: of 10 in 1000 (0.0054, 0.0183), of 30 in 1000 (0.0211, 0.0425).
    #[test]
    fn a_rise_within_chance_is_none() {
        assert!(rises((10, 1000), (30, 1000)));
        assert!(!rises((10, 1000), (20, 1000)));
        assert!(!rises((30, 1000), (10, 1000)));
        assert!(!rises((0, 0), (30, 1000)));
    }
}
