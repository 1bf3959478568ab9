//! A layer that keeps an attempt from leaving: those inside never hear of it, those outside see a
//! call that failed at once.

use super::*;

const BREAKER: &str = "[[budget]]\nkind = 'circuit_breaker'\nfailures = 2\nopen = '1h'\n";

fn layers(outer: &str, inner: &str) -> Policy {
    let limits = "limits = { max_attempts = 3, deadline = 'unlimited' }\n";
    let backoff = "backoff = { kind = 'constant', base = '100ms' }\n";
    let inner = inner.replace("[[budget]]", "[[inner.budget]]");
    load(&format!("{backoff}{limits}{outer}[inner]\n{backoff}{limits}{inner}"))
}

fn open(policy: &Policy) -> Vec<BudgetState> {
    policy
        .layers()
        .flat_map(|layer| BudgetState::open_all(layer.budgets(), Scope::Client))
        .collect()
}

#[test]
fn nothing_inside_begins_when_the_outer_breaker_is_open() {
    let policy = layers(BREAKER, "");
    let mut client = open(&policy);
    let mut budgets = LayeredBudgets { policy: &policy, client: &mut client, group: &mut [] };
    // Two calls of the SDK fail, and the breaker opens: 2 * 3 attempts.
    let driven = drive_with(&policy, Request::default(), &mut budgets, status(503));
    assert_eq!(driven.layers, [0, 1, 1, 0, 1, 1]);
    let driven = drive_with(&policy, Request::default(), &mut budgets, |_| panic!("it is open"));
    assert_eq!((driven.sent.len(), driven.sent[0].1.refused), (1, true));
    assert_eq!(driven.log.attempts(2), [1, 0], "only the layer outside decides");
    let Decision::Stop(stop) = driven.end else { panic!("{:?}", driven.end) };
    assert_eq!(stop.reason, StopReason::BudgetDenied);
}

#[test]
fn the_application_sees_an_open_breaker_inside_as_a_call_that_was_not_sent() {
    let policy = layers("", BREAKER);
    let mut client = open(&policy);
    let mut budgets = LayeredBudgets { policy: &policy, client: &mut client, group: &mut [] };
    let driven = drive_with(&policy, Request::default(), &mut budgets, status(503));
    // The second failure opens the breaker. After that the SDK gives up at once, three times.
    let refused: Vec<_> = driven.sent.iter().map(|(_, attempt)| attempt.refused).collect();
    assert_eq!(refused, [false, false, true, true]);
    assert_eq!(driven.layers, [0, 1, 0, 0]);
    let outside: Vec<_> = driven.log.of(0).map(|heard| (heard.attempt, heard.action)).collect();
    let retry = Action::RetrySameRoute;
    assert_eq!(outside, [(1, retry), (2, retry), (3, Action::Stop)], "it has a backoff of its own");
    let Decision::Stop(stop) = driven.end else { panic!("{:?}", driven.end) };
    assert_eq!((stop.class, stop.reason), (Class::Transient, StopReason::AttemptsExhausted));
}

/// The attempt of the layer outside was made, and its books say so.
#[test]
fn an_attempt_refused_inside_is_settled_outside() {
    let mut spies = [SpyBudget::default(); 1];
    let policy = layers("", BREAKER);
    let mut breaker = open(&policy);
    struct Both<'a>(&'a mut [SpyBudget], &'a mut [BudgetState]);
    impl LayerBudgets for Both<'_> {
        fn with_layer<R>(&mut self, depth: usize, ask: impl FnOnce(&mut dyn Budget) -> R) -> R {
            match depth {
                0 => ask(&mut self.0[0]),
                _ => ask(&mut BudgetStack { client: self.1, group: &mut [] }),
            }
        }
    }
    let mut both = Both(&mut spies, &mut breaker);
    drive_with(&policy, Request::default(), &mut both, status(503));
    let [spy] = spies;
    assert_eq!(spy.settled, Some(Settlement::Failed(Class::Transient)));
    assert_eq!((spy.requests, spy.request_ends, spy.restored), (1, 1, 0));
}
