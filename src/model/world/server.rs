//! What happens at a server: faults, then limits, then a worker or the queue.

use retrial_policy::{Instant, Nanos};

use super::World;
use crate::engine::queue::EventQueue;
use crate::engine::stream::{Purpose, StreamKey};
use crate::model::fifo::Fifo;
use crate::model::limit::{Meter, Size};
use crate::model::network::Way;
use crate::model::occ_row::OccRow;
use crate::model::probe::Probe;
use crate::model::records::{Attempt, NO_HINT, Owner, Request, Step};
use crate::model::refusal::Refusal;
use crate::model::route::{Route, RouteKind, ServerSpec, Service};
use crate::model::subject::Subject;

/// A route that is running.
pub(super) struct RouteState {
    pub serving: Serving,
    meters: Vec<Meter>,
}

/// How it serves.
pub(super) enum Serving {
    Row(OccRow),
    Server(Server),
}

/// Workers and a queue.
#[derive(Default)]
pub(super) struct Server {
    busy: u32,
    waiting: Fifo,
}

impl RouteState {
    pub fn new(route: &Route) -> Self {
        let serving = match route.kind {
            RouteKind::Occ => Serving::Row(OccRow::default()),
            RouteKind::Server(_) => Serving::Server(Server::default()),
        };
        RouteState { serving, meters: route.limits.iter().map(|limit| limit.meter()).collect() }
    }
}

/// How many may be in service at `now`.
fn workers(route: &Route, spec: &ServerSpec, now: Instant) -> u32 {
    let left = route.faults.iter().filter(|fault| fault.is_on(now));
    let left = left.filter_map(|fault| fault.workers).min();
    left.unwrap_or(u32::MAX).min(spec.workers.unwrap_or(u32::MAX))
}

impl<'a, Q: EventQueue, S: Subject, P: Probe> World<'a, Q, S, P> {
    /// A route with workers, what is asked of it and how it stands.
    fn server(&mut self, route: u16) -> Option<(&'a Route, &'a ServerSpec, &mut Server)> {
        let asked = &self.scenario.routes[usize::from(route)];
        match (&asked.kind, &mut self.routes[usize::from(route)].serving) {
            (RouteKind::Server(spec), Serving::Server(server)) => Some((asked, spec, server)),
            _ => None,
        }
    }

    /// An attempt reaches a server.
    pub(super) fn arrive(&mut self, index: u32, now: Instant) {
        let id = self.records.attempt_id(index);
        let Attempt { route, abandoned, .. } = self.records.attempts[index];
        self.probe.arrived(now, id, route);
        if self.is_hit_by_fault(index, now) || self.is_over_limit(index, now) {
            return;
        }
        let Some((asked, spec, server)) = self.server(route) else { return };
        if abandoned && spec.drops_abandoned {
            return self.vanish(index);
        }
        if server.busy < workers(asked, spec, now) && server.waiting.is_empty() {
            return self.serve(index, now);
        }
        if spec.queue.is_some_and(|places| server.waiting.len() >= places) {
            return self.refuse(index, &spec.full, None, now);
        }
        self.enqueue(index, now);
    }

    /// Whether a fault decided what becomes of an attempt that arrives.
    fn is_hit_by_fault(&mut self, index: u32, now: Instant) -> bool {
        let Attempt { route, request, number, .. } = self.records.attempts[index];
        let faults = &self.scenario.routes[usize::from(route)].faults;
        if faults.is_empty() {
            return false;
        }
        let key = self.records.requests[request].key;
        let draws = StreamKey::of_attempt(key, number, Purpose::Fault);
        let hits = faults.iter().enumerate().find(|(place, fault)| {
            (fault.silent || fault.refuse.is_some()) && fault.hits(now, draws, *place)
        });
        match hits {
            None => return false,
            Some((_, fault)) => match &fault.refuse {
                Some(refusal) => self.refuse(index, refusal, None, now),
                None => self.vanish(index),
            },
        }
        true
    }

    /// Whether a limit refused an attempt that arrives. What one refuses costs the others nothing.
    fn is_over_limit(&mut self, index: u32, now: Instant) -> bool {
        let Attempt { route, request, .. } = self.records.attempts[index];
        let Request { input, output, .. } = self.records.requests[request];
        let size = Size { input, output };
        let limits = &self.scenario.routes[usize::from(route)].limits;
        let meters = &mut self.routes[usize::from(route)].meters;
        for (limit, meter) in limits.iter().zip(&mut *meters) {
            if !limit.allows(meter, size, now) {
                let hint = limit.hint(meter, size, now);
                self.refuse(index, &limit.over, hint, now);
                return true;
            }
        }
        for (limit, meter) in limits.iter().zip(meters) {
            limit.take(meter, size);
        }
        false
    }

    /// An attempt gets an error reply.
    fn refuse(&mut self, index: u32, refusal: &Refusal, hint: Option<Nanos>, now: Instant) {
        let id = self.records.attempt_id(index);
        self.probe.rejected(now, id);
        let attempt = &mut self.records.attempts[index];
        attempt.reply = refusal.reply;
        attempt.hint = hint.map_or(NO_HINT, Nanos::get);
        let Attempt { request, number, .. } = *attempt;
        let key =
            StreamKey::of_attempt(self.records.requests[request].key, number, Purpose::Refusal);
        let at = now.saturating_add(refusal.latency.sample(&mut key.part(0)));
        self.reply(index, Way::Back, at);
    }

