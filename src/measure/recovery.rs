//! What becomes of a run after its last disturbance: when the requests of before are over, and
//! when new ones fare as well as they used to.

use std::collections::BTreeMap;

use retrial_policy::{Instant, Nanos};

use super::metric::{Id, MetricRow};
use crate::model::scenario::Disturbance;

/// Requests are looked at by the ten seconds in which they were to begin.
const COHORT: Nanos = Nanos::from_secs(10);

/// So many cohorts in a row must do well.
const COHORTS_IN_A_ROW: u64 = 3;

/// Doing well is at least this share of the success ratio before the disturbance.
const AS_BEFORE: f64 = 0.95;

/// Records what is needed. Requests may come in any order.
#[derive(Clone, Debug)]
pub struct Recovery {
    disturbance: Disturbance,
    /// Requests before the disturbance.
    before: Cohort,
    /// Requests after it, by cohort; those that nobody came to are left out.
    after: BTreeMap<u64, Cohort>,
    /// Requests that began before its end and have not ended.
    pending: u64,
    /// When the last of those ended.
    drained: Instant,
}

/// Requests that were to begin at about the same time.
#[derive(Clone, Copy, Debug, Default)]
struct Cohort {
    requests: u64,
    succeeded: u64,
}

impl Cohort {
    fn success_ratio(self) -> f64 {
        self.succeeded as f64 / self.requests as f64
    }
}

impl Recovery {
    /// For a run with this disturbance.
    pub fn from(disturbance: Disturbance) -> Self {
        Recovery {
            disturbance,
            before: Cohort::default(),
            after: BTreeMap::new(),
            pending: 0,
            drained: disturbance.until,
        }
    }

    fn cohort(&mut self, planned: Instant) -> Option<&mut Cohort> {
        if planned < self.disturbance.from {
            return Some(&mut self.before);
        }
        if planned < self.disturbance.until {
            return None;
        }
        let index = planned.saturating_since(self.disturbance.until).get() / COHORT.get();
        Some(self.after.entry(index).or_default())
    }

    /// A request began.
    pub fn began(&mut self, planned: Instant) {
        self.pending += u64::from(planned < self.disturbance.until);
        if let Some(cohort) = self.cohort(planned) {
            cohort.requests += 1;
        }
    }

    /// A request ended.
    pub fn ended(&mut self, planned: Instant, at: Instant, succeeded: bool) {
        if planned < self.disturbance.until {
            self.pending -= 1;
            self.drained = self.drained.max(at);
        }
        if let Some(cohort) = self.cohort(planned) {
            cohort.succeeded += u64::from(succeeded);
        }
    }

    /// Fills in the metrics of a run that ended at `end`; it was cut off there, or nothing was
    /// left to do.
    pub fn fill(&self, row: &mut MetricRow, end: Instant, cut_off: bool) {
        let until = self.disturbance.until;
        if end < until {
            return;
        }
        if self.pending == 0 {
            row.set(Id::DrainMs, self.drained.saturating_since(until).as_millis_f64());
        }
        // Cohorts after the last request are empty, unless the run was cut off before they came.
        let whole = end.saturating_since(until).get() / COHORT.get();
        let last = self.after.keys().next_back().map_or(0, |last| last + 1);
        let seen = if cut_off { whole } else { last + COHORTS_IN_A_ROW };
        let nobody_came = self.after.range(..seen).next().is_none();
        // A run that was disturbed from its beginning has nothing to be compared with.
        if self.before.requests == 0 || seen < COHORTS_IN_A_ROW || nobody_came {
            return;
        }
        let start = self.start_of_row(seen);
        row.set(Id::RecoveredRatio, f64::from(u8::from(start.is_some())));
        if let Some(start) = start {
            row.set(Id::RecoveryMs, COHORT.saturating_mul(start).as_millis_f64());
        }
    }

