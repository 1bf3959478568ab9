//! Where in the period of the backoff attempts arrive.

use std::collections::BTreeMap;

use retrial_policy::{Instant, Nanos};

use super::Phases;

/// Rows that a period is divided into.
const ROWS: u64 = 40;
/// Columns at most.
const MAX_COLUMNS: u64 = 120;

/// Counts arrivals by time and phase.
#[derive(Debug)]
pub struct PhaseMap {
    period: u64,
    /// The width of a column in periods.
    periods: u64,
    cells: BTreeMap<(u64, u64), u64>,
}

impl PhaseMap {
    /// For a period, which must be above zero.
    pub fn of(period: Nanos) -> Self {
        PhaseMap { period: period.get().max(1), periods: 1, cells: BTreeMap::new() }
    }

    /// An attempt arrived.
    pub fn arrive(&mut self, at: Instant) {
        let turn = at.as_nanos() / self.period;
        while turn / self.periods >= MAX_COLUMNS {
            self.widen();
        }
        let phase = u128::from(at.as_nanos() % self.period);
        let row = (phase * u128::from(ROWS) / u128::from(self.period)) as u64;
        *self.cells.entry((turn / self.periods, row)).or_default() += 1;
    }

    fn widen(&mut self) {
        self.periods *= 2;
        let mut wide = BTreeMap::new();
        for ((column, row), count) in std::mem::take(&mut self.cells) {
            *wide.entry((column / 2, row)).or_default() += count;
        }
        self.cells = wide;
    }

    /// The histogram.
    pub fn finish(self) -> Phases {
        let cells = self.cells.into_iter();
        Phases {
            period_ms: self.period as f64 / 1e6,
            column_ms: (self.period * self.periods) as f64 / 1e6,
            rows: ROWS as u32,
            cells: cells.map(|((column, row), count)| (column as u32, row as u32, count)).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrivals_in_step_are_in_one_row() {
        let mut map = PhaseMap::of(Nanos::from_millis(200));
        let at = |ms: u64| Instant::from_nanos(ms * 1_000_000);
        (0..5).for_each(|turn| map.arrive(at(200 * turn + 51)));
        map.arrive(at(199));
        let phases = map.finish();
        // A row is 5 ms: 51 is in the eleventh, 199 in the last.
        let cells = [(0, 10, 1), (0, 39, 1), (1, 10, 1), (2, 10, 1), (3, 10, 1), (4, 10, 1)];
        assert_eq!(phases.cells, cells);
        assert_eq!((phases.period_ms, phases.column_ms, phases.rows), (200.0, 200.0, 40));
    }

    #[test]
    fn columns_widen_by_whole_periods_and_keep_every_arrival() {
        let mut map = PhaseMap::of(Nanos::from_millis(10));
        (0..1000).for_each(|turn| map.arrive(Instant::from_nanos(turn * 10_000_000 + 1)));
        let phases = map.finish();
        assert_eq!(phases.column_ms, 160.0);
        assert_eq!(phases.cells.len(), 63);
        assert_eq!(phases.cells.iter().map(|(.., count)| count).sum::<u64>(), 1000);
        assert!(phases.cells.iter().all(|(_, row, _)| *row == 0));
    }
}
