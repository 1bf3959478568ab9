//! Queues without bound: M/M/1, M/M/c, and one server with another law of service or of arrivals.

use retrial::measure::metric::Id::{LatencyMeanMs, QueueMean, Utilisation};

use crate::agreement::Case;
use crate::experiment::{Experiment, UNIT_MS, exponential, one_attempt, poisson, route, time};
use crate::oracle::{erlang, single_server};

crate::both_passes!(cases);

fn cases() -> Vec<Case> {
    let markov = [(0.5, 1, 7e4), (0.8, 1, 1.3e5), (1.0, 2, 5e4), (4.0, 5, 3.5e4)];
    let markov = markov.into_iter().map(|(a, servers, span)| {
        let name = format!("M/M/{servers} at {a}");
        let waiting = erlang::queue_mean(a, servers);
        case(name, poisson(a), a, servers, &exponential(1.0), waiting, span)
    });

    let general = |rho: f64, law: &str, service: &str, second_moment: f64, span: f64| {
        let name = format!("M/G/1 at {rho}, {law} service");
        let waiting = single_server::pollaczek_khinchine(rho, 1.0, second_moment);
        case(name, poisson(rho), rho, 1, service, waiting, span)
    };
    let uniform = format!("{{ uniform = {{ min = {}, max = {} }} }}", time(0.0), time(2.0));
    let lognormal = single_server::LogNormal::of_mean_1(0.8);
    let (median, p99) = (time(lognormal.median), time(lognormal.p99));
    let lognormal_text = format!("{{ lognormal = {{ median = {median}, p99 = {p99} }} }}");

    let regular = |rho: f64, span: f64| {
        let arrivals =
            format!("clients = 1\nopen = {{ arrivals = {{ every = {} }} }}", time(1.0 / rho));
        let waiting = single_server::regular_arrivals(rho);
        case(format!("D/M/1 at {rho}"), arrivals, rho, 1, &exponential(1.0), waiting, span)
    };

    // E[S²] = 1 + cv² whatever the law.
    let by_cv = |law: &str, cv: f64| format!("{{ {law} = {{ mean = {}, cv = {cv} }} }}", time(1.0));
    let bursty = |rho: f64, cv: f64, span: f64| {
        let rate = rho * 1e3 / UNIT_MS;
        let arrivals = format!(
            "clients = 1\nopen = {{ arrivals = {{ gamma = {{ rate = \"{rate}/s\", cv = {cv} }} }} }}"
        );
        let waiting = single_server::gamma_arrivals(rho, cv);
        let name = format!("G/M/1 at {rho}, gaps of cv {cv}");
        case(name, arrivals, rho, 1, &exponential(1.0), waiting, span)
    };

    let mut cases: Vec<_> = markov.collect();
    cases.extend([
        general(0.7, "constant", &time(1.0), 1.0, 4.5e4),
        general(0.7, "uniform", &uniform, 4.0 / 3.0, 5e4),
        general(0.6, "log-normal", &lognormal_text, lognormal.second_moment, 7e4),
        general(0.7, "gamma", &by_cv("gamma", 0.5), 1.25, 5e4),
        general(0.5, "Weibull", &by_cv("weibull", 1.5), 3.25, 1.2e5),
        bursty(0.5, 0.5, 7e4),
        bursty(0.5, 2.0, 1.5e5),
        regular(0.5, 7e4),
        regular(0.8, 7e4),
    ]);
    cases
}

/// Requests that bring a load of `a`; by Little's law they wait for `waiting`/`a` on average.
fn case(
    name: String,
    workload: String,
    a: f64,
    servers: u32,
    service: &str,
    waiting: f64,
    span: f64,
) -> Case {
    let route = route(servers, None, service);
    Case {
        name,
        experiment: Experiment { workload, route, policy: one_attempt() },
        span,
        expected: vec![
            (QueueMean, waiting),
            (Utilisation, a / f64::from(servers)),
            (LatencyMeanMs, (waiting / a + 1.0) * UNIT_MS),
        ],
    }
}
