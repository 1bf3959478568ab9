//! Whole runs at servers with all metrics, in logical events per second: what a run would queue if
//! nothing were fused.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use retrial::experiment::cell::Cell;
use retrial::experiment::load::{Wanted, load};
use retrial::experiment::plan::Plan;
use retrial::measure::metric::Id;
use retrial::measure::recorder::measure;
use retrial::model::run_id::RunId;

/// One worker, Poisson arrivals and exponential service: a queue of 8.1 attempts on average.
const MM1: &str = r#"
stop_after = "1000s"
[workload]
clients = 100
open = { arrivals = { poisson = "90/s" } }
[[route]]
name = "a"
workers = 1
service = { exponential = { mean = "11.111111ms" } }
[policies.p]
backoff.kind = "none"
limits = { max_attempts = 1, deadline = "unlimited" }
"#;

/// 200 clients that all begin at once, again and again, at an API that lets 100 pass a second and
/// says when to come back.
const HERD: &str = r#"
stop_after = "60s"
[workload]
clients = 200
closed = { requests = "unlimited", think = "1s" }
[network]
delay = { normal = { mean = "10ms", sd = "2ms" } }
[[route]]
name = "a"
workers = 50
queue = 100
service = { lognormal = { median = "40ms", p99 = "200ms" } }
[[route.limit]]
requests = 100
per = "1s"
over = { reply = "generic-429", retry_after = "exact" }
[policies.p]
backoff = { kind = "exponential", base = "100ms", cap = "5s", jitter = "full" }
limits = { max_attempts = 5, deadline = "30s", attempt_timeout = "2s" }
replay.safe = true
"#;

/// A request begins; an attempt arrives, is served and is answered; between two attempts there is
/// a wait. A refused attempt is not served.
fn logical_events(value: impl Fn(Id) -> f64) -> u64 {
    let (requests, attempts) = (value(Id::Requests), value(Id::Attempts));
    let served = attempts * (1.0 - value(Id::BlockingRatio));
    (requests + 2.0 * attempts + served + value(Id::Retries)) as u64
}

fn cell(text: &str) -> Cell {
    let path = std::env::temp_dir().join(format!("retrial-bench-{}.toml", std::process::id()));
    std::fs::write(&path, text).expect("the folder for temporary files can be written");
    let wanted = Wanted { experiment: Some(path.display().to_string()), ..Wanted::default() };
    let plan = load(&wanted).and_then(|loaded| Plan::new(&loaded));
    let _ = std::fs::remove_file(&path);
    plan.expect("the experiment is valid").cells.remove(0)
}

fn server(c: &mut Criterion) {
    let mut group = c.benchmark_group("server");
    group.sample_size(10);
    for (name, text) in [("mm1_load_0.9", MM1), ("herd_of_200", HERD)] {
        let cell = cell(text);
        let subjects = cell.subjects();
        let run = RunId { seed: 1, replication: 0 };
        let measured =
            || measure(&cell.scenario, &subjects, run, false).expect("retries take time").metrics;
        let metrics = measured();
        let events = logical_events(|id| metrics.get(id).unwrap_or_default());
        group.throughput(Throughput::Elements(events));
        group.bench_function(name, |b| b.iter(measured));
    }
    group.finish();
}

criterion_group!(benches, server);
criterion_main!(benches);
