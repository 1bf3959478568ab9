//! The fixed order of steps from an outcome to a decision: what each class leads to, what each limit
//! refuses, and what a step that is not reached leaves untouched.

#[path = "../support/mod.rs"]
mod support;

mod accounts;
mod classes;
mod deadlines;
mod hints;
mod records;
mod routes;
mod table;

use retrial_policy::*;
use support::{SpyBudget, always, key, ms, secs};

/// Keyed, 200 ms without jitter before every retry, five attempts in 90 s, no spread on hints.
fn spec() -> PolicySpec {
    PolicySpec {
        backoff: Backoff::growing(Growth::Constant { base: ms(200) }),
        limits: Limits { deadline: Some(secs(90)), ..Limits::default() },
        retry_after: RetryAfter { jitter_ratio: Ratio::ZERO, ..RetryAfter::default() },
        replay: Replay { safe: false, idempotency_key: true },
        ..PolicySpec::default()
    }
}

/// The same with two routes to fall back to.
fn with_fallbacks(after_attempts: Option<u32>, over_cap: OverCap) -> PolicySpec {
    let mut spec = spec();
    spec.fallback.routes = vec!["second".into(), "third".into()];
    spec.fallback.after_attempts = after_attempts.and_then(|n| n.try_into().ok());
    spec.retry_after.over_cap = over_cap;
    spec
}

/// A call in progress with everything that a driver and a log would see.
struct Driver {
    policy: Policy,
    call: Call,
    budget: SpyBudget,
    now: Instant,
    records: Vec<Seen>,
}

/// A record, owned.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Seen {
    attempt: u32,
    branch: Branch,
    route: String,
    class: Class,
    reason: &'static str,
    delay: Option<Nanos>,
    delay_source: DelaySource,
    fallback_reason: Option<FallbackReason>,
    remaining_attempts: Option<u32>,
    remaining_time: Option<Nanos>,
    action: Action,
    terminal_outcome: Option<TerminalOutcome>,
}

impl Seen {
    fn of(record: &DecisionRecord<'_>) -> Seen {
        Seen {
            attempt: record.attempt,
            branch: record.branch,
            route: record.route.to_string(),
            class: record.class,
            reason: record.reason,
            delay: record.delay,
            delay_source: record.delay_source,
            fallback_reason: record.fallback_reason,
            remaining_attempts: record.remaining_attempts,
            remaining_time: record.remaining_time,
            action: record.action,
            terminal_outcome: record.terminal_outcome,
        }
    }
}

impl Driver {
    fn start(spec: PolicySpec) -> Driver {
        Driver::start_with(spec, Request::default(), SpyBudget::default())
    }

    fn start_with(spec: PolicySpec, request: Request, mut budget: SpyBudget) -> Driver {
        let policy = Policy::new(spec).expect("a valid policy");
        let now = Instant::default();
        let (call, _) = Call::start(&policy, request, key(0), &mut budget, now);
        Driver { policy, call, budget, now, records: Vec::new() }
    }

    fn decide(&mut self, read: Classification, outcome: &Outcome<'_>) -> Decision {
        let Driver { policy, call, budget, now, records } = self;
        let mut observer = |record: &DecisionRecord<'_>| records.push(Seen::of(record));
        call.on_outcome(policy, &|_: &Outcome<'_>| read, outcome, *now, budget, &mut observer)
    }

    /// A failed attempt of `class`.
    fn fail(&mut self, class: Class) -> Decision {
        let read = always(class)(&Outcome::response(503));
        self.decide(read, &Outcome::response(503))
    }

    /// The same with a hint.
    fn fail_with_hint(&mut self, class: Class, hint: Nanos) -> Decision {
        let outcome = Outcome::response(503).with_hint(Hint(hint));
        self.decide(Classification::of(class), &outcome)
    }

    fn last(&self) -> &Seen {
        self.records.last().expect("a decision was made")
    }
}

fn wait(decision: Decision) -> Wait {
    *decision.wait().unwrap_or_else(|| panic!("{decision:?} is the end"))
}

fn stop_reason(decision: Decision) -> StopReason {
    match decision {
        Decision::Stop(stop) | Decision::Reconcile(stop) => stop.reason,
        other => panic!("{other:?} is not the end"),
    }
}
