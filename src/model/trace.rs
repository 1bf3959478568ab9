//! A recorded workload.

use retrial_policy::Nanos;
use retrial_policy::mix::scale;

use super::run_id::RunId;
use crate::engine::stream::{Purpose, StreamKey};

/// Requests as they were recorded, in order of time.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    /// The requests.
    pub rows: Vec<Row>,
    /// Whether sizes were recorded.
    pub has_tokens: bool,
    /// The distance of the recording clock's ticks, where it was too coarse to tell requests
    /// apart; zero if it was not.
    pub tick: Nanos,
}

/// One recorded request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// When it began.
    pub at: Nanos,
    /// Tokens sent.
    pub input: u32,
    /// Tokens received.
    pub output: u32,
}

impl Trace {
    /// The distance of the clock's ticks: the median gap between different times where most rows
    /// share their time with others, else zero. `times` are in order.
    pub fn tick_of(times: &[Nanos]) -> Nanos {
        let mut distinct = times.to_vec();
        distinct.dedup();
        if distinct.len() < 2 || 2 * distinct.len() > times.len() {
            return Nanos::ZERO;
        }
        let mut gaps: Vec<_> =
            distinct.windows(2).map(|pair| pair[1].saturating_sub(pair[0])).collect();
        gaps.sort_unstable();
        gaps[gaps.len() / 2]
    }

    /// The rows of one run, `speed` times as fast. Where the clock was coarse, the rows of each
    /// tick are spread over it at random; their order stays.
    pub fn replay(&self, speed: f64, run: RunId, population: u32) -> Vec<Row> {
        let mut rows = self.rows.clone();
        if self.tick != Nanos::ZERO {
            self.spread(&mut rows, run, population);
        }
        for row in &mut rows {
            row.at = Nanos::new((row.at.get() as f64 / speed) as u64);
        }
        rows
    }

    fn spread(&self, rows: &mut [Row], run: RunId, population: u32) {
        let key = StreamKey::of_run(run.seed, run.replication, Purpose::Tick, population);
        let mut offsets = key.part(0);
        let mut start = 0;
        while start < rows.len() {
            let at = rows[start].at;
            let end = start + rows[start..].iter().take_while(|row| row.at == at).count();
            let next = rows.get(end).map_or(self.tick, |row| row.at.saturating_sub(at));
            let width = next.min(self.tick).get().saturating_sub(1);
            let mut late: Vec<_> =
                (start..end).map(|_| scale(offsets.next_bits(), width)).collect();
            late.sort_unstable();
            for (row, late) in rows[start..end].iter_mut().zip(late) {
                row.at = at.saturating_add(Nanos::new(late));
            }
            start = end;
        }
    }
}
