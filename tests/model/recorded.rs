//! The policy core with a recorder in between: what reaches the row is what it decided.

use std::cell::RefCell;

use retrial::engine::heap_queue::HeapQueue;
use retrial::engine::winner_tree::WinnerTree;
use retrial::model::subject::{Planned, PolicyOnTrial, Subject};
use retrial::model::world::Layout;
use retrial_policy::{
    Attempt, BudgetSpec, BudgetStack, Call, CallKey, Classification, Decision, Instant, Nanos,
    Observer, Outcome, RouteId,
};

use super::log::{Log, Told};
use super::{NORMAL, RUN, on_trial, policy, scenario};

/// Writes down what the policy core decides, by call.
struct Recording<'a> {
    inner: PolicyOnTrial<'a>,
    decisions: RefCell<Vec<(CallKey, Decision)>>,
}

impl Subject for Recording<'_> {
    type Call = Call;

    fn start(
        &self,
        key: CallKey,
        planned: Planned,
        budget: &mut BudgetStack<'_>,
        now: Instant,
    ) -> (Call, Attempt) {
        self.inner.start(key, planned, budget, now)
    }

    fn on_outcome<O: Observer>(
        &self,
        call: &mut Call,
        read: Classification,
        outcome: &Outcome<'_>,
        now: Instant,
        budget: &mut BudgetStack<'_>,
        observer: &mut O,
    ) -> Decision {
        let decision = self.inner.on_outcome(call, read, outcome, now, budget, observer);
        self.decisions.borrow_mut().push((call.key(), decision));
        decision
    }

    fn next_attempt<O: Observer>(
        &self,
        call: &mut Call,
        budget: &mut BudgetStack<'_>,
        now: Instant,
        observer: &mut O,
    ) -> Result<Attempt, Decision> {
        self.inner.next_attempt(call, budget, now, observer)
    }

    fn deadline(&self, call: &Call) -> Instant {
        self.inner.deadline(call)
    }

    fn route(&self, route: RouteId) -> u16 {
        self.inner.route(route)
    }

    fn time_limit(&self) -> Option<Nanos> {
        self.inner.time_limit()
    }

    fn sends_key(&self) -> bool {
        self.inner.sends_key()
    }

    fn budgets(&self) -> &[BudgetSpec] {
        self.inner.budgets()
    }

    fn is_shared_between_clients(&self) -> bool {
        self.inner.is_shared_between_clients()
    }
}

/// One first try, then one attempt for each decision with a wait, sent when the wait is over, and
/// nothing after a decision without one.
fn every_attempt_was_decided(max_attempts: &str, rest: &str, fused: bool) {
    const CLIENTS: u32 = 60;
    let policy = policy(max_attempts, rest);
    let subject = Recording { inner: on_trial(&policy), decisions: RefCell::default() };
    let scenario = scenario(CLIENTS, NORMAL);
    let layout = Layout { fused, ..Layout::fastest() };
    let log = if fused {
        Log::with::<WinnerTree, _>(&scenario, &subject, &layout)
    } else {
        Log::with::<HeapQueue, _>(&scenario, &subject, &layout)
    };
    for client in 0..CLIENTS {
        let key = CallKey::derive(RUN.seed, RUN.replication, client.into(), 0);
        let decisions = subject.decisions.borrow();
        let own: Vec<_> = decisions.iter().filter(|(of, _)| *of == key).map(|d| d.1).collect();
        let waits: Vec<_> = own.iter().filter_map(Decision::wait).collect();
        assert_eq!(waits.len() + 1, own.len(), "client {client}: the last decision ends it");
        assert!(own.last().unwrap().terminal_outcome().is_some(), "client {client}");

        let told = log.of_client(client);
        let times = |what: fn(&Told) -> bool| -> Vec<Instant> {
            told.iter().filter(|(_, told)| what(told)).map(|(at, _)| *at).collect()
        };
        let mut due = vec![Instant::from_nanos(0)];
        due.extend(waits.iter().map(|wait| wait.until));
        assert_eq!(times(|told| matches!(told, Told::Sent { .. })), due, "client {client}");
        assert_eq!(times(|told| matches!(told, Told::Arrived { .. })).len(), due.len());
    }
}

const FULL_JITTER: &str =
    "[backoff]\nkind = \"exponential\"\nbase = \"10ms\"\ncap = \"2s\"\njitter = \"full\"\n";

#[test]
fn without_bounds() {
    for fused in [true, false] {
        every_attempt_was_decided("\"unlimited\"", FULL_JITTER, fused);
    }
}

#[test]
fn with_an_attempt_cap_and_a_budget() {
    let budget = "[[budget]]\nkind = \"token_bucket\"\nscope = \"client\"\ncapacity = 4.0\n\
                  retry_cost = 1.0\nsuccess_refund = 0.1\n";
    for fused in [true, false] {
        every_attempt_was_decided("4", &format!("{FULL_JITTER}{budget}"), fused);
    }
}
