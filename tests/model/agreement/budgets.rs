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
