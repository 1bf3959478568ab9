//! Requests that begin whether or not earlier ones have ended, and their sizes.

use retrial_policy::Instant;

use super::World;
use crate::engine::queue::EventQueue;
use crate::engine::stream::{Purpose, StreamKey};
use crate::model::arrivals::Coming;
use crate::model::probe::Probe;
use crate::model::records::Owner;
use crate::model::subject::Subject;

impl<Q: EventQueue, S: Subject, P: Probe> World<'_, Q, S, P> {
    pub(super) fn start_streams(&mut self) {
        for index in 0..self.streams.len() {
            self.coming.push(None);
            self.await_arrival(index as u32);
        }
    }

    /// Waits for the next request of a stream.
    fn await_arrival(&mut self, index: u32) {
        // What would begin at the very end has no time left.
        let in_time = |coming: &Coming| coming.at < self.scenario.stop_after;
        let coming = self.streams[index as usize].next().filter(in_time);
        self.coming[index as usize] = coming;
        if let Some(coming) = coming {
            let slot = self.records.slot(Owner::Stream(index));
            self.queue.schedule(slot, coming.at, &self.records);
        }
    }

    /// The next request of a stream begins.
    pub(super) fn arrival(&mut self, index: u32, now: Instant) {
        let population = self.streams[index as usize].population;
        let coming = self.coming[index as usize].take();
        self.await_arrival(index);
        let Some(coming) = coming else { return };
        let crowd = &mut self.crowds[usize::from(population)];
        let begun = &mut crowd.begun[coming.client as usize];
        let (client, number) = (crowd.first_client + coming.client, *begun);
        *begun += 1;
        let request = self.add_request(population, client, number, now);
        self.probe.began(now, self.records.requests[request].id());
        self.size(request, coming.size);
        self.admit(request, now);
    }

    /// Gives a request its size: the one recorded, or one drawn.
    pub(super) fn size(&mut self, request: u32, recorded: Option<(u32, u32)>) {
        let record = &mut self.records.requests[request];
        let population = &self.scenario.populations[usize::from(record.population)];
        if let Some((input, output)) = recorded {
            (record.input, record.output) = (input, output);
        } else if let Some(tokens) = &population.tokens {
            let key = StreamKey::of_attempt(record.key, 0, Purpose::Tokens);
            let count = |amount: u64| u32::try_from(amount).unwrap_or(u32::MAX);
            record.input = count(tokens.input.sample_count(&mut key.part(0)));
            record.output = count(tokens.output.sample_count(&mut key.part(1)));
        }
    }
}
