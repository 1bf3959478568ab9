//! How long requests took, by when they were to begin.

use std::collections::BTreeMap;

use retrial_policy::{Instant, Nanos};

use super::LatencyCell;

/// Columns at most.
const MAX_COLUMNS: u64 = 120;
/// Rows a decade.
const PER_DECADE: f64 = 10.0;

/// Accepted, and ended otherwise.
type Counts = (u64, u64);

/// Counts requests by their planned beginning and their latency, whose rows are equal ratios.
#[derive(Debug)]
pub struct LatencyMap {
    width: u64,
    cells: BTreeMap<(u64, i32), Counts>,
}

impl LatencyMap {
    /// Columns are at least `width` wide.
    pub fn new(width: Nanos) -> Self {
        LatencyMap { width: width.get().max(1), cells: BTreeMap::new() }
    }

    /// A request ended.
    pub fn ended(&mut self, planned: Instant, latency: Nanos, accepted: bool) {
        while planned.as_nanos() / self.width >= MAX_COLUMNS {
            self.widen();
        }
        // What took no time at all is as good as a nanosecond.
        let decades = libm::log10(latency.get().max(1) as f64);
        let row = libm::floor(decades * PER_DECADE) as i32;
        let counts = self.cells.entry((planned.as_nanos() / self.width, row)).or_default();
        add(counts, if accepted { (1, 0) } else { (0, 1) });
    }

    fn widen(&mut self) {
        self.width = self.width.saturating_mul(2);
        let mut wide: BTreeMap<_, Counts> = BTreeMap::new();
        for ((column, row), counts) in std::mem::take(&mut self.cells) {
            add(wide.entry((column / 2, row)).or_default(), counts);
        }
        self.cells = wide;
    }

    /// The cells that have some, by column.
    pub fn finish(self) -> Vec<LatencyCell> {
        let width_ms = self.width as f64 / 1e6;
        let edge_ms = |row: i32| libm::pow(10.0, f64::from(row) / PER_DECADE) / 1e6;
        let cells = self.cells.into_iter();
        cells
            .map(|((column, row), (accepted, gave_up))| LatencyCell {
                start_ms: (column * self.width) as f64 / 1e6,
                width_ms,
                from_ms: edge_ms(row),
                to_ms: edge_ms(row + 1),
                accepted,
                gave_up,
            })
            .collect()
    }
}

fn add(into: &mut Counts, more: Counts) {
    into.0 += more.0;
    into.1 += more.1;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_holds_what_began_together_and_took_about_as_long() {
        let mut map = LatencyMap::new(Nanos::from_millis(100));
        let at = |ms: u64| Instant::from_nanos(ms * 1_000_000);
        map.ended(at(10), Nanos::from_millis(100), true);
        map.ended(at(90), Nanos::from_millis(120), true);
        map.ended(at(90), Nanos::from_millis(126), false);
        map.ended(at(110), Nanos::ZERO, true);
        let cells = map.finish();
        let found: Vec<_> =
            cells.iter().map(|cell| (cell.start_ms, cell.accepted, cell.gave_up)).collect();
        // A tenth of a decade from 100 ms ends at 125.9 ms.
        assert_eq!(found, [(0.0, 2, 0), (0.0, 0, 1), (100.0, 1, 0)]);
        assert!((cells[0].from_ms - 100.0).abs() < 1e-9);
        assert!((cells[0].to_ms - 125.892_541_179).abs() < 1e-6);
    }

    #[test]
    fn columns_widen() {
        let mut map = LatencyMap::new(Nanos::from_millis(1));
        (0..1000).for_each(|ms| {
            map.ended(Instant::from_nanos(ms * 1_000_000), Nanos::from_millis(1), true);
        });
        let cells = map.finish();
        assert_eq!(cells.len(), 63);
        assert_eq!(cells[0].width_ms, 16.0);
        assert_eq!(cells.iter().map(|cell| cell.accepted).sum::<u64>(), 1000);
    }
}
