//! `retrial run` from end to end: the files it writes, what it prints, and that finished work
//! survives whatever ends the command.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command as Process, Output, Stdio};
use std::time::{Duration, Instant};

use assert_cmd::Command;
use serde_json::Value;
use statrs::distribution::{ContinuousCDF, StudentsT};
use tempfile::TempDir;

const POLICIES: [&str; 5] = ["none", "exponential", "equal", "full", "decorrelated"];
const AXIS: &str = "workload.clients";
const CLIENTS: [&str; 2] = ["5", "10"];
const REPLICATIONS: usize = 3;

/// The columns of metrics, in the documented order of the result files.
const METRICS: [(&str, &str); 51] = [
    ("requests", ""),
    ("attempts", ""),
    ("retries", ""),
    ("fallbacks", ""),
    ("first_try_succeeded", ""),
    ("retried_succeeded", ""),
    ("retried_gave_up", ""),
    ("fixed_no_retry", ""),
    ("ended_otherwise", ""),
    ("succeeded", ""),
    ("stopped", ""),
    ("gave_up_attempts", ""),
    ("gave_up_deadline", ""),
    ("gave_up_budget", ""),
    ("reconciled", ""),
    ("unfinished", ""),
    ("success_ratio", ""),
    ("goodput_per_s", "1/s"),
    ("amplification", ""),
    ("wasted_ratio", ""),
    ("makespan_ms", "ms"),
    ("latency_mean_ms", "ms"),
    ("latency_p50_ms", "ms"),
    ("latency_p90_ms", "ms"),
    ("latency_p99_ms", "ms"),
    ("latency_p999_ms", "ms"),
    ("latency_max_ms", "ms"),
    ("latency_all_mean_ms", "ms"),
    ("latency_all_p50_ms", "ms"),
    ("latency_all_p90_ms", "ms"),
    ("latency_all_p99_ms", "ms"),
    ("latency_all_p999_ms", "ms"),
    ("latency_all_max_ms", "ms"),
    ("arrivals_peak_per_s", "1/s"),
    ("arrivals_peak_to_mean", ""),
    ("arrivals_fano_10ms", ""),
    ("arrivals_fano_100ms", ""),
    ("arrivals_fano_1s", ""),
    ("arrivals_clustering", ""),
    ("drain_ms", "ms"),
    ("recovery_ms", "ms"),
    ("recovered_ratio", ""),
    ("backlog_peak", ""),
    ("queue_mean", ""),
    ("orbit_mean", ""),
    ("utilisation", ""),
    ("blocking_ratio", ""),
    ("blocking_first_ratio", ""),
    ("early_retries", ""),
    ("duplicates", ""),
    ("spend_tokens", ""),
];

/// A folder to run the command in.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Folder(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// `retrial run aws-occ --out OUT`, small, with more arguments.
    fn small(&self, out: &str, arguments: &[&str]) -> Output {
        self.small_of("aws-occ", out, arguments)
    }

    fn small_of(&self, experiment: &str, out: &str, arguments: &[&str]) -> Output {
        let mut command = Command::cargo_bin("retrial").unwrap();
        let small = ["--set", "sweep.\"workload.clients\"=[5, 10]", "--replications", "3"];
        command.current_dir(self.0.path()).args(["run", experiment, "--out", out]).args(small);
        command.args(arguments).assert().success().get_output().clone()
    }

    /// The rows of a result file, by column.
    fn rows(&self, name: &str) -> Vec<BTreeMap<String, String>> {
        let mut csv = csv::Reader::from_reader(fs::File::open(self.path(name)).unwrap());
        csv.deserialize().map(Result::unwrap).collect()
    }

    fn header(&self, name: &str) -> Vec<String> {
        let mut csv = csv::Reader::from_reader(fs::File::open(self.path(name)).unwrap());
        csv.headers().unwrap().iter().map(String::from).collect()
    }

    /// The names in a folder, in order.
    fn names(&self, folder: &str) -> Vec<String> {
        let entries = fs::read_dir(self.path(folder)).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

fn number(text: &str) -> f64 {
    text.parse().unwrap_or_else(|_| panic!("`{text}` is not a number"))
}

/// The columns up to `rest`.
fn columns<'a>(rest: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    ["policy", AXIS].into_iter().chain(rest).collect()
}

