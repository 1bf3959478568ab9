//! A real hour of conversations with an outage of two minutes: all strategies recover; the capped
//! one takes the least and saves the fewest.

use retrial::experiment::plan::Plan;
use retrial::measure::metric::Id;

use super::{metric, packaged};

/// Whether, in every replication, the capped budget needs the fewest attempts and pays with
/// success.
fn budget_trades_success_for_load(plan: &Plan) -> bool {
    let of = |policy, id| metric(plan, policy, id);
    let capped = (of("capped-budget", Id::Amplification), of("capped-budget", Id::SuccessRatio));
    ["no-jitter", "full-jitter"].into_iter().all(|policy| {
        let other = (of(policy, Id::Amplification), of(policy, Id::SuccessRatio));
        let least = capped.0.iter().zip(&other.0).all(|(capped, other)| 1.2 * capped < *other);
        let fewest = capped.1.iter().zip(&other.1).all(|(capped, other)| capped < other);
        least && fewest
    })
}

#[test]
fn the_route_is_busy_and_everybody_recovers() {
    let plan = packaged("llm-conversation", &[]);
    for policy in &plan.policies {
        assert_eq!(metric(&plan, policy, Id::RecoveredRatio), [1.0; 10], "{policy}");
    }
    assert!(budget_trades_success_for_load(&plan));
}

/// 9.63 requests/s of 4.65 s on 64 workers are 70 %. The run is 2,100 s long and the trace 2,011.
#[test]
fn without_the_outage_the_load_is_as_the_file_says_and_strategies_are_alike() {
    let plan = packaged("llm-conversation", &["route.primary.fault=[]"]);
    for busy in metric(&plan, "full-jitter", Id::Utilisation) {
        assert!((busy * 2100.0 / 2011.3 - 0.70).abs() < 0.01, "{busy}");
    }
    assert!(!budget_trades_success_for_load(&plan));
}
