//! [`Rows`]: which client has which row.

use std::collections::BTreeMap;

use super::ClientsPanel;
use crate::measure::close_up::{AttemptOutcome, SampledAttempt};

/// More rows tell nothing more.
const MOST: u32 = 300;

/// The attempts of a panel by row.
pub struct Rows<'a> {
    count: usize,
    requests: Vec<Request<'a>>,
    /// The first success of each client that has one, in order.
    successes: Vec<f64>,
}

/// The attempts of one logical request.
pub struct Request<'a> {
    /// The row of its client, from 0 at the top.
    pub row: usize,
    /// In the order of sending; there is at least one.
    pub attempts: Vec<&'a SampledAttempt>,
}

impl Request<'_> {
    /// When its first attempt was sent.
    pub fn began(&self) -> f64 {
        self.attempts.first().map_or(0.0, |attempt| attempt.sent_ms)
    }

    /// When its last attempt ended, or the wait after it, if that is known; else `open`.
    pub fn ended(&self, open: f64) -> f64 {
        let ended = |attempt: &&SampledAttempt| {
            attempt.ended_ms.map_or(open, |ended| ended + attempt.wait_ms.unwrap_or(0.0))
        };
        self.attempts.iter().map(ended).fold(0.0, f64::max)
    }
}

impl<'a> Rows<'a> {
    /// Every so-manieth client is shown: the same ones in all panels, so those that the coarsest
    /// sample has, and no more than `most`.
    pub fn stride(panels: &[ClientsPanel], most: u32) -> u32 {
        let every = panels.iter().map(|panel| panel.about.every.max(1)).max().unwrap_or(1);
        let clients = panels.iter().map(|panel| panel.about.clients).max().unwrap_or(0);
        every.saturating_mul(clients.div_ceil(every).div_ceil(most.min(MOST)).max(1))
    }

    /// The clients 0, `stride`, 2 · `stride`, … by their first success; then those without, by
    /// number.
    pub fn of(panel: &'a ClientsPanel, stride: u32) -> Rows<'a> {
        let mut requests: BTreeMap<(u32, u32), Vec<&SampledAttempt>> = BTreeMap::new();
        let mut first: BTreeMap<u32, f64> = BTreeMap::new();
        for attempt in panel.attempts.iter().filter(|a| a.client.is_multiple_of(stride)) {
            requests.entry((attempt.client, attempt.request)).or_default().push(attempt);
            if attempt.outcome == AttemptOutcome::Accepted {
                let first = first.entry(attempt.client).or_insert(f64::INFINITY);
                *first = first.min(attempt.ended_ms.unwrap_or(attempt.sent_ms));
            }
        }
        let clients = (0..panel.about.clients).step_by(stride as usize);
        let success = |client: &u32| first.get(client).copied().unwrap_or(f64::INFINITY);
        let mut order: Vec<u32> = clients.collect();
        order.sort_by(|a, b| success(a).total_cmp(&success(b)));
        let row: BTreeMap<u32, usize> = order.iter().copied().zip(0..).collect();
        let requests = requests.into_iter().filter_map(|((client, _), attempts)| {
            Some(Request { row: *row.get(&client)?, attempts })
        });
        let mut requests: Vec<_> = requests.collect();
        // By row, so that marks of one row follow each other.
        requests.sort_by_key(|request| request.row);
        let successes = order.iter().filter_map(|client| first.get(client)).copied().collect();
        Rows { count: order.len(), requests, successes }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The requests by row.
    pub fn requests(&self) -> &[Request<'a>] {
        &self.requests
    }

    /// The attempts, each with its row.
    pub fn attempts(&self) -> impl Iterator<Item = (usize, &'a SampledAttempt)> {
        self.requests
            .iter()
            .flat_map(|request| request.attempts.iter().map(move |attempt| (request.row, *attempt)))
    }

    /// When half of the clients had a success.
    pub fn half_succeeded(&self) -> Option<f64> {
        self.successes.get(self.count.div_ceil(2).checked_sub(1)?).copied()
    }
}
