//! The event loop: clients, the network between, and the row they contend for.
//!
//! An attempt is a read and a write, four ways through the network in all, and is counted when
//! the write reaches the row. Of its steps only the arrivals at the row can be seen by others;
//! the replies concern one client alone, unless clients share a budget. *Fused*, a reply is worked
//! out together with the arrival that causes it, and only arrivals are queued: half the queue's
//! work is gone and nothing else changes.

use retrial_policy::{
    Attempt, BudgetStack, BudgetState, CallKey, Decision, Instant, Outcome, Scope, TerminalOutcome,
};

use super::occ_row::{self, OccRow};
use super::probe::{AttemptId, End, Probe};
use super::scenario::{RunId, Scenario};
use super::subject::Subject;
use crate::engine::queue::{EventQueue, Identities, SlotId};
use crate::engine::rank::Identity;
use crate::engine::storm_guard::{EndlessInstant, StormGuard};
use crate::engine::stream::{Purpose, StreamKey};
use crate::engine::winner_tree::WinnerTree;

/// The logical request of a client; each has one.
const REQUEST: u32 = 0;

/// How a run is carried out. Nothing here can change its result; tests show it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Work out steps that only one client can see together with the step before. Must be off
    /// where clients share a budget.
    pub fused: bool,
    /// The client of each slot.
    pub clients: Vec<u32>,
}

impl Layout {
    /// The fastest layout for `subject`.
    pub fn fastest<S: Subject>(scenario: &Scenario, subject: &S) -> Self {
        Layout {
            fused: !subject.is_shared_between_clients(),
            clients: (0..scenario.clients).collect(),
        }
    }
}

/// Runs `scenario` once and tells `probe` what happens.
///
/// # Errors
///
/// Time stands still: retries without delay or bound.
pub fn simulate<S: Subject, P: Probe>(
    scenario: &Scenario,
    subject: &S,
    run: RunId,
    probe: &mut P,
) -> Result<(), EndlessInstant> {
    let layout = Layout::fastest(scenario, subject);
    simulate_with::<WinnerTree, S, P>(scenario, subject, run, probe, &layout)
}

/// As [`simulate`], with a queue and a layout of the caller's choice.
///
/// # Errors
///
/// As [`simulate`].
pub fn simulate_with<Q: EventQueue, S: Subject, P: Probe>(
    scenario: &Scenario,
    subject: &S,
    run: RunId,
    probe: &mut P,
    layout: &Layout,
) -> Result<(), EndlessInstant> {
    World::<Q, S, P>::new(scenario, subject, run, probe, layout).run()
}

/// The next step of an attempt or request; the number is part of an event's identity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
enum Step {
    /// The client begins its request.
    Begin = 1,
    /// The read reaches the row.
    Read = 2,
    /// The version reaches the client, which writes at once.
    ReadReply = 3,
    /// The write reaches the row.
    Write = 4,
    /// The reply to the write reaches the client.
    WriteReply = 5,
    /// The wait before the next attempt is over.
    WaitOver = 6,
}

/// The ways of an attempt through the network, each with a random stream of its own.
#[derive(Clone, Copy, Debug)]
#[repr(u8)]
enum Way {
    ToRead = 0,
    FromRead = 1,
    ToWrite = 2,
    FromWrite = 3,
}

/// What a step touches: half a cache line a client.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
struct Client {
    key: CallKey,
    /// The delays of the attempt's ways through the network.
    network: StreamKey,
    /// The version read, then the status of the write.
    carried: u32,
    id: u32,
    attempt: u32,
    step: Step,
}

const _: () = assert!(size_of::<Client>() == 32, "two clients share a cache line");

struct Clients {
    by_slot: Vec<Client>,
    /// Decisions can be seen by other clients.
    shared: bool,
}

impl Identities for Clients {
    fn identity(&self, slot: SlotId) -> Identity {
        let client = &self.by_slot[slot.index()];
        let observable = match client.step {
            Step::Read | Step::Write => true,
            Step::ReadReply => false,
            Step::Begin | Step::WriteReply | Step::WaitOver => self.shared,
        };
        Identity {
            client: client.id,
            request: REQUEST,
            attempt: client.attempt,
            kind: client.step as u8,
            observable,
        }
    }
}

