//! `stop`: replications until figures are exact enough, point by point, the same however often and
//! on however many threads a study is begun.

mod support;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use retrial::experiment::plan::Plan;
use retrial::study::files::data_files;
use retrial::study::results::Results;
use retrial::study::runner::{self, Options, Progress};
use retrial::study::stopping::Why;
use serde_json::Value;

struct NoProgress;

impl Progress for NoProgress {
    fn begin(&self, _runs: u64, _kept: u64) {}
    fn ran(&self) {}
}

/// The study of 20 and 40 clients, which need different numbers of runs.
fn plan(stop: &str) -> Plan {
    plan_of(&[&format!("stop={stop}"), "replications=10"])
}

fn plan_of(changes: &[&str]) -> Plan {
    let small = ["sweep.\"workload.clients\"=[20, 40]"];
    support::aws_occ(&[&small, changes].concat())
}

fn study(plan: &Plan, threads: usize, units: &Path) -> Results {
    let options = Options { threads, units: units.to_path_buf() };
    Results::new(plan, runner::run(plan, &options, &NoProgress).unwrap())
}

fn fresh(plan: &Plan, threads: usize) -> Results {
    study(plan, threads, tempfile::tempdir().unwrap().path())
}

fn replications(results: &Results) -> Vec<u64> {
    (0..results.points.len()).map(|point| results.replications_at(point)).collect()
}

/// Each point ends at the first look at which Law's rule holds for every policy: computed here from
/// the runs of a study of the largest size, with t from a table. (None of these samples is skewed.)
#[test]
fn a_point_stops_at_the_first_look_at_which_all_is_exact() {
    let t = BTreeMap::from([
        (10, 2.262_157),
        (14, 2.160_369),
        (20, 2.093_024),
        (28, 2.051_831),
        (40, 2.022_691),
        (56, 2.004_045),
        (79, 1.990_847),
        (100, 1.984_217),
    ]);
    let stopped = fresh(&plan("{ half_width = \"3%\", metrics = [\"attempts\"], max = 100 }"), 2);
    let whole = fresh(&plan_of(&["replications=100"]), 2);
    let mut looks = Vec::new();
    for point in 0..2 {
        let exact = |n: u64| {
            whole.at_point(point).all(|cell| {
                let runs = cell.runs[..n as usize].iter();
                let values: Vec<_> = runs
                    .map(|run| run.metrics.get(retrial::measure::metric::Id::Attempts).unwrap())
                    .collect();
                let count = n as f64;
                let mean = values.iter().sum::<f64>() / count;
                let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
                let half = t[&n] * (squares / (count - 1.0) / count).sqrt();
                half / mean <= 0.03 / 1.03
            })
        };
        looks.push(t.keys().copied().find(|n| exact(*n)).unwrap_or(100));
    }
    assert_eq!(replications(&stopped), looks);
    assert_ne!(looks[0], looks[1], "the points must need different numbers to show anything");
    for cell in &stopped.cells {
        let same = whole.cells.iter().find(|c| (c.policy, c.point) == (cell.policy, cell.point));
        assert_eq!(cell.runs[..], same.unwrap().runs[..cell.runs.len()]);
    }
}

#[test]
fn threads_interruptions_and_runs_that_are_there_do_not_show() {
    let plan = plan("{ half_width = \"5%\", max = 60 }");
    let files = |results: &Results| data_files(&plan, results).unwrap();
    let expected = files(&fresh(&plan, 1));
    assert!(files(&fresh(&plan, 2)) == expected);
    let folder = tempfile::tempdir().unwrap();
    // As an interruption between rounds leaves it, and with one file lost.
    study(&plan_of(&["replications=14"]), 2, folder.path());
    let lost = fs::read_dir(folder.path()).unwrap().next().unwrap().unwrap().path();
    fs::remove_file(lost).unwrap();
    assert!(files(&study(&plan, 2, folder.path())) == expected);
    // More runs than are asked for, and all of them again.
    study(&plan_of(&["replications=60"]), 2, folder.path());
    assert!(files(&study(&plan, 2, folder.path())) == expected);
    assert!(files(&study(&plan, 2, folder.path())) == expected);
}

#[test]
fn the_cap_is_told() {
    let capped = fresh(&plan("{ half_width = { makespan_ms = 0.001 }, max = 12 }"), 2);
    assert_eq!(replications(&capped), [12, 12]);
    assert_eq!(capped.why_stopped(0), Why::Cap);

    let out = tempfile::tempdir().unwrap();
    let run = |flags: &[&str]| {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_retrial"))
            .args(["run", "aws-occ", "--no-charts", "--set", "sweep.\"workload.clients\"=[5]"])
            .args(["--replications", "10", "--out"])
            .arg(out.path())
            .args(flags)
            .output()
            .unwrap();
        assert!(output.status.success());
        let manifest = fs::read(out.path().join("manifest.json")).unwrap();
        let manifest: Value = serde_json::from_slice(&manifest).unwrap();
        (String::from_utf8(output.stderr).unwrap(), manifest["stopped"].clone())
    };
    let (told, stopped) = run(&["--stop", "0.01%:12"]);
    assert!(told.contains("note: `stop` ended at workload.clients = 5 at the cap of 12"), "{told}");
    let expected = serde_json::json!([
        { "point": { "workload.clients": 5 }, "replications": 12, "why": "cap" },
    ]);
    assert_eq!(stopped, expected);
    let (told, stopped) = run(&["--stop", "90%"]);
    assert!(!told.contains("`stop`"), "{told}");
    assert_eq!(stopped[0]["replications"], 10);
    assert_eq!(stopped[0]["why"], "exact");
    let (_, stopped) = run(&[]);
    assert_eq!(stopped, Value::Null);
}

/// Whether less or more of it is better is nothing to `stop`.
#[test]
fn any_metric_may_be_watched() {
    for stop in [
        "{half_width=\"5%\", metrics=[\"success_ratio\", \"goodput_per_s\"]}",
        "{half_width={success_ratio=0.01, recovered_ratio=0.1}}",
    ] {
        assert!(plan(stop).stop.is_some(), "{stop}");
    }
}
