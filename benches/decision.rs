//! One decision of the policy core: a failed attempt with everything the core looks at, from
//! outcome to wait and on to the next attempt.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use retrial_policy::{
    Backoff, BudgetKind, BudgetSpec, BudgetStack, BudgetState, Call, CallKey, DecisionRecord,
    Instant, Jitter, Limits, Nanos, Outcome, Policy, PolicySpec, Ratio, Replay, Request, Scope,
    StatusTable, TokenBucketSpec,
};

fn policy() -> Policy {
    let backoff = Backoff::exponential(Nanos::from_millis(200))
        .cap(Nanos::from_secs(20))
        .jitter(Jitter::Full);
    let bucket = TokenBucketSpec {
        capacity: Ratio::from_percent(100_000),
        retry_cost: Ratio::from_percent(100),
        success_refund: Ratio::from_percent(10),
    };
    Policy::new(PolicySpec {
        backoff,
        limits: Limits { deadline: Some(Nanos::from_secs(90)), ..Limits::default() },
        budgets: vec![BudgetSpec { scope: Scope::Client, kind: BudgetKind::TokenBucket(bucket) }],
        replay: Replay { safe: true, idempotency_key: false },
        ..PolicySpec::default()
    })
    .expect("a plain policy is valid")
}

fn decision(c: &mut Criterion) {
    let policy = policy();
    let table = StatusTable::generic();
    let now = Instant::from_nanos(1_000_000);
    let outcome = Outcome::response(503);
    let mut client = BudgetState::open_all(policy.budgets(), Scope::Client);
    let mut budget = BudgetStack { client: &mut client, group: &mut [] };
    let key = CallKey::new(42);
    let (call, _) = Call::start(&policy, Request::default(), key, &mut budget, now);

    c.bench_function("decision/unobserved", |b| {
        b.iter(|| {
            let mut call = black_box(&call).clone();
            let outcome = black_box(&outcome);
            let decision = call.on_outcome(&policy, &table, outcome, now, &mut budget, &mut ());
            call.cancel(&mut budget, now);
            decision
        });
    });
    c.bench_function("decision/observed", |b| {
        let mut delays = 0;
        let mut observer = |record: &DecisionRecord<'_>| {
            delays += record.delay.map_or(0, Nanos::get) & 1;
        };
        b.iter(|| {
            let mut call = black_box(&call).clone();
            let outcome = black_box(&outcome);
            let decision =
                call.on_outcome(&policy, &table, outcome, now, &mut budget, &mut observer);
            call.cancel(&mut budget, now);
            decision
        });
    });
}

criterion_group!(benches, decision);
criterion_main!(benches);
