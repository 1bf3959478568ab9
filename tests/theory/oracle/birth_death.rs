//! Birth-death chains: bounded queues, and populations of finitely many callers (Kleinrock,
//! Queueing Systems 1, section 3.1 onward).

/// The stationary law over states 0…n, `births[i]` from i to i + 1 and `deaths[i]` back.
fn stationary(births: &[f64], deaths: &[f64]) -> Vec<f64> {
    let mut weights = vec![1.0];
    for (state, (birth, death)) in births.iter().zip(deaths).enumerate() {
        weights.push(weights[state] * birth / death);
    }
    let total: f64 = weights.iter().sum();
    weights.iter().map(|weight| weight / total).collect()
}

/// A system with `servers` of rate 1 and at most `places` requests in it, waiting ones included.
#[derive(Clone, Debug)]
pub struct Bounded {
    servers: u32,
    /// The stationary law.
    law: Vec<f64>,
    /// The rate of new requests by state, those that are refused included.
    births: Vec<f64>,
}

impl Bounded {
    /// M/M/c/K: requests come at rate `lambda`.
    pub fn open(lambda: f64, servers: u32, places: u32) -> Self {
        Bounded::new(servers, (0..=places).map(|_| lambda).collect())
    }

    /// `clients` that each think for a mean of 1/`rate`; a request refused begins a new think.
    pub fn closed(clients: u32, rate: f64, servers: u32, places: u32) -> Self {
        let births = (0..=places.min(clients)).map(|state| f64::from(clients - state) * rate);
        Bounded::new(servers, births.collect())
    }

    fn new(servers: u32, births: Vec<f64>) -> Self {
        let deaths: Vec<_> = (1..births.len() as u32).map(|n| f64::from(n.min(servers))).collect();
        Bounded { servers, law: stationary(&births, &deaths), births }
    }

    fn mean(&self, of: impl Fn(u32) -> f64) -> f64 {
        (0..).zip(&self.law).map(|(state, share)| of(state) * share).sum()
    }

    /// The share of requests refused.
    pub fn blocking(&self) -> f64 {
        let offered = self.mean(|state| self.births[state as usize]);
        self.births[self.births.len() - 1] * self.law[self.law.len() - 1] / offered
    }

    /// The mean number in the system.
    pub fn in_system(&self) -> f64 {
        self.mean(f64::from)
    }

    /// The mean number waiting.
    pub fn queue_mean(&self) -> f64 {
        self.mean(|state| f64::from(state.saturating_sub(self.servers)))
    }

    /// The share of servers that are busy.
    pub fn utilisation(&self) -> f64 {
        self.mean(|state| f64::from(state.min(self.servers))) / f64::from(self.servers)
    }

    /// The mean time in the system of a request that gets in, by Little's law.
    pub fn latency(&self) -> f64 {
        self.in_system() / (self.utilisation() * f64::from(self.servers))
    }
}

#[test]
fn printed_values() {
    use super::assert_printed;
    for (rho, places, blocking, in_system) in
        [(0.5, 5, 1.0 / 63.0, 0.904_761_9), (1.0, 10, 1.0 / 11.0, 5.0)]
    {
        let system = Bounded::open(rho, 1, places);
        assert_printed("blocking", system.blocking(), blocking);
        assert_printed("L", system.in_system(), in_system);
    }
    let system = Bounded::open(1.2, 1, 20);
    assert_printed("blocking", system.blocking(), 0.170_369_949);
    assert_printed("L", system.in_system(), 15.466_613_6);
}

/// Without waiting places it is Erlang's loss system; with many, M/M/c.
#[test]
fn the_ends_of_the_range_are_erlangs() {
    use super::{assert_printed, erlang};
    let loss = Bounded::open(4.0, 5, 5);
    assert_printed("Erlang B", loss.blocking(), erlang::erlang_b(4.0, 5));
    let delay = Bounded::open(4.0, 5, 400);
    assert_printed("M/M/c", delay.queue_mean(), erlang::queue_mean(4.0, 5));
}

/// Two clients and one server, by hand: p = 1, 2r, 2r² over their sum.
#[test]
fn two_clients_by_hand() {
    use super::assert_printed;
    let r = 0.5;
    let sum = 1.0 + 2.0 * r + 2.0 * r * r;
    let queue = Bounded::closed(2, r, 1, u32::MAX);
    assert_printed("busy", queue.utilisation(), 1.0 - 1.0 / sum);
    assert_printed("waiting", queue.queue_mean(), 2.0 * r * r / sum);
    // Engset: a request is refused if the other client, alone, has the server: r/(1 + r).
    let loss = Bounded::closed(2, r, 1, 1);
    assert_printed("refused", loss.blocking(), r / (1.0 + r));
}
