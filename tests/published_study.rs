//! Agreement with the published AWS study of backoff and jitter.
//!
//! `tests/data/aws_occ_reference.csv` holds 400 runs per cell of the study's own script. All runs
//! here have fixed seeds, so nothing can flake; the stated rates say how often another choice of
//! seeds would fail a correct simulator.

use std::collections::BTreeMap;

use retrial::engine::distribution::Distribution;
use retrial::measure::metric::Id;
use retrial::measure::recorder::measure;
use retrial::model::occ_row::CONFLICT;
use retrial::model::scenario::{RunId, Scenario};
use retrial::model::subject::PolicyOnTrial;
use retrial_policy::{Class, Instant, Nanos, Policy, StatusTable};

const REPLICATIONS: u64 = 400;

/// Mean and the half-width of its 95 % interval.
#[derive(Clone, Copy, Debug)]
struct Estimate {
    mean: f64,
    half_width: f64,
}

#[test]
fn quick_look() {
    let table = StatusTable::generic().with(CONFLICT, Class::Transient);
    for (name, backoff) in [
        ("None", "kind = \"none\""),
        ("Exponential", "kind = \"exponential\"\nbase = \"10ms\"\ncap = \"2s\""),
        (
            "EqualJitter",
            "kind = \"exponential\"\nbase = \"10ms\"\ncap = \"2s\"\njitter = \"equal\"",
        ),
        ("FullJitter", "kind = \"exponential\"\nbase = \"10ms\"\ncap = \"2s\"\njitter = \"full\""),
        ("Decorr", "kind = \"decorrelated\"\nbase = \"5ms\"\ncap = \"2s\""),
    ] {
        let policy = Policy::from_toml(&format!("[backoff]\n{backoff}\n[limits]\nmax_attempts = \"unlimited\"\ndeadline = \"unlimited\"\n")).unwrap();
        for clients in [10, 100, 200] {
            let scenario = Scenario {
                clients,
                network: Distribution::Normal { mean: 10e6, sd: 2e6 },
                stop_after: Instant::MAX,
                bin: Nanos::from_millis(100),
            };
            let subject = PolicyOnTrial { policy: &policy, classifier: &table };
            let (mut calls, mut ms) = (0.0, 0.0);
            let t = std::time::Instant::now();
            for replication in 0..REPLICATIONS {
                let run = RunId { seed: 1, replication };
                let m = measure(&scenario, &subject, run, false).unwrap();
                calls += m.metrics.get(Id::Attempts).unwrap();
                ms += m.metrics.get(Id::MakespanMs).unwrap();
            }
            let el = t.elapsed().as_secs_f64();
            println!(
                "{name} {clients} {:.1} {:.1} {:.1}M ev/s",
                calls / 400.0,
                ms / 400.0,
                calls * 4.0 / el / 1e6
            );
        }
    }
}
