//! The classifier's boundary: one fixture for each kind of outcome, with its whole decision record,
//! and proof of which part was allowed to run.
//!
//! Source: "test the classifier boundary", the fourth step of the article on CometAPI clients that
//! the policy rules come from.
#![cfg(feature = "replies")]

mod support;

use retrial_policy::providers::Provider;
use retrial_policy::replies::Reply;
use retrial_policy::*;
use serde_json::{Value, json};
use support::{SpyBudget, at_ms, ms, secs};

const KEY: CallKey = CallKey::new(0x417);

/// Decorrelated delays: each draw is at least the base and changes the range of the next, so that
/// a hidden call of the delay function would show.
fn decorrelated() -> Backoff {
    Backoff::growing(Growth::Decorrelated { base: ms(200) }).cap(secs(20))
}

fn full_jitter() -> Backoff {
    Backoff::exponential(ms(200)).cap(secs(20)).jitter(Jitter::Full)
}

/// Three attempts in 2.5 seconds, and a qualified route of each kind.
fn policy(backoff: Backoff) -> Policy {
    let route = |name: &str| vec![name.to_string()];
    Policy::new(PolicySpec {
        backoff,
        limits: Limits {
            max_attempts: 3.try_into().ok(),
            deadline: Some(ms(2_500)),
            attempt_timeout: None,
        },
        fallback: Fallback {
            routes: route("qualified"),
            content: route("lenient"),
            exhausted: route("other-account"),
            after_attempts: None,
        },
        ..PolicySpec::default()
    })
    .expect("a valid policy")
}

/// A call at work, and what it wrote down.
struct Fixture {
    policy: Policy,
    call: Call,
    budget: SpyBudget,
    now: Instant,
    records: Vec<Value>,
}

impl Fixture {
    fn start(backoff: Backoff, request: Request) -> Fixture {
        let policy = policy(backoff);
        let mut budget = SpyBudget::default();
        let now = at_ms(0);
        let (call, _) = Call::start(&policy, request, KEY, &mut budget, now);
        Fixture { policy, call, budget, now, records: Vec::new() }
    }

    /// The attempt in flight ends 100 ms after it was sent.
    fn ends(&mut self, classify: &dyn Classify, outcome: Outcome<'_>) -> Decision {
        let Fixture { policy, call, budget, now, records } = self;
        *now = now.saturating_add(ms(100));
        let mut observer = |record: &DecisionRecord<'_>| {
            records.push(serde_json::to_value(record).expect("a record is plain data"));
        };
        call.on_outcome(policy, classify, &outcome, *now, budget, &mut observer)
    }

    /// Waits as told, and sends.
    fn goes_on(&mut self, decision: Decision) {
        let wait = decision.wait().unwrap_or_else(|| panic!("{decision:?} is the end"));
        self.now = wait.until;
        let sent = self.call.next_attempt(&self.policy, self.now, &mut self.budget, &mut ());
        assert!(sent.is_ok());
    }

    /// The same call, to be driven another way.
    fn fork(&self) -> Fixture {
        let Fixture { policy, call, budget, now, .. } = self;
        Fixture {
            policy: policy.clone(),
            call: call.clone(),
            budget: *budget,
            now: *now,
            records: Vec::new(),
        }
    }

    /// What the next retry would wait, on a copy: a function of how often the delay function was
    /// called, and of what it gave.
    fn next_delay(&self) -> Nanos {
        let classify = |_: &Outcome<'_>| Classification::of(Class::Transient);
        let decision = self.call.clone().on_outcome(
            &self.policy,
            &classify,
            &Outcome::response(503),
            self.now,
            &mut Unlimited,
            &mut (),
        );
        decision.wait().expect("an attempt is left").delay
    }
}

