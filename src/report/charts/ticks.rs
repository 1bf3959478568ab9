//! Where an axis has ticks: round numbers only.

use super::number::grouped;

/// A tick and its label.
#[derive(Clone, Debug, PartialEq)]
pub struct Tick {
    /// Where it is, in the unit of the data.
    pub value: f64,
    /// What it says.
    pub label: String,
}

/// A round number, kept as two integers so that its multiples are exact.
#[derive(Clone, Copy)]
struct Round {
    digit: u32,
    exponent: i32,
}

impl Round {
    /// The smallest of 1, 2, 5 · 10^k that is at least `value`, which is above zero.
    fn above(value: f64) -> Round {
        let exponent = libm::floor(libm::log10(value)) as i32;
        // The logarithm may be off by one in the last place: begin one decade lower.
        let candidates = (exponent - 1..=exponent + 1)
            .flat_map(|exponent| [1, 2, 5].map(|digit| Round { digit, exponent }));
        let beyond = Round { digit: 1, exponent: exponent + 2 };
        candidates.into_iter().find(|round| round.times(1.0) >= value).unwrap_or(beyond)
    }

    /// The largest of 1, 2, 5 · 10^k that is at most `value`, which is above zero.
    fn below(value: f64) -> Round {
        let exponent = libm::floor(libm::log10(value)) as i32;
        let candidates = (exponent - 1..=exponent + 1)
            .rev()
            .flat_map(|exponent| [5, 2, 1].map(|digit| Round { digit, exponent }));
        let beyond = Round { digit: 1, exponent: exponent - 2 };
        candidates.into_iter().find(|round| round.times(1.0) <= value).unwrap_or(beyond)
    }

    fn times(self, count: f64) -> f64 {
        count * f64::from(self.digit) * power_of_ten(self.exponent)
    }

    fn tick(self, count: f64) -> Tick {
        let value = self.times(count);
        let label = if value != 0.0 && !(1e-6..1e12).contains(&value.abs()) {
            format!("{value:e}")
        } else {
            grouped(value, self.exponent.min(0).unsigned_abs() as usize)
        };
        Tick { value, label }
    }
}

/// Rounded correctly on every platform, which a power function does not promise.
fn power_of_ten(exponent: i32) -> f64 {
    // A float with an exponent always parses; beyond the range it is 0 or infinite.
    format!("1e{exponent}").parse().unwrap_or(f64::NAN)
}

/// Ticks from `low` to `high` at the finest round step that gives `most` steps at most.
pub fn linear(low: f64, high: f64, most: usize) -> Vec<Tick> {
    let Some(step) = step(low, high, most) else { return Vec::new() };
    let unit = step.times(1.0);
    // A hair of tolerance: 0.3 / 0.1 is below 3.
    let first = (low / unit - 1e-9).ceil();
    let last = (high / unit + 1e-9).floor();
    (0..).map(|k| first + f64::from(k)).take_while(|k| *k <= last).map(|k| step.tick(k)).collect()
}

/// `high` up to the next tick of [`linear`], and `low` down to it.
pub fn widen_linear(low: f64, high: f64, most: usize) -> (f64, f64) {
    let Some(step) = step(low, high, most) else { return (low, high) };
    let unit = step.times(1.0);
    let down = (low / unit + 1e-9).floor();
    let up = (high / unit - 1e-9).ceil();
    (step.times(down), step.times(up))
}

fn step(low: f64, high: f64, most: usize) -> Option<Round> {
    let span = high - low;
    (span > 0.0 && span.is_finite()).then(|| Round::above(span / most.max(1) as f64))
}

/// Ticks of a logarithmic axis: powers of ten, with 2 and 5 between them while there is room.
pub fn logarithmic(low: f64, high: f64, most: usize) -> Vec<Tick> {
    let lowest = libm::floor(libm::log10(low)) as i32;
    let highest = libm::ceil(libm::log10(high)) as i32;
    let within =
        |tick: &Tick| tick.value >= low * (1.0 - 1e-9) && tick.value <= high * (1.0 + 1e-9);
    let at = |digits: &'static [u32], every: usize| -> Vec<Tick> {
        let decades =
            (lowest..=highest).filter(|e| (e.unsigned_abs() as usize).is_multiple_of(every));
        let ticks = decades
            .flat_map(|exponent| digits.iter().map(move |digit| Round { digit: *digit, exponent }));
        ticks.map(|round| round.tick(1.0)).filter(within).collect()
    };
    let fine = at(&[1, 2, 5], 1);
    if fine.len() <= most + 1 {
        return fine;
    }
    let mut every = 1;
    loop {
        let decades = at(&[1], every);
        if decades.len() <= most + 1 {
            return decades;
        }
        every += 1;
    }
}

/// Both ends, above zero, out to 1, 2 or 5 times a power of ten.
pub fn widen_logarithmic(low: f64, high: f64) -> (f64, f64) {
    (Round::below(low).times(1.0), Round::above(high).times(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(ticks: &[Tick]) -> Vec<&str> {
        ticks.iter().map(|tick| tick.label.as_str()).collect()
    }

    #[test]
    fn linear_ticks_are_round_and_few() {
        assert_eq!(labels(&linear(0.0, 200.0, 4)), ["0", "50", "100", "150", "200"]);
        assert_eq!(labels(&linear(0.0, 0.3, 3)), ["0.0", "0.1", "0.2", "0.3"]);
        assert_eq!(labels(&linear(980.0, 2100.0, 3)), ["1,000", "1,500", "2,000"]);
        assert!(linear(1.0, 1.0, 3).is_empty());
    }

    #[test]
    fn an_axis_ends_at_a_tick() {
        assert_eq!(widen_linear(0.0, 412.0, 4), (0.0, 600.0));
        assert_eq!(widen_linear(0.0, 400.0, 4), (0.0, 400.0));
        assert_eq!(widen_logarithmic(13.0, 4100.0), (10.0, 5000.0));
        assert_eq!(widen_logarithmic(1000.0, 1000.0), (1000.0, 1000.0));
    }

    #[test]
    fn logarithmic_ticks_thin_out() {
        assert_eq!(labels(&logarithmic(10.0, 100.0, 5)), ["10", "20", "50", "100"]);
        assert_eq!(labels(&logarithmic(10.0, 5000.0, 5)), ["10", "100", "1,000"]);
        assert!(logarithmic(1e-3, 1e9, 5).len() <= 6);
    }
}
