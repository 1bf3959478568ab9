//! The event loop: clients, the network between, and the routes they contend for.
//!
//! An attempt travels to its route, is refused there, waits or is served, and its reply travels
//! back. What happens at a route can be seen by all; a reply, a wait and the begin of a request
//! concern one client alone, unless clients share a budget, or one client has several requests at
//! a time. *Fused*, such steps are worked out together with the step that causes them, and only
//! the others are queued: less work, and nothing else changes.

mod client;
mod gates;
mod row;
mod server;
mod stream;

use retrial_policy::{BudgetStack, BudgetState, Instant, Scope};

use self::server::RouteState;
use super::arrivals::{Arriving, Coming, open_all};
use super::gate::Gate;
use super::population::Workload;
use super::probe::Probe;
use super::records::{Owner, Records, Sight, Step};
use super::route::{Route, RouteKind};
use super::run_id::RunId;
use super::scenario::Scenario;
use super::subject::Subject;
use crate::engine::queue::EventQueue;
use crate::engine::storm_guard::{EndlessInstant, StormGuard};
use crate::engine::winner_tree::WinnerTree;

/// How a run is carried out. Nothing here can change its result; tests show it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Work out steps that only one client can see together with the step before.
    pub fused: bool,
    /// The order in which closed clients take their places, by client; the natural one if empty.
    pub order: Vec<u32>,
}

impl Layout {
    /// The fastest layout.
    pub fn fastest() -> Self {
        Layout { fused: true, order: Vec::new() }
    }
}

/// Runs `scenario` once and tells `probe` what happens; `subjects` has the policy of each
/// population.
///
/// # Errors
///
/// Time stands still: retries without delay or bound.
pub fn simulate<S: Subject, P: Probe>(
    scenario: &Scenario,
    subjects: &[S],
    run: RunId,
    probe: &mut P,
) -> Result<(), EndlessInstant> {
    simulate_with::<WinnerTree, S, P>(scenario, subjects, run, probe, &Layout::fastest())
}

/// As [`simulate`], with a queue and a layout of the caller's choice.
///
/// # Errors
///
/// As [`simulate`].
pub fn simulate_with<Q: EventQueue, S: Subject, P: Probe>(
    scenario: &Scenario,
    subjects: &[S],
    run: RunId,
    probe: &mut P,
    layout: &Layout,
) -> Result<(), EndlessInstant> {
    assert_eq!(scenario.populations.len(), subjects.len(), "each population has a policy");
    World::<Q, S, P>::new(scenario, subjects, run, probe, layout).run(layout)
}

struct World<'a, Q, S: Subject, P> {
    scenario: &'a Scenario,
    run: RunId,
    queue: Q,
    records: Records,
    /// The policy's own state of each request, beside its record.
    calls: Vec<Option<S::Call>>,
    crowds: Vec<Crowd<'a, S>>,
    streams: Vec<Arriving<'a>>,
    /// The next request of each stream.
    coming: Vec<Option<Coming>>,
    routes: Vec<RouteState>,
    /// Attempts waiting in the queues of all routes, and workers busy.
    waiting: u64,
    busy: u64,
    /// When the number of some server's workers changes, the latest first.
    phases: Vec<Instant>,
    probe: &'a mut P,
}

/// What a population needs while it runs.
struct Crowd<'a, S> {
    subject: &'a S,
    /// The number of its first client.
    first_client: u32,
    /// Steps of its clients are worked out ahead.
    fused: bool,
    budgets: Budgets,
    /// Requests begun, by client; empty for closed populations.
    begun: Vec<u32>,
    /// By client; empty where nothing is ever held back.
    gates: Vec<Gate>,
    /// Before the whole population.
    gate: Gate,
    /// Clients whose requests are over, until those that wait for that are let through.
    left: Vec<u32>,
}

/// The budgets of all clients of a population, and those they share.
struct Budgets {
    per_client: usize,
    clients: Vec<BudgetState>,
    group: Vec<BudgetState>,
}

impl Budgets {
    fn open<S: Subject>(subject: &S, clients: u32) -> Self {
        let of_client = BudgetState::open_all(subject.budgets(), Scope::Client);
        Budgets {
            per_client: of_client.len(),
            clients: (0..clients).flat_map(|_| of_client.clone()).collect(),
            group: BudgetState::open_all(subject.budgets(), Scope::Group),
        }
    }

    fn of_client(&mut self, client: u32) -> &mut [BudgetState] {
        let first = client as usize * self.per_client;
        &mut self.clients[first..first + self.per_client]
    }

    #[inline]
    fn stack(&mut self, client: u32) -> BudgetStack<'_> {
        let first = client as usize * self.per_client;
        BudgetStack {
            client: &mut self.clients[first..first + self.per_client],
            group: &mut self.group,
        }
    }
}