    fn enqueue(&mut self, index: u32, now: Instant) {
        let Attempt { route, request, abandoned, .. } = self.records.attempts[index];
        self.records.attempts[index].step = Step::Idle;
        if !abandoned {
            self.await_step(request, Instant::MAX);
        }
        let Serving::Server(server) = &mut self.routes[usize::from(route)].serving else { return };
        server.waiting.push(&mut self.records.attempts, index);
        self.waiting += 1;
        self.probe.queue(now, self.waiting);
    }

    /// Attempts leave the queue for workers that are free.
    pub(super) fn put_to_work(&mut self, route: u16, now: Instant) {
        loop {
            let Serving::Server(server) = &mut self.routes[usize::from(route)].serving else {
                return;
            };
            let asked = &self.scenario.routes[usize::from(route)];
            let RouteKind::Server(spec) = &asked.kind else { return };
            if server.waiting.is_empty() || server.busy >= workers(asked, spec, now) {
                return;
            }
            let Some(next) = server.waiting.pop(&mut self.records.attempts) else { return };
            self.waiting -= 1;
            self.probe.queue(now, self.waiting);
            self.serve(next, now);
        }
    }

    /// A worker begins with an attempt.
    fn serve(&mut self, index: u32, now: Instant) {
        let Attempt { route, request, number, abandoned, .. } = self.records.attempts[index];
        let Request { key, input, output, .. } = self.records.requests[request];
        let Some((asked, spec, server)) = self.server(route) else { return };
        server.busy += 1;
        let has_workers = spec.workers.is_some();
        let mut time = match &spec.service {
            Service::Law(law) => {
                law.sample(&mut StreamKey::of_attempt(key, number, Purpose::Service).part(0))
            }
            Service::PerToken { first, per_input, per_output } => first
                .saturating_add(per_input.saturating_mul(input.into()))
                .saturating_add(per_output.saturating_mul(output.into())),
        };
        let draws = StreamKey::of_attempt(key, number, Purpose::Fault);
        for (place, fault) in asked.faults.iter().enumerate() {
            let matters = fault.slow != 1.0 || fault.stream.is_some();
            if !matters || !fault.hits(now, draws, place) {
                continue;
            }
            if fault.slow != 1.0 {
                time = Nanos::new((time.get() as f64 * fault.slow) as u64);
            }
            if let Some(reply) = fault.stream {
                self.records.attempts[index].reply = reply;
            }
        }
        if has_workers {
            self.busy += 1;
            self.probe.busy(now, self.busy);
        }
        self.charge(index, input, now);
        let end = now.saturating_add(time);
        if !abandoned {
            self.await_step(request, end);
        }
        self.queue_attempt(index, Step::Served, end);
    }

    /// A server is done with an attempt.
    pub(super) fn served(&mut self, index: u32, now: Instant) {
        let Attempt { request, .. } = self.records.attempts[index];
        let output = self.records.requests[request].output;
        self.charge(index, output, now);
        self.execute(index, now);
        let route = self.records.attempts[index].route;
        self.leave_worker(route, now);
        self.reply(index, Way::Back, now);
        self.put_to_work(route, now);
    }

    fn leave_worker(&mut self, route: u16, now: Instant) {
        let Some((_, spec, server)) = self.server(route) else { return };
        server.busy -= 1;
        if spec.workers.is_some() {
            self.busy -= 1;
            self.probe.busy(now, self.busy);
        }
    }

    fn charge(&mut self, index: u32, tokens: u32, now: Instant) {
        if tokens > 0 {
            let id = self.records.attempt_id(index);
            self.probe.charged(now, id, tokens.into());
        }
    }

    /// A route carries a request out. A key tells it that it has done so before, and then the
    /// second time changes nothing. Another route does not know, and a policy that calls its calls
    /// safe may be wrong: both count.
    pub(super) fn execute(&mut self, index: u32, now: Instant) {
        let id = self.records.attempt_id(index);
        let request = self.records.attempts[index].request;
        let keyed = self.crowd(request).subject.sends_key();
        let here = 1_u32 << self.records.attempts[index].route.min(31);
        let record = &mut self.records.requests[request];
        let before = record.executed_on;
        record.executed_on |= here;
        let known = keyed && before & here != 0;
        self.probe.executed(now, id, before != 0 && !known);
    }

    /// The client of an attempt has given it up. Where that frees the server, it is gone; else it
    /// lives on.
    pub(super) fn abandon(&mut self, index: u32, now: Instant) {
        self.records.attempts[index].abandoned = true;
        let Attempt { route, step, .. } = self.records.attempts[index];
        if !self.scenario.routes[usize::from(route)].drops_abandoned() {
            return;
        }
        match step {
            Step::Idle => {
                let Serving::Server(server) = &mut self.routes[usize::from(route)].serving else {
                    return;
                };
                server.waiting.remove(&mut self.records.attempts, index);
                self.waiting -= 1;
                self.probe.queue(now, self.waiting);
                self.forget(index);
            }
            Step::Served => {
                let slot = self.records.slot(Owner::Attempt(index));
                self.queue.cancel(slot, &self.records);
                self.leave_worker(route, now);
                self.forget(index);
                self.put_to_work(route, now);
            }
            // On its way: it is turned away when it arrives.
            _ => {}
        }
    }
}