#[test]
fn a_run_writes_every_file_whole() {
    let folder = Folder::new();
    folder.small("out", &["--quiet"]);
    assert_eq!(
        folder.names("out"),
        [
            "arrivals.csv",
            "charts",
            "close-up",
            "manifest.json",
            "report.html",
            "report.md",
            "runs.csv",
            "summary.csv",
            "units"
        ]
    );
    let charts = folder.names("out/charts");
    assert!(charts.iter().any(|name| name.ends_with(".svg")), "{charts:?}");
    for name in &charts {
        let bytes = folder.read(&format!("out/charts/{name}"));
        match name.rsplit_once('.') {
            Some((stem, "svg")) => {
                assert!(bytes.starts_with(b"<svg") && bytes.ends_with(b"</svg>\n"), "{name}");
                assert!(charts.contains(&format!("{stem}.png")), "{name} has no PNG beside it");
            }
            Some((stem, "png")) => {
                assert!(bytes.starts_with(b"\x89PNG\r\n\x1a\n"), "{name}");
                assert!(bytes.ends_with(b"IEND\xaeB`\x82"), "{name} is cut off");
                assert!(charts.contains(&format!("{stem}.svg")), "{name} has no SVG beside it");
            }
            _ => panic!("{name} is neither SVG nor PNG"),
        }
    }
    // One unit file for each policy at each point, and a close-up of each policy at the last one.
    let units = folder.names("out/units");
    let (close_ups, units): (Vec<_>, Vec<_>) =
        units.into_iter().partition(|name| name.ends_with("-close-up.json"));
    assert_eq!(close_ups.len(), POLICIES.len());
    assert_eq!(units.len(), POLICIES.len() * CLIENTS.len());
    assert!(units.iter().all(|name| name.ends_with("-000000.json")), "{units:?}");

    folder.small("bare", &["--quiet", "--no-charts"]);
    assert_eq!(
        folder.names("bare"),
        ["arrivals.csv", "close-up", "manifest.json", "runs.csv", "summary.csv", "units"]
    );
}

#[test]
fn files_have_the_documented_columns_and_rows() {
    let folder = Folder::new();
    folder.small("out", &["--quiet", "--no-charts"]);
    let metrics = METRICS.iter().map(|(name, _)| *name);
    let expected = columns(["replication"].into_iter().chain(metrics).chain(["fingerprint"]));
    assert_eq!(folder.header("out/runs.csv"), expected);
    assert_eq!(
        folder.header("out/summary.csv"),
        columns(["metric", "unit", "mean", "ci95_low", "ci95_high", "n"])
    );
    assert_eq!(
        folder.header("out/arrivals.csv"),
        columns(["bin_start_ms", "bin_ms", "attempts", "rejected", "in_flight", "waiting"])
    );

    // Policies in the order of the file, points in that of the axis, then replications.
    let runs = folder.rows("out/runs.csv");
    let mut expected = Vec::new();
    for policy in POLICIES {
        for clients in CLIENTS {
            for replication in 0..REPLICATIONS {
                expected.push([policy.into(), clients.into(), replication.to_string()]);
            }
        }
    }
    let keys: Vec<_> = runs
        .iter()
        .map(|row| [row["policy"].clone(), row[AXIS].clone(), row["replication"].clone()])
        .collect();
    assert_eq!(keys, expected);

    let summary = folder.rows("out/summary.csv");
    assert_eq!(summary.len(), POLICIES.len() * CLIENTS.len() * METRICS.len());
    for (row, (name, unit)) in summary.iter().zip(METRICS.iter().cycle()) {
        assert_eq!((row["metric"].as_str(), row["unit"].as_str()), (*name, *unit));
    }
}

