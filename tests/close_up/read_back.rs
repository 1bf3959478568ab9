//! What is read from a results folder is what was written there: the same files come out of it
//! again, and the same charts.

use std::fs;
use std::path::Path;

use retrial::experiment::plan::Plan;
use retrial::report::charts::Styles;
use retrial::report::draw::drawings;
use retrial::study::close_up::{self, files as close_up_files};
use retrial::study::files::{File, data_files};
use retrial::study::layers::layers_csv;
use retrial::study::read_back::read;
use retrial::study::results::Results;
use retrial::study::runner::{Options, Progress, run};

use crate::support::packaged;
use crate::written::plan_of;

struct Silent;

impl Progress for Silent {
    fn begin(&self, _runs: u64, _kept: u64) {}
    fn ran(&self) {}
}

fn study(plan: &Plan, folder: &Path) -> Results {
    let options = Options { threads: 1, units: folder.join("units") };
    let units = run(plan, &options, &Silent).unwrap();
    let close_ups = close_up::make(plan, &options, |_| true).unwrap();
    Results::new(plan, units).with_close_ups(close_ups)
}

/// All files but those of the close-ups, which are in a folder of their own.
fn files(outline: &retrial::experiment::outline::Outline, results: &Results) -> Vec<File> {
    let mut files = data_files(outline, results).unwrap();
    files.extend(layers_csv(results).unwrap().map(|bytes| ("layers.csv", bytes)));
    files
}

fn write(folder: &Path, files: &[File]) {
    fs::create_dir_all(folder).unwrap();
    files.iter().for_each(|(name, bytes)| fs::write(folder.join(name), bytes).unwrap());
}

fn comes_back(plan: &Plan) {
    let folder = tempfile::tempdir().unwrap();
    let results = study(plan, folder.path());
    let (written, close_ups) =
        (files(plan, &results), close_up_files::close_up_files(&results).unwrap());
    assert_eq!(close_ups.len(), close_up_files::NAMES.len());
    write(folder.path(), &written);
    write(&folder.path().join(close_up_files::FOLDER), &close_ups);

    let (outline, back) = read(folder.path()).unwrap();
    assert!(files(&outline, &back) == written, "{}", plan.name);
    assert!(close_up_files::close_up_files(&back).unwrap() == close_ups, "{}", plan.name);
    for (own, its) in results.cells.iter().zip(&back.cells) {
        assert_eq!(own.estimates, its.estimates);
        assert_eq!(own.close_up, its.close_up);
    }
    assert_eq!(plan.points, outline.points);
    assert_eq!(plan.thresholds, outline.thresholds);
    let styles = Styles::new(&plan.policies);
    let charts = drawings(plan, &results);
    let again = drawings(&outline, &back);
    assert_eq!(charts.len(), again.len());
    for (chart, again) in charts.iter().zip(&again) {
        let svg = |of: &retrial::report::draw::Drawing| of.chart.to_svg(&styles).unwrap();
        assert!(svg(chart) == svg(again), "{} of {}", chart.name, plan.name);
    }
}

#[test]
fn one_point_with_thresholds() {
    comes_back(&packaged("thundering-herd", &["replications=4", "workload.clients=40"]));
}

#[test]
fn one_that_stops_when_its_figures_are_exact_enough() {
    let stop = "stop={ half_width = \"0.1%\", max = 14 }";
    let plan = packaged("thundering-herd", &["replications=10", "workload.clients=20", stop]);
    comes_back(&plan);
}

#[test]
fn a_sweep_over_numbers() {
    let small = ["sweep.\"workload.clients\"=[10, 20]", "replications=3"];
    comes_back(&packaged("aws-occ", &small));
}

#[test]
fn a_sweep_over_durations_words_and_tables_with_layers() {
    comes_back(&plan_of(
        r#"
        title = "All that an axis can be"
        replications = 2
        stop_after = "2s"
        [workload]
        clients = 3
        open = { arrivals = { poisson = "20/s" } }
        [[route]]
        name = "primary"
        service = "20ms"
        limit = [{ requests = 10, per = "1s", over = { reply = "generic-429" } }]
        [policies.inner]
        inner = { preset = "openai-python" }
        backoff = { kind = "exponential", base = "100ms", jitter = "full" }
        limits = { deadline = "unlimited", max_attempts = 3 }
        [policies.plain]
        backoff = { kind = "exponential", base = "100ms", jitter = "full" }
        limits = { deadline = "10s", max_attempts = 3 }
        [sweep]
        "policies.*.backoff.base" = ["50ms", "1s"]
        "policies.*.backoff.jitter" = ["none", "equal"]
        "policies.plain.budget" = [[], [{ kind = "token_bucket", capacity = 5.0, retry_cost = 1.0, success_refund = 0.1 }]]
        "#,
        &[],
    ));
}

#[test]
fn what_is_missing_or_damaged_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let problem = |folder: &Path| read(folder).map(|_| "nothing").unwrap_err();
    assert!(problem(folder.path()).contains("manifest.json"));
    let plan = packaged("thundering-herd", &["replications=1", "workload.clients=5"]);
    let results = study(&plan, folder.path());
    write(folder.path(), &files(&plan, &results));
    assert!(read(folder.path()).unwrap().1.cells.iter().all(|cell| cell.close_up.is_none()));
    let summary = folder.path().join("summary.csv");
    let text = fs::read_to_string(&summary).unwrap();
    fs::write(&summary, format!("{text}no-jitter,attempts,1,one,1,1,1\n")).unwrap();
    let found = problem(folder.path());
    assert!(found.contains("summary.csv") && found.contains("line"), "{found}");
    fs::remove_file(&summary).unwrap();
    assert!(problem(folder.path()).contains("summary.csv"));
    let attempts = folder.path().join(close_up_files::FOLDER);
    fs::write(&summary, text).unwrap();
    write(&attempts, &close_up_files::close_up_files(&results).unwrap());
    fs::write(attempts.join("timeline.csv"), "policy,bin_start_ms\np,0\n").unwrap();
    assert!(problem(folder.path()).contains("timeline.csv"));
    write(&attempts, &close_up_files::close_up_files(&results).unwrap());
    for (name, from, to) in [
        ("phases.csv", ",5,", ",0.000000001,"),
        ("about.json", "\"clients\":5", "\"clients\":4294967295"),
    ] {
        let path = attempts.join(name);
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, text.replace(from, to)).unwrap();
        assert!(problem(folder.path()).contains(name), "{name}");
        fs::write(&path, text).unwrap();
    }
    let runs = folder.path().join("runs.csv");
    let text = fs::read_to_string(&runs).unwrap();
    let lines: Vec<_> = text.lines().collect();
    fs::write(&runs, lines[..3].join("\n")).unwrap();
    assert!(problem(folder.path()).contains("runs.csv: it has 2 of 4 policies at points"));
    let last = lines[1].rsplit_once(',').unwrap().1;
    fs::write(&runs, text.replace(last, "0123456789abcdef")).unwrap();
    assert!(problem(folder.path()).contains("have the fingerprint"));
    fs::write(&runs, &text).unwrap();
    let timeline = attempts.join("timeline.csv");
    let whole = fs::read_to_string(&timeline).unwrap();
    let head = whole.lines().take(3).collect::<Vec<_>>().join("\n");
    fs::write(&timeline, head).unwrap();
    assert!(problem(folder.path()).contains("close-up: `"), "a table that was cut off");
    fs::write(&timeline, whole).unwrap();
    fs::write(&runs, text.lines().next().unwrap()).unwrap();
    assert!(problem(folder.path()).ends_with("runs.csv: it has no runs"));
}
