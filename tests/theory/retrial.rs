//! Attempts without bound after exponential waits: the classical retrial queue.

use retrial::measure::metric::Id::{
    Amplification, BlockingFirstRatio, LatencyMeanMs, OrbitMean, Utilisation,
};

use crate::agreement::Case;
use crate::experiment::{
    Experiment, UNIT_MS, exponential, exponential_waits, poisson, policy, route,
};
use crate::oracle::retrial::{Retrial, many_servers, one_server};

crate::both_passes!(cases);

fn cases() -> Vec<Case> {
    let one = [(0.5, 1.0, 3e4), (0.5, 0.1, 3e4), (0.6, 1.0, 3.5e4)];
    let one = one.map(|(lambda, theta, span)| case(lambda, 1, theta, span));
    let many = [(1.0, 2, 1.0, 3e4), (1.6, 2, 1.0, 4e4), (1.0, 2, 10.0, 3e4), (8.0, 10, 1.0, 1.4e4)];
    let many = many.map(|(lambda, servers, theta, span)| case(lambda, servers, theta, span));
    one.into_iter().chain(many).collect()
}

fn case(lambda: f64, servers: u32, theta: f64, span: f64) -> Case {
    let Retrial { orbit, first_blocked, attempts, utilisation, .. } = match servers {
        1 => one_server(lambda, theta),
        _ => many_servers(lambda, servers as usize, theta, 300),
    };
    Case {
        name: format!("retrial M/M/{servers}/{servers} at {lambda}, theta {theta}"),
        experiment: Experiment {
            workload: poisson(lambda),
            route: route(servers, Some(0), &exponential(1.0)),
            policy: policy("\"unlimited\"", &exponential_waits(&[1.0 / theta])),
        },
        span,
        expected: vec![
            (OrbitMean, orbit),
            (BlockingFirstRatio, first_blocked),
            (Amplification, attempts),
            (Utilisation, utilisation),
            (LatencyMeanMs, (orbit / lambda + 1.0) * UNIT_MS),
        ],
    }
}
