//! What a run keeps of requests, attempts and arrival streams, and which events they wait for.

use retrial_policy::{Attempt as Sending, Branch, CallKey, Instant};

use super::fifo::{Linked, Links, NONE};
use super::pool::Pool;
use super::probe::{AttemptId, RequestId};
use super::reply::ReplyId;
use crate::engine::queue::{Identities, SlotId};
use crate::engine::rank::Identity;
use crate::engine::stream::StreamKey;

/// The next step of a request, an attempt or a stream; the number is part of an event's identity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Step {
    /// The client begins its request.
    Begin = 1,
    /// The read reaches the row.
    Read = 2,
    /// The version reaches the client, which writes at once.
    ReadReply = 3,
    /// The write reaches the row.
    Write = 4,
    /// The reply reaches the client.
    Reply = 5,
    /// The wait before the next attempt is over.
    WaitOver = 6,
    /// The attempt reaches a server.
    Arrive = 7,
    /// The server is done with the attempt.
    Served = 8,
    /// The client's patience with an attempt is over.
    Timeout = 9,
    /// The request's deadline passes while it is held back in the client.
    HeldTooLong = 10,
    /// The next request of a stream begins.
    Arrival = 11,
    /// The number of a server's workers changes.
    Phase = 12,
    /// Waits for nothing: in a queue, or over.
    Idle = 13,
}

/// A logical request.
#[derive(Clone, Copy, Debug)]
pub(super) struct Request {
    pub key: CallKey,
    pub planned: Instant,
    /// When the client gives up the attempt in flight.
    pub timeout_at: Instant,
    /// When the last hint of the route runs out.
    pub hint_until: Instant,
    pub client: u32,
    pub number: u32,
    /// The attempt made last.
    pub attempt: u32,
    /// The record of the attempt in flight, while the model still follows it.
    pub flight: u32,
    /// Records of attempts, abandoned ones included.
    pub live: u32,
    pub input: u32,
    pub output: u32,
    links: Links,
    pub population: u16,
    /// The route of the attempt made last.
    pub route: u16,
    pub step: Step,
    /// The timeout is among the pending events.
    pub armed: bool,
    /// It waits before the gate of its population, not of its client.
    pub held_by_population: bool,
    /// The routes that have carried it out: a bit for each of the first 31, one for all others.
    pub executed_on: u32,
    pub ended: bool,
}

/// An attempt on its way, in a queue or in service.
#[derive(Clone, Copy, Debug)]
pub(super) struct Attempt {
    /// Its delays in the network.
    pub network: StreamKey,
    pub request: u32,
    pub number: u32,
    /// The version read from a row.
    pub version: u32,
    links: Links,
    pub route: u16,
    pub reply: ReplyId,
    pub step: Step,
    pub branch: Branch,
    /// Its client has given it up.
    pub abandoned: bool,
    /// The hint that its limit gives, in nanoseconds; else the reply's own holds.
    pub hint: u64,
}

impl Linked for Request {
    fn links(&mut self) -> &mut Links {
        &mut self.links
    }
}

impl Linked for Attempt {
    fn links(&mut self) -> &mut Links {
        &mut self.links
    }
}

/// No hint from a limit.
pub(super) const NO_HINT: u64 = 0;

impl Request {
    pub fn new(key: CallKey, population: u16, client: u32, number: u32, planned: Instant) -> Self {
        Request {
            key,
            planned,
            timeout_at: Instant::MAX,
            hint_until: Instant::from_nanos(0),
            client,
            number,
            attempt: 0,
            flight: NONE,
            live: 0,
            input: 0,
            output: 0,
            links: Links::default(),
            population,
            route: 0,
            step: Step::Begin,
            armed: false,
            held_by_population: false,
            executed_on: 0,
            ended: false,
        }
    }

    pub fn id(&self) -> RequestId {
        RequestId { client: self.client, request: self.number, planned: self.planned }
    }

    /// Its attempt made last.
    pub fn last_attempt(&self) -> AttemptId {
        AttemptId { of: self.id(), number: self.attempt }
    }
}

