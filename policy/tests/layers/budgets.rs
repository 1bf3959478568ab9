//! Each layer pays from its own budget, and a budget outlives the calls it serves.

use super::*;

fn with_buckets(outer: &str, inner: &str) -> Policy {
    let bucket = |capacity: &str, scope: &str| {
        format!(
            "kind = 'token_bucket'\ncapacity = {capacity}\nretry_cost = 1\nsuccess_refund = 0\n\
             scope = '{scope}'"
        )
    };
    load(&format!(
        "[backoff]\nkind = 'none'\n[limits]\nmax_attempts = 4\ndeadline = 'unlimited'\n\
         [[budget]]\n{}\n[inner.backoff]\nkind = 'none'\n\
         [inner.limits]\nmax_attempts = 4\ndeadline = 'unlimited'\n[[inner.budget]]\n{}\n",
        bucket(outer, "client"),
        bucket(inner, "group"),
    ))
}

/// The budgets of all layers, each opened once.
fn open(policy: &Policy, scope: Scope) -> Vec<BudgetState> {
    policy.layers().flat_map(|layer| BudgetState::open_all(layer.budgets(), scope)).collect()
}

/// The SDK's bucket pays for five retries in all: three in its first call, two in the second, none
/// after that, while the application goes on.
#[test]
fn the_budget_of_an_inner_layer_lasts_over_its_calls() {
    let policy = with_buckets("100", "5");
    let (mut client, mut group) = (open(&policy, Scope::Client), open(&policy, Scope::Group));
    let mut budgets = LayeredBudgets { policy: &policy, client: &mut client, group: &mut group };
    let driven = drive_with(&policy, Request::default(), &mut budgets, status(503));
    assert_eq!(driven.layers, [0, 1, 1, 1, 0, 1, 1, 0, 0]);
    let driven = drive_with(&policy, Request::default(), &mut budgets, status(503));
    assert_eq!(driven.layers, [0, 0, 0, 0], "nor does the next logical request refill it");
    assert!(policy.is_shared_between_clients(), "by its inner layer");
}

/// A retry inside costs the application nothing.
#[test]
fn a_retry_costs_the_layer_that_makes_it() {
    let policy = with_buckets("1", "100");
    let (mut client, mut group) = (open(&policy, Scope::Client), open(&policy, Scope::Group));
    let mut budgets = LayeredBudgets { policy: &policy, client: &mut client, group: &mut group };
    let driven = drive_with(&policy, Request::default(), &mut budgets, status(503));
    assert_eq!(driven.layers, [0, 1, 1, 1, 0, 1, 1, 1]);
    let Decision::Stop(stop) = driven.end else { panic!("{:?}", driven.end) };
    assert_eq!(stop.reason, StopReason::BudgetDenied);
}

/// Every call of every layer that began ends, and what was withdrawn and not used comes back.
#[test]
fn a_cancelled_request_ends_in_all_its_layers() {
    let policy = nested(&[4, 4]);
    let start = |budgets: &mut [SpyBudget; 2]| {
        LayeredCall::start(&policy, Request::default(), KEY, &mut budgets[..], at_ms(0)).0
    };
    // In flight.
    let mut budgets = [SpyBudget::default(); 2];
    start(&mut budgets).cancel(&mut budgets[..], at_ms(5));
    for spy in budgets {
        assert_eq!((spy.requests, spy.request_ends), (1, 1));
        assert_eq!(spy.settled, Some(Settlement::Cancelled));
    }
    // While the layer inside waits: its permit comes back, and the attempt outside is given up.
    let mut budgets = [SpyBudget::default(); 2];
    let mut call = start(&mut budgets);
    let (outcome, table) = (Outcome::response(503), StatusTable::generic());
    let decision = call.on_outcome(&policy, &table, &outcome, at_ms(10), &mut budgets[..], &mut ());
    assert!(decision.wait().is_some());
    call.cancel(&mut budgets[..], at_ms(11));
    let [outer, inner] = budgets;
    assert_eq!((outer.settled, outer.request_ends), (Some(Settlement::Cancelled), 1));
    assert_eq!((inner.withdrawals, inner.restored, inner.request_ends), (1, 1, 1));
}
