//! What a call does when a breaker has opened: to another route at once where there is one, else
//! the end, as the budget's refusal.

use retrial_policy::*;

use crate::support::{always, at_ms, key, ms, secs};

/// Opens at the first failure, for a minute.
const BREAKER: BudgetKind = BudgetKind::CircuitBreaker(CircuitBreakerSpec {
    trip: Trip::InARow { failures: 1 },
    open: Nanos::from_secs(60),
    probes: 1,
});

/// One retry, then never again.
const ONE_TOKEN: BudgetKind = BudgetKind::TokenBucket(TokenBucketSpec {
    capacity: Ratio::ONE,
    retry_cost: Ratio::ONE,
    success_refund: Ratio::ZERO,
});

fn policy(routes: &[&str]) -> Policy {
    let part = |kind| BudgetSpec { scope: Scope::Client, kind };
    Policy::new(PolicySpec {
        backoff: Backoff::growing(Growth::Constant { base: ms(200) }),
        limits: Limits { deadline: Some(secs(90)), ..Limits::default() },
        budgets: vec![part(ONE_TOKEN), part(BREAKER)],
        fallback: Fallback {
            routes: routes.iter().map(|name| name.to_string()).collect(),
            ..Fallback::default()
        },
        replay: Replay { safe: true, idempotency_key: false },
        ..PolicySpec::default()
    })
    .expect("a valid policy")
}

/// The records of a call, as far as these tests look at them.
type Records = Vec<(u32, Option<FallbackReason>, Option<TerminalOutcome>)>;

struct Calls {
    policy: Policy,
    budget: Vec<BudgetState>,
    records: Records,
}

impl Calls {
    fn new(routes: &[&str]) -> Calls {
        let policy = policy(routes);
        let budget = BudgetState::open_all(policy.budgets(), Scope::Client);
        Calls { policy, budget, records: Records::new() }
    }

    fn start(&mut self, now: Instant) -> (Call, Attempt) {
        let mut stack = BudgetStack { client: &mut self.budget, group: &mut [] };
        Call::start(&self.policy, Request::default(), key(0), &mut stack, now)
    }

    fn outcome(&mut self, call: &mut Call, signal: Signal, now: Instant) -> Decision {
        let class = if signal == Signal::Response(200) { Class::Ok } else { Class::Transient };
        let mut stack = BudgetStack { client: &mut self.budget, group: &mut [] };
        let records = &mut self.records;
        let mut observer = |record: &DecisionRecord<'_>| {
            records.push((record.attempt, record.fallback_reason, record.terminal_outcome));
        };
        let outcome = Outcome::new(signal);
        call.on_outcome(&self.policy, &always(class), &outcome, now, &mut stack, &mut observer)
    }

    fn next(&mut self, call: &mut Call, now: Instant) -> Attempt {
        let mut stack = BudgetStack { client: &mut self.budget, group: &mut [] };
        call.next_attempt(&self.policy, now, &mut stack, &mut ()).expect("there is time")
    }

    /// A call fails, and the breaker opens.
    fn fail(&mut self) -> Decision {
        let (mut call, attempt) = self.start(at_ms(0));
        assert!(!attempt.refused);
        let decision = self.outcome(&mut call, Signal::Response(503), at_ms(1));
        let stack = BudgetStack { client: &mut self.budget, group: &mut [] };
        assert!(!stack.is_available(RouteId::PRIMARY, at_ms(1)));
        decision
    }

    fn tokens(&self) -> Ratio {
        match &self.budget[0] {
            BudgetState::TokenBucket(bucket) => bucket.balance(),
            other => panic!("a token bucket was opened, not {other:?}"),
        }
    }
}

fn denied(decision: Decision) {
    let Decision::Stop(stop) = decision else { panic!("{decision:?}") };
    assert_eq!(stop.reason, StopReason::BudgetDenied);
    assert_eq!(stop.terminal_outcome(), TerminalOutcome::GaveUpBudget);
}

fn falls_back(decision: Decision) {
    let Decision::Fallback(wait) = decision else { panic!("{decision:?}") };
    assert_eq!(
        (wait.route, wait.delay, wait.branch),
        (RouteId(1), Nanos::ZERO, Branch::ModelFallback)
    );
}

