//! What is offered, what arrives and what comes of it, over time.

use std::collections::BTreeMap;

use retrial_policy::{Instant, Nanos, Ratio};

use super::TimelineBin;
use crate::measure::binned::Binned;
use crate::model::probe::BudgetOwner;
use crate::model::scenario::Scenario;

/// Bins at most.
const MAX_BINS: usize = 400;

/// What is counted.
#[derive(Clone, Copy, Debug)]
pub enum Count {
    /// A logical request began.
    Began,
    /// An attempt reached a route.
    Attempt,
    /// A logical request was answered.
    Accepted,
    /// It was, within its deadline.
    InTime,
    /// A logical request ended otherwise.
    GaveUp,
    /// An attempt left for a fallback.
    Fallback,
}

const QUEUE: usize = 0;
const ORBIT: usize = 1;
const BUDGET: usize = 2;

/// A timeline being recorded.
#[derive(Debug)]
pub struct Timeline {
    binned: Binned<6, 3>,
    /// Nothing is shown of what comes later.
    stop_after: Instant,
    waiting: u64,
    /// Budgets that are not full, by owner.
    levels: BTreeMap<BudgetOwner, Ratio>,
    /// Budgets that have a level.
    budgets: u64,
}

impl Timeline {
    /// For a run of `scenario` with so many budgets that have a level.
    pub fn of(scenario: &Scenario, budgets: u64) -> Self {
        Timeline {
            binned: Binned::new(scenario.bin, MAX_BINS),
            stop_after: scenario.stop_after,
            waiting: 0,
            levels: BTreeMap::new(),
            budgets,
        }
    }

    /// Counts one.
    pub fn count(&mut self, what: Count, at: Instant) {
        self.binned.count(what as usize, at);
    }

    /// So many attempts wait at the routes from now on.
    pub fn queue(&mut self, at: Instant, waiting: u64) {
        let change = waiting as i64 - self.waiting as i64;
        self.waiting = waiting;
        self.change(QUEUE, at, change);
    }

    /// A logical request waits between attempts.
    pub fn waits(&mut self, from: Instant, until: Instant) {
        self.change(ORBIT, from, 1);
        self.change(ORBIT, until, -1);
    }

    /// So much is left of a budget.
    pub fn budget(&mut self, at: Instant, of: BudgetOwner, level: Ratio) {
        let before = self.levels.insert(of, level).unwrap_or(Ratio::ONE);
        let billionths = |level: Ratio| level.parts_per_billion() as i64;
        self.change(BUDGET, at, billionths(level) - billionths(before));
    }

    fn change(&mut self, level: usize, at: Instant, change: i64) {
        if at < self.stop_after && change != 0 {
            self.binned.change(level, at, change);
        }
    }

    /// The timeline up to `end`.
    pub fn finish(self, scenario: &Scenario, end: Instant) -> Vec<TimelineBin> {
        let (budgets, capacity) = (self.budgets, scenario.capacity());
        let one = Ratio::ONE.parts_per_billion() as f64;
        let bins = self.binned.finish(end).into_iter();
        bins.map(|bin| {
            let [began, attempts, accepted, in_time, gave_up, fallbacks] = bin.counts;
            let [queue, orbit, missing] = bin.levels;
            // The last bin may be cut short.
            let width = bin.width.min(end.saturating_since(bin.start));
            let middle = bin.start.saturating_add(Nanos::new(width.get() / 2));
            TimelineBin {
                start_ms: bin.start.as_nanos() as f64 / 1e6,
                width_ms: width.as_millis_f64(),
                began,
                attempts,
                accepted,
                in_time,
                gave_up,
                fallbacks,
                queue,
                orbit,
                budget_level: (budgets > 0).then(|| 1.0 + missing / one / budgets as f64),
                capacity_per_s: capacity.per_s(middle),
            }
        })
        .collect()
    }
}
