//! One decision of the policy core: a failed attempt with everything the core looks at, from
//! outcome to wait, with an observer that counts, under no budget, each kind, and a stack of three.

use std::hint::black_box;

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use retrial_policy::{
    BudgetStack, BudgetState, Call, CallKey, DecisionRecord, Instant, Nanos, Observer, Outcome,
    Policy, Request, Scope, StatusTable,
};

const POLICY: &str = "
    backoff = { kind = 'exponential', base = '200ms', cap = '20s', jitter = 'full' }
    limits = { deadline = '90s' }
    replay = { safe = true }
";

const TOKEN_BUCKET: &str =
    "{ kind = 'token_bucket', capacity = 1000, retry_cost = 1, success_refund = 0.1 }";
const BREAKER: &str = "{ kind = 'circuit_breaker', failures = 5, open = '30s' }";

/// The kinds by name. Fresh ones grant, so that a decision always goes all the way to its wait.
const KINDS: [(&str, &str); 10] = [
    ("token_bucket", TOKEN_BUCKET),
    ("aws_quota", "{ kind = 'aws_quota' }"),
    ("grpc", "{ kind = 'grpc', max_tokens = 1000, token_ratio = 0.1 }"),
    ("ratio", "{ kind = 'ratio' }"),
    ("concurrent", "{ kind = 'concurrent' }"),
    ("sre_adaptive", "{ kind = 'sre_adaptive' }"),
    ("circuit_breaker", BREAKER),
    ("cooldown_gate", "{ kind = 'cooldown_gate' }"),
    ("aws_adaptive", "{ kind = 'aws_adaptive' }"),
    ("aimd", "{ kind = 'aimd', min = 1, max = 100 }"),
];

/// Measures decisions of fresh calls, each with a copy of a budget made of `parts`.
fn measure<O: Observer>(c: &mut Criterion, name: &str, parts: &str, observer: &mut O) {
    let policy = Policy::from_toml(&format!("{POLICY}\nbudget = [{parts}]"))
        .unwrap_or_else(|error| panic!("{name}: {error}"));
    let table = StatusTable::generic();
    let now = Instant::from_nanos(1_000_000);
    let outcome = Outcome::response(503);
    let mut fresh = BudgetState::open_all(policy.budgets(), Scope::Client);
    let mut budget = BudgetStack { client: &mut fresh, group: &mut [] };
    let key = CallKey::new(42);
    let (call, _) = Call::start(&policy, Request::default(), key, &mut budget, now);
    let decide = |call: &mut Call, parts: &mut [BudgetState], observer: &mut O| {
        let mut budget = BudgetStack { client: parts, group: &mut [] };
        call.on_outcome(&policy, &table, black_box(&outcome), now, &mut budget, observer)
    };
    let first = decide(&mut call.clone(), &mut fresh.clone(), observer);
    assert!(first.wait().is_some(), "{name}: {first:?}");
    c.bench_function(name, |b| {
        b.iter_batched_ref(
            || (call.clone(), fresh.clone()),
            |(call, parts)| decide(call, parts, observer),
            // Few enough to stay in the cache, and enough to hide the clock.
            BatchSize::NumIterations(64),
        );
    });
}

fn decision(c: &mut Criterion) {
    let mut delays = 0;
    let mut count = |record: &DecisionRecord<'_>| {
        delays += record.delay.map_or(0, Nanos::get) & 1;
    };
    measure(c, "decision/unobserved", TOKEN_BUCKET, &mut ());
    measure(c, "decision/none", "", &mut count);
    for (name, part) in KINDS {
        measure(c, &format!("decision/{name}"), part, &mut count);
    }
    let stack = [TOKEN_BUCKET, BREAKER, "{ kind = 'ratio' }"].join(", ");
    measure(c, "decision/stack_of_three", &stack, &mut count);
}

criterion_group!(benches, decision);
criterion_main!(benches);
