//! `retrial tune` from end to end, on an experiment small enough to know the answer.

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use retrial_policy::{Growth, Nanos, Policy};
use serde_json::Value;
use tempfile::TempDir;

/// Five clients ask a route that is gone for a second, and may retry once: the best wait is the
/// shortest after which even the first of them finds it back, which is a second. `linear` needs a key
/// that the policy does not have, so half of the space is invalid.
const OUTAGE: &str = r#"
seed = 1
replications = 10

[workload]
clients = 5    # ~ few
closed = { requests = 1, start = { over = "20ms" } }

[network]
delay = "1ms"

[[route]]
name = "row"
service = { exponential = { mean = "10ms" } }

[[route.fault]]
until = "1s"
reply = "generic-503"

[policies.plain]
backoff = { kind = "constant", base = "5s" }
limits = { max_attempts = 2, deadline = "unlimited" }

[policies.other]
backoff = { kind = "constant", base = "3s" }
limits = { max_attempts = 2, deadline = "unlimited" }

[tune]
policy = "plain"
minimise = "latency_all_mean_ms"
subject_to = ["amplification <= 2", "success_ratio >= 1"]

[tune.space]
"backoff.base" = { from = "100ms", to = "10s", scale = "log" }
"backoff.kind" = ["constant", "linear"]
"#;

struct Folder(TempDir);

impl Folder {
    fn with(text: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("x.toml"), text).unwrap();
        Folder(folder)
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    /// Exit code, stdout, stderr of `retrial tune`.
    fn tune(&self, arguments: &[&str]) -> (Option<i32>, String, String) {
        self.retrial("tune", arguments)
    }

    fn retrial(&self, subcommand: &str, arguments: &[&str]) -> (Option<i32>, String, String) {
        let mut command = Command::cargo_bin("retrial").unwrap();
        let command = command.current_dir(self.path()).arg(subcommand).args(arguments);
        let output = command.output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (output.status.code(), text(output.stdout), text(output.stderr))
    }

    fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path().join(path)).unwrap_or_else(|e| panic!("{path}: {e}"))
    }
}

/// The fields of a CSV file by row.
fn rows(text: &str) -> Vec<Vec<String>> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(text.as_bytes());
    reader.records().map(|row| row.unwrap().iter().map(String::from).collect()).collect()
}

/// The wait of a policy with constant backoff.
fn base(policy: &Policy) -> Nanos {
    match policy.backoff().growth {
        Growth::Constant { base } => base,
        _ => panic!("{:?}", policy.backoff()),
    }
}

