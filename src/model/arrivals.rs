//! The state of arrival streams: when the next request begins, and whose it is.

use retrial_policy::mix::scale;
use retrial_policy::{Instant, Nanos};

use super::population::{Arrivals, OpenStream, Population, Workload};
use super::run_id::RunId;
use super::scenario::Scenario;
use super::trace::Row;
use crate::engine::stream::{Purpose, Stream, StreamKey};

/// A stream that is running.
#[derive(Clone, Debug)]
pub(super) struct Arriving<'a> {
    /// The population.
    pub population: u16,
    law: Law<'a>,
    /// Draws of gaps, or of lateness.
    draws: Stream,
    /// Draws of clients.
    deal: Stream,
}

#[derive(Clone, Debug)]
enum Law<'a> {
    Open {
        stream: &'a OpenStream,
        clients: u32,
        last: Instant,
        begun: bool,
    },
    /// One client of a population that starts together each period.
    Cron {
        period: Nanos,
        spread: Nanos,
        tick: Instant,
        until: Instant,
        client: u32,
    },
    Trace {
        rows: Vec<Row>,
        next: usize,
        clients: u32,
        has_tokens: bool,
    },
}

/// A request that is to begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Coming {
    /// When.
    pub at: Instant,
    /// The client's number within its population.
    pub client: u32,
    /// Its size, if it was recorded.
    pub size: Option<(u32, u32)>,
}

/// The streams of all populations.
pub(super) fn open_all(scenario: &Scenario, run: RunId) -> Vec<Arriving<'_>> {
    let mut all = Vec::new();
    for (index, population) in scenario.populations.iter().enumerate() {
        open(index as u16, population, run, &mut all);
    }
    all
}

fn open<'a>(index: u16, population: &'a Population, run: RunId, all: &mut Vec<Arriving<'a>>) {
    let clients = population.clients;
    let key = |purpose, number: usize| {
        let place = (u32::from(index) << 8) | number as u32;
        StreamKey::of_run(run.seed, run.replication, purpose, place)
    };
    let shared = |law, number| Arriving {
        population: index,
        law,
        draws: key(Purpose::Arrival, number).part(0),
        deal: key(Purpose::Deal, number).part(0),
    };
    match &population.workload {
        Workload::Closed(_) => {}
        Workload::Trace(replay) => {
            let has_tokens = replay.trace.has_tokens;
            let rows = replay.trace.replay(replay.speed, run, index.into());
            all.push(shared(Law::Trace { rows, next: 0, clients, has_tokens }, 0));
        }
        Workload::Open(streams) => {
            for (number, stream) in streams.iter().enumerate() {
                let Arrivals::Cron { period, spread } = stream.arrivals else {
                    let law = Law::Open { stream, clients, last: stream.from, begun: false };
                    all.push(shared(law, number));
                    continue;
                };
                let OpenStream { from: tick, until, .. } = *stream;
                all.extend((0..clients).map(|client| {
                    let own = key(Purpose::Arrival, number).of_client(client);
                    let law = Law::Cron { period, spread, tick, until, client };
                    Arriving { population: index, law, draws: own.part(0), deal: own.part(1) }
                }));
            }
        }
    }
}

impl Arriving<'_> {
    /// The next request; `None` when the stream has ended.
    pub fn next(&mut self) -> Option<Coming> {
        match &mut self.law {
            Law::Open { stream, clients, last, begun } => {
                let gap = match &stream.arrivals {
                    Arrivals::Renewal(law) => law.sample(&mut self.draws),
                    Arrivals::Every(gap) if *begun => *gap,
                    Arrivals::Every(_) | Arrivals::Cron { .. } => Nanos::ZERO,
                };
                *begun = true;
                *last = last.saturating_add(gap);
                (*last < stream.until).then(|| {
                    let client =
                        scale(self.deal.next_bits(), u64::from(*clients).saturating_sub(1));
                    Coming { at: *last, client: client as u32, size: None }
                })
            }
            Law::Cron { period, spread, tick, until, client } => {
                let start = *tick;
                if start >= *until {
                    return None;
                }
                *tick = start.saturating_add(*period);
                let late = scale(self.draws.next_bits(), spread.get());
                let at = start.saturating_add(Nanos::new(late));
                (at < *until).then_some(Coming { at, client: *client, size: None })
            }
            Law::Trace { rows, next, clients, has_tokens } => {
                let row = rows.get(*next)?;
                let client = (*next % *clients as usize) as u32;
                *next += 1;
                let at = Instant::from_nanos(row.at.get());
                Some(Coming { at, client, size: has_tokens.then_some((row.input, row.output)) })
            }
        }
    }
}
