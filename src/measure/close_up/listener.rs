//! [`close_up`]: runs a scenario once and looks closely.

use retrial_policy::{
    Branch, BudgetState, DecisionRecord, Instant, Nanos, Ratio, Scope, TerminalOutcome,
};

use super::latency_map::LatencyMap;
use super::phases::PhaseMap;
use super::sample::Sample;
use super::timeline::{Count, Timeline};
use super::{About, AttemptOutcome, CloseUp, WindowDispersion};
use crate::engine::storm_guard::EndlessInstant;
use crate::measure::dispersion::{Dispersion, Span};
use crate::measure::latency::Latencies;
use crate::measure::telemetry::Telemetry;
use crate::model::layers_on_trial::LayersOnTrial;
use crate::model::listen::listen;
use crate::model::probe::{AttemptId, BudgetOwner, End, Probe, RequestId};
use crate::model::run_id::RunId;
use crate::model::scenario::Scenario;
use crate::model::subject::Subject;

/// The widths of windows in milliseconds.
const WINDOWS_MS: [u64; 13] = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000];
/// Fewer windows than this say nothing about their variance.
const MIN_WINDOWS: u64 = 10;

/// Runs `scenario` once and looks closely. `period` is that of the backoff on trial.
///
/// # Errors
///
/// Time stands still: retries without delay or bound.
pub fn close_up(
    scenario: &Scenario,
    subjects: &[LayersOnTrial<'_>],
    run: RunId,
    deadline: Option<Nanos>,
    period: Option<Nanos>,
) -> Result<CloseUp, EndlessInstant> {
    let mut listener = Listener::new(scenario, subjects, period);
    listen(scenario, subjects, run, &mut listener)?;
    Ok(listener.finish(scenario, deadline, period))
}

struct Listener {
    warmup: Instant,
    last_end: Instant,
    sample: Sample,
    timeline: Timeline,
    phases: Option<PhaseMap>,
    span: Span,
    dispersion: [Dispersion; WINDOWS_MS.len()],
    latencies: Latencies,
    latency_map: LatencyMap,
    telemetry: Telemetry,
}

impl Listener {
    fn new(scenario: &Scenario, subjects: &[LayersOnTrial<'_>], period: Option<Nanos>) -> Self {
        let clients = u32::try_from(scenario.clients()).unwrap_or(u32::MAX);
        Listener {
            warmup: scenario.warmup,
            last_end: Instant::from_nanos(0),
            sample: Sample::of(clients),
            timeline: Timeline::of(scenario, budgets(scenario, subjects)),
            phases: period.filter(|period| *period > Nanos::ZERO).map(PhaseMap::of),
            span: Span::default(),
            dispersion: WINDOWS_MS.map(|ms| Dispersion::new(Nanos::from_millis(ms))),
            latencies: Latencies::default(),
            latency_map: LatencyMap::new(scenario.bin),
            telemetry: Telemetry::default(),
        }
    }

    fn is_counted(&self, id: RequestId) -> bool {
        id.planned >= self.warmup
    }

    fn finish(
        self,
        scenario: &Scenario,
        deadline: Option<Nanos>,
        period: Option<Nanos>,
    ) -> CloseUp {
        let is_open = scenario.stop_after == Instant::MAX;
        let end = if is_open { self.last_end } else { scenario.stop_after };
        let sampled = self.sample.finish();
        let ms = |at: Instant| at.as_nanos() as f64 / 1e6;
        let dispersion = WINDOWS_MS.iter().zip(&self.dispersion);
        let dispersion = dispersion.filter(|(_, of)| of.windows() >= MIN_WINDOWS);
        CloseUp {
            about: About {
                clients: u32::try_from(scenario.clients()).unwrap_or(u32::MAX),
                every: sampled.every,
                attempts_until_ms: sampled.until.map(ms),
                deadline_ms: deadline.map(Nanos::as_millis_f64),
                period_ms: period.map(Nanos::as_millis_f64),
                faults: faults(scenario, end),
                end_ms: ms(end),
                signals: self.telemetry.finish(),
            },
            attempts: sampled.attempts,
            timeline: self.timeline.finish(scenario, end),
            phases: self.phases.map(PhaseMap::finish).filter(|phases| !phases.cells.is_empty()),
            dispersion: dispersion
                .filter_map(|(width, of)| {
                    let (window_ms, windows) = (*width as f64, of.windows());
                    Some(WindowDispersion { window_ms, index: of.index()?, windows })
                })
                .collect(),
            latencies: self.latencies.buckets(),
            latency_map: self.latency_map.finish(),
        }
    }
}

/// Budgets of clients and of populations that keep a stock.
fn budgets(scenario: &Scenario, subjects: &[LayersOnTrial<'_>]) -> u64 {
    let populations = scenario.populations.iter().zip(subjects);
    let budgets = populations.map(|(population, subject)| {
        let has_level = |scope: Scope| {
            BudgetState::min_level(&BudgetState::open_all(subject.budgets(), scope)).is_some()
        };
        let of_clients = if has_level(Scope::Client) { population.clients.into() } else { 0 };
        of_clients + u64::from(has_level(Scope::Group))
    });
    budgets.sum()
}

/// When the routes are disturbed; a fault that lasts from the beginning to the end is how things are.
fn faults(scenario: &Scenario, end: Instant) -> Vec<(f64, Option<f64>)> {
    let ms = |at: Instant| at.as_nanos() as f64 / 1e6;
    let faults = scenario.routes.iter().flat_map(|route| &route.faults);
    let faults = faults.filter(|fault| {
        fault.from < end && (fault.from > Instant::from_nanos(0) || fault.until < end)
    });
    let mut faults: Vec<_> = faults
        .map(|fault| (ms(fault.from), Some(fault.until).filter(|until| *until < end).map(ms)))
        .collect();
    faults.sort_by(|a, b| a.0.total_cmp(&b.0));
    faults.dedup();
    faults
}

impl Probe for Listener {
    fn began(&mut self, at: Instant, id: RequestId) {
        if self.is_counted(id) {
            self.timeline.count(Count::Began, at);
        }
    }

    fn sent(&mut self, at: Instant, id: AttemptId, _early: bool) {
        self.sample.sent(at, id);
    }

    fn counted(&mut self, at: Instant, id: AttemptId, branch: Branch) {
        self.sample.counted(id, branch);
        if self.is_counted(id.of) && branch.is_fallback() {
            self.timeline.count(Count::Fallback, at);
        }
    }

    fn arrived(&mut self, at: Instant, id: AttemptId, _route: u16) {
        if !self.is_counted(id.of) {
            return;
        }
        self.timeline.count(Count::Attempt, at);
        let since_first = self.span.arrive(at);
        self.dispersion.iter_mut().for_each(|of| of.arrive(since_first));
        // First tries come when callers want them: only retries follow the backoff.
        if id.number > 1
            && let Some(phases) = &mut self.phases
        {
            phases.arrive(at);
        }
    }

    fn rejected(&mut self, _at: Instant, id: AttemptId) {
        self.sample.refused(id);
    }

    fn queue(&mut self, at: Instant, waiting: u64) {
        self.timeline.queue(at, waiting);
    }

    fn replied(&mut self, at: Instant, id: AttemptId, _result: u16) {
        self.sample.ended(at, id, AttemptOutcome::Failed);
    }

    fn timed_out(&mut self, at: Instant, id: AttemptId) {
        self.sample.ended(at, id, AttemptOutcome::TimedOut);
    }

    fn hears_decisions(&self) -> bool {
        true
    }

    fn decided(&mut self, at: Instant, id: AttemptId, depth: usize, record: &DecisionRecord<'_>) {
        self.sample.decided(id, record);
        if depth == 0 && self.is_counted(id.of) {
            self.telemetry.count(at, record);
        }
    }

    fn hears_budgets(&self) -> bool {
        true
    }

    fn budget(&mut self, at: Instant, of: BudgetOwner, level: Ratio) {
        self.timeline.budget(at, of, level);
    }

    fn waits(&mut self, from: Instant, until: Instant, id: AttemptId) {
        self.sample.waits(from, until, id);
        if self.is_counted(id.of) {
            self.timeline.waits(from, until);
        }
    }

    fn ended(&mut self, at: Instant, id: AttemptId, end: &End<'_>) {
        self.last_end = self.last_end.max(at);
        if !self.is_counted(id.of) {
            return;
        }
        let latency = at.saturating_since(id.of.planned);
        let accepted = end.outcome == TerminalOutcome::Succeeded;
        self.latency_map.ended(id.of.planned, latency, accepted);
        if !accepted {
            return self.timeline.count(Count::GaveUp, at);
        }
        self.latencies.record(latency);
        self.timeline.count(Count::Accepted, at);
        if end.in_time {
            self.timeline.count(Count::InTime, at);
        }
    }
}