struct World<'a, Q, S: Subject, P> {
    scenario: &'a Scenario,
    subject: &'a S,
    fused: bool,
    queue: Q,
    clients: Clients,
    calls: Vec<Option<S::Call>>,
    budgets: Budgets,
    row: OccRow,
    probe: &'a mut P,
}

/// The budgets of all clients, and those they share.
struct Budgets {
    per_client: usize,
    clients: Vec<BudgetState>,
    group: Vec<BudgetState>,
}

impl Budgets {
    fn of(&mut self, slot: SlotId) -> BudgetStack<'_> {
        let first = slot.index() * self.per_client;
        BudgetStack {
            client: &mut self.clients[first..first + self.per_client],
            group: &mut self.group,
        }
    }
}

impl<'a, Q: EventQueue, S: Subject, P: Probe> World<'a, Q, S, P> {
    fn new(
        scenario: &'a Scenario,
        subject: &'a S,
        run: RunId,
        probe: &'a mut P,
        layout: &Layout,
    ) -> Self {
        let slots = layout.clients.len();
        assert!(
            !(layout.fused && subject.is_shared_between_clients()),
            "clients that share a budget see each other's replies"
        );
        let of_client = BudgetState::open_all(subject.budgets(), Scope::Client);
        let by_slot = layout.clients.iter().map(|&id| {
            let key = CallKey::derive(run.seed, run.replication, id.into(), REQUEST.into());
            let network = StreamKey::of_attempt(key, 1, Purpose::Network);
            Client { key, network, carried: 0, id, attempt: 1, step: Step::Begin }
        });
        World {
            scenario,
            subject,
            fused: layout.fused,
            queue: Q::with_slots(slots),
            clients: Clients {
                by_slot: by_slot.collect(),
                shared: subject.is_shared_between_clients(),
            },
            calls: std::iter::repeat_with(|| None).take(slots).collect(),
            budgets: Budgets {
                per_client: of_client.len(),
                clients: of_client.repeat(slots),
                group: BudgetState::open_all(subject.budgets(), Scope::Group),
            },
            row: OccRow::default(),
            probe,
        }
    }

    fn run(&mut self) -> Result<(), EndlessInstant> {
        for slot in (0..self.clients.by_slot.len() as u32).map(SlotId) {
            let start = Instant::from_nanos(0);
            if self.is_due_now(slot, Step::Begin, start) {
                self.begin(slot, start);
            }
        }
        let mut guard = StormGuard::new(self.clients.by_slot.len());
        while let Some((now, slot)) = self.queue.pop(&self.clients) {
            if now > self.scenario.stop_after {
                break;
            }
            guard.count(now)?;
            self.step(slot, now);
        }
        Ok(())
    }

    #[inline]
    fn step(&mut self, slot: SlotId, now: Instant) {
        match self.clients.by_slot[slot.index()].step {
            Step::Begin => self.begin(slot, now),
            Step::Read => self.read(slot, now),
            Step::ReadReply => self.write_back(slot, now),
            Step::Write => self.write(slot, now),
            Step::WriteReply => self.replied(slot, now),
            Step::WaitOver => self.wait_over(slot, now),
        }
    }

    /// Queues `step`, which others can see, for `at`.
    #[inline]
    fn queue(&mut self, slot: SlotId, step: Step, at: Instant) {
        self.clients.by_slot[slot.index()].step = step;
        self.queue.schedule(slot, at, &self.clients);
    }

    /// Whether `step`, which only its client can see, is to be taken at once, ahead of its time
    /// `at`. If not it is queued, or never happens because the run is over by then.
    #[inline]
    fn is_due_now(&mut self, slot: SlotId, step: Step, at: Instant) -> bool {
        if self.fused {
            return at <= self.scenario.stop_after;
        }
        self.queue(slot, step, at);
        false
    }

    fn begin(&mut self, slot: SlotId, now: Instant) {
        let key = self.clients.by_slot[slot.index()].key;
        let (call, attempt) = self.subject.start(key, &mut self.budgets.of(slot), now);
        self.calls[slot.index()] = Some(call);
        let client = self.clients.by_slot[slot.index()].id;
        self.probe.began(now, client, REQUEST);
        self.send(slot, attempt, now);
    }

