//! A probe that writes everything down.

use retrial::engine::queue::EventQueue;
use retrial::model::probe::{AttemptId, End, Probe, RequestId};
use retrial::model::scenario::Scenario;
use retrial::model::subject::Subject;
use retrial::model::world::{Layout, simulate, simulate_with};
use retrial_policy::{Branch, Instant, TerminalOutcome};

use super::{RUN, ms};

/// One call of the probe, without its time and client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told {
    Began,
    Sent { attempt: u32 },
    Arrived { attempt: u32 },
    Rejected { attempt: u32 },
    Replied { attempt: u32, status: u16 },
    Waits { attempt: u32, until: Instant },
    TimedOut { attempt: u32 },
    Ended { attempt: u32, in_time: bool, outcome: TerminalOutcome },
}

/// Everything told, in the order of telling: when, about which client, what.
#[derive(Debug, Default)]
pub struct Log(pub Vec<(Instant, u32, Told)>);

impl Log {
    pub fn of<S: Subject>(scenario: &Scenario, subject: &S) -> Log {
        let mut log = Log::default();
        simulate(scenario, std::slice::from_ref(subject), RUN, &mut log).unwrap();
        log
    }

    pub fn with<Q: EventQueue, S: Subject>(
        scenario: &Scenario,
        subject: &S,
        layout: &Layout,
    ) -> Log {
        let mut log = Log::default();
        let subjects = std::slice::from_ref(subject);
        simulate_with::<Q, S, _>(scenario, subjects, RUN, &mut log, layout).unwrap();
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

    fn tell(&mut self, at: Instant, id: RequestId, told: Told) {
        assert_eq!((id.request, id.planned), (0, ms(0)), "a client has one request");
        self.0.push((at, id.client, told));
    }
}

/// What happens at servers alone has tests of its own.
impl Probe for Log {
    fn began(&mut self, at: Instant, id: RequestId) {
        self.tell(at, id, Told::Began);
    }

    fn sent(&mut self, at: Instant, id: AttemptId, _early: bool) {
        self.tell(at, id.of, Told::Sent { attempt: id.number });
    }

    fn counted(&mut self, _at: Instant, _id: AttemptId, _branch: Branch) {}

    fn arrived(&mut self, at: Instant, id: AttemptId, _route: u16) {
        self.tell(at, id.of, Told::Arrived { attempt: id.number });
    }

    fn rejected(&mut self, at: Instant, id: AttemptId) {
        self.tell(at, id.of, Told::Rejected { attempt: id.number });
    }

    fn queue(&mut self, _at: Instant, _waiting: u64) {}

    fn busy(&mut self, _at: Instant, _workers: u64) {}

    fn executed(&mut self, _at: Instant, _id: AttemptId, _again: bool) {}

    fn charged(&mut self, _at: Instant, _id: AttemptId, _tokens: u64) {}

    fn replied(&mut self, at: Instant, id: AttemptId, status: u16) {
        self.tell(at, id.of, Told::Replied { attempt: id.number, status });
    }

    fn timed_out(&mut self, at: Instant, id: AttemptId) {
        self.tell(at, id.of, Told::TimedOut { attempt: id.number });
    }

    fn waits(&mut self, from: Instant, until: Instant, id: AttemptId) {
        self.tell(from, id.of, Told::Waits { attempt: id.number, until });
    }

    fn ended(&mut self, at: Instant, id: AttemptId, end: &End<'_>) {
        let End { in_time, outcome, .. } = *end;
        self.tell(at, id.of, Told::Ended { attempt: id.number, in_time, outcome });
    }
}
