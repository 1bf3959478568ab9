//! A probe that keeps its own books, and finds fault with what can't be.

use std::collections::BTreeMap;

use retrial::engine::winner_tree::WinnerTree;
use retrial::model::probe::{AttemptId, End, Probe, RequestId};
use retrial::model::route::RouteKind;
use retrial::model::scenario::Scenario;
use retrial::model::subject::Subject;
use retrial::model::world::{Layout, simulate_with};
use retrial_policy::{Branch, Instant};

use super::RUN;

/// A request by client and number.
type Key = (u32, u32);

/// An attempt by request and number.
type AttemptKey = (Key, u32);

#[derive(Debug)]
struct Request {
    began: Instant,
    sent: u32,
    ended: bool,
    /// When the attempt in flight left; `None` if none is.
    flying: Option<Instant>,
}

/// What is known of a run so far.
#[derive(Debug)]
pub struct Ledger {
    stop_after: Instant,
    places: Option<u64>,
    workers: Option<u64>,
    requests: BTreeMap<Key, Request>,
    /// How often each attempt arrived, was refused and was executed.
    at_routes: BTreeMap<AttemptKey, [u32; 3]>,
    busy: u64,
    /// When something was last told of a route.
    route_clock: Instant,
}

impl Ledger {
    /// Checks a whole run; `fused` as in [`Layout`].
    pub fn audit<S: Subject>(scenario: &Scenario, subjects: &[S], fused: bool) {
        let mut ledger = Ledger::of(scenario);
        let layout = Layout { fused, order: Vec::new() };
        simulate_with::<WinnerTree, S, _>(scenario, subjects, RUN, &mut ledger, &layout).unwrap();
        for (key, [arrived, refused, executed]) in &ledger.at_routes {
            assert!(refused + executed <= *arrived, "{key:?}");
        }
    }

    fn of(scenario: &Scenario) -> Self {
        // `None` as soon as one queue is unlimited.
        let queues = scenario.routes.iter().map(|route| match &route.kind {
            RouteKind::Occ => Some(0),
            RouteKind::Server(server) if server.workers.is_none() => None,
            RouteKind::Server(server) => server.queue.map(u64::from),
        });
        Ledger {
            stop_after: scenario.stop_after,
            places: queues.sum(),
            workers: scenario.workers(),
            requests: BTreeMap::new(),
            at_routes: BTreeMap::new(),
            busy: 0,
            route_clock: Instant::from_nanos(0),
        }
    }

    fn request(&mut self, at: Instant, id: RequestId) -> &mut Request {
        assert!(at <= self.stop_after, "{id:?}: something happens after the end, at {at:?}");
        let key = (id.client, id.request);
        let request = self.requests.get_mut(&key).unwrap_or_else(|| panic!("{id:?} never began"));
        assert!(request.began <= at, "{id:?} acts before it begins");
        request
    }

    fn at_route(&mut self, at: Instant, id: AttemptId) -> &mut [u32; 3] {
        self.request(at, id.of);
        assert!(self.route_clock <= at, "{id:?}: routes are told of in the order of time");
        self.route_clock = at;
        self.at_routes.entry(((id.of.client, id.of.request), id.number)).or_default()
    }

    /// The attempt in flight is over.
    fn landed(&mut self, at: Instant, id: AttemptId) {
        let request = self.request(at, id.of);
        assert_eq!(request.sent, id.number, "{id:?} is not the one in flight");
        let left = request.flying.take().unwrap_or_else(|| panic!("{id:?} is not in flight"));
        assert!(left <= at, "{id:?} is over before it left");
    }
}

impl Probe for Ledger {
    fn began(&mut self, at: Instant, id: RequestId) {
        assert!(at <= self.stop_after && at == id.planned, "{id:?} begins at {at:?}");
        let request = Request { began: at, sent: 0, ended: false, flying: None };
        let twice = self.requests.insert((id.client, id.request), request);
        assert!(twice.is_none(), "{id:?} begins twice");
        if id.request > 0 {
            assert!(self.requests.contains_key(&(id.client, id.request - 1)), "{id:?} is early");
        }
    }

    fn sent(&mut self, at: Instant, id: AttemptId, _early: bool) {
        let request = self.request(at, id.of);
        assert!(!request.ended, "{id:?} leaves after its request ended");
        assert!(request.flying.is_none(), "{id:?} leaves while another is in flight");
        assert_eq!(request.sent + 1, id.number, "attempts are numbered through");
        (request.sent, request.flying) = (id.number, Some(at));
    }

    fn counted(&mut self, at: Instant, id: AttemptId, branch: Branch) {
        self.request(at, id.of);
        // Where a breaker keeps the first try from leaving, the first attempt is a fallback.
        let begins = match branch {
            Branch::FirstTry => id.number == 1,
            Branch::ModelFallback => true,
            _ => id.number > 1,
        };
        assert!(begins, "{id:?}: {branch:?}");
    }

    fn arrived(&mut self, at: Instant, id: AttemptId, _route: u16) {
        let [arrived, ..] = self.at_route(at, id);
        *arrived += 1;
        assert_eq!(*arrived, 1, "{id:?} arrives twice");
    }

    fn rejected(&mut self, at: Instant, id: AttemptId) {
        self.at_route(at, id)[1] += 1;
    }

    fn queue(&mut self, at: Instant, waiting: u64) {
        assert!(at <= self.stop_after);
        assert!(self.places.is_none_or(|places| waiting <= places), "{waiting} wait");
    }

    fn busy(&mut self, at: Instant, workers: u64) {
        assert!(at <= self.stop_after);
        assert!(self.workers.is_some_and(|all| workers <= all), "{workers} are busy");
        assert_eq!(self.busy.abs_diff(workers), 1, "workers start and finish one by one");
        self.busy = workers;
    }

    fn executed(&mut self, at: Instant, id: AttemptId, again: bool) {
        self.at_route(at, id)[2] += 1;
        let own = (id.of.client, id.of.request);
        let before = self
            .at_routes
            .range((own, 0)..(own, u32::MAX))
            .any(|(key, counts)| key.1 != id.number && counts[2] > 0);
        assert!(before || !again, "{id:?} is said to be a repetition");
    }

    fn charged(&mut self, at: Instant, id: AttemptId, _tokens: u64) {
        self.at_route(at, id);
    }

    fn replied(&mut self, at: Instant, id: AttemptId, _result: u16) {
        self.landed(at, id);
    }

    fn timed_out(&mut self, at: Instant, id: AttemptId) {
        self.landed(at, id);
    }

    fn waits(&mut self, from: Instant, until: Instant, id: AttemptId) {
        let request = self.request(from, id.of);
        assert!(request.flying.is_none() && !request.ended && from <= until, "{id:?}");
    }

    fn ended(&mut self, at: Instant, id: AttemptId, _end: &End<'_>) {
        let request = self.request(at, id.of);
        assert!(!request.ended, "{id:?} ends twice");
        assert!(request.flying.is_none(), "{id:?} ends with an attempt in flight");
        assert_eq!(request.sent, id.number);
        request.ended = true;
    }
}
