//! Retrial queues: `servers` of rate 1 and no queue; a request that finds them busy comes back
//! after an exponential wait (Falin and Templeton, Retrial Queues, 1997; Artalejo and Falin, Top 10
//! (2002) 101).

use super::chain::Chain;

/// What happens to a stream of requests.
#[derive(Clone, Copy, Debug)]
pub struct Retrial {
    /// The mean number that waits to come back.
    pub orbit: f64,
    /// The share of first attempts that are refused.
    pub first_blocked: f64,
    /// Attempts per request.
    pub attempts: f64,
    /// The share that is served in the end.
    pub success: f64,
    /// The share of servers that are busy.
    pub utilisation: f64,
}

/// One server, attempts without bound: each waiting request comes back at rate `theta`.
pub fn one_server(lambda: f64, theta: f64) -> Retrial {
    let orbit = lambda * (lambda + lambda * theta) / ((1.0 - lambda) * theta);
    Retrial {
        orbit,
        first_blocked: lambda,
        attempts: 1.0 + theta * orbit / lambda,
        success: 1.0,
        utilisation: lambda,
    }
}

/// Several servers, attempts without bound. At most `most` requests wait: so many that fewer make
/// no difference.
pub fn many_servers(lambda: f64, servers: usize, theta: f64, most: usize) -> Retrial {
    finite_or_not(|_| lambda, servers, theta, most)
}

/// `clients` that think for a mean of 1/`rate` between requests; attempts without bound.
pub fn finite_source(clients: usize, rate: f64, servers: usize, theta: f64) -> Retrial {
    let arrivals = |inside: usize| clients.saturating_sub(inside) as f64 * rate;
    finite_or_not(arrivals, servers, theta, clients)
}

/// Requests come at a rate that depends on how many there are, waiting ones included.
fn finite_or_not(
    arrivals: impl Fn(usize) -> f64,
    servers: usize,
    theta: f64,
    most: usize,
) -> Retrial {
    let number = |busy: usize, waiting: usize| waiting * (servers + 1) + busy;
    let mut chain = Chain::new(number(servers, most) + 1, servers + 1);
    for (busy, waiting) in states(servers, most) {
        let (here, arrivals) = (number(busy, waiting), arrivals(busy + waiting));
        if busy < servers {
            chain.add(here, number(busy + 1, waiting), arrivals);
            if waiting > 0 {
                chain.add(here, number(busy + 1, waiting - 1), waiting as f64 * theta);
            }
        } else if waiting < most {
            chain.add(here, number(busy, waiting + 1), arrivals);
        }
        if busy > 0 {
            chain.add(here, number(busy - 1, waiting), busy as f64);
        }
    }
    let law = chain.stationary();
    let mean = |of: &dyn Fn(usize, usize) -> f64| -> f64 {
        let states = states(servers, most);
        states.map(|(busy, waiting)| of(busy, waiting) * law[number(busy, waiting)]).sum()
    };
    let orbit = mean(&|_, waiting| waiting as f64);
    let arriving = mean(&|busy, waiting| arrivals(busy + waiting));
    let refused =
        mean(&|busy, waiting| if busy == servers { arrivals(busy + waiting) } else { 0.0 });
    Retrial {
        orbit,
        first_blocked: refused / arriving,
        attempts: 1.0 + theta * orbit / arriving,
        success: 1.0,
        utilisation: mean(&|busy, _| busy as f64) / servers as f64,
    }
}

fn states(servers: usize, most: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..=most).flat_map(move |waiting| (0..=servers).map(move |busy| (busy, waiting)))
}

/// At most `thetas.len() + 1` attempts, three at the most: the k-th wait ends at rate `thetas[k]`,
/// and whoever is refused at the last attempt is lost. At most `most` requests wait at each stage.
pub fn bounded(lambda: f64, servers: usize, thetas: &[f64], most: usize) -> Retrial {
    assert!(thetas.len() <= 2);
    let theta = |stage: usize| thetas.get(stage).copied().unwrap_or_default();
    // A stage that does not exist has no room.
    let room = [0, 1].map(|stage| if stage < thetas.len() { most } else { 0 });
    let number = |busy: usize, first: usize, second: usize| {
        (first * (room[1] + 1) + second) * (servers + 1) + busy
    };
    let all = || {
        (0..=room[0]).flat_map(move |first| {
            states(servers, room[1]).map(move |(busy, second)| (busy, first, second))
        })
    };
    let mut chain = Chain::new(number(servers, room[0], room[1]) + 1, number(0, 1, 0).max(servers));
    for (busy, first, second) in all() {
        let here = number(busy, first, second);
        let (first_over, second_over) = (first as f64 * theta(0), second as f64 * theta(1));
        if busy < servers {
            chain.add(here, number(busy + 1, first, second), lambda);
            if first > 0 {
                chain.add(here, number(busy + 1, first - 1, second), first_over);
            }
            if second > 0 {
                chain.add(here, number(busy + 1, first, second - 1), second_over);
            }
        } else {
            if first < room[0] {
                chain.add(here, number(busy, first + 1, second), lambda);
            }
            if first > 0 {
                chain.add(here, number(busy, first - 1, (second + 1).min(room[1])), first_over);
            }
            if second > 0 {
                chain.add(here, number(busy, first, second - 1), second_over);
            }
        }
        if busy > 0 {
            chain.add(here, number(busy - 1, first, second), busy as f64);
        }
    }
    let law = chain.stationary();
    let mean = |of: &dyn Fn(usize, usize, usize) -> f64| -> f64 {
        all()
            .map(|(busy, first, second)| of(busy, first, second) * law[number(busy, first, second)])
            .sum()
    };
    let refused = |busy: usize| if busy == servers { 1.0 } else { 0.0 };
    let first_blocked = mean(&|busy, _, _| refused(busy));
    let lost = mean(&|busy, first, second| {
        refused(busy)
            * match thetas.len() {
                0 => lambda,
                1 => first as f64 * theta(0),
                _ => second as f64 * theta(1),
            }
    });
    let waiting = [mean(&|_, first, _| first as f64), mean(&|_, _, second| second as f64)];
    Retrial {
        orbit: waiting[0] + waiting[1],
        first_blocked,
        attempts: 1.0 + (theta(0) * waiting[0] + theta(1) * waiting[1]) / lambda,
        success: 1.0 - lost / lambda,
        utilisation: mean(&|busy, _, _| busy as f64) / servers as f64,
    }
}

