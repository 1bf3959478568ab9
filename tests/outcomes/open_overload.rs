//! After a stall no backoff brings an open workload back, and a budget does.

use retrial::measure::metric::Id;

use super::{collapsed, metric, packaged};

/// Ten replications of the thirty: a run has 75,000 attempts.
const TEN: &str = "replications=10";

#[test]
fn no_backoff_recovers_and_a_budget_does() {
    let plan = packaged("open-overload", &[TEN]);
    for policy in ["no-backoff", "no-jitter", "full-jitter"] {
        assert_eq!(metric(&plan, policy, Id::RecoveredRatio), [0.0; 10], "{policy}");
        assert_eq!(collapsed(&plan, policy), 10, "{policy}");
    }
    assert_eq!(metric(&plan, "capped-budget", Id::RecoveredRatio), [1.0; 10]);
    assert_eq!(collapsed(&plan, "capped-budget"), 0);
}

#[test]
fn without_the_stall_all_is_well_under_any_policy() {
    let plan = packaged("open-overload", &[TEN, "route.primary.fault=[]"]);
    for policy in &plan.policies {
        assert_eq!(collapsed(&plan, policy), 0, "{policy}");
    }
}
