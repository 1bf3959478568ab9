//! [`Recorder`]: what a simulation tells, and what becomes of it.

use std::ops::Range;

use retrial_policy::{Branch, DecisionRecord, Instant, TerminalOutcome};

use super::arrivals::Arrivals;
use super::ends::Ends;
use super::latency::{self, Buckets, Latencies};
use super::layers::AttemptsByLayer;
use super::level::Level;
use super::metric::{Id, MetricRow};
use super::recovery::Recovery;
use super::series::{Bin, Quantity, Series};
use super::telemetry::{Signals, Telemetry};
use crate::engine::fingerprint::{Fingerprint, Happening};
use crate::engine::storm_guard::EndlessInstant;
use crate::engine::stream::{Purpose, StreamKey};
use crate::model::probe::{AttemptId, End, Probe, RequestId};
use crate::model::run_id::RunId;
use crate::model::scenario::Scenario;
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
    /// What production's alerts would have said, if it was asked for.
    pub signals: Option<Signals>,
    /// The latencies of accepted requests, if they were asked for.
    pub latencies: Option<Buckets>,
    /// How often each layer of the policy on trial tried, if it has inner ones.
    pub layers: AttemptsByLayer,
}

/// Runs `scenario` once and measures it; `subjects` has the policy of each population, and
/// `with_series` records what happened when, what alerts would have said, and all latencies, too.
///
/// # Errors
///
/// Time stands still: retries without delay or bound.
pub fn measure<S: Subject>(
    scenario: &Scenario,
    subjects: &[S],
    run: RunId,
    with_series: bool,
) -> Result<Measurements, EndlessInstant> {
    let mut recorder = Recorder::new(scenario, with_series);
    simulate(scenario, subjects, run, &mut recorder)?;
    Ok(recorder.finish(run))
}

/// Records one run.
#[derive(Debug)]
pub struct Recorder {
    stop_after: Instant,
    /// Requests that were to begin earlier don't count, and times before it neither.
    warmup: Instant,
    workers: Option<u64>,
    counts_tokens: bool,
    has_servers: bool,
    fingerprint: Fingerprint,
    arrivals: Arrivals,
    series: Option<Series>,
    telemetry: Option<Telemetry>,
    requests: u64,
    attempts: u64,
    /// Attempts with the number 1. A breaker can make a fallback of one.
    first_attempts: u64,
    first_tries: u64,
    fallbacks: u64,
    rejected: u64,
    rejected_first: u64,
    early: u64,
    duplicates: u64,
    tokens: u64,
    ends: Ends,
    accepted: Latencies,
    not_accepted: Latencies,
    accepted_in_time: u64,
    /// Time spent between attempts, over all requests.
    orbit: u128,
    queue: Level,
    busy: Level,
    recovery: Option<Recovery>,
    last_end: Instant,
    layers: AttemptsByLayer,
}

impl Probe for Recorder {
    fn began(&mut self, _at: Instant, id: RequestId) {
        if self.is_counted(id) {
            self.requests += 1;
            if let Some(recovery) = &mut self.recovery {
                recovery.began(id.planned);
            }
        }
    }

    #[inline(always)]
    fn sent(&mut self, at: Instant, id: AttemptId, early: bool) {
        if self.is_counted(id.of) {
            self.early += u64::from(early);
            self.change(Quantity::InFlight, at, 1);
        }
    }

    fn tried(&mut self, _at: Instant, id: AttemptId, layers: Range<usize>) {
        if self.is_counted(id.of) {
            self.layers.count(id.number == 1, layers);
        }
    }

    #[inline(always)]
    fn counted(&mut self, _at: Instant, id: AttemptId, branch: Branch) {
        if self.is_counted(id.of) {
            self.attempts += 1;
            self.first_attempts += u64::from(id.number == 1);
            self.first_tries += u64::from(branch == Branch::FirstTry);
            self.fallbacks += u64::from(branch.is_fallback());
        }
    }

