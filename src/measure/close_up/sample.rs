//! The attempts of some clients: enough for a picture, whatever the size of the run.

use std::collections::BTreeMap;

use retrial_policy::{Branch, Class, DecisionRecord, Instant};

use super::{AttemptOutcome, SampledAttempt};
use crate::model::probe::AttemptId;

/// Clients at most: a picture has no more rows.
const MAX_CLIENTS: u32 = 300;
/// Attempts at most: a picture with more is a black box.
const MAX_ATTEMPTS: usize = 6000;
/// Fewer clients than this say nothing about a fleet: then the time is cut rather than them.
const MIN_CLIENTS: u32 = 10;

/// A client, its request and the attempt.
type Key = (u32, u32, u32);

/// Follows the attempts of every so-manieth client.
#[derive(Debug)]
pub struct Sample {
    clients: u32,
    every: u32,
    until: Option<Instant>,
    attempts: BTreeMap<Key, SampledAttempt>,
}

/// What was followed.
#[derive(Debug)]
pub struct Sampled {
    /// Of which clients: 0, `every`, 2 · `every`, …
    pub every: u32,
    /// What was sent before then; `None` is all.
    pub until: Option<Instant>,
    /// By client and in the order of sending.
    pub attempts: Vec<SampledAttempt>,
}

impl Sample {
    /// For so many clients.
    pub fn of(clients: u32) -> Self {
        let every = clients.div_ceil(MAX_CLIENTS).max(1);
        Sample { clients, every, until: None, attempts: BTreeMap::new() }
    }

    /// An attempt leaves its client.
    pub fn sent(&mut self, at: Instant, id: AttemptId) {
        let is_late = self.until.is_some_and(|until| at >= until);
        if is_late || !id.of.client.is_multiple_of(self.every) {
            return;
        }
        let attempt = SampledAttempt {
            client: id.of.client,
            request: id.of.request,
            planned_ms: ms(id.of.planned),
            attempt: id.number,
            branch: String::new(),
            route: String::new(),
            sent_ms: ms(at),
            ended_ms: None,
            outcome: AttemptOutcome::InFlight,
            status: None,
            class: String::new(),
            action: String::new(),
            wait_ms: None,
        };
        self.attempts.insert(key(id), attempt);
        if self.attempts.len() > MAX_ATTEMPTS {
            self.thin();
        }
    }

    /// Leaves out every second client, or the later half of the time.
    fn thin(&mut self) {
        if self.clients.div_ceil(2 * self.every) >= MIN_CLIENTS {
            self.every *= 2;
            self.attempts.retain(|(client, ..), _| client.is_multiple_of(self.every));
            return;
        }
        let mut times: Vec<f64> = self.attempts.values().map(|attempt| attempt.sent_ms).collect();
        times.sort_by(f64::total_cmp);
        let (first, middle) = (times[0], times[times.len() / 2]);
        self.until = Some(Instant::from_nanos(libm::round(middle * 1e6) as u64));
        if middle > first {
            self.attempts.retain(|_, attempt| attempt.sent_ms < middle);
            return;
        }
        // All at once: of these the first, by client.
        let mut left = MAX_ATTEMPTS;
        self.attempts.retain(|_, attempt| {
            let is_kept = attempt.sent_ms == first && left > 0;
            left -= usize::from(is_kept);
            is_kept
        });
    }

    /// The path that led to an attempt.
    pub fn counted(&mut self, id: AttemptId, branch: Branch) {
        if let Some(attempt) = self.attempts.get_mut(&key(id)) {
            attempt.branch = branch.to_string();
        }
    }

    /// An attempt came to this end, as far as its client can see without reading what came.
    pub fn ended(&mut self, at: Instant, id: AttemptId, outcome: AttemptOutcome) {
        if let Some(attempt) = self.attempts.get_mut(&key(id)) {
            attempt.ended_ms = Some(ms(at));
            attempt.outcome = attempt.outcome.min(outcome);
        }
    }

    /// The route refused an attempt; its client does not know yet.
    pub fn refused(&mut self, id: AttemptId) {
        if let Some(attempt) = self.attempts.get_mut(&key(id)) {
            attempt.outcome = AttemptOutcome::Refused;
        }
    }

    /// The policy decided after an attempt.
    pub fn decided(&mut self, id: AttemptId, record: &DecisionRecord<'_>) {
        // Layers outside the one that made the attempt decide on the same outcome, a little later.
        let attempt = self.attempts.get_mut(&key(id));
        let Some(attempt) = attempt.filter(|attempt| attempt.class.is_empty()) else { return };
        attempt.route = record.route.to_string();
        attempt.status = record.status;
        attempt.class = record.class.to_string();
        attempt.action = record.action.as_str().to_string();
        if record.class == Class::Ok {
            attempt.outcome = AttemptOutcome::Accepted;
        }
    }

    /// A request waits after an attempt.
    pub fn waits(&mut self, from: Instant, until: Instant, id: AttemptId) {
        if let Some(attempt) = self.attempts.get_mut(&key(id)) {
            attempt.wait_ms = Some(until.saturating_since(from).as_millis_f64());
        }
    }

    /// What was followed.
    pub fn finish(self) -> Sampled {
        let mut attempts: Vec<_> = self.attempts.into_values().collect();
        for attempt in &mut attempts {
            if attempt.ended_ms.is_none() {
                attempt.outcome = AttemptOutcome::InFlight;
            }
        }
        attempts.sort_by(|a, b| {
            let sending = |of: &SampledAttempt| (of.request, of.attempt);
            let by_client = a.client.cmp(&b.client).then(a.sent_ms.total_cmp(&b.sent_ms));
            by_client.then(sending(a).cmp(&sending(b)))
        });
        Sampled { every: self.every, until: self.until, attempts }
    }
}

fn key(id: AttemptId) -> Key {
    (id.of.client, id.of.request, id.number)
}

fn ms(at: Instant) -> f64 {
    at.as_nanos() as f64 / 1e6
}