/// Every request has one end, every attempt one reason.
#[test]
fn counts_of_a_run_add_up() {
    let folder = Folder::new();
    // Few attempts, so that some requests give up.
    let few = ["--set", "policies.*.limits.max_attempts=3", "--quiet", "--no-charts"];
    folder.small("out", &few);
    let runs = folder.rows("out/runs.csv");
    let sum = |row: &BTreeMap<String, String>, names: &[&str]| -> f64 {
        names.iter().map(|name| number(&row[*name])).sum()
    };
    for row in &runs {
        let requests = number(&row["requests"]);
        assert_eq!(requests, number(&row[AXIS]), "one request a client");
        let ends = [
            "succeeded",
            "stopped",
            "gave_up_attempts",
            "gave_up_deadline",
            "gave_up_budget",
            "reconciled",
            "unfinished",
        ];
        assert_eq!(sum(row, &ends), requests, "{row:?}");
        let counters = [
            "first_try_succeeded",
            "retried_succeeded",
            "retried_gave_up",
            "fixed_no_retry",
            "ended_otherwise",
        ];
        assert_eq!(sum(row, &counters), requests, "{row:?}");
        assert_eq!(sum(row, &["requests", "retries", "fallbacks"]), number(&row["attempts"]));
        assert_eq!(number(&row["success_ratio"]), number(&row["succeeded"]) / requests);
        assert_eq!(number(&row["amplification"]), number(&row["attempts"]) / requests);
        let fingerprint = &row["fingerprint"];
        assert_eq!(fingerprint.len(), 16);
        assert!(fingerprint.chars().all(|c| matches!(c, '0'..='9' | 'a'..='f')), "{fingerprint}");
    }
    let of = |name: &str| runs.iter().map(|row| number(&row[name])).sum::<f64>();
    assert!(of("succeeded") > 0.0 && of("gave_up_attempts") > 0.0, "the sums were put to the test");

    // The series is that of replication 0.
    let mut arrived: BTreeMap<_, f64> = BTreeMap::new();
    for row in folder.rows("out/arrivals.csv") {
        let cell = (row["policy"].clone(), row[AXIS].clone());
        *arrived.entry(cell).or_default() += number(&row["attempts"]);
    }
    let first: BTreeMap<_, _> = runs
        .iter()
        .filter(|row| row["replication"] == "0")
        .map(|row| ((row["policy"].clone(), row[AXIS].clone()), number(&row["attempts"])))
        .collect();
    assert_eq!(arrived, first);
}

/// Mean and interval again, from the runs and another library's quantile; by the rule of three where
/// a share is always 0 or always 1. Ten requests have no quantiles.
#[test]
fn intervals_are_those_of_student() {
    let folder = Folder::new();
    folder.small("out", &["--quiet", "--no-charts"]);
    let runs = folder.rows("out/runs.csv");
    let t = StudentsT::new(0.0, 1.0, (REPLICATIONS - 1) as f64).unwrap().inverse_cdf(0.975);
    let mut checked = 0;
    for row in folder.rows("out/summary.csv") {
        let values: Vec<f64> = runs
            .iter()
            .filter(|run| run["policy"] == row["policy"] && run[AXIS] == row[AXIS])
            .filter_map(|run| run[&row["metric"]].parse().ok())
            .collect();
        let quantiles = ["_p50_", "_p90_", "_p99_", "_p999_"];
        if quantiles.iter().any(|quantile| row["metric"].contains(quantile)) {
            assert_eq!((&row["n"][..], &row["mean"][..], &row["ci95_low"][..]), ("0", "", ""));
            continue;
        }
        assert_eq!(row["n"], values.len().to_string(), "{row:?}");
        if values.len() < REPLICATIONS {
            continue;
        }
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let variance = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1.0);
        let half = t * (variance / n).sqrt();
        let (mut low, mut high) = (mean - half, mean + half);
        let whole = match &row["metric"][..] {
            "success_ratio" | "blocking_first_ratio" => Some("requests"),
            "wasted_ratio" | "blocking_ratio" => Some("attempts"),
            _ => None,
        };
        if let Some(whole) = whole {
            let own =
                runs.iter().filter(|run| run["policy"] == row["policy"] && run[AXIS] == row[AXIS]);
            let trials: f64 = own.map(|run| number(&run[whole])).sum();
            (low, high) = match (low, high) {
                (0.0, 0.0) => (0.0, 3.0 / trials),
                (1.0, 1.0) => (1.0 - 3.0 / trials, 1.0),
                (low, high) => (low.max(0.0), high.min(1.0)),
            };
        }
        for (column, expected) in [("mean", mean), ("ci95_low", low), ("ci95_high", high)] {
            let found = number(&row[column]);
            let error = (found - expected).abs();
            assert!(error <= 1e-9 * (mean.abs() + half), "{column}: {found}, not {expected}");
        }
        checked += 1;
    }
    // Most metrics have an estimate in most cells.
    assert!(checked > 250, "{checked}");
}