    #[inline(always)]
    fn arrived(&mut self, at: Instant, id: AttemptId, route: u16) {
        self.fingerprint.add(at, words(id), Happening::Arrival, route);
        if self.is_counted(id.of) {
            self.arrivals.arrive(at);
            if let Some(series) = &mut self.series {
                series.attempt(at);
            }
        }
    }

    #[inline(always)]
    fn rejected(&mut self, at: Instant, id: AttemptId) {
        if self.is_counted(id.of) {
            self.rejected += 1;
            self.rejected_first += u64::from(id.number == 1);
            if let Some(series) = &mut self.series {
                series.rejected(at);
            }
        }
    }

    #[inline(always)]
    fn queue(&mut self, at: Instant, waiting: u64) {
        self.queue.set(at, waiting);
    }

    #[inline(always)]
    fn busy(&mut self, at: Instant, workers: u64) {
        self.busy.set(at, workers);
    }

    #[inline(always)]
    fn executed(&mut self, _at: Instant, id: AttemptId, again: bool) {
        self.duplicates += u64::from(again && self.is_counted(id.of));
    }

    #[inline(always)]
    fn charged(&mut self, _at: Instant, id: AttemptId, tokens: u64) {
        if self.is_counted(id.of) {
            self.tokens += tokens;
        }
    }

    #[inline(always)]
    fn replied(&mut self, at: Instant, id: AttemptId, result: u16) {
        self.fingerprint.add(at, words(id), Happening::Reply, result);
        if self.is_counted(id.of) {
            self.change(Quantity::InFlight, at, -1);
        }
    }

    #[inline(always)]
    fn timed_out(&mut self, at: Instant, id: AttemptId) {
        if self.is_counted(id.of) {
            self.change(Quantity::InFlight, at, -1);
        }
    }

    #[inline]
    fn hears_decisions(&self) -> bool {
        self.telemetry.is_some()
    }

    fn decided(&mut self, at: Instant, id: AttemptId, depth: usize, record: &DecisionRecord<'_>) {
        if depth == 0
            && self.is_counted(id.of)
            && let Some(telemetry) = &mut self.telemetry
        {
            telemetry.count(at, record);
        }
    }

    #[inline(always)]
    fn waits(&mut self, from: Instant, until: Instant, id: AttemptId) {
        let (begin, end) = (from.max(self.warmup), until.min(self.stop_after));
        self.orbit += u128::from(end.saturating_since(begin).get());
        if self.is_counted(id.of) {
            self.change(Quantity::Waiting, from, 1);
            self.change(Quantity::Waiting, until, -1);
        }
    }

    fn ended(&mut self, at: Instant, id: AttemptId, end: &End<'_>) {
        self.fingerprint.add(at, words(id), Happening::End, end.outcome as u16);
        self.last_end = self.last_end.max(at);
        // Abandoned attempts may keep servers busy after the last request has ended.
        self.queue.may_end(at);
        self.busy.may_end(at);
        if !self.is_counted(id.of) {
            return;
        }
        let latency = at.saturating_since(id.of.planned);
        let succeeded = end.outcome == TerminalOutcome::Succeeded;
        if succeeded {
            self.accepted.record(latency);
            self.accepted_in_time += u64::from(end.in_time);
        } else {
            self.not_accepted.record(latency);
        }
        if let Some(recovery) = &mut self.recovery {
            recovery.ended(id.of.planned, at, succeeded);
        }
        self.ends.count(end.outcome, id.number > 1);
    }
}

fn words(id: AttemptId) -> (u32, u32, u32) {
    (id.of.client, id.of.request, id.number)
}

