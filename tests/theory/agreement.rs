//! Whether measured figures agree with their theory: the assertion of all topics.

use rayon::prelude::*;
use retrial::experiment::cell::Cell;
use retrial::measure::metric::{ALL, Id};
use retrial::measure::recorder::{Measurements, measure};
use retrial::model::run_id::RunId;
use retrial_policy::mix::mix;
use statrs::distribution::{ContinuousCDF, StudentsT};

use crate::experiment::Experiment;

/// An experiment and what theory says of it.
#[derive(Clone, Debug)]
pub struct Case {
    /// What to call it.
    pub name: String,
    /// The experiment.
    pub experiment: Experiment,
    /// How long a replication of the normal pass is measured, in units.
    pub span: f64,
    /// Metrics and their values.
    pub expected: Vec<(Id, f64)>,
}

/// How hard to look.
#[derive(Clone, Copy, Debug)]
pub struct Pass {
    /// Where all random numbers come from.
    pub seed: u64,
    /// Spans, or replications, are so many times those of the normal pass.
    pub effort: u32,
    /// The largest half-width of an interval, as a share of the theory's value.
    most: f64,
}

/// Runs with every `cargo test`.
pub const NORMAL: Pass = Pass { seed: 1, effort: 1, most: 0.03 };
/// Runs in release only.
pub const STRICT: Pass = Pass { seed: 2, effort: 10, most: 0.01 };

const REPLICATIONS: u64 = 32;
/// Where nothing is left to chance, the interval has no width.
const ROUNDING: f64 = 1e-12;
const CONFIDENCE: f64 = 0.999;

/// Asserts that all figures of all cases agree with theory.
pub fn check(cases: Vec<Case>, pass: Pass) {
    let faults: Vec<String> = cases.iter().flat_map(|case| disagreements(case, pass)).collect();
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

fn disagreements(case: &Case, pass: Pass) -> Vec<String> {
    let cell = case.experiment.cell(case.span * f64::from(pass.effort));
    // Cases with one seed would see one stream of arrivals, and go astray together.
    let seed = case.name.bytes().fold(pass.seed, |seed, byte| mix(seed, byte.into()));
    let runs = replicate(&cell, seed, REPLICATIONS, false);
    let figures = case.expected.iter().filter_map(|(id, theory)| {
        let metric = ALL[*id as usize].name;
        let name = format!("{}: {metric}", case.name);
        let values: Option<Vec<_>> = runs.iter().map(|run| run.metrics.get(*id)).collect();
        let Some(values) = values else { return Some(format!("{name} has no value")) };
        disagreement(&name, &values, *theory, pass)
    });
    figures.collect()
}

/// Runs `cell` once for each replication.
pub fn replicate(cell: &Cell, seed: u64, count: u64, with_series: bool) -> Vec<Measurements> {
    let replications = (0..count).into_par_iter().map(|replication| {
        let run = RunId { seed, replication };
        measure(&cell.scenario, &cell.subjects(), run, with_series).unwrap()
    });
    replications.collect()
}

/// What is wrong with the mean of `values`, if anything: its interval misses `theory` or is wide.
pub fn disagreement(name: &str, values: &[f64], theory: f64, pass: Pass) -> Option<String> {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    let t = StudentsT::new(0.0, 1.0, count - 1.0).unwrap().inverse_cdf(0.5 + 0.5 * CONFIDENCE);
    let half = t * (squares / (count - 1.0) / count).sqrt();
    let (width, error) = (half / theory, mean - theory);
    let line = format!(
        "{name}: theory {theory:.6}, measured {mean:.6} ± {half:.6} \
         (width {:.2} %, error {:.2} %)",
        100.0 * width,
        100.0 * error / theory
    );
    println!("{line}");
    (width >= pass.most || error.abs() > half + ROUNDING * theory).then_some(line)
}

/// An interval covers its mean, and not a value outside: s = √(5/3), t(3; 0.9995) = 12.924.
#[test]
fn the_interval_is_that_of_student() {
    let wide = Pass { most: 1e9, ..NORMAL };
    let values = [1.0, 2.0, 3.0, 4.0];
    let half = 12.924 * (5.0_f64 / 3.0).sqrt() / 2.0;
    assert_eq!(disagreement("inside", &values, 2.5 + 0.999 * half, wide), None);
    assert!(disagreement("outside", &values, 2.5 + 1.001 * half, wide).is_some());
    assert!(disagreement("too wide", &values, 2.5, NORMAL).is_some());
}
