//! [`listen`]: a run for a listener that is in no hurry.
//!
//! The world is compiled once for each kind of listener and of subject. Only the recorder, which
//! hears every run of a study, is worth that; whoever looks at single runs shares one world, and
//! pays with calls through a table.

use std::ops::Range;

use retrial_policy::{Branch, DecisionRecord, Instant, Ratio};

use super::layers_on_trial::LayersOnTrial;
use super::probe::{AttemptId, BudgetOwner, End, Probe, RequestId};
use super::run_id::RunId;
use super::scenario::Scenario;
use super::world::simulate;
use crate::engine::storm_guard::EndlessInstant;

/// Runs `scenario` once and tells `listener` what happens.
///
/// # Errors
///
/// Time stands still: retries without delay or bound.
pub fn listen(
    scenario: &Scenario,
    subjects: &[LayersOnTrial<'_>],
    run: RunId,
    listener: &mut dyn Probe,
) -> Result<(), EndlessInstant> {
    simulate(scenario, subjects, run, &mut Told(listener))
}

/// Passes everything on.
struct Told<'a>(&'a mut dyn Probe);

impl Probe for Told<'_> {
    fn began(&mut self, at: Instant, id: RequestId) {
        self.0.began(at, id);
    }

    fn sent(&mut self, at: Instant, id: AttemptId, early: bool) {
        self.0.sent(at, id, early);
    }

    fn tried(&mut self, at: Instant, id: AttemptId, layers: Range<usize>) {
        self.0.tried(at, id, layers);
    }

    fn counted(&mut self, at: Instant, id: AttemptId, branch: Branch) {
        self.0.counted(at, id, branch);
    }

    fn arrived(&mut self, at: Instant, id: AttemptId, route: u16) {
        self.0.arrived(at, id, route);
    }

    fn rejected(&mut self, at: Instant, id: AttemptId) {
        self.0.rejected(at, id);
    }

    fn queue(&mut self, at: Instant, waiting: u64) {
        self.0.queue(at, waiting);
    }

    fn busy(&mut self, at: Instant, workers: u64) {
        self.0.busy(at, workers);
    }

    fn executed(&mut self, at: Instant, id: AttemptId, again: bool) {
        self.0.executed(at, id, again);
    }

    fn charged(&mut self, at: Instant, id: AttemptId, tokens: u64) {
        self.0.charged(at, id, tokens);
    }

    fn replied(&mut self, at: Instant, id: AttemptId, result: u16) {
        self.0.replied(at, id, result);
    }

    fn timed_out(&mut self, at: Instant, id: AttemptId) {
        self.0.timed_out(at, id);
    }

    fn hears_decisions(&self) -> bool {
        self.0.hears_decisions()
    }

    fn decided(&mut self, at: Instant, id: AttemptId, depth: usize, record: &DecisionRecord<'_>) {
        self.0.decided(at, id, depth, record);
    }

    fn hears_budgets(&self) -> bool {
        self.0.hears_budgets()
    }

    fn budget(&mut self, at: Instant, of: BudgetOwner, level: Ratio) {
        self.0.budget(at, of, level);
    }

    fn waits(&mut self, from: Instant, until: Instant, id: AttemptId) {
        self.0.waits(from, until, id);
    }

    fn ended(&mut self, at: Instant, id: AttemptId, end: &End<'_>) {
        self.0.ended(at, id, end);
    }
}
