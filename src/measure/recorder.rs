//! [`Recorder`]: what a simulation tells, and what becomes of it.

use retrial_policy::{Instant, Nanos, TerminalOutcome};

use super::arrivals::Arrivals;
use super::latency::{self, Latencies};
use super::metric::{Id, MetricRow};
use super::series::{Bin, Quantity, Series};
use crate::engine::fingerprint::{Fingerprint, Happening};
use crate::engine::storm_guard::EndlessInstant;
use crate::engine::stream::{Purpose, StreamKey};
use crate::model::probe::{AttemptId, End, Probe};
use crate::model::scenario::{RunId, Scenario};
use crate::model::subject::Subject;
use crate::model::world::simulate;

/// What one run gives.
#[derive(Clone, Debug, PartialEq)]
pub struct Measurements {
    /// Every metric.
    pub metrics: MetricRow,
    /// What happened, in 64 bits.
    pub fingerprint: u64,
    /// What happened when, if it was asked for.
    pub series: Option<Vec<Bin>>,
}

/// Runs `scenario` once and measures it; `with_series` records what happened when, too.
///
/// # Errors
///
/// Time stands still: retries without delay or bound.
pub fn measure<S: Subject>(
    scenario: &Scenario,
    subject: &S,
    run: RunId,
    with_series: bool,
) -> Result<Measurements, EndlessInstant> {
    let bin = with_series.then_some(scenario.bin);
    let mut recorder = Recorder::new(scenario.stop_after, bin);
    simulate(scenario, subject, run, &mut recorder)?;
    Ok(recorder.finish(run))
}

/// Records one run.
#[derive(Debug)]
pub struct Recorder {
    stop_after: Instant,
    fingerprint: Fingerprint,
    arrivals: Arrivals,
    series: Option<Series>,
    requests: u64,
    attempts: u64,
    first_attempts: u64,
    rejected: u64,
    rejected_first: u64,
    ends: Ends,
    accepted: Latencies,
    not_accepted: Latencies,
    accepted_in_time: u64,
    /// Time spent between attempts, over all requests.
    orbit: u128,
    last_end: Instant,
}

/// How logical requests ended.
#[derive(Clone, Copy, Debug, Default)]
struct Ends {
    first_try_succeeded: u64,
    retried_succeeded: u64,
    retried_gave_up: u64,
    stopped: u64,
    gave_up_attempts: u64,
    gave_up_deadline: u64,
    gave_up_budget: u64,
    reconciled: u64,
}

impl Ends {
    fn count(&mut self, outcome: TerminalOutcome, retried: bool) {
        let (count, gave_up) = match outcome {
            TerminalOutcome::Succeeded if retried => (&mut self.retried_succeeded, false),
            TerminalOutcome::Succeeded => (&mut self.first_try_succeeded, false),
            TerminalOutcome::Stopped => (&mut self.stopped, false),
            TerminalOutcome::GaveUpAttempts => (&mut self.gave_up_attempts, true),
            TerminalOutcome::GaveUpDeadline => (&mut self.gave_up_deadline, true),
            TerminalOutcome::GaveUpBudget => (&mut self.gave_up_budget, true),
            TerminalOutcome::Reconciled => (&mut self.reconciled, false),
        };
        *count += 1;
        self.retried_gave_up += u64::from(gave_up && retried);
    }
}

impl Probe for Recorder {
    fn began(&mut self, _at: Instant, _client: u32, _request: u32) {
        self.requests += 1;
    }

    #[inline]
    fn sent(&mut self, at: Instant, _id: AttemptId) {
        self.change(Quantity::InFlight, at, 1);
    }

    #[inline]
    fn arrived(&mut self, at: Instant, id: AttemptId) {
        self.attempts += 1;
        self.first_attempts += u64::from(id.attempt == 1);
        self.arrivals.arrive(at);
        self.fingerprint.add(at, words(id), Happening::Arrival, 0);
        if let Some(series) = &mut self.series {
            series.attempt(at);
        }
    }

    #[inline]
    fn rejected(&mut self, at: Instant, id: AttemptId) {
        self.rejected += 1;
        self.rejected_first += u64::from(id.attempt == 1);
        if let Some(series) = &mut self.series {
            series.rejected(at);
        }
    }

    #[inline]
    fn replied(&mut self, at: Instant, id: AttemptId, status: u16) {
        self.fingerprint.add(at, words(id), Happening::Reply, status);
        self.change(Quantity::InFlight, at, -1);
    }

    #[inline]
    fn waits(&mut self, from: Instant, until: Instant, _id: AttemptId) {
        self.orbit += u128::from(until.min(self.stop_after).saturating_since(from).get());
        self.change(Quantity::Waiting, from, 1);
        self.change(Quantity::Waiting, until, -1);
    }

    fn ended(&mut self, at: Instant, id: AttemptId, end: End) {
        self.fingerprint.add(at, words(id), Happening::End, end.outcome as u16);
        self.last_end = self.last_end.max(at);
        let latency = at.saturating_since(end.planned);
        if end.outcome == TerminalOutcome::Succeeded {
            self.accepted.record(latency);
            self.accepted_in_time += u64::from(end.in_time);
        } else {
            self.not_accepted.record(latency);
        }
        self.ends.count(end.outcome, id.attempt > 1);
    }
}