#[test]
fn the_best_wait_is_found_and_written_as_a_policy_file() {
    let folder = Folder::with(OUTAGE);
    let (code, out, error) = folder.tune(&["x.toml", "--budget", "1500", "--quiet"]);
    assert_eq!((code, error.as_str()), (Some(0), ""), "{out}");
    let file = folder.read("results/tune-x/recommended.toml");
    let policy = Policy::from_toml(&file).unwrap();
    // The first starts within 20 ms; values have two digits.
    let base = base(&policy);
    assert!(base >= Nanos::from_millis(970) && base <= Nanos::from_millis(1100), "{base}");
    assert!(file.starts_with("# Found by `retrial tune x`"), "{file}");
    for said in ["with seed 1 in ", "# Minimise latency_all_mean_ms subject to amplification <= 2,"]
    {
        assert!(file.contains(said), "{said}: {file}");
    }
    for part in [
        "The recommended policy:",
        "Against today's `plain`, on 10 fresh replications",
        "The Pareto front",
        "Each key varied alone",
        "x, workload.clients = 3 instead of 5: the recommended policy stays the best",
    ] {
        assert!(out.contains(part), "{part}: {out}");
    }
    let settings = "# Settings: --budget 1500 --against plain --replications 10 --combine worst\n";
    assert!(file.contains(settings), "{file}");
    let manifest: Value =
        serde_json::from_str(&folder.read("results/tune-x/manifest.json")).unwrap();
    assert_eq!((&manifest["budget"], &manifest["weights"]), (&1500.into(), &Value::Null));
    let experiment = &manifest["experiments"][0];
    assert_eq!((&experiment["seed"], &experiment["experiment"]), (&1.into(), &"x".into()));
    assert_eq!(experiment["subject_to"][1], "success_ratio >= 1");
    let text = experiment["effective_experiment"].as_str().unwrap();
    assert!(text.contains(r#""clients" = 5"#), "{text}");
    let chart = folder.read("results/tune-x/charts/pareto.svg");
    assert!(chart.contains("recommended") && chart.contains("today"));
    assert!(folder.path().join("results/tune-x/charts/pareto.png").is_file());

    let candidates = rows(&folder.read("results/tune-x/candidates.csv"));
    let columns = ["candidate", "backoff.base", "backoff.kind", "replications", "objective"];
    assert_eq!(candidates[0][..5], columns);
    assert!(candidates.len() > 30);
    let front = rows(&folder.read("results/tune-x/pareto.csv"));
    let chosen = |row: &&Vec<String>| row.last().is_some_and(|chosen| chosen == "true");
    assert_eq!(front.iter().filter(chosen).count(), 1);
    assert_eq!(front[1][0], "today");
}

#[test]
fn threads_and_what_is_kept_do_not_show() {
    let budget = ["--budget", "600", "--format", "json", "--quiet"];
    let one = Folder::with(OUTAGE);
    let many = Folder::with(OUTAGE);
    let tune = |folder: &Folder, more: &[&str]| {
        let (code, out, error) = folder.tune(&[&["x.toml"], &budget[..], more].concat());
        assert_eq!((code, error.as_str()), (Some(0), ""));
        out
    };
    let printed = tune(&one, &["--threads", "1"]);
    assert_eq!(tune(&many, &["--threads", "3"]), printed);
    // Again, from the units that are there.
    assert_eq!(tune(&one, &["--threads", "2"]), printed);
    for file in ["candidates.csv", "pareto.csv", "recommended.toml", "charts/pareto.svg"] {
        let path = format!("results/tune-x/{file}");
        assert_eq!(one.read(&path), many.read(&path), "{file}");
    }
    let document: Value = serde_json::from_str(&printed).unwrap();
    assert_eq!(document["policy"], "plain");
    assert!(document["runs"].as_u64().unwrap() <= 600, "{}", document["runs"]);
    let another = tune(&many, &["--seed", "2"]);
    assert_ne!(another, printed);
}

#[test]
fn the_chart_is_drawn_again_from_the_folder() {
    let folder = Folder::with(OUTAGE);
    folder.tune(&["x.toml", "--budget", "400", "--out", "t", "--quiet"]);
    let drawn = folder.read("t/charts/pareto.svg");
    assert!(drawn.contains("(recommended)"), "{drawn}");
    fs::remove_dir_all(folder.path().join("t/charts")).unwrap();
    let (code, printed, _) = folder.retrial("report", &["t"]);
    assert_eq!((code, printed.as_str()), (Some(0), "t/charts/pareto.svg\nt/charts/pareto.png\n"));
    assert_eq!(folder.read("t/charts/pareto.svg"), drawn);
    fs::write(folder.path().join("t/pareto.csv"), "candidate,objective\n").unwrap();
    let (code, _, problem) = folder.retrial("report", &["t"]);
    assert_eq!(code, Some(2));
    assert!(problem.contains("pareto.csv: it has no cost"), "{problem}");
}

#[test]
fn several_experiments_are_tuned_together() {
    let folder = Folder::with(OUTAGE);
    // In the other world the route is gone for two seconds.
    fs::write(folder.path().join("y.toml"), OUTAGE.replace("\"1s\"", "\"2s\"")).unwrap();
    let arguments = ["x.toml", "y.toml", "--budget", "2000", "--against", "other", "--quiet"];
    let (code, out, error) = folder.tune(&arguments);
    assert_eq!((code, error.as_str()), (Some(0), ""), "{out}");
    let policy = Policy::from_toml(&folder.read("results/tune-x+y/recommended.toml")).unwrap();
    let base = base(&policy);
    assert!(base >= Nanos::from_millis(1950) && base <= Nanos::from_millis(2200), "{base}");
    assert!(out.contains("minimise the worst of these, each relative to today's:"), "{out}");
    let (code, _, error) = folder.tune(&["x.toml", "y.toml", "--weights", "1"]);
    assert_eq!(code, Some(2));
    assert_eq!(error, "error: --weights has 1 numbers for 2 experiments: give one each\n");
}

/// The confirmation of so few runs has five replications, fewer than the experiment has.
#[test]
fn the_smallest_budget_does() {
    let text = OUTAGE.replace("replications = 10\n", "");
    let (before, space) = text.split_once("[tune.space]\n").unwrap();
    let (first, _) = space.split_once('\n').unwrap();
    let folder = Folder::with(&format!("{before}[tune.space]\n{first}\n"));
    let (code, out, error) = folder.tune(&["x.toml", "--budget", "300", "--quiet"]);
    assert_eq!((code, error.as_str()), (Some(0), ""), "{out}");
    assert!(out.contains("on 5 fresh replications"), "{out}");
    assert!(out.contains("Each key varied alone (5 fresh replications"), "{out}");
    // Eighty values beside the best are too many to vary.
    let many: Vec<_> = (1001..=1080).map(|wait| format!("{wait}ms")).collect();
    let space = format!("[tune.space]\n\"backoff.base\" = {many:?}\n");
    let folder = Folder::with(&format!("{before}{space}"));
    let (code, out, error) = folder.tune(&["x.toml", "--budget", "300", "--quiet"]);
    assert_eq!((code, error.as_str()), (Some(0), ""), "{out}");
    assert!(out.contains("The keys were not varied alone: that takes more runs"), "{out}");
}

#[test]
fn constraints_that_nothing_keeps_end_with_3_and_the_best_effort() {
    let text = OUTAGE.replace("amplification <= 2", "amplification <= 1.5");
    let folder = Folder::with(&text);
    let (code, out, _) = folder.tune(&["x.toml", "--budget", "600", "--quiet"]);
    assert_eq!(code, Some(3), "{out}");
    assert!(out.contains("No policy in the space keeps the constraints"), "{out}");
    let file = folder.read("results/tune-x/recommended.toml");
    assert!(file.contains("# NO POLICY IN THE SPACE KEEPS THE CONSTRAINTS"), "{file}");
    Policy::from_toml(&file).unwrap();
}

#[test]
fn what_cannot_be_tuned_says_where_and_why() {
    let (tune, _) = OUTAGE.split_once("[tune]").unwrap();
    for (text, arguments, message) in [
        (tune.to_string(), vec![], "`x` does not say what to tune"),
        (OUTAGE.replace("backoff.base", "backoff.bsae"), vec![], "unknown key `bsae`"),
        (
            OUTAGE.replace("[\"constant\", \"linear\"]", "[]"),
            vec![],
            "there is no value to choose from",
        ),
        (
            OUTAGE.replace("latency_all_mean_ms", "success_ratio"),
            vec![],
            "`success_ratio` is better when it is higher",
        ),
        (
            OUTAGE.to_string(),
            vec!["--budget", "10"],
            "--budget 10 is too small: a tuning takes at least 300 runs",
        ),
        (
            OUTAGE.to_string(),
            vec!["--budget", "7000000000000000000"],
            "--budget 7000000000000000000 is too large: at most 10000000 runs are possible",
        ),
        (OUTAGE.to_string(), vec!["--stop", "5%"], "use --budget and --replications"),
        (OUTAGE.to_string(), vec!["-P", "workload.clients=4,5"], "a tuning is for one point"),
        (OUTAGE.to_string(), vec!["--sample", "sobol:8"], "a tuning is for one point"),
        (OUTAGE.to_string(), vec!["--max-runs", "9"], "a tuning is bounded by --budget"),
        (OUTAGE.to_string(), vec!["--weights", "0"], "a weight is above zero"),
        (
            format!("{OUTAGE}\n[sweep]\n\"workload.clients\" = [1, 2]"),
            vec![],
            "the experiment is swept: tuning is for one point",
        ),
    ] {
        let folder = Folder::with(&text);
        let (code, out, error) = folder.tune(&[&["x.toml"], &arguments[..]].concat());
        assert_eq!((code, out.as_str()), (Some(2), ""), "{message}: {error}");
        assert!(error.contains(message), "{message}: {error}");
        assert!(!folder.path().join("results").exists(), "{message}");
    }
}

#[test]
fn a_space_without_a_valid_policy_is_a_fault_of_the_input() {
    let folder = Folder::with(&OUTAGE.replace("[\"constant\", \"linear\"]", "[\"linear\"]"));
    let (code, out, error) = folder.tune(&["x.toml", "--quiet"]);
    assert_eq!((code, out.as_str()), (Some(2), ""), "{error}");
    assert!(error.contains("points that were tried makes a valid policy"), "{error}");
}

/// Three of 30 · 5 requests may fail where none was seen to, as for `retrial run`: the share that
/// succeeds is known to be 0.98.
#[test]
fn a_rate_that_is_always_one_is_judged_by_the_rule_of_three() {
    for (bound, code) in [("0.97", 0), ("0.99", 3)] {
        let text = OUTAGE.replace("success_ratio >= 1", &format!("success_ratio >= {bound}"));
        let folder = Folder::with(&text.replace("replications = 10", "replications = 30"));
        let (found, out, error) = folder.tune(&["x.toml", "--budget", "3300", "--quiet"]);
        assert_eq!((found, error.as_str()), (Some(code), ""), "{bound}: {out}");
        assert!(out.contains("on 30 fresh replications"), "{out}");
    }
}

/// Five requests a run show no 99th percentile.
#[test]
fn an_objective_without_an_estimate_is_a_fault_of_the_input() {
    let folder = Folder::with(&OUTAGE.replace("latency_all_mean_ms", "latency_all_p99_ms"));
    let (code, out, error) = folder.tune(&["x.toml", "--quiet"]);
    assert_eq!((code, out.as_str()), (Some(2), ""), "{error}");
    let expected = "error: `latency_all_p99_ms` can't be estimated in `x` with `plain`: it takes \
                    1000 requests a run, and there are 5 on average\n";
    assert_eq!(error, expected);
}
