//! A spike of five seconds ends the service for good, unless retries have a budget, and unless
//! many clients have one each.

use retrial::measure::metric::Id;

use super::{collapsed, metric, packaged};

const WITHOUT_SPIKE: &str = "workload.open={ arrivals = { poisson = \"7/s\" } }";

#[test]
fn with_the_spike_every_replication_collapses_and_without_it_none() {
    assert_eq!(collapsed(&packaged("metastable", &[]), "retries"), 30);
    assert_eq!(collapsed(&packaged("metastable", &[WITHOUT_SPIKE]), "retries"), 0);
}

#[test]
fn nothing_collapses_where_abandoned_attempts_leave_the_queue() {
    let plan = packaged("metastable", &["route.primary.abandoned=dropped"]);
    assert_eq!(collapsed(&plan, "retries"), 0);
}

#[test]
fn a_budget_of_a_tenth_prevents_the_collapse() {
    assert_eq!(collapsed(&packaged("metastable", &[]), "retry-budget"), 0);
}

#[test]
fn budgets_of_many_clients_feed_the_storm_and_one_for_all_does_not() {
    let plan = packaged("metastable-scope", &[]);
    assert_eq!(collapsed(&plan, "budget-each"), 30);
    assert_eq!(collapsed(&plan, "budget-shared"), 0);
}

#[test]
fn few_clients_have_too_little_to_feed_it_with() {
    let plan = packaged("metastable-scope", &["workload.clients=20"]);
    assert_eq!(collapsed(&plan, "budget-each"), 0);
}

#[test]
fn without_the_spike_there_is_nothing_to_feed() {
    let plan = packaged("metastable-scope", &[WITHOUT_SPIKE]);
    assert_eq!(collapsed(&plan, "budget-each"), 0);
}

/// Source: an independent simulator of the same queue, 1,000 seeds: after the spike 98.27 attempts
/// wait on average, and a request makes 2.274. Ours counts requests of the last seconds, too, whose
/// attempts the end of the run cuts off: about 1.5 % fewer.
#[test]
fn the_collapsed_queue_is_as_full_as_published() {
    let plan = packaged("metastable", &["warmup=130s"]);
    let mean = |id| metric(&plan, "retries", id).iter().sum::<f64>() / 30.0;
    let (queue, attempts) = (mean(Id::QueueMean), mean(Id::Amplification));
    assert!((queue / 98.27 - 1.0).abs() < 0.005, "{queue}");
    assert!((attempts / 2.274 - 1.0).abs() < 0.03, "{attempts}");
}
