//! `retrial run` judges thresholds, compares with today's policy, lists requests and warns.

use std::fs;
use std::path::Path;

use assert_cmd::Command;

/// Clients that all call at 0 s and once: the fault refuses the first second, a retry after 600 ms
/// too, and the next one passes. Three attempts each, no chance anywhere.
const EXPERIMENT: &str = r#"
replications = 3
[workload]
clients = 4
closed = { requests = 1 }
[[route]]
name = "primary"
[[route.fault]]
until = "1s"
reply = { status = 503, headers = { request-id = "req_7" }, body = '{"error": {"code": "overloaded"}}' }
[policies.patient]
backoff = { kind = "constant", base = "600ms" }
limits = { max_attempts = 5, deadline = "unlimited" }
[policies.hasty]
backoff = { kind = "constant", base = "300ms" }
limits = { max_attempts = 2, deadline = "unlimited" }
"#;

fn run(folder: &Path, experiment: &str, flags: &[&str]) -> assert_cmd::assert::Assert {
    fs::write(folder.join("mine.toml"), experiment).unwrap();
    Command::cargo_bin("retrial")
        .unwrap()
        .current_dir(folder)
        .args(["run", "mine.toml", "--out", "out", "--no-charts"])
        .args(flags)
        .assert()
}

fn stdout(assert: &assert_cmd::assert::Assert) -> String {
    String::from_utf8(assert.get_output().stdout.clone()).unwrap()
}

fn stderr(assert: &assert_cmd::assert::Assert) -> String {
    String::from_utf8(assert.get_output().stderr.clone()).unwrap()
}

fn with_thresholds(thresholds: &str) -> String {
    format!("{EXPERIMENT}\n[thresholds]\n{thresholds}\n")
}

#[test]
fn thresholds_that_hold_are_listed_and_end_well() {
    let folder = tempfile::tempdir().unwrap();
    let experiment = with_thresholds("patient = [\"amplification <= 3\", \"success_ratio >= 1\"]");
    let out = stdout(&run(folder.path(), &experiment, &[]).success());
    assert!(out.contains("ok      patient: amplification <= 3 (up to 3.00)"), "{out}");
    assert!(out.contains("ok      patient: success_ratio >= 1 (in every run)"), "{out}");
}

/// Four requests a run and three runs: 3 / 12 of them might still fail. A bound below 1 is held
/// against that; a bound of 1 asks that no run had a failure, and is told of the worst.
#[test]
fn without_exception_is_judged_on_the_runs() {
    let folder = tempfile::tempdir().unwrap();
    let experiment = with_thresholds(
        "patient = [\"success_ratio >= 0.75\", \"success_ratio >= 0.76\", \"success_ratio >= 1\"]\n\
         hasty = [\"success_ratio >= 1\"]",
    );
    let out = stdout(&run(folder.path(), &experiment, &[]).code(3));
    assert!(out.contains("ok      patient: success_ratio >= 0.75 (down to 0.75)"), "{out}");
    assert!(out.contains("FAILED  patient: success_ratio >= 0.76 (down to 0.75)"), "{out}");
    assert!(out.contains("ok      patient: success_ratio >= 1 (in every run)"), "{out}");
    assert!(out.contains("FAILED  hasty: success_ratio >= 1 (0 in the lowest run)"), "{out}");
}

#[test]
fn a_threshold_that_only_warns_fails_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let experiment = with_thresholds(
        "patient = [\"warn: amplification <= 2\", \"warn: amplification <= 3\", \"attempts >= 12\"]",
    );
    let out = stdout(&run(folder.path(), &experiment, &[]).success());
    assert!(out.contains("warn    patient: amplification <= 2 (up to 3.00)"), "{out}");
    assert!(out.contains("ok      patient: amplification <= 3 (up to 3.00)"), "{out}");
}

/// Three attempts at 600 ms end at 1200 ms. Four requests have no 99th percentile; each run keeps its
/// own sample's.
#[test]
fn a_quantile_needs_requests() {
    let folder = tempfile::tempdir().unwrap();
    let experiment = with_thresholds("patient = [\"latency_p99_ms <= 1e9\"]");
    let out = stdout(&run(folder.path(), &experiment, &[]).code(3));
    let told = "latency_p99_ms <= 1000000000 (it takes 1,000 requests a run, there are 4.00)";
    assert!(out.contains(&format!("FAILED  patient: {told}")), "{out}");
    let read = |name: &str| fs::read_to_string(folder.path().join("out").join(name)).unwrap();
    assert!(read("summary.csv").contains("patient,latency_p99_ms,ms,,,,0\n"));
    let runs = read("runs.csv");
    let mut rows = runs.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let place = rows.next().unwrap().iter().position(|name| *name == "latency_p99_ms").unwrap();
    assert_eq!(rows.next().unwrap()[place], "1200");
    let enough = experiment.replace("clients = 4", "clients = 1000");
    let out = stdout(&run(folder.path(), &enough, &[]).success());
    assert!(out.contains("ok      patient: latency_p99_ms <= 1000000000 (up to 1,200)"), "{out}");
}

#[test]
fn a_threshold_that_fails_ends_with_three_and_keeps_the_results() {
    let folder = tempfile::tempdir().unwrap();
    let experiment =
        with_thresholds("patient = [\"amplification <= 3\"]\nhasty = [\"success_ratio >= 0.5\"]");
    let assert = run(folder.path(), &experiment, &[]).code(3);
    let out = stdout(&assert);
    assert!(out.contains("FAILED  hasty: success_ratio >= 0.5 (down to 0)"), "{out}");
    assert!(folder.path().join("out/manifest.json").is_file());
}

