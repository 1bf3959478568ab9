//! The books of a run: budgets and caps refuse exactly when they should, and the metrics add up.

use proptest::prelude::*;
use retrial::engine::distribution::Distribution;
use retrial::measure::metric::{Id, MetricRow};
use retrial::measure::recorder::{Measurements, measure};
use retrial::model::scenario::Scenario;
use retrial_policy::{Nanos, Policy};

use super::{NORMAL, RUN, TEN_MS, ms, on_trial, policy, scenario};

fn measurements(scenario: &Scenario, policy: &Policy) -> Measurements {
    measure(scenario, &[on_trial(policy)], RUN, true).unwrap()
}

fn bucket(scope: &str, capacity: f64, cost: f64) -> String {
    format!(
        "[[budget]]\nkind = \"token_bucket\"\nscope = \"{scope}\"\ncapacity = {capacity:?}\n\
         retry_cost = {cost:?}\nsuccess_refund = 0.0\n"
    )
}

/// 50 clients in lockstep: each round commits one write and refuses the others.
fn in_lockstep(max_attempts: &str, budget: &str) -> impl Fn(Id) -> f64 + use<> {
    let policy = policy(max_attempts, &format!("[backoff]\nkind = \"none\"\n{budget}"));
    let metrics = measurements(&scenario(50, TEN_MS), &policy).metrics;
    move |id| metrics.get(id).unwrap()
}

/// Three rounds: 50, 49 and 48 attempts, one success each; the last 47 have used up all three.
#[test]
fn an_attempt_cap_ends_requests_after_so_many_attempts() {
    let count = in_lockstep("3", "");
    assert_eq!(count(Id::Attempts), 147.0);
    assert_eq!((count(Id::Succeeded), count(Id::GaveUpAttempts)), (3.0, 47.0));
    assert_eq!((count(Id::FirstTrySucceeded), count(Id::RetriedSucceeded)), (1.0, 2.0));
    assert_eq!(count(Id::RetriedGaveUp), 47.0);
    assert_eq!(count(Id::MakespanMs), 120.0);
}

/// Who gives up without having retried is in no named group but the last.
#[test]
fn a_cap_of_one_attempt_means_no_retry_at_all() {
    let count = in_lockstep("1", "");
    assert_eq!((count(Id::Attempts), count(Id::Retries)), (50.0, 0.0));
    assert_eq!((count(Id::Succeeded), count(Id::GaveUpAttempts)), (1.0, 49.0));
    assert_eq!((count(Id::RetriedGaveUp), count(Id::EndedOtherwise)), (0.0, 49.0));
}

/// Three tokens of its own, none coming back: four rounds, 50 + 49 + 48 + 47 attempts.
#[test]
fn a_clients_bucket_pays_for_capacity_over_cost_retries() {
    for (capacity, cost) in [(3.0, 1.0), (7.0, 2.0)] {
        let count = in_lockstep("\"unlimited\"", &bucket("client", capacity, cost));
        assert_eq!(count(Id::Attempts), 194.0);
        assert_eq!((count(Id::Succeeded), count(Id::GaveUpBudget)), (4.0, 46.0));
        assert_eq!(count(Id::RetriedGaveUp), 46.0);
    }
}

/// Ten tokens for all 50: ten of the 49 losers retry, one of them commits, the others find the
/// bucket empty.
#[test]
fn a_shared_bucket_pays_for_all_clients_together() {
    let count = in_lockstep("\"unlimited\"", &bucket("group", 10.0, 1.0));
    assert_eq!(count(Id::Attempts), 60.0);
    assert_eq!((count(Id::Succeeded), count(Id::GaveUpBudget)), (2.0, 48.0));
    // 39 were refused their first retry.
    assert_eq!((count(Id::RetriedGaveUp), count(Id::EndedOtherwise)), (9.0, 39.0));
}

/// Both bounds at once: whichever is reached first ends the request.
#[test]
fn the_cap_is_asked_before_the_budget() {
    let count = in_lockstep("3", &bucket("client", 2.0, 1.0));
    assert_eq!((count(Id::GaveUpAttempts), count(Id::GaveUpBudget)), (47.0, 0.0));
}

fn any_network() -> impl Strategy<Value = Distribution> {
    prop_oneof![
        Just(TEN_MS),
        Just(NORMAL),
        Just(Distribution::Exponential { mean: 10e6 }),
        Just(Distribution::Uniform { min: Nanos::ZERO, max: Nanos::from_millis(3) }),
    ]
}

fn any_policy() -> impl Strategy<Value = Policy> {
    let cap =
        prop_oneof![Just("\"unlimited\"".to_string()), (1..6_u32).prop_map(|n| n.to_string())];
    let backoff = prop::sample::select(vec![
        "kind = \"none\"",
        "kind = \"constant\"\nbase = \"5ms\"",
        "kind = \"exponential\"\nbase = \"10ms\"\ncap = \"200ms\"\njitter = \"full\"",
        "kind = \"decorrelated\"\nbase = \"5ms\"\ncap = \"200ms\"",
    ]);
    let budget = prop_oneof![
        Just(String::new()),
        (prop::sample::select(vec!["client", "group"]), 1..9_u32)
            .prop_map(|(scope, capacity)| bucket(scope, f64::from(capacity), 1.0)),
    ];
    (cap, backoff, budget)
        .prop_map(|(cap, backoff, budget)| policy(&cap, &format!("[backoff]\n{backoff}\n{budget}")))
}

