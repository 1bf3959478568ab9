//! Every metric in cases small enough to work out by hand, from the experiment file to the number.

mod arrivals;
mod effects;
mod endings;
mod hints;
mod latencies;
mod layers;
mod levels;
mod recovery;
mod routes;
mod tokens;
mod warmup;
#[path = "../support/written.rs"]
mod written;

use retrial::measure::metric::Id;
use retrial::model::run_id::RunId;

use written::cell_of;

/// The metrics of one run of an experiment.
fn metrics(text: &str) -> impl Fn(Id) -> Option<f64> + use<> {
    metrics_with(text, &[])
}

/// The same with `files` beside the experiment.
fn metrics_with(text: &str, files: &[(&str, &str)]) -> impl Fn(Id) -> Option<f64> + use<> {
    let cell = cell_of(text, files);
    let run = RunId { seed: 1, replication: 0 };
    let row = cell.measure(run, false).unwrap().metrics;
    move |id| row.get(id)
}

fn assert_metrics(value: impl Fn(Id) -> Option<f64>, expected: &[(Id, f64)]) {
    let mut wrong = Vec::new();
    for (id, expected) in expected {
        let found = value(*id);
        // Sums and ratios of a few terms: an error in the last digits is rounding.
        let close = |found: f64| (found - expected).abs() <= 1e-12 * expected.abs();
        if !found.is_some_and(close) {
            wrong.push(format!("{id:?}: {found:?}, worked out {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