/// Ends a call with `outcome`, and checks that the delay function was not called: once right after
/// the first try, and once after a retry whose delay is the state that a call would change.
fn assert_draws_no_delay(classify: &dyn Classify, outcome: Outcome<'_>, action: Action) {
    let mut fixture = Fixture::start(decorrelated(), Request::default());
    for retries in 0..2 {
        let before = fixture.next_delay();
        let withdrawals = fixture.budget.withdrawals;
        let mut ended = fixture.fork();
        assert_eq!(ended.ends(classify, outcome).action(), action);
        assert_eq!(ended.next_delay(), before, "after {retries} retries");
        assert_eq!(ended.budget.withdrawals, withdrawals, "a retry was not even asked for");
        let retry = fixture.ends(&StatusTable::generic(), Outcome::response(503));
        fixture.goes_on(retry);
    }
}

/// The probe itself: another call of the delay function does change what the next one gives.
#[test]
fn a_draw_shows_in_the_next_delay() {
    let backoff = decorrelated();
    let first = backoff.delay(0, Nanos::ZERO, Class::Transient, KEY);
    let second = backoff.delay(1, first, Class::Transient, KEY);
    assert_ne!(
        backoff.delay(1, first, Class::Transient, KEY),
        backoff.delay(1, second, Class::Transient, KEY)
    );
}

#[test]
fn an_accepted_success_calls_no_delay_function() {
    let table = StatusTable::generic();
    let outcome = Outcome::response(200).with_request_id("req_a").with_hint(Hint(secs(1)));
    let mut fixture = Fixture::start(decorrelated(), Request::default());
    assert_eq!(fixture.ends(&table, outcome), Decision::Accept);
    assert_eq!(
        fixture.records,
        [json!({
            "logical_request_id": "0000000000000417",
            "attempt": 1,
            "branch": "first_try",
            "route": "primary",
            "model": null,
            "class": "ok",
            "reason": "ok",
            "status": 200,
            "code": null,
            "request_id": "req_a",
            "rejected_param": null,
            "delay_ms": null,
            "delay_source": "none",
            "fallback_reason": null,
            "remaining_attempts": 2,
            "remaining_time_ms": 2400.0,
            "action": "accept",
            "terminal_outcome": "succeeded",
        })]
    );
    assert_draws_no_delay(&table, outcome, Action::Accept);
}

/// CometAPI sends a wrong request as a 500; a list that looks at statuses would repeat it.
#[test]
fn a_correctable_error_calls_neither_retry_nor_fallback() {
    let body = r#"{"error":{"code":"invalid_request","message":"","type":"comet_api_error","param":"messages"}}"#;
    let headers = [("x-request-id".to_string(), "req_b".to_string())];
    let reply = Reply::response(500, headers, body.to_string());
    let table = Provider::find("cometapi").unwrap().read(&reply);
    let mut outcome = table.outcome();
    outcome.model = Some("some-model");
    let mut fixture = Fixture::start(decorrelated(), Request::default());
    assert_eq!(fixture.ends(&table, outcome).action(), Action::Stop);
    assert_eq!(
        fixture.records,
        [json!({
            "logical_request_id": "0000000000000417",
            "attempt": 1,
            "branch": "first_try",
            "route": "primary",
            "model": "some-model",
            "class": "invalid_request",
            "reason": "not_retryable",
            "status": 500,
            "code": "invalid_request",
            "request_id": "req_b",
            "rejected_param": "messages",
            "delay_ms": null,
            "delay_source": "none",
            "fallback_reason": null,
            "remaining_attempts": 2,
            "remaining_time_ms": 2400.0,
            "action": "stop",
            "terminal_outcome": "stopped",
        })]
    );
    assert_draws_no_delay(&table, outcome, Action::Stop);
}