#[test]
fn printed_values_without_bound() {
    use super::assert_printed;
    for (lambda, theta, orbit, attempts) in
        [(0.5, 1.0, 1.0, 3.0), (0.5, 0.1, 5.5, 2.1), (0.8, 1.0, 6.4, 9.0), (0.9, 1.0, 16.2, 19.0)]
    {
        let system = one_server(lambda, theta);
        assert_printed("orbit", system.orbit, orbit);
        assert_printed("attempts", system.attempts, attempts);
    }
    for (lambda, servers, theta, orbit, first_blocked, attempts) in [
        (1.0, 2, 1.0, 0.768_714_337_2, 0.307_821_415_7, 1.768_714_3),
        (1.6, 2, 1.0, 6.047_026_377_1, 0.675_297_362_3, 4.779_391_5),
        (1.6, 2, 10.0, 3.183_901_348_8, 0.701_108_845_7, 20.899_383_4),
        (8.0, 10, 1.0, 4.353_791_722_3, 0.279_239_586_9, 1.544_224_0),
    ] {
        let system = many_servers(lambda, servers, theta, 300);
        assert_printed("orbit", system.orbit, orbit);
        assert_printed("first blocked", system.first_blocked, first_blocked);
        assert_printed("attempts", system.attempts, attempts);
        assert_printed("busy", system.utilisation, lambda / servers as f64);
    }
}

/// The chain for one server gives the closed form.
#[test]
fn chain_and_closed_form_agree() {
    use super::assert_printed;
    let (chain, formula) = (many_servers(0.8, 1, 0.5, 600), one_server(0.8, 0.5));
    assert_printed("orbit", chain.orbit, formula.orbit);
    assert_printed("attempts", chain.attempts, formula.attempts);
}

#[test]
fn printed_values_with_bounded_attempts() {
    use super::assert_printed;
    for (lambda, servers, thetas, first_blocked, success, attempts) in [
        (0.5, 1, &[][..], 0.333_333_33, 0.666_666_67, 1.0),
        (0.5, 1, &[1.0], 0.379_731_95, 0.759_463_91, 1.379_731_95),
        (0.5, 1, &[1.0, 1.0], 0.410_979_30, 0.821_958_60, 1.680_373_79),
        (0.9, 1, &[1.0], 0.550_895_98, 0.612_106_64, 1.550_895_98),
        (1.5, 1, &[1.0, 0.5], 0.760_716_69, 0.507_144_46, 2.380_471_66),
        (8.0, 10, &[1.0], 0.185_442_20, 0.937_886_49, 1.185_442_20),
    ] {
        let system = bounded(lambda, servers, thetas, 40);
        assert_printed("first blocked", system.first_blocked, first_blocked);
        assert_printed("success", system.success, success);
        assert_printed("attempts", system.attempts, attempts);
    }
}

/// One client alone is never refused; two with one server, by hand: a request is refused if the
/// other client is in service, not if it waits.
#[test]
fn small_finite_sources_by_hand() {
    use super::assert_printed;
    let alone = finite_source(1, 0.5, 1, 1.0);
    assert_eq!((alone.orbit, alone.attempts), (0.0, 1.0));
    // States (busy, waiting) with rates 1: 00 → 10 at 2; 10 → 00, 11 at 1; 11 → 01; 01 → 11, 10.
    // p(01) = p(11)/2, p(10) = p(11)/2 · 2 … solved: 00 : 10 : 01 : 11 = 1 : 2 : 2 : 4.
    let two = finite_source(2, 1.0, 1, 1.0);
    assert_printed("waiting", two.orbit, 6.0 / 9.0);
    assert_printed("busy", two.utilisation, 6.0 / 9.0);
}
