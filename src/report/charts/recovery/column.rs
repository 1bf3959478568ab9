//! [`Column`]: what a recovery chart shows of one span of time.

use crate::measure::close_up::TimelineBin;

/// Rates and levels of a span of time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Column {
    /// Where it begins.
    pub start_ms: f64,
    /// Where it ends.
    pub end_ms: f64,
    /// Requests that began, per second.
    pub offered: f64,
    /// Attempts that arrived, per second.
    pub attempts: f64,
    /// Requests that were answered, per second.
    pub accepted: f64,
    /// Those answered in time, per second.
    pub goodput: f64,
    /// What can be served at most, per second; `None` is unlimited.
    pub capacity: Option<f64>,
    /// Attempts that wait at the routes.
    pub queue: f64,
    /// Requests that wait between attempts.
    pub orbit: f64,
    /// How full the budgets are.
    pub budget: Option<f64>,
    /// The share of attempts that left for a fallback.
    pub fallback: Option<f64>,
}

/// The width of columns such that `most` reach to `end_ms`: a multiple of `bin_ms`.
pub fn width(end_ms: f64, bin_ms: f64, most: f64) -> f64 {
    (end_ms / most / bin_ms).ceil().max(1.0) * bin_ms
}

/// Bins put together to columns of `width_ms`. A column that bins cover in part only has the rates
/// of that part.
pub fn columns(bins: &[TimelineBin], width_ms: f64) -> Vec<Column> {
    // A hair of tolerance: a bin that begins with a column belongs to it.
    let place = |bin: &TimelineBin| (bin.start_ms / width_ms + 1e-9).floor();
    bins.chunk_by(|one, next| place(one) == place(next)).map(column).collect()
}

fn column(bins: &[TimelineBin]) -> Column {
    let span: f64 = bins.iter().map(|bin| bin.width_ms).sum();
    let sum = |count: fn(&TimelineBin) -> u64| bins.iter().map(count).sum::<u64>() as f64;
    let rate = |count: fn(&TimelineBin) -> u64| sum(count) / (span / 1e3);
    let mean = |level: &dyn Fn(&TimelineBin) -> Option<f64>| {
        let known = bins.iter().filter_map(|bin| Some((level(bin)?, bin.width_ms)));
        let (total, width) =
            known.fold((0.0, 0.0), |(total, width), (level, w)| (total + level * w, width + w));
        (width > 0.0).then_some(total / width)
    };
    let level = |level: fn(&TimelineBin) -> f64| mean(&|bin| Some(level(bin))).unwrap_or(0.0);
    let (attempts, fallbacks) = (sum(|bin| bin.attempts), sum(|bin| bin.fallbacks));
    let limited = bins.iter().all(|bin| bin.capacity_per_s.is_some());
    Column {
        start_ms: bins[0].start_ms,
        end_ms: bins[bins.len() - 1].start_ms + bins[bins.len() - 1].width_ms,
        offered: rate(|bin| bin.began),
        attempts: rate(|bin| bin.attempts),
        accepted: rate(|bin| bin.accepted),
        goodput: rate(|bin| bin.in_time),
        capacity: mean(&|bin| bin.capacity_per_s).filter(|_| limited),
        queue: level(|bin| bin.queue),
        orbit: level(|bin| bin.orbit),
        budget: mean(&|bin| bin.budget_level),
        // A fallback may arrive in a later bin than it left in.
        fallback: (attempts > 0.0).then_some((fallbacks / attempts).min(1.0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bin(start_ms: f64, attempts: u64, queue: f64) -> TimelineBin {
        TimelineBin {
            start_ms,
            width_ms: 100.0,
            began: 10,
            attempts,
            accepted: 5,
            in_time: 4,
            gave_up: 0,
            fallbacks: 2,
            queue,
            orbit: 1.0,
            budget_level: None,
            capacity_per_s: Some(50.0),
        }
    }

    #[test]
    fn bins_are_put_together() {
        let bins = [bin(0.0, 10, 2.0), bin(100.0, 30, 4.0), bin(200.0, 8, 6.0)];
        let columns = columns(&bins, width(300.0, 100.0, 2.0));
        assert_eq!(columns.len(), 2);
        let Column { start_ms, end_ms, offered, attempts, queue, fallback, .. } = columns[0];
        assert_eq!((start_ms, end_ms, offered, attempts), (0.0, 200.0, 100.0, 200.0));
        assert_eq!((queue, fallback), (3.0, Some(0.1)));
        // The last one is covered by one bin only, and its rate is that of this bin.
        assert_eq!((columns[1].end_ms, columns[1].attempts), (300.0, 80.0));
    }

    #[test]
    fn few_bins_stay_as_they_are() {
        assert_eq!(width(1000.0, 100.0, 250.0), 100.0);
        assert_eq!(width(120_000.0, 100.0, 250.0), 500.0);
    }
}