#[test]
fn json_carries_the_numbers_of_the_summary_and_nothing_else() {
    let folder = Folder::new();
    let output = folder.small("out", &["--format", "json", "--no-charts"]);
    let json: Value = serde_json::from_slice(&output.stdout).unwrap();
    let keys =
        |value: &Value| -> Vec<String> { value.as_object().unwrap().keys().cloned().collect() };
    // The order of keys is not part of the format.
    assert_eq!(keys(&json), ["experiment", "fingerprint", "replications", "rows", "seed"]);
    assert_eq!(json["experiment"], "aws-occ");
    assert_eq!((json["seed"].as_u64(), json["replications"].as_u64()), (Some(1), Some(3)));
    let manifest: Value = serde_json::from_slice(&folder.read("out/manifest.json")).unwrap();
    assert_eq!(json["fingerprint"], manifest["fingerprint"]);

    let mut summary = folder.rows("out/summary.csv").into_iter();
    let rows = json["rows"].as_array().unwrap();
    assert_eq!(rows.len(), POLICIES.len() * CLIENTS.len());
    let mut without_estimate = 0;
    for row in rows {
        assert_eq!(keys(row), ["metrics", "point", "policy"]);
        assert_eq!(keys(&row["metrics"]).len(), METRICS.len());
        for (name, _) in METRICS {
            let metric = &row["metrics"][name];
            let line = summary.next().unwrap();
            assert_eq!(row["policy"], line["policy"]);
            assert_eq!(row["point"], serde_json::json!({ AXIS: number(&line[AXIS]) as u64 }));
            assert_eq!(name, line["metric"]);
            assert_eq!(keys(metric), ["ci95_high", "ci95_low", "mean", "n"]);
            assert_eq!(metric["n"].to_string(), line["n"]);
            for column in ["mean", "ci95_low", "ci95_high"] {
                let expected = line[column].parse::<f64>().ok();
                assert_eq!(metric[column].as_f64(), expected, "{name} {column}");
                assert_eq!(metric[column].is_null(), line[column].is_empty(), "{name} {column}");
            }
            if metric["n"] == 0 {
                assert!(metric["mean"].is_null());
                without_estimate += 1;
            }
        }
    }
    // No server with workers: its utilisation does not apply, and so with others.
    assert!(without_estimate >= rows.len(), "nothing was without estimate");
    assert!(rows.iter().all(|row| row["metrics"]["utilisation"]["n"] == 0));
    assert_eq!(summary.next(), None);
}

#[test]
fn the_csv_format_is_the_summary_file() {
    let folder = Folder::new();
    let output = folder.small("out", &["--format", "csv", "--no-charts"]);
    assert_eq!(text(&output.stdout), text(&folder.read("out/summary.csv")));
}

