//! Policies inside policies: how often they call, what each layer sees, and what they share.
#![cfg(feature = "toml")]

mod breakers;
mod budgets;
mod file;
mod give_up;
mod keys;
mod products;
mod routes;
#[path = "../support/mod.rs"]
mod support;
mod time;

use retrial_policy::*;
use support::{SpyBudget, at_ms, load, ms};

/// What an observer heard of one layer's decision.
#[derive(Clone, Debug, PartialEq)]
struct Heard {
    depth: usize,
    id: CallKey,
    attempt: u32,
    class: Class,
    action: Action,
    route: String,
    delay: Option<Nanos>,
}

#[derive(Default)]
struct Log(Vec<Heard>);

impl Observer for Log {
    fn decided(&mut self, _: &DecisionRecord<'_>) {
        panic!("a layer's decision comes with its depth");
    }

    fn decided_in_layer(&mut self, depth: usize, record: &DecisionRecord<'_>) {
        self.0.push(Heard {
            depth,
            id: record.logical_request_id,
            attempt: record.attempt,
            class: record.class,
            action: record.action,
            route: record.route.to_string(),
            delay: record.delay,
        });
    }
}

impl Log {
    /// Attempts that ended, by layer.
    fn attempts(&self, layers: usize) -> Vec<usize> {
        (0..layers).map(|depth| self.of(depth).count()).collect()
    }

    fn of(&self, depth: usize) -> impl Iterator<Item = &Heard> {
        self.0.iter().filter(move |heard| heard.depth == depth)
    }
}

/// A logical request that was driven to its end.
struct Driven {
    /// When each attempt left, and what it was.
    sent: Vec<(Instant, Attempt)>,
    /// The depth of the layer that decided on each.
    layers: Vec<usize>,
    decisions: Vec<Decision>,
    end: Decision,
    ended: Instant,
    log: Log,
}

const KEY: CallKey = CallKey::new(0x1a7e5);

/// Drives a request to its end; `server` says what each attempt comes to, and after how long.
fn drive_with<L: LayerBudgets + ?Sized>(
    policy: &Policy,
    request: Request,
    budgets: &mut L,
    mut server: impl FnMut(&Attempt) -> (Outcome<'static>, Nanos),
) -> Driven {
    let mut log = Log::default();
    let table = StatusTable::generic();
    let mut now = at_ms(0);
    let (mut call, mut attempt) = LayeredCall::start(policy, request, KEY, budgets, now);
    let (mut sent, mut layers, mut decisions) = (Vec::new(), Vec::new(), Vec::new());
    loop {
        assert_eq!(attempt.number as usize, sent.len() + 1, "attempts are numbered on the wire");
        assert_eq!(call.attempts(), attempt.number);
        now = now.saturating_add(attempt.hold);
        sent.push((now, attempt));
        layers.push(call.layer());
        let (outcome, took) = match attempt.refused {
            true => (Outcome::new(Signal::NotAdmitted), ms(0)),
            false => server(&attempt),
        };
        let (outcome, took) = match attempt.timeout {
            Some(timeout) if took >= timeout => (Outcome::new(Signal::AttemptTimeout), timeout),
            _ => (outcome, took),
        };
        now = now.saturating_add(took);
        let decision = call.on_outcome(policy, &table, &outcome, now, budgets, &mut log);
        decisions.push(decision);
        let Some(wait) = decision.wait() else {
            return Driven { sent, layers, decisions, end: decision, ended: now, log };
        };
        assert_eq!(wait.attempt, attempt.number + 1);
        now = wait.until;
        attempt = call.next_attempt(policy, now, budgets, &mut log).expect("timers fire in time");
        assert_eq!((attempt.route, attempt.branch), (wait.route, wait.branch));
    }
}

fn drive(policy: &Policy, server: impl FnMut(&Attempt) -> (Outcome<'static>, Nanos)) -> Driven {
    let mut budgets = vec![Unlimited; policy.layers().count()];
    drive_with(policy, Request::default(), &mut budgets[..], server)
}

/// Always this status, after 10 ms.
fn status(status: u16) -> impl FnMut(&Attempt) -> (Outcome<'static>, Nanos) {
    move |_| (Outcome::response(status), ms(10))
}

/// `layers` policies of so many attempts inside each other; the innermost one last.
fn nested(max_attempts: &[u32]) -> Policy {
    let layers = max_attempts.iter().rev();
    let policy = layers.fold(None, |inner, max| {
        let spec = PolicySpec {
            backoff: Backoff::exponential(ms(100)).cap(ms(400)).jitter(Jitter::Full),
            limits: Limits { max_attempts: (*max).try_into().ok(), ..Limits::default() },
            inner: inner.map(Box::new),
            ..PolicySpec::default()
        };
        Some(Policy::new(spec).expect("a valid policy"))
    });
    policy.expect("at least one layer")
}