fn words(id: AttemptId) -> (u32, u32, u32) {
    (id.client, id.request, id.attempt)
}

impl Recorder {
    /// For a run that ends at `stop_after`, or when nothing is left to do. With `bin`, a series
    /// is recorded too.
    pub fn new(stop_after: Instant, bin: Option<Nanos>) -> Self {
        Recorder {
            stop_after,
            fingerprint: Fingerprint::default(),
            arrivals: Arrivals::default(),
            series: bin.map(Series::new),
            requests: 0,
            attempts: 0,
            first_attempts: 0,
            rejected: 0,
            rejected_first: 0,
            ends: Ends::default(),
            accepted: Latencies::default(),
            not_accepted: Latencies::default(),
            accepted_in_time: 0,
            orbit: 0,
            last_end: Instant::from_nanos(0),
        }
    }

    fn change(&mut self, quantity: Quantity, at: Instant, change: i64) {
        if let Some(series) = &mut self.series
            && at < self.stop_after
        {
            series.change(quantity, at, change);
        }
    }

    /// The metrics of the run; its numbers draw the reference arrivals.
    pub fn finish(mut self, run: RunId) -> Measurements {
        let mut row = MetricRow::default();
        self.fill_counts(&mut row);
        self.fill_ratios(&mut row);
        let end = self.end();
        // A run that was cut off has no last end yet.
        if row.get(Id::Unfinished) == Some(0.0) {
            row.set(Id::MakespanMs, self.last_end.as_nanos() as f64 / 1e6);
        }
        if end > Instant::from_nanos(0) {
            row.set(Id::OrbitMean, self.orbit as f64 / end.as_nanos() as f64);
        }
        if let Some(first) = self.arrivals.first() {
            let seconds = end.saturating_since(first).get() as f64 / 1e9;
            row.set(Id::GoodputPerS, self.accepted_in_time as f64 / seconds);
        }
        self.accepted.fill(&mut row, latency::ACCEPTED);
        self.fill_all_latencies(&mut row);
        let mut reference =
            StreamKey::of_run(run.seed, run.replication, Purpose::Reference).part(0);
        self.arrivals.fill(&mut row, &mut reference);
        Measurements {
            metrics: row,
            fingerprint: self.fingerprint.get(),
            series: self.series.map(|series| series.finish(end)),
        }
    }

    /// Latencies of all that ended: those of the accepted again, where all were.
    fn fill_all_latencies(&mut self, row: &mut MetricRow) {
        if self.not_accepted.is_empty() {
            latency::ACCEPTED.copy(latency::ALL, row);
        } else {
            self.not_accepted.join(&self.accepted);
            self.not_accepted.fill(row, latency::ALL);
        }
    }

    /// The end of the run: when it was stopped, or the last end of a request.
    fn end(&self) -> Instant {
        if self.stop_after == Instant::MAX { self.last_end } else { self.stop_after }
    }

    fn fill_counts(&self, row: &mut MetricRow) {
        let ends = &self.ends;
        let succeeded = ends.first_try_succeeded + ends.retried_succeeded;
        let gave_up = ends.gave_up_attempts + ends.gave_up_deadline + ends.gave_up_budget;
        let ended = succeeded + ends.stopped + gave_up + ends.reconciled;
        let named = succeeded + ends.retried_gave_up + ends.stopped;
        for (id, count) in [
            (Id::Requests, self.requests),
            (Id::Attempts, self.attempts),
            (Id::Retries, self.attempts - self.first_attempts),
            (Id::Fallbacks, 0),
            (Id::FirstTrySucceeded, ends.first_try_succeeded),
            (Id::RetriedSucceeded, ends.retried_succeeded),
            (Id::RetriedGaveUp, ends.retried_gave_up),
            (Id::FixedNoRetry, ends.stopped),
            (Id::EndedOtherwise, self.requests - named),
            (Id::Succeeded, succeeded),
            (Id::Stopped, ends.stopped),
            (Id::GaveUpAttempts, ends.gave_up_attempts),
            (Id::GaveUpDeadline, ends.gave_up_deadline),
            (Id::GaveUpBudget, ends.gave_up_budget),
            (Id::Reconciled, ends.reconciled),
            (Id::Unfinished, self.requests - ended),
        ] {
            row.set(id, count as f64);
        }
    }

    /// Ratios; one without a denominator is not estimated.
    fn fill_ratios(&self, row: &mut MetricRow) {
        let succeeded = (self.ends.first_try_succeeded + self.ends.retried_succeeded) as f64;
        let (requests, attempts) = (self.requests as f64, self.attempts as f64);
        row.set(Id::SuccessRatio, succeeded / requests);
        row.set(Id::Amplification, attempts / requests);
        row.set(Id::WastedRatio, 1.0 - succeeded / attempts);
        row.set(Id::BlockingRatio, self.rejected as f64 / attempts);
        row.set(Id::BlockingFirstRatio, self.rejected_first as f64 / self.first_attempts as f64);
    }
}