#[test]
fn the_manifest_says_what_was_run() {
    let folder = Folder::new();
    folder.small("out", &["--quiet", "--no-charts", "--seed", "9"]);
    let manifest: Value = serde_json::from_slice(&folder.read("out/manifest.json")).unwrap();
    assert_eq!(manifest["experiment"], "aws-occ");
    assert_eq!((manifest["seed"].as_u64(), manifest["replications"].as_u64()), (Some(9), Some(3)));
    assert_eq!(manifest["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(manifest["policies"], serde_json::json!(POLICIES));
    assert_eq!(manifest["axes"], serde_json::json!([AXIS]));
    let file = include_str!("../experiments/aws-occ.toml");
    assert_eq!(manifest["experiment_text"], file);
    let effective = manifest["effective_experiment"].as_str().unwrap();
    assert!(effective.contains("\"workload.clients\" = [5, 10]"), "{effective}");
    assert!(effective.contains("\"seed\" = 9"), "{effective}");
    let hash = manifest["experiment_sha256"].as_str().unwrap();
    assert!(hash.len() == 64 && hash.chars().all(|c| c.is_ascii_hexdigit()), "{hash}");
    let fingerprint = manifest["fingerprint"].as_str().unwrap();
    assert!(fingerprint.len() == 16 && fingerprint.chars().all(|c| c.is_ascii_hexdigit()));
}

#[test]
fn the_table_shows_every_policy_and_ends_with_a_verdict() {
    let folder = Folder::new();
    let output = folder.small("out", &["--no-charts"]);
    let stdout = text(&output.stdout);
    let mut lines = stdout.lines();
    assert_eq!(lines.next(), Some("aws-occ: Five backoff strategies contend for one row"));
    assert_eq!(
        lines.next(),
        Some(
            "workload.clients = 10, the last of 2 points; 3 replications, seed 1, mean ± half the \
             95 % interval"
        )
    );
    for policy in POLICIES {
        let rows = stdout.lines().filter(|line| line.split_whitespace().next() == Some(policy));
        assert_eq!(rows.count(), 1, "{policy} in\n{stdout}");
    }
    let verdict = stdout.lines().last().unwrap();
    assert!(verdict.starts_with("At workload.clients = 10, ") && verdict.ends_with('.'));
    // What is not a result goes to stderr: one remark, and no bar where nobody watches it.
    let stderr = text(&output.stderr);
    let seconds = stderr
        .strip_prefix("\n30 runs in ")
        .and_then(|rest| rest.strip_suffix(" s; results in out\n"));
    let seconds = seconds.unwrap_or_else(|| panic!("{stderr:?}"));
    assert!(seconds.parse::<f64>().is_ok_and(|seconds| seconds < 60.0), "{seconds}");
    assert_eq!(text(&folder.small("out", &["--no-charts", "--quiet"]).stderr), "");
    // Nothing of it depends on colours being there or not.
    assert!(!stdout.contains('\x1b'));
}

/// Every row of a Markdown table has the cells of its header, whatever a policy is called.
#[test]
fn markdown_is_a_table() {
    let folder = Folder::new();
    let barred = "policies.'a|b'={ backoff.kind = \"none\", limits.deadline = \"unlimited\" }";
    let output = folder.small("out", &["--format", "markdown", "--no-charts", "--set", barred]);
    let stdout = text(&output.stdout);
    assert!(stdout.starts_with("### aws-occ: "), "{stdout}");
    let table: Vec<_> = stdout.lines().filter(|line| line.starts_with('|')).collect();
    assert_eq!(table.len(), 2 + POLICIES.len() + 1);
    let cells = |line: &str| line.replace("\\|", "").matches('|').count() - 1;
    for line in &table {
        assert_eq!(cells(line), cells(table[0]), "{line}");
        assert!(line.ends_with('|'), "{line}");
    }
    assert!(table[0].starts_with("| policy "));
    assert!(table[1].chars().all(|c| matches!(c, '|' | '-' | ':')), "{}", table[1]);
    assert!(table[7].starts_with("| a\\|b "), "{}", table[7]);
    assert_eq!(text(&output.stderr), "");
}

const DATA_FILES: [&str; 4] = ["manifest.json", "runs.csv", "summary.csv", "arrivals.csv"];

#[test]
fn the_same_command_gives_the_same_bytes_and_makes_no_run_twice() {
    let folder = Folder::new();
    folder.small("out", &["--quiet"]);
    let data = DATA_FILES.map(|name| folder.read(&format!("out/{name}")));
    let charts = folder.names("out/charts");
    let written = |name: &String| {
        fs::metadata(folder.path(&format!("out/units/{name}"))).unwrap().modified().unwrap()
    };
    let units = folder.names("out/units");
    let times: Vec<_> = units.iter().map(written).collect();

    fs::remove_file(folder.path("out/runs.csv")).unwrap();
    folder.small("out", &["--quiet"]);
    assert_eq!(DATA_FILES.map(|name| folder.read(&format!("out/{name}"))), data);
    assert_eq!(folder.names("out/charts"), charts);
    assert_eq!(folder.names("out/units"), units);
    assert_eq!(units.iter().map(written).collect::<Vec<_>>(), times, "a unit was made again");

    // From nothing, with another number of threads.
    for (out, threads) in [("one", "1"), ("two", "2"), ("five", "5")] {
        folder.small(out, &["--quiet", "--no-charts", "--threads", threads]);
        assert_eq!(DATA_FILES.map(|name| folder.read(&format!("{out}/{name}"))), data, "{out}");
    }
}

/// More replications use those that exist; other policies and points leave no files behind.
#[test]
fn more_replications_go_on_from_what_exists() {
    let folder = Folder::new();
    let axis = "sweep.\"workload.clients\"=[5, 10]";
    let run = |out: &str, arguments: &[&str]| {
        let mut command = Command::cargo_bin("retrial").unwrap();
        command.current_dir(folder.0.path()).args([
            "run",
            "aws-occ",
            "--out",
            out,
            "--quiet",
            "--no-charts",
        ]);
        command.args(["--set", axis]).args(arguments).assert().success();
    };
    for replications in ["4", "25", "12"] {
        run("grown", &["--replications", replications]);
        let fresh = format!("fresh-{replications}");
        run(&fresh, &["--replications", replications]);
        for name in DATA_FILES {
            let (grown, fresh) =
                (folder.read(&format!("grown/{name}")), folder.read(&format!("{fresh}/{name}")));
            assert_eq!(text(&grown), text(&fresh), "{name} after {replications}");
        }
    }
    run("grown", &["--replications", "4", "--set", "workload.clients=5"]);
    let kept = folder.names("grown/units");
    assert_eq!(kept.len(), 2 * POLICIES.len(), "a unit and a close-up each: {kept:?}");
}

#[test]
fn a_packaged_experiment_is_its_file_and_the_default() {
    let folder = Folder::new();
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/experiments/aws-occ.toml");
    folder.small("by-name", &["--quiet", "--no-charts"]);
    folder.small_of(file, "by-path", &["--quiet", "--no-charts"]);
    for name in DATA_FILES {
        let [by_name, by_path] =
            ["by-name", "by-path"].map(|out| folder.read(&format!("{out}/{name}")));
        assert_eq!(text(&by_path), text(&by_name), "{name}");
    }
}

#[test]
fn the_herd_runs_where_no_experiment_is_named() {
    let folder = Folder::new();
    let few = ["--quiet", "--no-charts", "--replications", "2", "--set", "thresholds={}"];
    for arguments in
        [&["run", "--out", "default"][..], &["run", "thundering-herd", "--out", "named"]]
    {
        let mut command = Command::cargo_bin("retrial").unwrap();
        command.current_dir(folder.0.path()).args(arguments).args(few).assert().success();
    }
    assert_eq!(folder.read("default/runs.csv"), folder.read("named/runs.csv"));
}

#[test]
fn results_go_to_a_folder_of_the_experiments_name() {
    let folder = Folder::new();
    let mut command = Command::cargo_bin("retrial").unwrap();
    command.current_dir(folder.0.path()).args(["run", "aws-occ", "--quiet", "--no-charts"]);
    command.args(["--set", "workload.clients=5", "--replications", "1"]);
    command.assert().success();
    assert!(folder.path("results/aws-occ/runs.csv").is_file());
}

#[test]
fn help_names_every_flag() {
    let output = Command::cargo_bin("retrial").unwrap().args(["run", "--help"]).output().unwrap();
    assert!(output.status.success());
    let help = text(&output.stdout);
    for flag in [
        "[EXPERIMENT]",
        "--out <DIR>",
        "--seed <SEED>",
        "--replications <REPLICATIONS>",
        "--threads <THREADS>",
        "--set <KEY=VALUE>",
        "--format <FORMAT>",
        "--no-charts",
        "-q, --quiet",
    ] {
        assert!(help.contains(flag), "{flag} is not in\n{help}");
    }
    for format in ["table", "json", "csv", "markdown"] {
        assert!(help.contains(&format!("- {format}:")), "{format} is not in\n{help}");
    }
    // Whoever types the name alone is told what there is, as wrong usage.
    let bare = Command::cargo_bin("retrial").unwrap().assert().code(2).get_output().clone();
    assert!(text(&bare.stderr).contains("Usage: retrial <COMMAND>"), "{}", text(&bare.stderr));
}

/// A study of many short units. It takes more than a second on one thread: long enough to be cut
/// off in the middle.
const LONG: [&str; 6] =
    ["run", "aws-occ", "--no-charts", "--replications", "300", "--set=workload.clients=120"];
const LONG_UNITS: usize = 5 * 30;

/// A running command; it ends with the test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Running {
    /// Starts the long study in `out` and waits until some units are finished.
    fn with_some_units(out: &Path) -> Self {
        let mut command = Process::new(env!("CARGO_BIN_EXE_retrial"));
        command.args(LONG).args(["--threads", "1"]).arg("--out").arg(out);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let running = Running(child);
        let limit = Instant::now() + Duration::from_secs(30);
        while finished_units(out) < 3 {
            assert!(Instant::now() < limit, "no unit was finished");
            std::thread::sleep(Duration::from_millis(1));
        }
        running
    }

    fn ended(mut self) -> (Option<i32>, String) {
        let status = self.0.wait().unwrap();
        let mut stderr = String::new();
        std::io::Read::read_to_string(self.0.stderr.as_mut().unwrap(), &mut stderr).unwrap();
        (status.code(), stderr)
    }
}

fn finished_units(out: &Path) -> usize {
    let Ok(entries) = fs::read_dir(out.join("units")) else { return 0 };
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name.ends_with(".json") && !name.ends_with("-close-up.json")).count()
}