impl Attempt {
    pub fn new(
        network: StreamKey,
        request: u32,
        sending: &Sending,
        route: u16,
        step: Step,
    ) -> Self {
        Attempt {
            network,
            request,
            number: sending.number,
            branch: sending.branch,
            version: 0,
            links: Links::default(),
            route,
            reply: ReplyId::OK,
            step,
            abandoned: false,
            hint: NO_HINT,
        }
    }
}

/// What an event is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    Request(u32),
    Attempt(u32),
    Stream(u32),
    Phases,
}

/// What can be seen by others than the client it concerns.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sight {
    /// The clients of a population meet nobody but routes.
    pub private: bool,
    /// A client that gives up frees a place at the server.
    pub timeouts_matter: bool,
}

/// All records of a run.
pub(super) struct Records {
    pub requests: Pool<Request>,
    pub attempts: Pool<Attempt>,
    /// By population.
    pub sight: Vec<Sight>,
    slots: Slots,
}

/// Which slot of the event queue belongs to whom. A number keeps its slot for good.
#[derive(Default)]
struct Slots {
    owners: Vec<Owner>,
    requests: Vec<u32>,
    attempts: Vec<u32>,
    streams: Vec<u32>,
    phases: Vec<u32>,
}

impl Slots {
    #[inline]
    fn of(&mut self, owner: Owner) -> SlotId {
        let (slots, index) = match owner {
            Owner::Request(index) => (&mut self.requests, index),
            Owner::Attempt(index) => (&mut self.attempts, index),
            Owner::Stream(index) => (&mut self.streams, index),
            Owner::Phases => (&mut self.phases, 0),
        };
        let index = index as usize;
        if index >= slots.len() {
            slots.resize(index + 1, NONE);
        }
        if slots[index] == NONE {
            slots[index] = self.owners.len() as u32;
            self.owners.push(owner);
        }
        SlotId(slots[index])
    }
}

impl Records {
    pub fn new(sight: Vec<Sight>) -> Self {
        Records {
            requests: Pool::default(),
            attempts: Pool::default(),
            sight,
            slots: Slots::default(),
        }
    }

    /// The slot for events of `owner`.
    #[inline]
    pub fn slot(&mut self, owner: Owner) -> SlotId {
        self.slots.of(owner)
    }

    /// Whose event sits in `slot`.
    #[inline]
    pub fn owner(&self, slot: SlotId) -> Owner {
        self.slots.owners[slot.index()]
    }

    /// How many slots were given out.
    pub fn slots(&self) -> usize {
        self.slots.owners.len()
    }

    pub fn attempt_id(&self, attempt: u32) -> AttemptId {
        let Attempt { request, number, .. } = self.attempts[attempt];
        AttemptId { of: self.requests[request].id(), number }
    }
}

/// The client number of events that belong to no client.
const NOBODY: u32 = u32::MAX;

impl Identities for Records {
    fn identity(&self, slot: SlotId) -> Identity {
        let of = |request: &Request, attempt: u32, step: Step| {
            let Sight { private, timeouts_matter } = self.sight[usize::from(request.population)];
            let observable = match step {
                Step::ReadReply | Step::Idle => false,
                Step::Timeout => !private || timeouts_matter,
                Step::Begin | Step::Reply | Step::WaitOver | Step::HeldTooLong => !private,
                Step::Read | Step::Write | Step::Arrive | Step::Served => true,
                Step::Arrival | Step::Phase => true,
            };
            Identity {
                client: request.client,
                request: request.number,
                attempt,
                kind: step as u8,
                observable,
            }
        };
        let of_nobody = |request: u32, step: Step| Identity {
            client: NOBODY,
            request,
            attempt: 0,
            kind: step as u8,
            observable: true,
        };
        match self.owner(slot) {
            Owner::Request(index) => {
                let request = &self.requests[index];
                of(request, request.attempt, request.step)
            }
            Owner::Attempt(index) => {
                let attempt = &self.attempts[index];
                of(&self.requests[attempt.request], attempt.number, attempt.step)
            }
            Owner::Stream(index) => of_nobody(index, Step::Arrival),
            Owner::Phases => of_nobody(0, Step::Phase),
        }
    }
}
