//! botocore's client rate limiter.

use retrial_policy::*;

use crate::recording::{Recording, Step};
use crate::support::key;

pub const TRACES: [&str; 1] = ["botocore.adaptive_client_rate_limiter"];

/// The recording has nine decimals, and six of times.
const RATE: f64 = 1e-5;
const TIME: f64 = 2e-6;

fn close(actual: f64, step: &Step, name: &str, error: f64) -> bool {
    let recorded = step.number(name);
    let same = (actual - recorded).abs() <= error * recorded.abs().max(1.0);
    if !same {
        eprintln!("{name}: {actual} and not {recorded} at {}", step.number("t_s"));
    }
    same
}

/// No divergence, though the core computes in integers where botocore has floats. The driver of
/// the recording waits for the token; here the debt says how long.
#[test]
fn the_limiter_holds_and_measures_as_botocore_does() {
    let recording = Recording::named(TRACES[0]);
    let mut limiter = AwsAdaptive::open(AwsAdaptiveSpec::DEFAULT);
    let mut now = Instant::default();
    limiter.on_request(now);
    let mut found = Vec::new();
    let mut before = 0.0;
    for (number, step) in recording.steps.iter().enumerate() {
        // Requests are multiples of 50 ms apart, not counting their waits.
        let gap = step.number("t_s") - step.number("waited_s") - before;
        before = step.number("t_s");
        now = now.saturating_add(Nanos::from_millis((gap * 20.0).round() as u64 * 50));
        let draw = Draw::new(key(0), 1);
        let Admission::Granted { hold, .. } = limiter.admit(Passage::default(), draw, now) else {
            panic!("it never refuses");
        };
        now = now.saturating_add(hold);
        let how = match step.event() {
            "throttled" => Settlement::Failed(Class::Throttled),
            "not_throttled" => Settlement::Succeeded,
            event => panic!("unknown event {event}"),
        };
        limiter.settle(Passage::default(), how, now);
        let same = close(hold.get() as f64 / 1e9, step, "waited_s", TIME)
            && close(now.as_nanos() as f64 / 1e9, step, "t_s", TIME)
            && close(limiter.measured() as f64 / 1e9, step, "measured_tx_rate", RATE)
            && close(limiter.rate() as f64 / 1e9, step, "fill_rate", RATE)
            && close(limiter.tokens() as f64 / 1e9, step, "capacity", RATE)
            && step.flag("enabled") == Some(limiter.is_enabled());
        if !same {
            found.push(number);
        }
    }
    assert_eq!(found, [0_usize; 0]);
}
