//! Finitely many clients that each wait for their answer and then think: machine repair (a queue
//! with room for all), Engset (no queue, no retry), and both with retries instead of a queue.

use retrial::measure::metric::Id::{
    Amplification, BlockingFirstRatio, BlockingRatio, LatencyMeanMs, OrbitMean, QueueMean,
    Utilisation,
};

use crate::agreement::Case;
use crate::experiment::{
    Experiment, UNIT_MS, exponential, exponential_waits, one_attempt, policy, route, thinkers, time,
};
use crate::oracle::birth_death::Bounded;
use crate::oracle::retrial::finite_source;

crate::both_passes!(cases);

fn cases() -> Vec<Case> {
    let uniform = format!("{{ uniform = {{ min = {}, max = {} }} }}", time(0.5), time(1.5));
    vec![
        machine_repair(10, 8.0, 1, 1.2e4),
        machine_repair(20, 4.0, 4, 7e3),
        engset(10, 2.0, 3, "exponential", &exponential(1.0), 2e3),
        engset(10, 2.0, 3, "uniform", &uniform, 2e3),
        with_retries(5, 4.0, 1, 2.0, 4e3),
        with_retries(12, 3.0, 2, 1.0, 3e3),
    ]
}

fn machine_repair(clients: u32, think: f64, servers: u32, span: f64) -> Case {
    let theory = Bounded::closed(clients, 1.0 / think, servers, u32::MAX);
    Case {
        name: format!("M/M/{servers}//{clients}, think {think}"),
        experiment: Experiment {
            workload: thinkers(clients, think),
            route: route(servers, None, &exponential(1.0)),
            policy: one_attempt(),
        },
        span,
        expected: vec![
            (Utilisation, theory.utilisation()),
            (QueueMean, theory.queue_mean()),
            (LatencyMeanMs, theory.latency() * UNIT_MS),
        ],
    }
}

/// A client that is refused thinks again. Attempts see the system as the *other* clients leave it,
/// so the share refused is below the share of time in which the system is full.
fn engset(clients: u32, think: f64, servers: u32, law: &str, service: &str, span: f64) -> Case {
    let theory = Bounded::closed(clients, 1.0 / think, servers, servers);
    Case {
        name: format!("Engset, {clients} clients, {servers} workers, {law} service"),
        experiment: Experiment {
            workload: thinkers(clients, think),
            route: route(servers, Some(0), service),
            policy: one_attempt(),
        },
        span,
        expected: vec![(BlockingRatio, theory.blocking()), (Utilisation, theory.utilisation())],
    }
}

fn with_retries(clients: u32, think: f64, servers: u32, wait: f64, span: f64) -> Case {
    let theory = finite_source(clients as usize, 1.0 / think, servers as usize, 1.0 / wait);
    Case {
        name: format!("M/M/{servers}/{servers}//{clients}, waits of {wait}"),
        experiment: Experiment {
            workload: thinkers(clients, think),
            route: route(servers, Some(0), &exponential(1.0)),
            policy: policy("\"unlimited\"", &exponential_waits(&[wait])),
        },
        span,
        expected: vec![
            (OrbitMean, theory.orbit),
            (BlockingFirstRatio, theory.first_blocked),
            (Amplification, theory.attempts),
            (Utilisation, theory.utilisation),
        ],
    }
}