impl<'a, Q: EventQueue, S: Subject, P: Probe> World<'a, Q, S, P> {
    fn new(
        scenario: &'a Scenario,
        subjects: &'a [S],
        run: RunId,
        probe: &'a mut P,
        layout: &Layout,
    ) -> Self {
        let timeouts_matter = scenario.routes.iter().any(Route::drops_abandoned);
        let (mut crowds, mut sight) = (Vec::new(), Vec::new());
        let mut first_client = 0;
        for (population, subject) in scenario.populations.iter().zip(subjects) {
            let budgets = Budgets::open(subject, population.clients);
            let is_closed = match population.workload {
                Workload::Closed(_) => true,
                Workload::Open(_) | Workload::Trace(_) => false,
            };
            let bounded = |parts: &[BudgetState]| BudgetState::min_concurrency(parts) != u32::MAX;
            // A closed client has one request at a time, which any limit of its own lets through.
            let held = bounded(&budgets.group)
                || !is_closed && (population.concurrency.is_some() || bounded(&budgets.clients));
            // Requests of one client at a time, or with nothing between them, meet at routes only.
            let alone = is_closed || budgets.per_client == 0;
            let private = alone && !held && !subject.is_shared_between_clients();
            let clients = population.clients as usize;
            sight.push(Sight { private, timeouts_matter });
            crowds.push(Crowd {
                subject,
                first_client,
                fused: layout.fused && private,
                budgets,
                begun: vec![0; if is_closed { 0 } else { clients }],
                gates: vec![Gate::default(); if held { clients } else { 0 }],
                gate: Gate::default(),
                left: Vec::new(),
            });
            first_client += population.clients;
        }
        World {
            scenario,
            run,
            queue: Q::with_slots(scenario.clients() as usize),
            records: Records::new(sight),
            calls: Vec::new(),
            crowds,
            streams: open_all(scenario, run),
            coming: Vec::new(),
            routes: scenario.routes.iter().map(RouteState::new).collect(),
            waiting: 0,
            busy: 0,
            phases: phases(scenario),
            probe,
        }
    }

    fn run(&mut self, layout: &Layout) -> Result<(), EndlessInstant> {
        self.start_closed(layout);
        self.start_streams();
        self.await_phase();
        let mut guard = StormGuard::default();
        while let Some((now, slot)) = self.queue.pop(&self.records) {
            if now > self.scenario.stop_after {
                break;
            }
            guard.count(now, self.records.slots())?;
            self.step(self.records.owner(slot), now);
        }
        Ok(())
    }

    #[inline]
    fn step(&mut self, owner: Owner, now: Instant) {
        match owner {
            Owner::Attempt(index) => match self.records.attempts[index].step {
                Step::Read => self.read(index, now),
                Step::ReadReply => self.write_back(index, now),
                Step::Write => self.write(index, now),
                Step::Arrive => self.arrive(index, now),
                Step::Served => self.served(index, now),
                Step::Reply => self.replied(index, now),
                _ => {}
            },
            Owner::Request(index) => match self.records.requests[index].step {
                Step::Begin => self.begin(index, now),
                Step::WaitOver => self.wait_over(index, now),
                Step::Timeout => self.timed_out(index, now),
                Step::HeldTooLong => self.held_too_long(index, now),
                _ => {}
            },
            Owner::Stream(index) => self.arrival(index, now),
            Owner::Phases => self.phase(now),
        }
    }

    /// Queues the next step of an attempt.
    #[inline]
    fn queue_attempt(&mut self, index: u32, step: Step, at: Instant) {
        self.records.attempts[index].step = step;
        let slot = self.records.slot(Owner::Attempt(index));
        self.queue.schedule(slot, at, &self.records);
    }

    /// Queues the next step of a request.
    #[inline]
    fn queue_request(&mut self, index: u32, step: Step, at: Instant) {
        self.records.requests[index].step = step;
        let slot = self.records.slot(Owner::Request(index));
        self.queue.schedule(slot, at, &self.records);
    }

    /// The population of a request.
    #[inline]
    fn crowd(&mut self, request: u32) -> &mut Crowd<'a, S> {
        &mut self.crowds[usize::from(self.records.requests[request].population)]
    }

    /// Whether a step at `at` that only its client can see is to be taken at once, ahead of its
    /// time. If not it must be queued.
    #[inline]
    fn is_fused(&self, request: u32) -> bool {
        self.crowds[usize::from(self.records.requests[request].population)].fused
    }

    /// Waits for the next change in the number of workers.
    fn await_phase(&mut self) {
        if let Some(at) = self.phases.pop() {
            let slot = self.records.slot(Owner::Phases);
            self.queue.schedule(slot, at, &self.records);
        }
    }

    fn phase(&mut self, now: Instant) {
        for route in 0..self.routes.len() as u16 {
            self.put_to_work(route, now);
        }
        self.await_phase();
    }
}

/// When servers lose or regain workers, the latest first.
fn phases(scenario: &Scenario) -> Vec<Instant> {
    let faults = scenario.routes.iter().flat_map(|route| match route.kind {
        RouteKind::Server(_) => &route.faults[..],
        RouteKind::Occ => &[],
    });
    let changing = faults.filter(|fault| fault.workers.is_some());
    let mut phases: Vec<_> = changing
        .flat_map(|fault| [fault.from, fault.until])
        .filter(|at| *at != Instant::MAX)
        .collect();
    phases.sort_unstable_by(|a, b| b.cmp(a));
    phases.dedup();
    phases
}