    #[inline]
    fn send(&mut self, slot: SlotId, attempt: Attempt, now: Instant) {
        let client = &mut self.clients.by_slot[slot.index()];
        client.attempt = attempt.number;
        client.network = StreamKey::of_attempt(client.key, attempt.number, Purpose::Network);
        let sent = now.saturating_add(attempt.hold);
        let id = self.attempt_id(slot);
        self.probe.sent(sent, id);
        let arrives = self.travel(slot, Way::ToRead, sent);
        self.queue(slot, Step::Read, arrives);
    }

    #[inline]
    fn read(&mut self, slot: SlotId, now: Instant) {
        self.clients.by_slot[slot.index()].carried = self.row.read();
        let arrives = self.travel(slot, Way::FromRead, now);
        if self.is_due_now(slot, Step::ReadReply, arrives) {
            self.write_back(slot, arrives);
        }
    }

    #[inline]
    fn write_back(&mut self, slot: SlotId, now: Instant) {
        let arrives = self.travel(slot, Way::ToWrite, now);
        self.queue(slot, Step::Write, arrives);
    }

    #[inline]
    fn write(&mut self, slot: SlotId, now: Instant) {
        let id = self.attempt_id(slot);
        self.probe.arrived(now, id);
        let client = &mut self.clients.by_slot[slot.index()];
        let status = self.row.write(client.carried);
        client.carried = u32::from(status);
        if status != occ_row::COMMITTED {
            self.probe.rejected(now, id);
        }
        let arrives = self.travel(slot, Way::FromWrite, now);
        if self.is_due_now(slot, Step::WriteReply, arrives) {
            self.replied(slot, arrives);
        }
    }

    #[inline]
    fn replied(&mut self, slot: SlotId, now: Instant) {
        let status = self.clients.by_slot[slot.index()].carried as u16;
        let id = self.attempt_id(slot);
        self.probe.replied(now, id, status);
        // A reply belongs to a request that has begun.
        let Some(call) = &mut self.calls[slot.index()] else { return };
        let outcome = Outcome::response(status);
        let mut budget = self.budgets.of(slot);
        let decision = self.subject.on_outcome(call, &outcome, now, &mut budget);
        match decision {
            Decision::RetrySameRoute(wait)
            | Decision::RetryAfterHint(wait)
            | Decision::ReduceAndRetryOnce(wait)
            | Decision::Fallback(wait)
            | Decision::ContinueTurn(wait) => {
                self.probe.waits(now, wait.until, id);
                if self.is_due_now(slot, Step::WaitOver, wait.until) {
                    self.wait_over(slot, wait.until);
                }
            }
            Decision::Accept => self.end(slot, id, TerminalOutcome::Succeeded, now),
            Decision::Stop(stop) => self.end(slot, id, stop.terminal_outcome(), now),
            Decision::Reconcile(_) => self.end(slot, id, TerminalOutcome::Reconciled, now),
        }
    }

    #[inline]
    fn wait_over(&mut self, slot: SlotId, now: Instant) {
        let Some(call) = &mut self.calls[slot.index()] else { return };
        match self.subject.next_attempt(call, &mut self.budgets.of(slot), now) {
            Ok(attempt) => self.send(slot, attempt, now),
            Err(stop) => {
                let id = self.attempt_id(slot);
                self.end(slot, id, stop.terminal_outcome(), now);
            }
        }
    }

    fn end(&mut self, slot: SlotId, id: AttemptId, outcome: TerminalOutcome, now: Instant) {
        let deadline = self.calls[slot.index()].as_ref().map(|call| self.subject.deadline(call));
        let in_time = deadline.is_some_and(|deadline| now <= deadline);
        let planned = Instant::from_nanos(0);
        self.probe.ended(now, id, End { planned, in_time, outcome });
    }

    #[inline(always)]
    fn travel(&self, slot: SlotId, way: Way, from: Instant) -> Instant {
        let mut stream = self.clients.by_slot[slot.index()].network.part(way as u8);
        from.saturating_add(self.scenario.network.sample(&mut stream))
    }

    fn attempt_id(&self, slot: SlotId) -> AttemptId {
        let client = &self.clients.by_slot[slot.index()];
        AttemptId { client: client.id, request: REQUEST, attempt: client.attempt }
    }
}
