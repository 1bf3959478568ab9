//! A bounded number of attempts with exponential waits between them: the closest exact model to a
//! policy in production.

use retrial::measure::metric::Id::{
    Amplification, BlockingFirstRatio, BlockingRatio, OrbitMean, SuccessRatio, Utilisation,
};

use crate::agreement::Case;
use crate::experiment::{Experiment, exponential, exponential_waits, poisson, policy, route};
use crate::oracle::retrial::{Retrial, bounded};

crate::both_passes!(cases);

fn cases() -> Vec<Case> {
    let table: [(f64, u32, &[f64], f64); 6] = [
        (0.5, 1, &[1.0], 1e4),
        (0.5, 1, &[1.0, 1.0], 1e4),
        (0.9, 1, &[1.0], 1e4),
        (1.5, 1, &[1.0, 0.5], 3e3),
        (8.0, 10, &[1.0], 4e3),
        // Not in the printed table: two servers, and a second wait far longer than the first.
        (2.0, 2, &[5.0, 0.2], 3e3),
    ];
    table.map(|(lambda, servers, thetas, span)| case(lambda, servers, thetas, span)).into()
}

fn case(lambda: f64, servers: u32, thetas: &[f64], span: f64) -> Case {
    let Retrial { orbit, first_blocked, attempts, success, utilisation } =
        bounded(lambda, servers as usize, thetas, 40);
    let means: Vec<_> = thetas.iter().map(|theta| 1.0 / theta).collect();
    let max_attempts = thetas.len() + 1;
    Case {
        name: format!("{max_attempts} attempts, M/M/{servers}/{servers} at {lambda}"),
        experiment: Experiment {
            workload: poisson(lambda),
            route: route(servers, Some(0), &exponential(1.0)),
            policy: policy(&max_attempts.to_string(), &exponential_waits(&means)),
        },
        span,
        expected: vec![
            (BlockingFirstRatio, first_blocked),
            (BlockingRatio, 1.0 - success / attempts),
            (SuccessRatio, success),
            (Amplification, attempts),
            (OrbitMean, orbit),
            (Utilisation, utilisation),
        ],
    }
}
