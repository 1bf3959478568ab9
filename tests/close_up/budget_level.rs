//! The level of retry budgets over time, worked out by hand.

use retrial::model::run_id::RunId;

use crate::written::cell_of;

/// A client that fails five times spends half of its ten tokens, one every 100 ms, and then waits.
#[test]
fn a_budget_falls_with_every_retry() {
    for (scope, clients) in [("client", 1), ("client", 4), ("group", 1)] {
        let cell = cell_of(
            &format!(
                r#"
                stop_after = "1s"
                [workload]
                clients = {clients}
                closed = {{ requests = 1 }}
                [[route]]
                name = "primary"
                service = "0s"
                [[route.fault]]
                reply = "generic-503"
                [policies.p]
                backoff = {{ kind = "constant", base = "100ms" }}
                limits = {{ max_attempts = 6, deadline = "unlimited" }}
                budget = [
                    {{ kind = "token_bucket", scope = "{scope}", capacity = 10, retry_cost = 1, success_refund = 0 }},
                ]
                "#
            ),
            &[],
        );
        let close_up = cell.close_up(RunId { seed: 1, replication: 0 }).unwrap();
        let levels: Vec<_> = close_up.timeline.iter().map(|bin| bin.budget_level).collect();
        let expected = [0.9, 0.8, 0.7, 0.6, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5];
        assert_eq!(levels.len(), expected.len());
        for (found, expected) in levels.iter().zip(expected) {
            assert!((found.unwrap() - expected).abs() < 1e-9, "{scope} {levels:?}");
        }
    }
}

#[test]
fn a_policy_without_a_stock_has_no_level() {
    let cell = cell_of(
        r#"
        stop_after = "1s"
        [workload]
        clients = 1
        open = { arrivals = { every = "100ms" } }
        [policies.p]
        backoff = { kind = "none" }
        limits = { deadline = "unlimited" }
        budget = [{ kind = "cooldown_gate" }]
        [[route]]
        name = "primary"
        service = "10ms"
        "#,
        &[],
    );
    let close_up = cell.close_up(RunId { seed: 1, replication: 0 }).unwrap();
    assert!(close_up.timeline.iter().all(|bin| bin.budget_level.is_none()));
}
