//! A fixed schedule brings 200 clients back in waves; full jitter does not, and a budget saves
//! load and pays with success.

use retrial::experiment::plan::Plan;
use retrial::measure::metric::Id;
use retrial::model::probe::{AttemptId, Probe};
use retrial::model::run_id::RunId;
use retrial::model::world::simulate;
use retrial::report::verdict::verdict;
use retrial::study::results::Results;
use retrial::study::runner::{Options, Progress, run};
use retrial_policy::Instant;

use super::{cell, metric, packaged};

const CLIENTS: u32 = 200;

/// When the herd's first requests reach the route, by attempt, and when the first failure is
/// known.
#[derive(Default)]
struct Waves {
    arrivals: Vec<(u32, Instant)>,
    first_failure: Option<Instant>,
}

impl Probe for Waves {
    fn arrived(&mut self, at: Instant, id: AttemptId, _route: u16) {
        if id.of.request == 0 {
            self.arrivals.push((id.number, at));
        }
    }

    fn replied(&mut self, at: Instant, _id: AttemptId, result: u16) {
        if result != 200 {
            self.first_failure = Some(self.first_failure.map_or(at, |first| first.min(at)));
        }
    }
}

/// A way through the network is 10 ms, give or take 2: of 200 hardly one takes half or twice that.
/// The first failures spread over both ways there and back, and each wave over two more.
const SPREAD_MS: [u64; 3] = [40, 60, 80];

/// Whether all clients come back 200, 600 and 1,400 ms after the first failure, plus the network.
fn comes_in_waves(plan: &Plan, policy: &str, replication: u64) -> bool {
    let cell = cell(plan, policy);
    let mut waves = Waves::default();
    let id = RunId { seed: plan.seed, replication };
    simulate(&cell.scenario, &cell.subjects(), id, &mut waves).unwrap();
    let Some(failure) = waves.first_failure else { return false };
    [200, 600, 1_400].into_iter().zip(SPREAD_MS).zip(2..).all(|((wave, spread), attempt)| {
        let since = |at: Instant| at.saturating_since(failure).get() / 1_000_000;
        let inside = waves.arrivals.iter().filter(|(number, at)| {
            *number == attempt && (wave..wave + spread).contains(&since(*at))
        });
        inside.count() == CLIENTS as usize
    })
}

fn waves(plan: &Plan, policy: &str) -> usize {
    (0..plan.replications).filter(|n| comes_in_waves(plan, policy, *n)).count()
}

#[test]
fn a_fixed_schedule_brings_all_clients_back_in_waves() {
    let plan = packaged("thundering-herd", &[]);
    assert_eq!(waves(&plan, "fixed-schedule"), 30);
    assert_eq!(waves(&plan, "full-jitter"), 0);
    let spread = packaged("thundering-herd", &["workload.closed.start={ over = \"10s\" }"]);
    assert_eq!(waves(&spread, "fixed-schedule"), 0, "clients that don't fail together");
}

#[test]
fn full_jitter_spreads_arrivals_like_chance() {
    let plan = packaged("thundering-herd", &[]);
    let full = metric(&plan, "full-jitter", Id::ArrivalsClustering);
    let spread = full.iter().filter(|value| (0.7..=1.3).contains(*value)).count();
    assert!(spread >= 29, "{full:?}");
    for value in metric(&plan, "fixed-schedule", Id::ArrivalsClustering) {
        assert!(value > 8.0, "{value}");
    }
}

#[test]
fn a_budget_has_the_lowest_amplification_and_gives_requests_up_for_it() {
    let plan = packaged("thundering-herd", &[]);
    for count in metric(&plan, "capped-budget", Id::GaveUpBudget) {
        assert!(count > 0.0);
    }
    let capped = metric(&plan, "capped-budget", Id::Amplification);
    for policy in ["fixed-schedule", "no-jitter", "full-jitter"] {
        let other = metric(&plan, policy, Id::Amplification);
        assert!(capped.iter().zip(&other).all(|(capped, other)| capped < other), "{policy}");
    }
    let free = packaged("thundering-herd", &["policies.capped-budget.budget=[]"]);
    for count in metric(&free, "capped-budget", Id::GaveUpBudget) {
        assert_eq!(count, 0.0);
    }
}

struct Silent;

impl Progress for Silent {
    fn begin(&self, _runs: u64, _kept: u64) {}
    fn ran(&self) {}
}

#[test]
fn the_verdict_names_what_the_budget_pays() {
    let plan = packaged("thundering-herd", &[]);
    let folder = tempfile::tempdir().unwrap();
    let options = Options { threads: 0, units: folder.path().to_path_buf() };
    let results = Results::new(&plan, run(&plan, &options, &Silent).unwrap());
    let verdict = verdict(&results, 0);
    let priced = "`capped-budget` makes the fewest attempts";
    assert!(verdict.contains(priced), "{verdict}");
    assert!(verdict.contains("and pays with success"), "{verdict}");
}