#[test]
fn programs_get_numbers_on_stdout_and_failures_on_stderr() {
    let folder = tempfile::tempdir().unwrap();
    let experiment = with_thresholds("hasty = [\"success_ratio >= 0.5\"]");
    let assert = run(folder.path(), &experiment, &["--format", "json"]).code(3);
    let numbers: serde_json::Value = serde_json::from_str(&stdout(&assert)).unwrap();
    assert_eq!(numbers["rows"].as_array().map(Vec::len), Some(2));
    assert!(stderr(&assert).contains("FAILED  hasty: success_ratio >= 0.5"));
}

#[test]
fn what_can_not_be_estimated_does_not_hold() {
    let folder = tempfile::tempdir().unwrap();
    let experiment = with_thresholds("hasty = [\"latency_p50_ms <= 1\"]");
    let out = stdout(&run(folder.path(), &experiment, &[]).code(3));
    assert!(out.contains("FAILED  hasty: latency_p50_ms <= 1 (it has no estimate)"), "{out}");
}

#[test]
fn thresholds_are_judged_at_every_point() {
    let folder = tempfile::tempdir().unwrap();
    let experiment = with_thresholds("patient = [\"success_ratio >= 1\"]");
    let sweep = "sweep.\"policies.patient.limits.max_attempts\"=[2, 3]";
    let out = stdout(&run(folder.path(), &experiment, &["--set", sweep]).code(3));
    let place = "policies.patient.limits.max_attempts";
    assert!(out.contains(&format!("FAILED  patient: success_ratio >= 1 at {place} = 2")), "{out}");
    assert!(out.contains(&format!("ok      patient: success_ratio >= 1 at {place} = 3")), "{out}");
}

#[test]
fn requests_are_listed_with_how_they_ended() {
    let folder = tempfile::tempdir().unwrap();
    run(folder.path(), EXPERIMENT, &["--requests"]).success();
    let path = folder.path().join("out/requests.csv");
    let text = fs::read_to_string(&path).unwrap();
    let mut lines = text.lines();
    assert_eq!(
        lines.next(),
        Some(
            "logical_request_id,client,policy,attempts,final_status,final_code,final_class,\
             outcome,request_id,start_ms,end_ms"
        )
    );
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len(), 8);
    let patient = ["0", "patient", "3", "200", "", "ok", "succeeded", "", "0", "1200"];
    assert_eq!(rows[0][1..], patient);
    let hasty = ["3", "hasty", "2", "503", "overloaded", "transient"];
    assert_eq!(rows[7][1..7], hasty);
    assert_eq!(rows[7][7..], ["gave_up_attempts", "req_7", "0", "300"]);
    let keys: std::collections::BTreeSet<_> = rows.iter().map(|row| row[0]).collect();
    assert_eq!(keys.len(), 4, "the same request has the same id under every policy");
    // A run without the flag leaves no list of another run behind.
    run(folder.path(), EXPERIMENT, &[]).success();
    assert!(!path.exists());
}

#[test]
fn todays_policy_joins_the_comparison() {
    let folder = tempfile::tempdir().unwrap();
    let today =
        "[backoff]\nkind = \"none\"\n[limits]\nmax_attempts = 1\ndeadline = \"unlimited\"\n";
    fs::write(folder.path().join("today.toml"), today).unwrap();
    let out = stdout(&run(folder.path(), EXPERIMENT, &["--against", "today.toml"]).success());
    assert!(
        out.contains("`patient` against `today`: success_ratio +1.00, amplification +2.00"),
        "{out}"
    );
    let out = stdout(&run(folder.path(), EXPERIMENT, &["--against", "hasty"]).success());
    assert!(out.contains("`patient` against `hasty`: success_ratio +1.00"), "{out}");
    assert!(!out.contains("`hasty` against"), "{out}");
}

#[test]
fn a_policy_to_compare_with_must_exist() {
    let folder = tempfile::tempdir().unwrap();
    let error = stderr(&run(folder.path(), EXPERIMENT, &["--against", "hastty"]).code(2));
    assert!(error.contains("--against hastty: there is no such file"), "{error}");
    assert!(error.contains("did you mean `hasty`?"), "{error}");
}

#[test]
fn what_is_allowed_and_probably_not_meant_is_warned_of() {
    let folder = tempfile::tempdir().unwrap();
    let more = "[[route]]\nname = \"secondary\"\n";
    let experiment = EXPERIMENT.replace("[policies.patient]", &format!("{more}[policies.patient]"));
    for (changes, expected) in [
        (vec![], "no policy falls back to the route `secondary`"),
        (
            vec!["policies.patient.limits.attempt_timeout=\"1s\""],
            "policy `patient` times attempts out but may not repeat them",
        ),
        (
            vec!["network.lost=0.1", "stop_after=\"10s\""],
            "policy `hasty` waits for ever for an answer that never comes",
        ),
        (
            vec!["route.primary.fault.0.from=\"500ms\"", "stop_after=\"400ms\""],
            "the fault starts (500ms) when the run is over (400ms)",
        ),
    ] {
        let flags: Vec<_> = changes.iter().flat_map(|change| ["--set", change]).collect();
        let warnings = stderr(&run(folder.path(), &experiment, &flags).success());
        assert!(warnings.contains(&format!("warning: {expected}")), "{warnings}");
        assert!(warnings.contains("= help: "), "{warnings}");
        let quiet: Vec<_> = flags.iter().copied().chain(["--quiet"]).collect();
        assert_eq!(stderr(&run(folder.path(), &experiment, &quiet).success()), "");
    }
}