/// Goes on with the long study and asserts that it ends as if it had never been cut off.
fn assert_resumes(out: &Path) {
    let kept = finished_units(out);
    assert!((3..LONG_UNITS).contains(&kept), "{kept} units: it was not cut off in the middle");
    assert!(!out.join("runs.csv").exists());
    let run = |out: &Path| {
        let mut command = Command::cargo_bin("retrial").unwrap();
        command.args(LONG).arg("--quiet").arg("--out").arg(out).assert().success();
    };
    run(out);
    let whole = tempfile::tempdir().unwrap();
    run(whole.path());
    for name in DATA_FILES {
        let bytes = |folder: &Path| fs::read(folder.join(name)).unwrap();
        assert!(bytes(out) == bytes(whole.path()), "{name} differs after an interruption");
    }
    // Whatever was half-written is gone; there is a close-up of each policy.
    assert_eq!(finished_units(out), LONG_UNITS);
    let kept = fs::read_dir(out.join("units")).unwrap().count();
    assert_eq!(kept, LONG_UNITS + POLICIES.len());
}

#[test]
#[cfg(unix)]
fn an_interrupted_study_goes_on_where_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let running = Running::with_some_units(folder.path());
    let interrupt = Process::new("kill").args(["-INT", &running.0.id().to_string()]).status();
    assert!(interrupt.unwrap().success());
    let (code, stderr) = running.ended();
    assert_eq!(code, Some(130), "{stderr}");
    assert_eq!(
        stderr,
        format!(
            "interrupted; finished runs are kept in {}, the same command goes on\n",
            folder.path().display()
        )
    );
    assert_resumes(folder.path());
}

#[test]
fn a_killed_study_goes_on_where_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let mut running = Running::with_some_units(folder.path());
    running.0.kill().unwrap();
    let (_, stderr) = running.ended();
    assert_eq!(stderr, "");
    assert_resumes(folder.path());
}
