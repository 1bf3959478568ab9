//! Budgets in both scopes.

use super::*;

const OPEN: &str = "open = { arrivals = { poisson = \"60/s\" } }";
const CLOSED: &str = "closed = { requests = 10, think = \"50ms\" }";

fn with_budget(workload: &str, budget: &str) -> impl Fn(Id) -> f64 + use<> {
    agreed(&format!(
        "stop_after = \"10s\"\n[workload]\nclients = 30\n{workload}\n\
         [network]\ndelay = {{ normal = {{ mean = \"5ms\", sd = \"1ms\" }} }}\n\
         {BUSY}queue = 3\nfull = {{ reply = \"generic-429\" }}\n{PATIENT}budget = [{budget}]\n"
    ))
}

#[test]
fn token_buckets() {
    for workload in [OPEN, CLOSED] {
        for scope in ["client", "group"] {
            let budget = format!(
                "{{ kind = \"token_bucket\", scope = \"{scope}\", capacity = 3.0, \
                 retry_cost = 1.0, success_refund = 0.1 }}"
            );
            assert!(with_budget(workload, &budget)(Id::GaveUpBudget) > 0.0, "{workload}, {scope}");
        }
    }
}

#[test]
fn aimd() {
    for workload in [OPEN, CLOSED] {
        for scope in ["client", "group"] {
            let budget = format!("{{ kind = \"aimd\", scope = \"{scope}\", max = 8, min = 1 }}");
            let value = with_budget(workload, &budget);
            assert!(value(Id::Succeeded) > 100.0, "{workload}, {scope}");
        }
    }
}

#[test]
fn both_together() {
    let value = with_budget(
        OPEN,
        "{ kind = \"aimd\", scope = \"client\", max = 3, min = 1 }, \
         { kind = \"aimd\", scope = \"group\", max = 10, min = 2 }, \
         { kind = \"token_bucket\", scope = \"group\", capacity = 20.0, retry_cost = 1.0, \
         success_refund = 0.2 }",
    );
    assert!(value(Id::Succeeded) > 100.0);
}

/// The kinds that may refuse, each so tight that it does.
#[test]
fn kinds_that_refuse() {
    for kind in [
        "kind = \"aws_quota\", capacity = 20",
        "kind = \"grpc\", max_tokens = 2, token_ratio = 0.1",
        "kind = \"ratio\", ratio = 0.05, min_per_sec = 0.1",
        "kind = \"concurrent\", budget_percent = 0, min_retry_concurrency = 1",
        "kind = \"sre_adaptive\", k = 1, window = \"5s\"",
        "kind = \"circuit_breaker\", failures = 2, open = \"200ms\"",
        "kind = \"circuit_breaker\", failure_ratio = 0.3, min_calls = 5, window = \"2s\", open = \"100ms\", probes = 2",
    ] {
        for workload in [OPEN, CLOSED] {
            for scope in ["client", "group"] {
                let value = with_budget(workload, &format!("{{ {kind}, scope = \"{scope}\" }}"));
                assert!(value(Id::Succeeded) > 10.0, "{kind}, {workload}, {scope}");
                let alone = kind.contains("concurrent") && scope == "client" && workload == CLOSED;
                let refused = value(Id::GaveUpBudget);
                assert_eq!(refused > 0.0, !alone, "{refused} by {kind}, {workload}, {scope}");
            }
        }
    }
}

#[test]
fn kinds_that_hold() {
    for kind in ["kind = \"aws_adaptive\"", "kind = \"cooldown_gate\""] {
        for workload in [OPEN, CLOSED] {
            for scope in ["client", "group"] {
                let value = with_budget(workload, &format!("{{ {kind}, scope = \"{scope}\" }}"));
                assert!(value(Id::Succeeded) > 10.0, "{kind}, {workload}, {scope}");
                assert_eq!(value(Id::GaveUpBudget), 0.0, "{kind}, {workload}, {scope}");
            }
        }
    }
}
