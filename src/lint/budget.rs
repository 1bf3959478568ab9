//! Retries that no budget bounds.

use retrial_policy::{BudgetKind, Policy};

use super::{Finding, finding};

pub(super) fn check(policy: &Policy) -> Vec<Finding> {
    if policy.max_wire_attempts() == Some(1) || policy.layers().any(has_budget) {
        return Vec::new();
    }
    let load = match policy.max_wire_attempts() {
        Some(max) => format!("up to {max} times its usual load"),
        None => "a load without bound".to_string(),
    };
    let message = format!(
        "no budget is shared between calls: an API that fails for all gets {load}, which keeps it \
         down"
    );
    let fix = "[[budget]] kind = \"token_bucket\" lets retries be a share of what succeeds";
    vec![finding("no-shared-budget", "budget", message, fix)]
}

/// Whether a part refuses further attempts; the others only hold them back.
fn has_budget(policy: &Policy) -> bool {
    policy.budgets().iter().any(|part| match part.kind {
        BudgetKind::TokenBucket(_)
        | BudgetKind::AwsQuota(_)
        | BudgetKind::Grpc(_)
        | BudgetKind::Ratio(_)
        | BudgetKind::Concurrent(_)
        | BudgetKind::SreAdaptive(_)
        | BudgetKind::CircuitBreaker(_) => true,
        BudgetKind::CooldownGate(_) | BudgetKind::AwsAdaptive(_) | BudgetKind::Aimd(_) => false,
        _ => false,
    })
}
