//! A probe that writes everything down.

use retrial::engine::queue::EventQueue;
use retrial::model::probe::{AttemptId, End, Probe};
use retrial::model::scenario::Scenario;
use retrial::model::subject::Subject;
use retrial::model::world::{Layout, simulate, simulate_with};
use retrial_policy::Instant;

use super::RUN;

/// One call of the probe, without its time and client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told {
    Began,
    Sent { attempt: u32 },
    Arrived { attempt: u32 },
    Rejected { attempt: u32 },
    Replied { attempt: u32, status: u16 },
    Waits { attempt: u32, until: Instant },
    Ended { attempt: u32, end: End },
}

/// Everything told, in the order of telling: when, about which client, what.
#[derive(Debug, Default)]
pub struct Log(pub Vec<(Instant, u32, Told)>);

impl Log {
    pub fn of<S: Subject>(scenario: &Scenario, subject: &S) -> Log {
        let mut log = Log::default();
        simulate(scenario, subject, RUN, &mut log).unwrap();
        log
    }

    pub fn with<Q: EventQueue, S: Subject>(
        scenario: &Scenario,
        subject: &S,
        layout: &Layout,
    ) -> Log {
        let mut log = Log::default();
        simulate_with::<Q, S, _>(scenario, subject, RUN, &mut log, layout).unwrap();
        log
    }

    /// What was told about one client, in the order of telling.
    pub fn of_client(&self, client: u32) -> Vec<(Instant, Told)> {
        let own = self.0.iter().filter(|(_, about, _)| *about == client);
        own.map(|(at, _, told)| (*at, *told)).collect()
    }

    pub fn count(&self, what: impl Fn(&Told) -> bool) -> usize {
        self.0.iter().filter(|(_, _, told)| what(told)).count()
    }

    fn tell(&mut self, at: Instant, id: AttemptId, told: Told) {
        assert_eq!(id.request, 0, "a client has one request");
        self.0.push((at, id.client, told));
    }
}

impl Probe for Log {
    fn began(&mut self, at: Instant, client: u32, request: u32) {
        self.tell(at, AttemptId { client, request, attempt: 1 }, Told::Began);
    }

    fn sent(&mut self, at: Instant, id: AttemptId) {
        self.tell(at, id, Told::Sent { attempt: id.attempt });
    }

    fn arrived(&mut self, at: Instant, id: AttemptId) {
        self.tell(at, id, Told::Arrived { attempt: id.attempt });
    }

    fn rejected(&mut self, at: Instant, id: AttemptId) {
        self.tell(at, id, Told::Rejected { attempt: id.attempt });
    }

    fn replied(&mut self, at: Instant, id: AttemptId, status: u16) {
        self.tell(at, id, Told::Replied { attempt: id.attempt, status });
    }

    fn waits(&mut self, from: Instant, until: Instant, id: AttemptId) {
        self.tell(from, id, Told::Waits { attempt: id.attempt, until });
    }

    fn ended(&mut self, at: Instant, id: AttemptId, end: End) {
        self.tell(at, id, Told::Ended { attempt: id.attempt, end });
    }
}
