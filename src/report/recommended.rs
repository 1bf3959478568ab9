//! Which of several is to be chosen: by the order of the verdict.

use crate::measure::metric::Id;
use crate::study::results::CellResults;

/// So many times the fewest attempts are not many more.
pub const NEAR: f64 = 1.25;

/// Of those whose success ratio is within the interval of the best one, and that make the fewest
/// attempts or not many more, the one under which callers wait least; among equals the one with
/// the fewest attempts, and then the first. `None` if nothing has an estimate.
pub fn recommended<'a>(
    cells: impl Iterator<Item = &'a CellResults> + Clone,
) -> Option<&'a CellResults> {
    let success = |cell: &CellResults| cell.estimate(Id::SuccessRatio);
    let rated = cells.filter_map(|cell| Some((success(cell).mean?, cell)));
    // `max_by` takes the last of equals.
    let (mean, best) =
        rated.clone().reduce(|best, cell| if cell.0 > best.0 { cell } else { best })?;
    let least = success(best).ci95.map_or(mean, |(low, _)| low);
    let able = rated.filter(|(mean, _)| *mean >= least).map(|(_, cell)| cell);
    let able = able.filter_map(|cell| Some((cell.estimate(Id::Attempts).mean?, cell)));
    let able: Vec<_> = able.collect();
    let fewest = able.iter().map(|(attempts, _)| *attempts).reduce(f64::min)?;
    let near = able.into_iter().filter(|(attempts, _)| *attempts <= NEAR * fewest);
    let near: Vec<_> = near.collect();
    // Runs of few requests have no p99, runs that are cut off no last end.
    let metric = [Id::LatencyAllP99Ms, Id::MakespanMs].into_iter().find(|id| {
        let mut all = near.iter();
        all.all(|(_, cell)| cell.estimate(*id).mean.is_some())
    });
    let wait = |cell: &CellResults| metric.and_then(|id| cell.estimate(id).mean).unwrap_or(0.0);
    let near = near.into_iter().map(|(attempts, cell)| ((wait(cell), attempts), cell));
    near.reduce(|least, cell| if cell.0 < least.0 { cell } else { least }).map(|(_, cell)| cell)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::metric;
    use crate::study::statistics::estimate::Estimate;

    fn cell(policy: usize, success: Option<(f64, f64)>, attempts: f64) -> CellResults {
        let none = Estimate { mean: None, ci95: None, n: 0 };
        let mut estimates = vec![none; metric::ALL.len()];
        estimates[Id::SuccessRatio as usize] = Estimate {
            mean: success.map(|(mean, _)| mean),
            ci95: success.map(|(mean, half)| (mean - half, mean + half)),
            n: 30,
        };
        estimates[Id::Attempts as usize] = Estimate { mean: Some(attempts), ..none };
        CellResults {
            policy,
            point: 0,
            runs: Vec::new(),
            series: Vec::new(),
            signals: Default::default(),
            latencies: Default::default(),
            close_up: None,
            estimates,
            layers: Vec::new(),
            is_exact: true,
        }
    }

    #[test]
    fn success_comes_first_then_attempts_and_then_waits() {
        let chosen = |cells: &[CellResults]| recommended(cells.iter()).map(|cell| cell.policy);
        let thrifty = cell(0, Some((0.90, 0.01)), 100.0);
        let best = cell(1, Some((0.99, 0.01)), 300.0);
        let close = cell(2, Some((0.985, 0.01)), 200.0);
        assert_eq!(chosen(&[thrifty.clone(), best.clone(), close.clone()]), Some(2));
        assert_eq!(chosen(&[thrifty, best.clone()]), Some(1));
        let waiting = |cell: &CellResults, ms: f64| {
            let mut cell = cell.clone();
            cell.estimates[Id::LatencyAllP99Ms as usize].mean = Some(ms);
            cell
        };
        let swift = cell(5, Some((0.99, 0.01)), 240.0);
        let swift_and_slow = [waiting(&swift, 90.0), waiting(&close, 100.0)];
        assert_eq!(chosen(&swift_and_slow), Some(5), "1.2 times the attempts, and a shorter wait");
        let costly = waiting(&best, 10.0);
        assert_eq!(chosen(&[costly, waiting(&close, 100.0)]), Some(2), "1.5 times are too many");
        let same = cell(3, Some((0.99, 0.01)), 300.0);
        assert_eq!(chosen(&[best, same]), Some(1), "the first of equals");
        assert_eq!(chosen(&[cell(4, None, 1.0)]), None);
        assert_eq!(chosen(&[]), None);
    }
}