#[test]
fn without_another_route_an_open_breaker_ends_the_call_and_takes_nothing() {
    let mut calls = Calls::new(&[]);
    denied(calls.fail());
    assert_eq!(calls.tokens(), Ratio::ONE);
    let given_up = Some(TerminalOutcome::GaveUpBudget);
    assert_eq!(calls.records, [(1, None, given_up)]);
}

#[test]
fn with_another_route_it_turns_there_at_once() {
    let mut calls = Calls::new(&["second"]);
    falls_back(calls.fail());
    assert_eq!(calls.records, [(1, Some(FallbackReason::RouteUnavailable), None)]);
    assert_eq!(calls.tokens(), Ratio::ZERO, "what follows a failure costs what a retry costs");
}

#[test]
fn a_first_try_that_may_not_leave_ends_with_no_attempt_made() {
    let mut calls = Calls::new(&[]);
    let _ = calls.fail();
    calls.records.clear();
    let (mut call, attempt) = calls.start(at_ms(2));
    assert!(attempt.refused);
    denied(calls.outcome(&mut call, Signal::NotAdmitted, at_ms(2)));
    assert_eq!(calls.records, [(0, None, Some(TerminalOutcome::GaveUpBudget))]);
    assert_eq!(call.attempts(), 0);
}

#[test]
fn a_first_try_that_may_not_leave_goes_elsewhere_as_the_first_attempt_and_for_nothing() {
    let mut calls = Calls::new(&["second"]);
    let _ = calls.fail();
    let tokens = calls.tokens();
    let (mut call, attempt) = calls.start(at_ms(2));
    assert!(attempt.refused);
    falls_back(calls.outcome(&mut call, Signal::NotAdmitted, at_ms(2)));
    let attempt = calls.next(&mut call, at_ms(2));
    assert_eq!((attempt.number, attempt.route, attempt.refused), (1, RouteId(1), false));
    assert_eq!(calls.tokens(), tokens, "nothing failed, so that nothing is repeated");
    let decision = calls.outcome(&mut call, Signal::Response(200), at_ms(3));
    assert_eq!(decision, Decision::Accept);
    assert_eq!(call.attempts(), 1);
}

#[test]
fn a_retry_that_may_not_leave_gets_its_permit_back() {
    let mut calls = Calls::new(&[]);
    let (mut waiting, _) = calls.start(at_ms(0));
    // A reset before sending, which the driver's own classifier takes for a lost race: no failure.
    let mut stack = BudgetStack { client: &mut calls.budget, group: &mut [] };
    let conflict = always(Class::Conflict);
    let outcome = Outcome::response(409);
    let decision =
        waiting.on_outcome(&calls.policy, &conflict, &outcome, at_ms(1), &mut stack, &mut ());
    let wait = decision.wait().expect("a conflict is retried");
    assert_eq!(calls.tokens(), Ratio::ZERO);
    // Meanwhile another call finds the route down.
    let _ = calls.fail();
    let attempt = calls.next(&mut waiting, wait.until);
    assert!(attempt.refused);
    denied(calls.outcome(&mut waiting, Signal::NotAdmitted, wait.until));
    assert_eq!(calls.tokens(), Ratio::ONE, "in full");
    assert_eq!(waiting.attempts(), 1);
}

#[test]
fn a_probe_that_succeeds_reopens_the_way_for_all() {
    let mut calls = Calls::new(&[]);
    let _ = calls.fail();
    let later = at_ms(60_001);
    let (mut probe, attempt) = calls.start(later);
    assert!(!attempt.refused);
    assert!(calls.start(later).1.refused, "one probe at a time");
    let decision = calls.outcome(&mut probe, Signal::Response(200), at_ms(60_100));
    assert_eq!(decision, Decision::Accept);
    assert!(!calls.start(at_ms(60_100)).1.refused);
}

#[test]
fn a_cancelled_probe_makes_room_for_another() {
    let mut calls = Calls::new(&[]);
    let _ = calls.fail();
    let later = at_ms(60_001);
    let (probe, _) = calls.start(later);
    let mut stack = BudgetStack { client: &mut calls.budget, group: &mut [] };
    probe.cancel(&mut stack, later);
    assert!(!calls.start(later).1.refused);
}
