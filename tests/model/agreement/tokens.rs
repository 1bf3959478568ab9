//! Requests with sizes, served by size.

use std::sync::Arc;

use retrial::engine::distribution::Distribution;
use retrial::model::limit::{Amount, HintForm, Limit, Refill};
use retrial::model::population::{Population, Replay, Tokens, Workload};
use retrial::model::refusal::Refusal;
use retrial::model::reply::Replies;
use retrial::model::route::{Route, RouteKind, ServerSpec, Service};
use retrial::model::scenario::Scenario;
use retrial::model::trace::{Row, Trace};
use retrial_policy::{Instant, Nanos, Policy};

use super::*;
use crate::{NORMAL, on_trial, scenario};

/// 5 ms, 10 µs a token sent and 100 µs a token received.
fn server(replies: &mut Replies) -> Route {
    let reply = retrial_policy::replies::find("generic-429").unwrap();
    let reading = retrial_policy::providers::Provider::find("generic").unwrap().read(&reply);
    let over = Refusal { reply: replies.add(reading).unwrap(), latency: Distribution::ZERO };
    let limit = Limit {
        amount: Amount::OutputTokens,
        rate: 2_000_000_000_000,
        per: Nanos::from_secs(1),
        refill: Refill::Continuous { burst: 500_000_000_000 },
        over: over.clone(),
        hint: HintForm::Exact,
    };
    let service = Service::PerToken {
        first: Nanos::from_millis(5),
        per_input: Nanos::new(10_000),
        per_output: Nanos::new(100_000),
    };
    let server = ServerSpec {
        workers: Some(2),
        queue: Some(20),
        drops_abandoned: false,
        full: over,
        service,
    };
    Route { kind: RouteKind::Server(server), limits: vec![limit], faults: Vec::new() }
}

fn with_sizes(workload: Workload, tokens: Option<Tokens>) -> Scenario {
    let mut scenario = scenario(10, NORMAL);
    let clients = scenario.populations[0].clients;
    scenario.populations = vec![Population { clients, workload, concurrency: Some(2), tokens }];
    scenario.routes = vec![server(&mut scenario.replies)];
    scenario.stop_after = Instant::from_nanos(5_000_000_000);
    scenario
}

fn spend(scenario: &Scenario) -> f64 {
    let policy = Policy::from_toml(
        "replay.safe = true\nbackoff.kind = \"none\"\n\
         limits = { deadline = \"2s\", attempt_timeout = \"60ms\" }",
    )
    .unwrap();
    let subjects = [on_trial(&policy)];
    let result = the_one_result(scenario, &subjects);
    for fused in [false, true] {
        Ledger::audit(scenario, &subjects, fused);
    }
    assert_sums(&result);
    assert!(result.metrics.get(Id::BlockingRatio) > Some(0.0));
    result.metrics.get(Id::SpendTokens).unwrap()
}

#[test]
fn sizes_that_are_drawn() {
    let crowd = scenario(10, NORMAL).populations.remove(0);
    let Workload::Closed(mut closed) = crowd.workload else { panic!("closed clients") };
    closed.requests = None;
    let sizes = Tokens {
        input: Distribution::Uniform { min: Nanos::new(1), max: Nanos::new(1000) },
        output: Distribution::Exponential { mean: 200.0 },
    };
    assert!(spend(&with_sizes(Workload::Closed(closed), Some(sizes))) > 10_000.0);
}

/// Ten rows at each tick of 200 ms.
#[test]
fn sizes_that_were_recorded() {
    let row = |n: u32| Row {
        at: Nanos::from_millis(u64::from(n / 10 * 200)),
        input: n % 100,
        output: n * 37 % 400,
    };
    let rows: Vec<_> = (0..240).map(row).collect();
    let trace = Trace { rows, has_tokens: true, tick: Nanos::from_millis(200) };
    let replay = Replay { trace: Arc::new(trace), speed: 1.5 };
    assert!(spend(&with_sizes(Workload::Trace(replay), None)) > 10_000.0);
}
