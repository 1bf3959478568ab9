//! The stationary law of a Markov chain whose transitions stay in a band, without subtractions and
//! so exact to rounding (Grassmann, Taksar and Heyman, Operations Research 33 (1985) 1107).

/// The rates of a chain.
#[derive(Clone, Debug)]
pub struct Chain {
    states: usize,
    band: usize,
    rates: Vec<f64>,
}

impl Chain {
    /// A chain whose transitions change the state's number by at most `band`.
    pub fn new(states: usize, band: usize) -> Self {
        Chain { states, band, rates: vec![0.0; states * (2 * band + 1)] }
    }

    fn place(&self, from: usize, to: usize) -> usize {
        from * (2 * self.band + 1) + to + self.band - from
    }

    /// Adds a transition.
    pub fn add(&mut self, from: usize, to: usize, rate: f64) {
        assert!(from.abs_diff(to) <= self.band && from != to && to < self.states);
        let place = self.place(from, to);
        self.rates[place] += rate;
    }

    /// The share of time in each state. Every state but the first must lead to one below it.
    pub fn stationary(mut self) -> Vec<f64> {
        for last in (1..self.states).rev() {
            let below = last.saturating_sub(self.band)..last;
            let down: f64 = below.clone().map(|to| self.rates[self.place(last, to)]).sum();
            assert!(down > 0.0, "state {last} is left upwards only");
            for from in below.clone() {
                let into = self.place(from, last);
                self.rates[into] /= down;
                let into = self.rates[into];
                for to in below.clone().filter(|to| *to != from && into > 0.0) {
                    let (detour, direct) = (self.place(last, to), self.place(from, to));
                    self.rates[direct] += into * self.rates[detour];
                }
            }
        }
        let mut law = vec![1.0];
        for state in 1..self.states {
            let below = state.saturating_sub(self.band)..state;
            law.push(below.map(|from| law[from] * self.rates[self.place(from, state)]).sum());
        }
        let total: f64 = law.iter().sum();
        law.iter().map(|weight| weight / total).collect()
    }
}

/// 0 → 1 at 2, 0 → 2 at 1, 1 → 0 at 3, 1 → 2 at 1, 2 → 0 at 2: by hand p = (8, 4, 6) / 18.
#[test]
fn three_states_by_hand() {
    let mut chain = Chain::new(3, 2);
    for (from, to, rate) in [(0, 1, 2.0), (0, 2, 1.0), (1, 0, 3.0), (1, 2, 1.0), (2, 0, 2.0)] {
        chain.add(from, to, rate);
    }
    for (share, by_hand) in chain.stationary().iter().zip([8.0, 4.0, 6.0]) {
        assert!((share - by_hand / 18.0).abs() < 1e-15, "{share}");
    }
}
