//! Whole runs of the published study with all metrics, in events per second: an attempt is four
//! events (read, its reply, write, its reply), whether or not they are fused.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use retrial::engine::distribution::Distribution;
use retrial::measure::metric::Id;
use retrial::measure::recorder::measure;
use retrial::model::network::Network;
use retrial::model::population::{Closed, Population, Workload};
use retrial::model::reply::Replies;
use retrial::model::route::Route;
use retrial::model::run_id::RunId;
use retrial::model::scenario::Scenario;
use retrial::model::subject::PolicyOnTrial;
use retrial_policy::{Backoff, Instant, Jitter, Limits, Nanos, Policy, PolicySpec};

fn full_jitter() -> Policy {
    let backoff =
        Backoff::exponential(Nanos::from_millis(10)).cap(Nanos::from_secs(2)).jitter(Jitter::Full);
    let limits = Limits { max_attempts: None, deadline: None, attempt_timeout: None };
    Policy::new(PolicySpec { backoff, limits, ..PolicySpec::default() })
        .expect("the study's own policy is valid")
}

fn scenario(clients: u32) -> Scenario {
    let closed = Closed { requests: Some(1), start_over: Nanos::ZERO, think: Distribution::ZERO };
    Scenario {
        populations: vec![Population {
            clients,
            workload: Workload::Closed(closed),
            concurrency: None,
            tokens: None,
        }],
        network: Network::reliable(Distribution::Normal { mean: 10e6, sd: 2e6 }),
        routes: vec![Route::occ()],
        replies: Replies::default(),
        stop_after: Instant::MAX,
        warmup: Instant::from_nanos(0),
        bin: Nanos::from_millis(100),
    }
}

fn aws_occ(c: &mut Criterion) {
    let policy = full_jitter();
    let subjects = [PolicyOnTrial { policy: &policy, routes: &[0], qualification: None }];
    let mut group = c.benchmark_group("aws_occ_full_jitter");
    group.sample_size(10);
    for clients in [200, 20_000] {
        let scenario = scenario(clients);
        let run = |replication| {
            measure(&scenario, &subjects, RunId { seed: 1, replication }, false)
                .expect("retries take time")
        };
        let attempts = run(0).metrics.get(Id::Attempts).unwrap_or_default();
        group.throughput(Throughput::Elements(4 * attempts as u64));
        group.bench_function(BenchmarkId::from_parameter(clients), |b| b.iter(|| run(0)));
    }
    group.finish();
}

criterion_group!(benches, aws_occ);
criterion_main!(benches);