    /// The first of enough cohorts in a row, among the first `seen`, that do as well as before.
    fn start_of_row(&self, seen: u64) -> Option<u64> {
        let before = self.before.success_ratio();
        // An empty cohort continues a row, and begins none.
        let well = |index: u64| {
            self.after.get(&index).is_none_or(|cohort| cohort.success_ratio() >= AS_BEFORE * before)
        };
        let last_start = seen.checked_sub(COHORTS_IN_A_ROW)?;
        let starts = self.after.range(..=last_start).map(|(start, _)| *start);
        starts.into_iter().find(|start| (*start..start + COHORTS_IN_A_ROW).all(well))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn s(seconds: u64) -> Instant {
        Instant::from_nanos(seconds * 1_000_000_000)
    }

    /// A disturbance from 20 s to 30 s; 10 requests a cohort before it, of which 9 succeed, and
    /// `after` that succeed of 10 in each cohort from then on.
    fn recovery(after: &[Option<u64>]) -> Recovery {
        let mut recovery = Recovery::from(Disturbance { from: s(20), until: s(30) });
        let mut cohort = |start: u64, succeeded: u64| {
            for n in 0..10 {
                recovery.began(s(start + n));
                recovery.ended(s(start + n), s(start + n + 1), n < succeeded);
            }
        };
        cohort(0, 9);
        cohort(10, 9);
        for (index, succeeded) in after.iter().enumerate() {
            if let Some(succeeded) = succeeded {
                cohort(30 + 10 * index as u64, *succeeded);
            }
        }
        recovery
    }

    fn figures(recovery: &Recovery, end: u64) -> (Option<f64>, Option<f64>) {
        let mut row = MetricRow::default();
        recovery.fill(&mut row, s(end), true);
        (row.get(Id::RecoveryMs), row.get(Id::RecoveredRatio))
    }

    /// 95 % of 0.9 is 0.855: nine of ten will do, eight won't.
    #[test]
    fn recovery_begins_with_the_first_of_three_good_cohorts() {
        let recovered = recovery(&[Some(2), Some(9), Some(8), Some(9), Some(10), Some(9)]);
        assert_eq!(figures(&recovered, 90), (Some(30_000.0), Some(1.0)));
        let at_once = recovery(&[Some(9), Some(9), Some(9)]);
        assert_eq!(figures(&at_once, 60), (Some(0.0), Some(1.0)));
    }

    #[test]
    fn two_good_cohorts_before_the_end_are_no_recovery() {
        let short = recovery(&[Some(9), Some(9)]);
        assert_eq!(figures(&short, 59), (None, None), "too short to tell");
        let late = recovery(&[Some(0), Some(9), Some(9), Some(9)]);
        assert_eq!(figures(&late, 69), (None, Some(0.0)), "the last cohort was cut short");
        assert_eq!(figures(&late, 70), (Some(10_000.0), Some(1.0)));
    }

    #[test]
    fn an_empty_cohort_continues_a_row_and_begins_none() {
        let gap = recovery(&[None, Some(9), None, Some(9)]);
        assert_eq!(figures(&gap, 70), (Some(10_000.0), Some(1.0)));
        let nothing = recovery(&[]);
        assert_eq!(figures(&nothing, 100), (None, None), "nothing came that could fare well");
    }

    #[test]
    fn a_run_that_ends_by_itself_needs_no_further_cohorts() {
        let short = recovery(&[Some(0), Some(10)]);
        let mut row = MetricRow::default();
        short.fill(&mut row, s(50), false);
        assert_eq!(row.get(Id::RecoveryMs), Some(10_000.0));
    }

    #[test]
    fn a_run_disturbed_from_the_start_has_nothing_to_return_to() {
        let mut recovery = Recovery::from(Disturbance { from: s(0), until: s(1) });
        for n in 0..100 {
            recovery.began(s(1 + n / 10));
            recovery.ended(s(1 + n / 10), s(20), true);
        }
        assert_eq!(figures(&recovery, 60), (None, None));
    }

    /// Two requests of before the end; one ends during the disturbance, one 5 s after it.
    #[test]
    fn draining_ends_with_the_last_request_of_before() {
        let mut recovery = Recovery::from(Disturbance { from: s(20), until: s(30) });
        for planned in [25, 29, 31] {
            recovery.began(s(planned));
        }
        recovery.ended(s(25), s(28), true);
        let mut row = MetricRow::default();
        recovery.fill(&mut row, s(100), true);
        assert_eq!(row.get(Id::DrainMs), None, "one never ended");
        recovery.ended(s(29), s(35), false);
        recovery.fill(&mut row, s(100), true);
        assert_eq!(row.get(Id::DrainMs), Some(5_000.0));
    }
}
