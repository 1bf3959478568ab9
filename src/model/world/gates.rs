//! The gates before a client and before its population: what is above the number of requests that
//! may be in flight waits there, in the order of arrival, until its deadline at most.

use retrial_policy::{BudgetState, Class, Instant, TerminalOutcome};

use super::World;
use crate::engine::queue::EventQueue;
use crate::model::probe::{End, Probe};
use crate::model::records::{Owner, Step};
use crate::model::subject::Subject;

impl<Q: EventQueue, S: Subject, P: Probe> World<'_, Q, S, P> {
    /// A request that is to begin now passes the gates, or waits before one.
    pub(super) fn admit(&mut self, request: u32, now: Instant) {
        let client = self.place(request);
        let crowd = self.crowd(request);
        if crowd.gates.is_empty() {
            return self.start(request, now);
        }
        let population = self.records.requests[request].population;
        if self.has_room(population, client) {
            let crowd = self.crowd(request);
            crowd.gates[client as usize].enter();
            return self.admit_to_population(request, now);
        }
        self.hold(request);
        let gate = &mut self.crowds[usize::from(population)].gates[client as usize];
        gate.waiting.push(&mut self.records.requests, request);
    }

    fn admit_to_population(&mut self, request: u32, now: Instant) {
        let crowd = self.crowd(request);
        let limit = BudgetState::min_concurrency(&crowd.budgets.group);
        if crowd.gate.has_room(limit) {
            crowd.gate.enter();
            return self.start(request, now);
        }
        self.hold(request);
        self.records.requests[request].held_by_population = true;
        let population = self.records.requests[request].population;
        let gate = &mut self.crowds[usize::from(population)].gate;
        gate.waiting.push(&mut self.records.requests, request);
    }

    /// A client's number within its population.
    pub(super) fn place(&mut self, request: u32) -> u32 {
        let client = self.records.requests[request].client;
        client - self.crowd(request).first_client
    }

    /// Whether a client may have one more request in flight.
    fn has_room(&mut self, population: u16, client: u32) -> bool {
        let own = self.scenario.populations[usize::from(population)].concurrency;
        let crowd = &mut self.crowds[usize::from(population)];
        let budget = BudgetState::min_concurrency(crowd.budgets.of_client(client));
        crowd.gates[client as usize].has_room(budget.min(own.unwrap_or(u32::MAX)))
    }

    /// A request held back waits for its deadline too.
    fn hold(&mut self, request: u32) {
        let limit = self.crowd(request).subject.time_limit();
        let record = &self.records.requests[request];
        if let Some(limit) = limit {
            let deadline = record.planned.saturating_add(limit);
            self.queue_request(request, Step::HeldTooLong, deadline);
        } else {
            self.records.requests[request].step = Step::Idle;
        }
    }

    /// A request that was held back passes a gate.
    fn release(&mut self, request: u32) {
        if self.records.requests[request].step == Step::HeldTooLong {
            let slot = self.records.slot(Owner::Request(request));
            self.queue.cancel(slot, &self.records);
        }
        let record = &mut self.records.requests[request];
        record.held_by_population = false;
        record.step = Step::Idle;
    }

    /// The deadline of a request passed before it was let through.
    pub(super) fn held_too_long(&mut self, request: u32, now: Instant) {
        let client = self.place(request);
        let by_population = self.records.requests[request].held_by_population;
        let population = self.records.requests[request].population;
        let crowd = &mut self.crowds[usize::from(population)];
        let gate = if by_population { &mut crowd.gate } else { &mut crowd.gates[client as usize] };
        gate.waiting.remove(&mut self.records.requests, request);
        let end = End {
            in_time: false,
            outcome: TerminalOutcome::GaveUpDeadline,
            class: Class::Unknown,
            last: None,
        };
        self.probe.ended(now, self.records.requests[request].last_attempt(), &end);
        if by_population {
            self.crowd(request).gates[client as usize].leave();
            self.let_through(population, client, now);
        }
        self.close(request, now);
    }

    /// A request that had passed the gates is over.
    pub(super) fn leave(&mut self, request: u32, now: Instant) {
        let client = self.place(request);
        let population = self.records.requests[request].population;
        let crowd = self.crowd(request);
        if crowd.gates.is_empty() {
            return;
        }
        crowd.gate.leave();
        crowd.gates[client as usize].leave();
        crowd.left.push(client);
        // One that is let through may be over at once, and so may all after it: they must not
        // pile up on the stack.
        if crowd.left.len() > 1 {
            return;
        }
        let mut done = 0;
        while let Some(client) = self.crowds[usize::from(population)].left.get(done).copied() {
            self.let_through_population(population, now);
            self.let_through(population, client, now);
            done += 1;
        }
        self.crowds[usize::from(population)].left.clear();
    }

    /// Lets those through that wait before the gate of a population.
    fn let_through_population(&mut self, population: u16, now: Instant) {
        loop {
            let crowd = &mut self.crowds[usize::from(population)];
            let limit = BudgetState::min_concurrency(&crowd.budgets.group);
            if !crowd.gate.has_room(limit) {
                return;
            }
            let Some(next) = crowd.gate.waiting.pop(&mut self.records.requests) else { return };
            crowd.gate.enter();
            self.release(next);
            self.start(next, now);
        }
    }

    /// Lets those through that wait before the gate of a client, as many as it has room for.
    fn let_through(&mut self, population: u16, client: u32, now: Instant) {
        while self.has_room(population, client) {
            let gate = &mut self.crowds[usize::from(population)].gates[client as usize];
            let Some(next) = gate.waiting.pop(&mut self.records.requests) else { break };
            gate.enter();
            self.release(next);
            self.admit_to_population(next, now);
        }
    }
}
