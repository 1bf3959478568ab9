//! What happens at a client: a request begins, its attempts leave, replies come or don't, it waits
//! and ends.

use retrial_policy::mix::scale;
use retrial_policy::{
    Attempt as Sending, BudgetStack, BudgetState, CallKey, Class, Classification, Classify,
    Decision, Hint, Instant, Nanos, Outcome, Progress, Signal, StatusTable, TerminalOutcome,
};

use super::{Layout, World};
use crate::engine::queue::EventQueue;
use crate::engine::stream::{Purpose, StreamKey};
use crate::model::fault::chance;
use crate::model::fifo::NONE;
use crate::model::network::Way;
use crate::model::population::Workload;
use crate::model::probe::{AttemptId, BudgetOwner, Decisions, End, Probe};
use crate::model::records::{Attempt, NO_HINT, Owner, Request, Step};
use crate::model::reply::result_number;
use crate::model::route::RouteKind;
use crate::model::subject::{Planned, Subject};

impl<Q: EventQueue, S: Subject, P: Probe> World<'_, Q, S, P> {
    /// The first request of every closed client.
    pub(super) fn start_closed(&mut self, layout: &Layout) {
        let natural: Vec<u32>;
        let order = if layout.order.is_empty() {
            natural = (0..self.scenario.clients() as u32).collect();
            &natural
        } else {
            &layout.order
        };
        for client in order {
            let first_is_below = |crowd: &super::Crowd<'_, S>| crowd.first_client <= *client;
            let population = self.crowds.partition_point(first_is_below) - 1;
            let Workload::Closed(closed) = &self.scenario.populations[population].workload else {
                continue;
            };
            let request = self.add_request(population as u16, *client, 0, Instant::from_nanos(0));
            let record = &mut self.records.requests[request];
            let mut draws = StreamKey::of_attempt(record.key, 0, Purpose::Think).part(1);
            let over = closed.start_over.get();
            let late = scale(draws.next_bits(), over.saturating_sub(1));
            record.planned = Instant::from_nanos(if over == 0 { 0 } else { late });
            self.await_begin(request);
        }
    }

    /// A record for a client's request.
    pub(super) fn add_request(
        &mut self,
        population: u16,
        client: u32,
        number: u32,
        planned: Instant,
    ) -> u32 {
        let run = self.run;
        let key = CallKey::derive(run.seed, run.replication, client.into(), number.into());
        let request = Request::new(key, population, client, number, planned);
        let index = self.records.requests.insert(request);
        if index as usize == self.calls.len() {
            self.calls.push(None);
        }
        index
    }

    /// Waits for the planned beginning of a request.
    fn await_begin(&mut self, request: u32) {
        let planned = self.records.requests[request].planned;
        // What would begin at the very end has no time left.
        if planned >= self.scenario.stop_after {
        } else if self.is_fused(request) {
            self.begin(request, planned);
        } else {
            self.queue_request(request, Step::Begin, planned);
        }
    }

    pub(super) fn begin(&mut self, request: u32, now: Instant) {
        self.probe.began(now, self.records.requests[request].id());
        self.size(request, None);
        self.admit(request, now);
    }

    /// The call of a request begins, and its first attempt leaves.
    pub(super) fn start(&mut self, request: u32, now: Instant) {
        let client = self.place(request);
        let record = &self.records.requests[request];
        let key = record.key;
        let planned = Planned { at: record.planned, input: record.input, output: record.output };
        let crowd = &mut self.crowds[usize::from(record.population)];
        let mut budget = crowd.budgets.stack(client);
        let (call, attempt) = crowd.subject.start(key, planned, &mut budget, now);
        self.calls[request as usize] = Some(call);
        self.send(request, attempt, now);
    }

    #[inline]
    fn send(&mut self, request: u32, sending: Sending, now: Instant) {
        if sending.timeout == Some(Nanos::ZERO) {
            // The time is over before the attempt could leave.
            let outcome = Outcome::new(Signal::AttemptTimeout).with_progress(Progress::NotSent);
            return self.decide_out_of_line(request, &outcome, now);
        }
        if sending.refused {
            let outcome = Outcome::new(Signal::NotAdmitted);
            return self.decide_out_of_line(request, &outcome, now);
        }
        let subject = self.crowd(request).subject;
        let route = subject.route(sending.route);
        let sent = now.saturating_add(sending.hold);
        // Held beyond the end of the run: it never leaves.
        if sent > self.scenario.stop_after {
            return;
        }
        let record = &mut self.records.requests[request];
        if record.route != route {
            // What one route asked for does not bind another.
            (record.route, record.hint_until) = (route, Instant::from_nanos(0));
        }
        record.attempt = sending.number;
        record.timeout_at = sending.timeout.map_or(Instant::MAX, |span| sent.saturating_add(span));
        record.flight = NONE;
        let early = sent < record.hint_until;
        let id = record.last_attempt();
        let key = record.key;
        let network = StreamKey::of_attempt(key, sending.number, Purpose::Network);
        self.probe.sent(sent, id, early);
        let call = self.calls.get(request as usize).and_then(Option::as_ref);
        if let Some(layers) = call.and_then(|call| subject.layers(call)) {
            self.probe.tried(sent, id, layers);
        }
        let step = match self.scenario.routes[usize::from(route)].kind {
            RouteKind::Occ => Step::Read,
            RouteKind::Server(_) => {
                self.probe.counted(sent, id, sending.branch);
                Step::Arrive
            }
        };
        if self.is_lost(self.scenario.network.lost, key, sending.number, LOST_THERE) {
            if step == Step::Read {
                self.probe.counted(sent, id, sending.branch);
            }
            return self.await_step(request, Instant::MAX);
        }
        let arrives = self.scenario.network.arrival(network, Way::To, sent);
        let attempt = Attempt::new(network, request, &sending, route, step);
        let index = self.records.attempts.insert(attempt);
        let record = &mut self.records.requests[request];
        record.flight = index;
        record.live += 1;
        self.await_step(request, arrives);
        self.queue_attempt(index, step, arrives);
    }

    /// Whether a message gets lost; most networks lose none, and then no key is made.
    #[inline]
    fn is_lost(&self, share: f64, key: CallKey, attempt: u32, part: u8) -> bool {
        share > 0.0 && chance(share, StreamKey::of_attempt(key, attempt, Purpose::Loss), part)
    }

    /// The next that will happen to the attempt in flight happens at `next`. If the client's
    /// patience is over by then, it waits for that, too.
    #[inline]
    pub(super) fn await_step(&mut self, request: u32, next: Instant) {
        let record = &self.records.requests[request];
        if next < record.timeout_at || record.armed || record.timeout_at == Instant::MAX {
            return;
        }
        let at = record.timeout_at;
        self.records.requests[request].armed = true;
        self.queue_request(request, Step::Timeout, at);
    }

    /// The reply to the attempt in flight will come in time.
    #[inline]
    fn disarm(&mut self, request: u32) {
        let record = &mut self.records.requests[request];
        if record.armed {
            record.armed = false;
            record.step = Step::Idle;
            let slot = self.records.slot(Owner::Request(request));
            self.queue.cancel(slot, &self.records);
        }
    }

    /// A route answers an attempt at `now`.
    #[inline]
    pub(super) fn reply(&mut self, index: u32, way: Way, now: Instant) {
        let attempt = self.records.attempts[index];
        let record = &self.records.requests[attempt.request];
        let share = self.scenario.network.lost_replies;
        if attempt.abandoned || self.is_lost(share, record.key, attempt.number, LOST_BACK) {
            return self.vanish(index);
        }
        let arrives = self.scenario.network.arrival(attempt.network, way, now);
        // At the very instant of the timeout is too late.
        if arrives >= record.timeout_at {
            return self.vanish(index);
        }
        self.disarm(attempt.request);
        if !self.is_fused(attempt.request) {
            self.queue_attempt(index, Step::Reply, arrives);
        } else if arrives <= self.scenario.stop_after {
            self.replied(index, arrives);
        }
    }

    /// Nothing more comes of an attempt, and its client does not know.
    pub(super) fn vanish(&mut self, index: u32) {
        let Attempt { request, abandoned, .. } = self.records.attempts[index];
        if !abandoned {
            self.records.requests[request].flight = NONE;
            self.await_step(request, Instant::MAX);
        }
        self.forget(index);
    }

    /// Frees the record of an attempt, and that of its request if nothing is left of it.
    pub(super) fn forget(&mut self, index: u32) {
        let request = self.records.attempts[index].request;
        self.records.attempts.free(index);
        let record = &mut self.records.requests[request];
        record.live -= 1;
        if record.ended && record.live == 0 {
            self.records.requests.free(request);
        }
    }

    #[inline]
    pub(super) fn replied(&mut self, index: u32, now: Instant) {
        let Attempt { request, reply, hint, .. } = self.records.attempts[index];
        let id = self.records.attempt_id(index);
        let reading = self.scenario.replies.reading(reply);
        let mut outcome = reading.outcome();
        if hint != NO_HINT {
            outcome.hint = Some(Hint(Nanos::new(hint)));
        }
        self.probe.replied(now, id, result_number(outcome.signal));
        let record = &mut self.records.requests[request];
        record.flight = NONE;
        if let Some(hint) = outcome.hint {
            record.hint_until = now.saturating_add(hint.0);
        }
        // Forgotten first: the request may end here.
        self.forget(index);
        self.decide(request, reading.classification, &outcome, now);
    }

    /// The client's patience with the attempt in flight is over.
    pub(super) fn timed_out(&mut self, request: u32, now: Instant) {
        let record = &mut self.records.requests[request];
        record.armed = false;
        record.step = Step::Idle;
        let (flight, id) = (record.flight, record.last_attempt());
        record.flight = NONE;
        self.probe.timed_out(now, id);
        if flight != NONE {
            self.abandon(flight, now);
        }
        self.decide_out_of_line(request, &Outcome::new(Signal::AttemptTimeout), now);
    }

    /// The rare ways to [`World::decide`]: inlined there, it would be inlined nowhere.
    #[inline(never)]
    fn decide_out_of_line(&mut self, request: u32, outcome: &Outcome<'_>, now: Instant) {
        // There is no reply that a route's table could read.
        self.decide(request, StatusTable::generic().classify(outcome), outcome, now);
    }

    /// What follows the end of an attempt.
    #[inline(always)]
    fn decide(&mut self, request: u32, read: Classification, outcome: &Outcome<'_>, now: Instant) {
        let client = self.place(request);
        let record = &self.records.requests[request];
        let id = record.last_attempt();
        let crowd = &mut self.crowds[usize::from(record.population)];
        // An attempt belongs to a request that has begun.
        let Some(call) = &mut self.calls[request as usize] else { return };
        let mut budget = crowd.budgets.stack(client);
        let decision = if self.probe.hears_decisions() {
            let decisions = Decisions { probe: &mut *self.probe, at: now, id };
            on_outcome_aloud(crowd.subject, call, read, outcome, &mut budget, decisions)
        } else {
            crowd.subject.on_outcome(call, read, outcome, now, &mut budget, &mut ())
        };
        if self.probe.hears_budgets() {
            tell_levels(&budget, self.probe, now, (record.client, record.population));
        }
        self.follow(request, id, decision, Some(outcome), now);
    }

    /// What was decided instead of an attempt that could not leave in time.
    #[inline(never)]
    fn follow_out_of_line(&mut self, request: u32, decision: Decision, now: Instant) {
        let id = self.records.requests[request].last_attempt();
        self.follow(request, id, decision, None, now);
    }

    /// Does what was decided after attempt `id`, which ended with `last`.
    #[inline(always)]
    fn follow(
        &mut self,
        request: u32,
        id: AttemptId,
        decision: Decision,
        last: Option<&Outcome<'_>>,
        now: Instant,
    ) {
        let (ending, class) = match decision {
            Decision::RetrySameRoute(wait)
            | Decision::RetryAfterHint(wait)
            | Decision::ReduceAndRetryOnce(wait)
            | Decision::Fallback(wait)
            | Decision::ContinueTurn(wait) => {
                self.probe.waits(now, wait.until, id);
                if !self.is_fused(request) {
                    self.queue_request(request, Step::WaitOver, wait.until);
                } else if wait.until <= self.scenario.stop_after {
                    self.wait_over(request, wait.until);
                }
                return;
            }
            Decision::Accept => (TerminalOutcome::Succeeded, Class::Ok),
            Decision::Stop(stop) => (stop.terminal_outcome(), stop.class),
            Decision::Reconcile(stop) => (TerminalOutcome::Reconciled, stop.class),
        };
        self.end(request, ending, class, last, now);
    }

    #[inline]
    pub(super) fn wait_over(&mut self, request: u32, now: Instant) {
        let client = self.place(request);
        let record = &mut self.records.requests[request];
        record.step = Step::Idle;
        let id = record.last_attempt();
        let crowd = &mut self.crowds[usize::from(record.population)];
        let Some(call) = &mut self.calls[request as usize] else { return };
        let mut budget = crowd.budgets.stack(client);
        // A record is made in the rare case of an error only.
        let mut decisions = Decisions { probe: &mut *self.probe, at: now, id };
        match crowd.subject.next_attempt(call, &mut budget, now, &mut decisions) {
            Ok(attempt) => self.send(request, attempt, now),
            Err(decision) => self.follow_out_of_line(request, decision, now),
        }
    }

    fn end(
        &mut self,
        request: u32,
        outcome: TerminalOutcome,
        class: Class,
        last: Option<&Outcome<'_>>,
        now: Instant,
    ) {
        let subject = self.crowd(request).subject;
        let deadline = self.calls[request as usize].as_ref().map(|call| subject.deadline(call));
        let in_time = deadline.is_some_and(|deadline| now <= deadline);
        let id = self.records.requests[request].last_attempt();
        self.probe.ended(now, id, &End { in_time, outcome, class, last });
        self.leave(request, now);
        self.close(request, now);
    }

    /// Frees a request that is over, and plans the client's next one if it was waiting for that.
    pub(super) fn close(&mut self, request: u32, now: Instant) {
        self.calls[request as usize] = None;
        let record = &mut self.records.requests[request];
        record.ended = true;
        record.step = Step::Idle;
        let Request { key, population, client, number, .. } = *record;
        if record.live == 0 {
            self.records.requests.free(request);
        }
        let workload = &self.scenario.populations[usize::from(population)].workload;
        let Workload::Closed(closed) = workload else { return };
        let next = number + 1;
        if closed.requests.is_none_or(|most| next < most) {
            let think = StreamKey::of_attempt(key, 0, Purpose::Think).part(0);
            let planned = now.saturating_add(closed.think.sample(&mut { think }));
            let request = self.add_request(population, client, next, planned);
            self.await_begin(request);
        }
    }
}

/// What the policy decides, for a listener. Not inlined: where nobody listens, no step of a run is to
/// grow by the making of records.
#[inline(never)]
fn on_outcome_aloud<S: Subject, P: Probe>(
    subject: &S,
    call: &mut S::Call,
    read: Classification,
    outcome: &Outcome<'_>,
    budget: &mut BudgetStack<'_>,
    mut decisions: Decisions<'_, P>,
) -> Decision {
    let now = decisions.at;
    subject.on_outcome(call, read, outcome, now, budget, &mut decisions)
}

/// What is left of the budgets of a client and of its population, for a listener.
#[inline(never)]
fn tell_levels<P: Probe>(
    budget: &BudgetStack<'_>,
    probe: &mut P,
    now: Instant,
    (client, population): (u32, u16),
) {
    let of_client = (BudgetOwner::Client(client), &*budget.client);
    let of_group = (BudgetOwner::Population(population), &*budget.group);
    for (owner, parts) in [of_client, of_group] {
        if let Some(level) = BudgetState::min_level(parts) {
            probe.budget(now, owner, level);
        }
    }
}

/// The draws that decide whether an attempt, and its reply, are lost.
const LOST_THERE: u8 = 0;
const LOST_BACK: u8 = 1;
