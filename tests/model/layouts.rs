//! How a run is carried out (which queue, fused or not, who sits in which slot) changes nothing
//! about its result: not the fingerprint, not a metric, not a bin of the series.

use retrial::engine::distribution::Distribution;
use retrial::engine::heap_queue::HeapQueue;
use retrial::engine::queue::EventQueue;
use retrial::engine::winner_tree::WinnerTree;
use retrial::measure::metric::Id;
use retrial::measure::recorder::{Measurements, Recorder, measure};
use retrial::model::scenario::Scenario;
use retrial::model::subject::Subject;
use retrial::model::world::{Layout, simulate_with};
use retrial_policy::Policy;
use retrial_policy::mix::mix;

use super::{NORMAL, RUN, TEN_MS, ms, on_trial, policy, scenario, support};

/// Clients in order, in reverse, and shuffled.
fn seatings(clients: u32) -> [Vec<u32>; 3] {
    let in_order: Vec<_> = (0..clients).collect();
    let mut shuffled = in_order.clone();
    shuffled.sort_by_key(|client| mix(11, u64::from(*client)));
    [in_order, (0..clients).rev().collect(), shuffled]
}

fn measured<Q: EventQueue, S: Subject>(
    scenario: &Scenario,
    subjects: &[S],
    layout: &Layout,
) -> Measurements {
    let mut recorder = Recorder::new(scenario, true);
    simulate_with::<Q, S, _>(scenario, subjects, RUN, &mut recorder, layout).unwrap();
    recorder.finish(RUN)
}

/// Runs every layout and gives the result they share.
pub fn the_one_result<S: Subject>(scenario: &Scenario, subjects: &[S]) -> Measurements {
    let expected = measure(scenario, subjects, RUN, true).unwrap();
    for fused in [false, true] {
        for order in seatings(scenario.clients() as u32) {
            let layout = Layout { fused, order };
            let tree = measured::<WinnerTree, S>(scenario, subjects, &layout);
            assert_eq!(tree, expected, "winner tree, {layout:?}");
            let heap = measured::<HeapQueue, S>(scenario, subjects, &layout);
            assert_eq!(heap, expected, "heap, {layout:?}");
        }
    }
    expected
}

fn the_one_result_of(scenario: &Scenario, policy: &Policy) -> Measurements {
    the_one_result(scenario, &[on_trial(policy)])
}

#[test]
fn the_policies_of_the_study() {
    let plan = support::aws_occ(&["workload.clients=50"]);
    assert_eq!(plan.cells.len(), 5);
    for cell in &plan.cells {
        let result = the_one_result(&cell.scenario, &cell.subjects());
        assert_eq!(result.metrics.get(Id::Succeeded), Some(50.0));
    }
}

/// 200 clients in lockstep: every event ties with all the others.
#[test]
fn a_network_with_constant_delay() {
    for backoff in ["none\"", "constant\"\nbase = \"20ms\""] {
        let policy = policy("\"unlimited\"", &format!("[backoff]\nkind = \"{backoff}"));
        let result = the_one_result_of(&scenario(200, TEN_MS), &policy);
        assert_eq!(result.metrics.get(Id::Attempts), Some(200.0 * 201.0 / 2.0));
    }
}

/// All happens at one instant, local steps and observable ones mixed.
#[test]
fn a_network_without_delay() {
    let policy = policy("5", "[backoff]\nkind = \"none\"");
    let result = the_one_result_of(&scenario(200, Distribution::ZERO), &policy);
    assert_eq!(result.metrics.get(Id::MakespanMs), Some(0.0));
    assert!(result.metrics.get(Id::Retries) > Some(0.0));
}

/// Who gets the last token depends on the order of decisions, which are events of their own here,
/// and with constant delays they all tie.
#[test]
fn a_budget_that_clients_share() {
    let budget = "[[budget]]\nkind = \"token_bucket\"\nscope = \"group\"\ncapacity = 30.0\n\
                  retry_cost = 1.0\nsuccess_refund = 0.5\n";
    let backoff = "[backoff]\nkind = \"exponential\"\nbase = \"10ms\"\njitter = \"full\"\n";
    let policy = policy("\"unlimited\"", &format!("{backoff}{budget}"));
    for network in [NORMAL, TEN_MS] {
        let result = the_one_result_of(&scenario(50, network), &policy);
        let count = |id| result.metrics.get(id).unwrap();
        assert!(count(Id::GaveUpBudget) > 0.0 && count(Id::RetriedSucceeded) > 0.0);
    }
}

/// The end of a run may fall anywhere: before anything, on the very instant of events (with
/// constant delays all reads are at 10 ms, writes at 30, replies at 40), or into a wait.
#[test]
fn a_run_that_is_stopped() {
    let slow = "[backoff]\nkind = \"constant\"\nbase = \"1s\"\n";
    let full = "[backoff]\nkind = \"exponential\"\nbase = \"10ms\"\njitter = \"full\"\n";
    for rest in [slow, full] {
        let policy = policy("\"unlimited\"", rest);
        for network in [TEN_MS, NORMAL] {
            for stop in [0, 5, 10, 29, 30, 31, 40, 41, 500, 1040, 1070, 1080] {
                let scenario = Scenario { stop_after: ms(stop), ..scenario(50, network.clone()) };
                the_one_result_of(&scenario, &policy);
            }
        }
    }
}

/// Worked out: 50 clients, 10 ms each way, 1 s between attempts, cut in the first wait. All wrote
/// at 30 ms; one is done at 40 and 49 wait from then on, 460 of 500 ms.
#[test]
fn a_run_that_is_stopped_in_the_middle_of_waits_counts_them_so_far() {
    let policy = policy("\"unlimited\"", "[backoff]\nkind = \"constant\"\nbase = \"1s\"\n");
    let scenario = Scenario { stop_after: ms(500), ..scenario(50, TEN_MS) };
    let result = the_one_result_of(&scenario, &policy);
    let value = |id| result.metrics.get(id).unwrap();
    assert_eq!((value(Id::Attempts), value(Id::Succeeded)), (50.0, 1.0));
    assert_eq!(value(Id::Unfinished), 49.0);
    assert!((value(Id::OrbitMean) - 49.0 * 460.0 / 500.0).abs() < 1e-9);
    let waiting: Vec<_> = result.series.unwrap().iter().map(|bin| bin.waiting).collect();
    assert_eq!(waiting, [49.0 * 0.6, 49.0, 49.0, 49.0, 49.0]);
}

/// An event at the very end still counts, the next nanosecond does not.
#[test]
fn the_end_of_a_run_is_inclusive() {
    let policy = policy("\"unlimited\"", "[backoff]\nkind = \"none\"\n");
    for (before_ns, attempts, replied) in [(1, 0.0, 0.0), (0, 50.0, 0.0)] {
        let stop_after = retrial_policy::Instant::from_nanos(30_000_000 - before_ns);
        let scenario = Scenario { stop_after, ..scenario(50, TEN_MS) };
        let metrics = the_one_result_of(&scenario, &policy).metrics;
        assert_eq!(metrics.get(Id::Attempts), Some(attempts));
        assert_eq!(metrics.get(Id::Succeeded), Some(replied));
    }
}
