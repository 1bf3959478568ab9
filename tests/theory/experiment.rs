//! Experiment files as text, and the cell that each stands for.
//!
//! Theory has a time unit, most often the mean service time; the files have [`UNIT_NS`] for it.

use retrial::experiment::cell::Cell;
use retrial::experiment::load::{Wanted, load};
use retrial::experiment::plan::Plan;

/// Nanoseconds of a time unit: 10 ms.
const UNIT_NS: f64 = 10e6;
/// Milliseconds of a time unit.
pub const UNIT_MS: f64 = UNIT_NS / 1e6;

/// One policy, one route, one population.
#[derive(Clone, Debug)]
pub struct Experiment {
    /// The keys of `[workload]`.
    pub workload: String,
    /// The keys of `[[route]]`, its sub-tables last.
    pub route: String,
    /// The sections of the policy, below `policies.only`.
    pub policy: String,
}

/// A time in units, as the file writes it.
pub fn time(units: f64) -> String {
    format!("\"{}ns\"", (units * UNIT_NS).round())
}

/// A Poisson stream of `rate` per unit.
pub fn poisson(rate: f64) -> String {
    let per_second = rate * 1e9 / UNIT_NS;
    format!("clients = 1\nopen = {{ arrivals = {{ poisson = \"{per_second}/s\" }} }}")
}

/// The same, for runs that go on until the last request has ended.
pub fn poisson_to_the_end(rate: f64) -> String {
    poisson(rate).replace("} }", &format!("}}, until = {END} }}"))
}

/// Stands for the end of the span in a workload that has one.
const END: &str = "END";

/// `clients` that think for an exponential time of mean `think` after each request.
pub fn thinkers(clients: u32, think: f64) -> String {
    let think = exponential(think);
    format!("clients = {clients}\nclosed = {{ requests = \"unlimited\", think = {think} }}")
}

/// An exponential law.
pub fn exponential(mean: f64) -> String {
    format!("{{ exponential = {{ mean = {} }} }}", time(mean))
}

/// A route; `None` is an unlimited queue.
pub fn route(workers: u32, queue: Option<u32>, service: &str) -> String {
    let queue = queue.map_or("\"unlimited\"".to_string(), |places| places.to_string());
    format!("workers = {workers}\nqueue = {queue}\nservice = {service}")
}

/// A policy that never retries.
pub fn one_attempt() -> String {
    policy("1", "kind = \"none\"")
}

/// A policy without a deadline.
pub fn policy(max_attempts: &str, backoff: &str) -> String {
    format!(
        "limits = {{ max_attempts = {max_attempts}, deadline = \"unlimited\" }}\n\
         backoff = {{ {backoff} }}"
    )
}

/// Waits with an exponential law: the k-th of mean `means[k]`, the last one repeated.
pub fn exponential_waits(means: &[f64]) -> String {
    match means {
        [mean] => format!("kind = \"constant\", base = {}, jitter = \"exponential\"", time(*mean)),
        _ => {
            let times: Vec<_> = means.iter().map(|mean| time(*mean)).collect();
            let times = times.join(", ");
            format!("kind = \"schedule\", schedule = [{times}], jitter = \"exponential\"")
        }
    }
}

impl Experiment {
    /// Its cell, measured for `span` units after a warm-up of a tenth of that.
    pub fn cell(&self, span: f64) -> Cell {
        let Experiment { workload, route, policy } = self;
        let end = time(1.1 * span);
        let ends_itself = workload.contains(END);
        let workload = workload.replace(END, &end);
        let stop = if ends_itself { String::new() } else { format!("stop_after = {end}") };
        cell(&format!(
            "warmup = {}\n{stop}\n\
             [workload]\n{workload}\n\
             [policies.only]\n{policy}\n\
             [[route]]\nname = \"primary\"\n{route}\n",
            time(0.1 * span)
        ))
    }
}

/// The only cell of an experiment file.
pub fn cell(text: &str) -> Cell {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("theory.toml");
    std::fs::write(&path, text).unwrap();
    let experiment = Some(path.to_str().unwrap().to_string());
    let plan = load(&Wanted { experiment, ..Wanted::default() });
    let plan = plan.and_then(|loaded| Plan::new(&loaded));
    let mut cells = plan.unwrap_or_else(|report| panic!("{report:?}\n{text}")).cells;
    assert_eq!(cells.len(), 1);
    cells.remove(0)
}
