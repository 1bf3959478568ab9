//! The recorder and the close-up listen to the same run, and count it in different ways.

use retrial::experiment::cell::Cell;
use retrial::measure::close_up::{CloseUp, TimelineBin};
use retrial::measure::metric::Id;
use retrial::measure::recorder::Measurements;
use retrial::model::run_id::RunId;

use crate::support::packaged;

/// What both say of replication 0 of every policy of an experiment, made short.
fn both(name: &str, changes: &[&str]) -> Vec<(Cell, Measurements, CloseUp)> {
    let plan = packaged(name, changes);
    let run = RunId { seed: plan.seed, replication: 0 };
    let cells = plan.cells.into_iter();
    cells
        .map(|cell| {
            let measured = cell.measure(run, true).unwrap();
            let close_up = cell.close_up(run).unwrap();
            (cell, measured, close_up)
        })
        .collect()
}

fn all() -> Vec<(Cell, Measurements, CloseUp)> {
    let mut all = both("thundering-herd", &["workload.clients=60"]);
    all.extend(both("open-overload", &["stop_after=\"120s\""]));
    all.extend(both("exhausted-account", &[]));
    all.extend(both("aws-occ", &["sweep.\"workload.clients\"=[20]"]));
    assert!(all.len() > 12);
    all
}

fn total(bins: &[TimelineBin], of: fn(&TimelineBin) -> u64) -> f64 {
    bins.iter().map(of).sum::<u64>() as f64
}

/// The time average of a level over the whole run, whose last bin may end early.
fn mean(close_up: &CloseUp, of: fn(&TimelineBin) -> f64) -> f64 {
    let end = close_up.about.end_ms;
    let bins = close_up.timeline.iter();
    let integral = bins.map(|bin| of(bin) * bin.width_ms);
    integral.sum::<f64>() / end
}

fn assert_close(found: f64, expected: f64) {
    assert!((found - expected).abs() <= 1e-9 * expected.abs().max(1.0), "{found} {expected}");
}

#[test]
fn the_timeline_adds_up_to_the_metrics() {
    for (_, measured, close_up) in all() {
        let metric = |id| measured.metrics.get(id).unwrap();
        let timeline = &close_up.timeline;
        assert_eq!(total(timeline, |bin| bin.began), metric(Id::Requests));
        assert_eq!(total(timeline, |bin| bin.accepted), metric(Id::Succeeded));
        let ended = metric(Id::Requests) - metric(Id::Unfinished);
        assert_eq!(total(timeline, |bin| bin.gave_up), ended - metric(Id::Succeeded));
        assert_eq!(total(timeline, |bin| bin.fallbacks), metric(Id::Fallbacks));
        let arrived: u64 = measured.series.unwrap().iter().map(|bin| bin.attempts).sum();
        assert_eq!(total(timeline, |bin| bin.attempts), arrived as f64);
        assert_close(mean(&close_up, |bin| bin.orbit), metric(Id::OrbitMean));
    }
}

#[test]
fn the_queue_of_the_timeline_is_that_of_the_metrics() {
    let queued = both("open-overload", &["stop_after=\"120s\""]);
    for (_, measured, close_up) in queued {
        let expected = measured.metrics.get(Id::QueueMean).unwrap();
        assert!(expected > 0.1, "there is a queue to speak of");
        assert_close(mean(&close_up, |bin| bin.queue), expected);
    }
}

#[test]
fn dispersion_latencies_and_signals_are_those_of_the_figures() {
    let mut compared = 0;
    for (_, measured, close_up) in all() {
        for (window_ms, id) in [(10.0, Id::ArrivalsFano10Ms), (100.0, Id::ArrivalsFano100Ms)] {
            // Few windows make no point of a curve.
            if let Some(at) = close_up.dispersion.iter().find(|at| at.window_ms == window_ms) {
                assert_eq!(Some(at.index), measured.metrics.get(id));
                compared += 1;
            }
        }
        assert_eq!(Some(&close_up.latencies), measured.latencies.as_ref());
        assert_eq!(Some(&close_up.about.signals), measured.signals.as_ref());
        let mapped = close_up.latency_map.iter().map(|cell| cell.accepted).sum::<u64>();
        assert_eq!(Some(mapped as f64), measured.metrics.get(Id::Succeeded));
    }
    assert!(compared > 20, "{compared}");
}

#[test]
fn phases_hold_every_retry_that_arrives() {
    let mut compared = 0;
    for (_, measured, close_up) in all() {
        let arrived: u64 = measured.series.unwrap().iter().map(|bin| bin.attempts).sum();
        // First tries arrive all, in these experiments: each request makes one, unless it is still on
        // its way at the end.
        let firsts = measured.metrics.get(Id::Requests).unwrap() as u64;
        if let (Some(phases), None) = (close_up.phases, close_up.about.deadline_ms) {
            let retries = phases.cells.iter().map(|(.., count)| count).sum::<u64>();
            assert!((arrived - firsts..=arrived - firsts + 3).contains(&retries), "{retries}");
            compared += 1;
        }
    }
    assert!(compared > 3, "{compared}");
}
