//! Requests are refused where there is no room, and never come back: Erlang's loss system, whose
//! loss does not depend on the law of service, and queues with a bound.

use retrial::measure::metric::Id::{
    BlockingFirstRatio, BlockingRatio, LatencyMeanMs, QueueMean, SuccessRatio, Utilisation,
};

use crate::agreement::Case;
use crate::experiment::{Experiment, UNIT_MS, exponential, one_attempt, poisson, route, time};
use crate::oracle::birth_death::Bounded;
use crate::oracle::erlang::erlang_b;

crate::both_passes!(cases);

fn cases() -> Vec<Case> {
    let loss = [(1.0, 1, 2e3), (1.0, 2, 4e3), (4.0, 5, 3e3), (10.0, 10, 1e3)];
    let services = [("exponential", exponential(1.0)), ("constant", time(1.0))];
    let loss = loss.into_iter().flat_map(|(a, servers, span)| {
        services.clone().map(|(law, service)| erlang(a, servers, law, &service, span))
    });
    let queues = [
        (0.7, 1, 5, 7e4),
        (1.0, 1, 10, 5.5e4),
        (1.2, 1, 20, 3.5e4),
        (4.0, 5, 8, 1.1e4),
        (2.5, 2, 6, 5e3),
    ];
    let queues =
        queues.map(|(lambda, servers, places, span)| bounded(lambda, servers, places, span));
    loss.chain(queues).collect()
}

/// The attempts see the system as it is on average over time (PASTA), so the share of them that
/// is refused is Erlang's share of time.
fn erlang(a: f64, servers: u32, law: &str, service: &str, span: f64) -> Case {
    let lost = erlang_b(a, servers);
    Case {
        name: format!("M/G/{servers}/{servers} at {a}, {law} service"),
        experiment: Experiment {
            workload: poisson(a),
            route: route(servers, Some(0), service),
            policy: one_attempt(),
        },
        span,
        expected: vec![
            (BlockingRatio, lost),
            (BlockingFirstRatio, lost),
            (SuccessRatio, 1.0 - lost),
            (Utilisation, a * (1.0 - lost) / f64::from(servers)),
        ],
    }
}

fn bounded(lambda: f64, servers: u32, places: u32, span: f64) -> Case {
    let theory = Bounded::open(lambda, servers, places);
    Case {
        name: format!("M/M/{servers}/{places} at {lambda}"),
        experiment: Experiment {
            workload: poisson(lambda),
            route: route(servers, Some(places - servers), &exponential(1.0)),
            policy: one_attempt(),
        },
        span,
        expected: vec![
            (BlockingRatio, theory.blocking()),
            (QueueMean, theory.queue_mean()),
            (Utilisation, theory.utilisation()),
            (LatencyMeanMs, theory.latency() * UNIT_MS),
        ],
    }
}