#[test]
fn an_eligible_failure_calls_full_jitter_before_the_next_attempt() {
    let backoff = full_jitter();
    let table = StatusTable::generic();
    let mut fixture = Fixture::start(backoff.clone(), Request::default());
    let mut record = json!({
        "logical_request_id": "0000000000000417",
        "attempt": 1,
        "branch": "first_try",
        "route": "primary",
        "model": null,
        "class": "transient",
        "reason": "transient",
        "status": 503,
        "code": null,
        "request_id": null,
        "rejected_param": null,
        "delay_source": "backoff",
        "fallback_reason": null,
        "remaining_attempts": 2,
        "remaining_time_ms": 2400.0,
        "action": "retry_same_route",
        "terminal_outcome": null,
    });
    for (n, most) in [(0, ms(200)), (1, ms(400))] {
        let left = fixture.call.deadline().saturating_since(fixture.now.saturating_add(ms(100)));
        let decision = fixture.ends(&table, Outcome::response(503));
        let delay = backoff.delay(n, Nanos::ZERO, Class::Transient, KEY);
        assert!(Nanos::ZERO < delay && delay <= most, "{delay}: any other draw would be luck");
        record["delay_ms"] = json!(delay.as_millis_f64());
        record["remaining_time_ms"] = json!(left.as_millis_f64());
        assert_eq!(fixture.records.pop(), Some(record.clone()));
        fixture.goes_on(decision);
        record["attempt"] = json!(n + 2);
        record["branch"] = json!("same_route_retry");
        record["remaining_attempts"] = json!(1 - n);
    }
}

#[test]
fn a_route_failure_is_a_model_fallback_and_no_retry_of_the_same_route() {
    let body = json!({ "error": {
        "code": 503,
        "message": "No capacity available for this model",
        "status": "UNAVAILABLE",
        "details": [{
            "@type": "type.googleapis.com/google.rpc.ErrorInfo",
            "reason": "MODEL_CAPACITY_EXHAUSTED",
            "domain": "cloudcode-pa.googleapis.com",
        }],
    } });
    let headers = [("retry-after".to_string(), "1".to_string())];
    let full = Reply::response(503, headers, body.to_string());
    let unavailable = Provider::find("gemini").unwrap().read(&full);
    let mut fixture = Fixture::start(full_jitter(), Request::default());
    let left = fixture.ends(&unavailable, unavailable.outcome());
    fixture.goes_on(left);
    let accepted = fixture.ends(&StatusTable::generic(), Outcome::response(200));
    assert_eq!(accepted, Decision::Accept);
    assert_eq!(
        fixture.records,
        [
            json!({
                "logical_request_id": "0000000000000417",
                "attempt": 1,
                "branch": "first_try",
                "route": "primary",
                "model": null,
                "class": "transient",
                "reason": "transient",
                "status": 503,
                "code": "MODEL_CAPACITY_EXHAUSTED",
                "request_id": null,
                "rejected_param": null,
                "delay_ms": 0.0,
                "delay_source": "none",
                "fallback_reason": "route_unavailable",
                "remaining_attempts": 2,
                "remaining_time_ms": 2400.0,
                "action": "fallback",
                "terminal_outcome": null,
            }),
            json!({
                "logical_request_id": "0000000000000417",
                "attempt": 2,
                "branch": "model_fallback",
                "route": "qualified",
                "model": null,
                "class": "ok",
                "reason": "ok",
                "status": 200,
                "code": null,
                "request_id": null,
                "rejected_param": null,
                "delay_ms": null,
                "delay_source": "none",
                "fallback_reason": null,
                "remaining_attempts": 1,
                "remaining_time_ms": 2300.0,
                "action": "accept",
                "terminal_outcome": "succeeded",
            }),
        ]
    );
}

/// A timeout is no proof that nothing happened, and the workflow around the call may have acted.
#[test]
fn an_unknown_outcome_stops_for_reconciliation() {
    let table = StatusTable::generic();
    let outcome = Outcome::new(Signal::AttemptTimeout);
    let request = Request { possible_effect: true, ..Request::default() };
    let mut fixture = Fixture::start(decorrelated(), request);
    assert_eq!(fixture.ends(&table, outcome).action(), Action::Reconcile);
    assert_eq!(
        fixture.records,
        [json!({
            "logical_request_id": "0000000000000417",
            "attempt": 1,
            "branch": "first_try",
            "route": "primary",
            "model": null,
            "class": "outcome_unknown",
            "reason": "not_replayable",
            "status": null,
            "code": null,
            "request_id": null,
            "rejected_param": null,
            "delay_ms": null,
            "delay_source": "none",
            "fallback_reason": null,
            "remaining_attempts": 2,
            "remaining_time_ms": 2400.0,
            "action": "reconcile",
            "terminal_outcome": "reconciled",
        })]
    );
    assert_draws_no_delay(&table, outcome, Action::Reconcile);
}