impl Recorder {
    /// For a run of `scenario`.
    pub fn new(scenario: &Scenario, with_series: bool) -> Self {
        let warmup = scenario.warmup;
        Recorder {
            stop_after: scenario.stop_after,
            warmup,
            workers: scenario.workers(),
            counts_tokens: scenario.counts_tokens(),
            has_servers: scenario.has_servers(),
            fingerprint: Fingerprint::default(),
            arrivals: Arrivals::default(),
            series: with_series.then(|| Series::new(scenario.bin)),
            telemetry: with_series.then(Telemetry::default),
            requests: 0,
            attempts: 0,
            first_attempts: 0,
            first_tries: 0,
            fallbacks: 0,
            rejected: 0,
            rejected_first: 0,
            early: 0,
            duplicates: 0,
            tokens: 0,
            ends: Ends::default(),
            accepted: Latencies::default(),
            not_accepted: Latencies::default(),
            accepted_in_time: 0,
            orbit: 0,
            queue: Level::from(warmup),
            busy: Level::from(warmup),
            recovery: scenario.disturbance().map(Recovery::from),
            last_end: Instant::from_nanos(0),
            layers: AttemptsByLayer::default(),
        }
    }

    /// Whether a request belongs to what is measured.
    #[inline]
    fn is_counted(&self, id: RequestId) -> bool {
        id.planned >= self.warmup
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
        self.fill_levels(&mut row, end);
        if let Some(recovery) = &self.recovery {
            recovery.fill(&mut row, end, self.stop_after != Instant::MAX);
        }
        if let Some(first) = self.arrivals.first() {
            let seconds = end.saturating_since(first).get() as f64 / 1e9;
            row.set(Id::GoodputPerS, self.accepted_in_time as f64 / seconds);
        }
        self.accepted.fill(&mut row, latency::ACCEPTED);
        self.fill_all_latencies(&mut row);
        let mut reference =
            StreamKey::of_run(run.seed, run.replication, Purpose::Reference, 0).part(0);
        self.arrivals.fill(&mut row, &mut reference);
        Measurements {
            latencies: self.series.is_some().then(|| self.accepted.buckets()),
            metrics: row,
            fingerprint: self.fingerprint.get(),
            series: self.series.map(|series| series.finish(end)),
            signals: self.telemetry.map(|telemetry| telemetry.finish()),
            layers: self.layers,
        }
    }

    /// Time averages, from the warm-up to `end`.
    fn fill_levels(&self, row: &mut MetricRow, end: Instant) {
        let span = end.saturating_since(self.warmup).get();
        if span > 0 {
            row.set(Id::OrbitMean, self.orbit as f64 / span as f64);
        }
        if self.has_servers {
            row.set(Id::BacklogPeak, self.queue.peak() as f64);
            if let Some(mean) = self.queue.mean(end) {
                row.set(Id::QueueMean, mean);
            }
        }
        if let (Some(workers), Some(busy)) = (self.workers, self.busy.mean(end)) {
            row.set(Id::Utilisation, busy / workers as f64);
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
        self.ends.fill(row, self.requests);
        for (id, count) in [
            (Id::Attempts, self.attempts),
            (Id::Retries, self.attempts - self.first_tries - self.fallbacks),
            (Id::Fallbacks, self.fallbacks),
            (Id::EarlyRetries, self.early),
            (Id::Duplicates, self.duplicates),
        ] {
            row.set(id, count as f64);
        }
        if self.counts_tokens {
            row.set(Id::SpendTokens, self.tokens as f64);
        }
    }

    /// Ratios; one without a denominator is not estimated.
    fn fill_ratios(&self, row: &mut MetricRow) {
        let succeeded = self.ends.succeeded() as f64;
        let (requests, attempts) = (self.requests as f64, self.attempts as f64);
        row.set(Id::SuccessRatio, succeeded / requests);
        row.set(Id::Amplification, attempts / requests);
        row.set(Id::WastedRatio, 1.0 - succeeded / attempts);
        row.set(Id::BlockingRatio, self.rejected as f64 / attempts);
        row.set(Id::BlockingFirstRatio, self.rejected_first as f64 / self.first_attempts as f64);
    }
}
