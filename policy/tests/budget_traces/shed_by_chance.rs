//! Adaptive throttling as in Google's client library for Rust, which has no window.

use retrial_policy::*;

use crate::recording::Recording;
use crate::support::{at_ms, key, ratio};

pub const TRACES: [&str; 1] = ["gax.adaptive_throttler_default"];

/// No divergence: the library counts a request as it ends, but here one ends before the next is
/// sent, and two minutes are longer than the run.
#[test]
fn the_probability_is_that_of_the_library() {
    let recording = Recording::named(TRACES[0]);
    let spec = SreAdaptiveSpec { k: ratio(recording.param("factor")), ..SreAdaptiveSpec::DEFAULT };
    let mut throttle = SreAdaptive::open(spec);
    for (number, step) in recording.steps.iter().enumerate() {
        let now = at_ms(number as u64);
        let how = match step.event() {
            "success" => Settlement::Succeeded,
            "transient" => Settlement::Failed(Class::Transient),
            "permanent" => Settlement::Failed(Class::InvalidRequest),
            event => panic!("unknown event {event}"),
        };
        let draw = Draw::new(key(0), 1);
        assert_eq!(throttle.admit(Passage::default(), draw, now), Admission::AT_ONCE);
        throttle.settle(Passage::default(), how, now);
        let (requests, accepts) = throttle.counts(now);
        assert_eq!(requests as f64, step.number("requests"), "step {number}");
        assert_eq!(accepts as f64, step.number("accepts"), "step {number}");

        // A draw is refused exactly below the probability.
        let probability = step.number("reject_probability_formula");
        let mut granted = |share: f64| {
            let draw = (share.clamp(0.0, 1.0) * 2_f64.powi(64)) as u64;
            throttle.try_withdraw(Class::Transient, draw, now).is_some()
        };
        assert!(granted(probability + 1e-9), "step {number}");
        assert_eq!(granted(probability - 1e-9), probability == 0.0, "step {number}");

        // And so is the share of refusals that the library made of 20,000 draws.
        let observed = step.number("reject_fraction_observed");
        let sd = (probability * (1.0 - probability) / step.number("draws")).sqrt();
        assert!((observed - probability).abs() <= 4.0 * sd, "step {number}: {observed}");
    }
}