/// Mostly to the end, at times cut anywhere in its first second.
fn any_scenario() -> impl Strategy<Value = Scenario> {
    let stop = prop_oneof![Just(None), (1..1000_u64).prop_map(Some)];
    (1..25_u32, any_network(), stop).prop_map(|(clients, network, stop)| {
        let whole = scenario(clients, network);
        Scenario { stop_after: stop.map_or(whole.stop_after, ms), ..whole }
    })
}

fn sum(row: &MetricRow, ids: &[Id]) -> f64 {
    ids.iter().map(|id| row.get(*id).unwrap()).sum()
}

proptest! {
    #[test]
    fn metrics_add_up(scenario in any_scenario(), policy in any_policy()) {
        let Measurements { metrics: row, series, .. } = measurements(&scenario, &policy);
        let count = |id| row.get(id).unwrap();
        let (requests, attempts) = (count(Id::Requests), count(Id::Attempts));
        prop_assert_eq!(requests, scenario.clients() as f64);
        prop_assert_eq!(requests, sum(&row, &[
            Id::FirstTrySucceeded, Id::RetriedSucceeded, Id::RetriedGaveUp, Id::FixedNoRetry,
            Id::EndedOtherwise,
        ]));
        prop_assert_eq!(requests, sum(&row, &[
            Id::Succeeded, Id::Stopped, Id::GaveUpAttempts, Id::GaveUpDeadline, Id::GaveUpBudget,
            Id::Reconciled, Id::Unfinished,
        ]));
        let succeeded = count(Id::Succeeded);
        prop_assert_eq!(succeeded, sum(&row, &[Id::FirstTrySucceeded, Id::RetriedSucceeded]));
        let first_tries = attempts - count(Id::Retries) - count(Id::Fallbacks);
        let whole = scenario.stop_after == retrial_policy::Instant::MAX;
        if whole {
            prop_assert_eq!((first_tries, count(Id::Unfinished)), (requests, 0.0));
        } else {
            prop_assert!(first_tries <= requests);
        }

        prop_assert_eq!(row.get(Id::Amplification), Some(attempts / requests));
        prop_assert_eq!(row.get(Id::SuccessRatio), Some(succeeded / requests));
        // Without a denominator there is no estimate.
        let wasted = (attempts > 0.0).then(|| 1.0 - succeeded / attempts);
        prop_assert_eq!(row.get(Id::WastedRatio), wasted);
        prop_assert_eq!(row.get(Id::BlockingFirstRatio).is_some(), first_tries > 0.0);

        let bins = series.unwrap();
        prop_assert_eq!(bins.iter().map(|bin| bin.attempts).sum::<u64>() as f64, attempts);
        let rejected = bins.iter().map(|bin| bin.rejected).sum::<u64>() as f64;
        let blocked = (attempts > 0.0).then(|| rejected / attempts);
        prop_assert_eq!(row.get(Id::BlockingRatio), blocked);
        if whole {
            // Every write is accepted or refused, and each client writes successfully once at most.
            prop_assert_eq!(rejected + succeeded, attempts);
        }
    }

    /// Of accepted requests and of all that ended: no quantile above the next, the longest of all
    /// above those of the accepted, and the makespan is the longest (all begin at zero).
    #[test]
    fn latencies_are_in_order(scenario in any_scenario(), policy in any_policy()) {
        let row = measurements(&scenario, &policy).metrics;
        let accepted = [
            Id::LatencyP50Ms, Id::LatencyP90Ms, Id::LatencyP99Ms, Id::LatencyP999Ms,
            Id::LatencyMaxMs,
        ];
        let all = [
            Id::LatencyAllP50Ms, Id::LatencyAllP90Ms, Id::LatencyAllP99Ms, Id::LatencyAllP999Ms,
            Id::LatencyAllMaxMs,
        ];
        prop_assert_eq!(row.get(accepted[0]).is_some(), row.get(Id::Succeeded) > Some(0.0));
        // A run that was cut off has no last end yet.
        let makespan = row.get(Id::MakespanMs);
        prop_assert_eq!(makespan.is_some(), row.get(Id::Unfinished) == Some(0.0));
        if let Some(makespan) = makespan {
            prop_assert_eq!(row.get(Id::LatencyAllMaxMs), Some(makespan));
        }
        for ladder in [&accepted[..], &all[..]] {
            if row.get(ladder[0]).is_some() {
                prop_assert!(ladder.is_sorted_by_key(|id| row.get(*id)), "{:?}", row);
            }
        }
        prop_assert!(row.get(Id::LatencyMaxMs) <= row.get(Id::LatencyAllMaxMs));
    }
}
