//! `retrial compare`: two policies and two results folders, the gates, and every output read back.

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use serde_json::Value;

/// Clients that all call at 0 s and once: the fault refuses the first second. `patient` waits
/// 600 ms twice and succeeds with three attempts; `hasty` gives up after two. No chance anywhere.
const EXPERIMENT: &str = r#"
replications = 5
[workload]
clients = 4
closed = { requests = 1 }
[[route]]
name = "primary"
[[route.fault]]
until = "1s"
reply = { status = 503, body = "{}" }
[policies.patient]
backoff = { kind = "constant", base = "600ms" }
limits = { max_attempts = 5, deadline = "unlimited" }
[policies.hasty]
backoff = { kind = "constant", base = "300ms" }
limits = { max_attempts = 2, deadline = "unlimited" }
"#;

/// A random workload, so that replications differ.
const RANDOM: &str = r#"
replications = 12
stop_after = "20s"
[workload]
clients = 5
open = { arrivals = { poisson = "10/s" } }
[network]
delay = { normal = { mean = "10ms", sd = "3ms" } }
[[route]]
name = "primary"
workers = 2
queue = 5
full = { reply = "generic-503" }
service = { lognormal = { median = "100ms", p99 = "400ms" } }
[policies.one]
backoff = { kind = "exponential", base = "100ms", jitter = "full" }
limits = { max_attempts = 4, deadline = "unlimited" }
[policies.two]
backoff = { kind = "exponential", base = "100ms", jitter = "full" }
limits = { max_attempts = 2, deadline = "unlimited" }
"#;

struct Answer {
    code: i32,
    out: String,
    err: String,
}

fn retrial(folder: &Path, arguments: &[&str]) -> Answer {
    let output = Command::cargo_bin("retrial")
        .unwrap()
        .current_dir(folder)
        .args(arguments)
        .output()
        .unwrap();
    Answer {
        code: output.status.code().unwrap(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

/// `retrial compare` of the first experiment with more arguments.
fn compare(arguments: &[&str]) -> Answer {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("x.toml"), EXPERIMENT).unwrap();
    let mut all = vec!["compare", "--on", "x.toml", "--quiet"];
    all.extend(arguments);
    retrial(folder.path(), &all)
}

#[test]
fn two_policies_are_compared_pair_by_pair_in_json() {
    let answer = compare(&["hasty", "patient", "--format", "json"]);
    assert_eq!(answer.code, 0, "{}", answer.err);
    let document: Value = serde_json::from_str(&answer.out).unwrap();
    assert_eq!(document["method"], "paired");
    assert_eq!((&document["old"], &document["new"]), (&"hasty".into(), &"patient".into()));
    let metrics = &document["cells"][0]["metrics"];
    let attempts = &metrics["amplification"];
    assert_eq!(attempts["old"]["mean"], 2.0);
    assert_eq!(attempts["new"]["mean"], 3.0);
    assert_eq!(attempts["difference"]["mean"], 1.0);
    assert_eq!(attempts["relative"], 0.5);
    assert_eq!(attempts["verdict"], "worse");
    assert_eq!(metrics["success_ratio"]["verdict"], "better");
    assert_eq!(metrics["gave_up_attempts"]["verdict"], "lower");
    assert_eq!(metrics["requests"]["verdict"], "identical");
    // `hasty` never succeeds, so it has no latency of accepted requests.
    assert_eq!(metrics["latency_p50_ms"]["verdict"], "no estimate");
    assert_eq!(metrics["latency_p50_ms"]["old"]["mean"], Value::Null);
}

#[test]
fn the_formats_agree() {
    let json: Value =
        serde_json::from_str(&compare(&["hasty", "patient", "--format", "json"]).out).unwrap();
    let metrics = json["cells"][0]["metrics"].as_object().unwrap();
    let answer = compare(&["hasty", "patient", "--format", "csv"]);
    let mut csv = csv::Reader::from_reader(answer.out.as_bytes());
    let header = csv.headers().unwrap().clone();
    let rows: Vec<_> = csv.records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), metrics.len());
    for row in &rows {
        let at = |name: &str| &row[header.iter().position(|column| column == name).unwrap()];
        let metric = &metrics[at("metric")];
        for (column, value) in [
            ("old_mean", &metric["old"]["mean"]),
            ("new_mean", &metric["new"]["mean"]),
            ("ci95_low", &metric["difference"]["ci95_low"]),
            ("ci95_high", &metric["difference"]["ci95_high"]),
        ] {
            assert_eq!(at(column).parse().ok(), value.as_f64(), "{} {column}", at("metric"));
        }
        assert_eq!(at("verdict"), metric["verdict"]);
    }
    let text = compare(&["hasty", "patient"]).out;
    let verdict = json["verdict"].as_str().unwrap();
    assert!(text.starts_with(verdict), "{text}");
    let markdown = compare(&["hasty", "patient", "--markdown"]).out;
    assert_eq!(markdown, compare(&["hasty", "patient", "--format", "markdown"]).out);
    assert!(markdown.contains(verdict));
    // The verdict column of the tables is that of the JSON.
    let rows: Vec<Vec<&str>> = markdown
        .lines()
        .filter(|line| line.starts_with("| ") && !line.starts_with("| metric"))
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
        .collect();
    assert!(rows.len() > 10);
    for row in rows {
        assert_eq!(row.len(), 8, "{row:?}");
        assert_eq!(row[7], metrics[row[0]]["verdict"].as_str().unwrap(), "{}", row[0]);
    }
    let details = markdown.find("<details>").unwrap();
    let folded = &markdown[details..markdown.find("</details>").unwrap()];
    assert!(folded.contains("| retries "), "{folded}");
    assert!(!markdown[..details].contains("| retries "), "{markdown}");
    let all = compare(&["hasty", "patient", "--all"]).out;
    assert!(all.contains("\n retries ") && !text.contains("\n retries "), "{all}");
    assert!(text.contains("Identical in every pair: requests,"), "{text}");
}

#[test]
fn a_gate_fails_beyond_its_slack_only() {
    for (gate, code) in [
        ("amplification", 5),
        ("amplification=49%", 5),
        ("amplification=50%", 0),
        ("amplification=1", 0),
        ("success_ratio", 0),
    ] {
        let answer = compare(&["hasty", "patient", "--gate", gate]);
        assert_eq!(answer.code, code, "{gate}: {}{}", answer.out, answer.err);
    }
    let answer = compare(&["hasty", "patient", "--gate", "amplification=0.25", "--format", "json"]);
    assert_eq!(answer.code, 5);
    let document: Value = serde_json::from_str(&answer.out).unwrap();
    assert_eq!(document["gate"][0]["worse_by_at_least"], 1.0);
    assert_eq!(document["gate"][0]["passes"], false);
    assert_eq!(
        answer.err,
        "REGRESSED  `patient`: amplification (worse by at least 1.00, 0.25 allowed)\n"
    );
    // Whoever never succeeds has no latency where the other has one.
    let answer = compare(&["patient", "hasty", "--gate", "latency_mean_ms=1e9"]);
    assert_eq!(answer.code, 5);
    let line = "REGRESSED  `hasty`: latency_mean_ms (`hasty` has no estimate, `patient` has)";
    assert!(answer.out.contains(line), "{}", answer.out);
}

#[test]
fn the_experiment_has_gates_and_the_command_line_replaces_them() {
    let folder = tempfile::tempdir().unwrap();
    let text = format!("{EXPERIMENT}[gate]\namplification = \"10%\"\nsuccess_ratio = 0.5\n");
    fs::write(folder.path().join("x.toml"), text).unwrap();
    let on = |more: &[&str]| {
        let mut all = vec!["compare", "hasty", "patient", "--experiment", "x.toml", "--quiet"];
        all.extend(more);
        retrial(folder.path(), &all)
    };
    assert_eq!(on(&[]).code, 5);
    assert_eq!(on(&["--gate", "success_ratio"]).code, 0);
    // Of two results folders it is the new one's experiment that says what matters.
    let run = |out: &str, set: &str| {
        let answer =
            retrial(folder.path(), &["run", "x.toml", "--no-charts", "--out", out, "--set", set]);
        assert_eq!(answer.code, 0, "{}", answer.err);
    };
    run("old", "policies.patient.backoff.base=1s");
    run("new", "policies.patient.backoff.base=600ms");
    let answer = retrial(folder.path(), &["compare", "old", "new"]);
    assert_eq!(answer.code, 5, "{}", answer.out);
    let line = "REGRESSED  `patient`: amplification (worse by at least 1.00, 0.20 allowed)";
    assert!(answer.out.contains(line), "{}", answer.out);
    assert_eq!(retrial(folder.path(), &["compare", "new", "old"]).code, 0);
}

#[test]
fn files_presets_and_prefixed_names_are_policies_too() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    fs::write(path.join("x.toml"), EXPERIMENT).unwrap();
    let policy = "backoff = { kind = \"constant\", base = \"2s\" }\nlimits = { max_attempts = 2, deadline = \"unlimited\" }\n";
    fs::write(path.join("slow.toml"), policy).unwrap();
    fs::write(path.join("patient.toml"), policy).unwrap();
    let names = |arguments: &[&str]| {
        let mut all = vec!["compare", "--format", "json", "--quiet"];
        all.extend(arguments);
        let answer = retrial(path, &all);
        assert_eq!(answer.code, 0, "{}", answer.err);
        let document: Value = serde_json::from_str(&answer.out).unwrap();
        let metrics = &document["cells"][0]["metrics"]["amplification"];
        let name = |side: &str| document[side].as_str().unwrap().to_string();
        (name("old"), name("new"), metrics["old"]["mean"].as_f64().unwrap())
    };
    let pair = |old: &str, new: &str, mean| (old.to_string(), new.to_string(), mean);
    assert_eq!(names(&["--on", "x.toml", "slow.toml", "patient"]), pair("slow", "patient", 2.0));
    // A file called as a policy of the experiment is another one.
    let both = pair("patient (patient.toml)", "patient", 2.0);
    assert_eq!(names(&["--on", "x.toml", "patient.toml", "patient"]), both);
    let preset = names(&["--on", "x.toml", "hasty", "openai-python"]);
    assert_eq!(preset, pair("hasty", "openai-python", 2.0));
    let prefixed = names(&["x.toml:patient", "x.toml:hasty"]);
    assert_eq!(prefixed, pair("patient", "hasty", 3.0));
    // Nothing that was run before is run again, and runs.csv holds the two policies alone.
    let runs = fs::read_to_string(path.join("results/compare-x/runs.csv")).unwrap();
    assert_eq!(runs.lines().count(), 1 + 2 * 5);
    assert!(path.join("results/compare-x/units").is_dir());
}

#[test]
fn other_seeds_are_two_samples_and_lonely_policies_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    fs::write(path.join("x.toml"), RANDOM).unwrap();
    fs::write(path.join("y.toml"), RANDOM.replace("policies.two", "policies.three")).unwrap();
    let run = |file: &str, out: &str, seed: &str| {
        let arguments = ["run", file, "--no-charts", "--quiet", "--out", out, "--seed", seed];
        assert_eq!(retrial(path, &arguments).code, 0);
    };
    run("x.toml", "a", "1");
    run("x.toml", "b", "2");
    run("y.toml", "c", "1");
    let json = |a: &str, b: &str| -> Value {
        let answer = retrial(path, &["compare", a, b, "--format", "json"]);
        assert_eq!(answer.code, 0, "{}", answer.err);
        serde_json::from_str(&answer.out).unwrap()
    };
    let welch = json("a", "b");
    assert_eq!(welch["method"], "welch");
    assert_eq!(welch["cells"].as_array().unwrap().len(), 2);
    // Two samples of one law: with 5 % for all tests together nothing should be found here.
    for cell in welch["cells"].as_array().unwrap() {
        for (name, metric) in cell["metrics"].as_object().unwrap() {
            assert_ne!(metric["verdict"], "identical", "{name}");
            assert_ne!(metric["verdict"], "worse", "{name}");
            assert_eq!(metric["correlation"], Value::Null, "{name}");
        }
    }
    let paired = json("a", "c");
    assert_eq!(paired["method"], "paired");
    assert_eq!(paired["cells"].as_array().unwrap().len(), 1);
    assert_eq!(paired["only_in_old"][0]["policy"], "two");
    assert_eq!(paired["only_in_new"][0]["policy"], "three");
    let same = retrial(path, &["compare", "a", "a"]);
    let verdict = "`a` does what `a` does: every metric is the same in every run.\n";
    assert!(same.out.starts_with(verdict), "{}", same.out);
    assert!(retrial(path, &["compare", "a", "c"]).out.contains("Only `a` has `two`."));
    // What is gone is worse than anything that a gate allows; what is new is not.
    let gone = retrial(path, &["compare", "a", "c", "--gate", "amplification=100%"]);
    assert_eq!(gone.code, 5, "{}", gone.out);
    let line = "REGRESSED  `two`: amplification (`c` does not have this, `a` has)";
    assert!(gone.out.contains(line), "{}", gone.out);
    assert!(!gone.out.contains("`three`: amplification"), "{}", gone.out);
}

/// Another experiment with the same seed is another world, other policies and names are none.
#[test]
fn two_folders_take_no_changes_and_tell_of_another_world() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    fs::write(path.join("x.toml"), EXPERIMENT).unwrap();
    for (out, set) in [
        ("a", "workload.clients=4"),
        ("b", "workload.clients=5"),
        ("c", "policies.hasty.limits.max_attempts=3"),
    ] {
        let arguments = ["run", "x.toml", "--no-charts", "--quiet", "--out", out, "--set", set];
        assert_eq!(retrial(path, &arguments).code, 0);
    }
    let other = retrial(path, &["compare", "a", "b"]).out;
    assert!(other.contains("for their experiments differ in workload.clients:"), "{other}");
    let same = retrial(path, &["compare", "a", "c"]).out;
    assert!(same.contains("both met the same world"), "{same}");
    assert!(same.contains(" 5 replications tell little."), "{same}");
    for flag in ["--seed=2", "--set=seed=2", "--replications=9", "--out=d", "-Pseed=1,2"] {
        let answer = retrial(path, &["compare", "a", "c", flag]);
        assert_eq!(answer.code, 2, "{flag}");
        assert!(answer.err.contains("goes without results folders"), "{}", answer.err);
    }
}

#[test]
fn points_are_numbers_in_json_where_they_are() {
    let answer = compare(&["hasty", "patient", "-P", "workload.clients=4,5", "--format", "json"]);
    let document: Value = serde_json::from_str(&answer.out).unwrap();
    assert_eq!(document["cells"][1]["point"], serde_json::json!({ "workload.clients": 5 }));
}

#[test]
fn bad_input_ends_with_two_and_says_what_would_be_right() {
    for (arguments, complaint) in [
        (&["hasty", "pateint"][..], "did you mean `patient`?"),
        (&["hasty", "hasty"], "`hasty` and `hasty` are the same policy"),
        (&["hasty", "patient", "--gate", "amplificaton"], "did you mean `amplification`?"),
        (&["hasty", "patient", "--gate", "requests"], "`requests` can't get worse"),
        (&["hasty", "patient", "--gate", "attempts=-1"], "`-1` says not by how much"),
        (&["hasty", "patient", "--set", "workload.clents=4"], "did you mean `clients`?"),
    ] {
        let answer = compare(arguments);
        assert_eq!(answer.code, 2, "{arguments:?} {}", answer.err);
        assert!(answer.err.contains(complaint), "{arguments:?} {}", answer.err);
        assert_eq!(answer.out, "");
    }
    let folder = tempfile::tempdir().unwrap();
    let broken = folder.path().join("a");
    fs::create_dir(&broken).unwrap();
    fs::write(broken.join("runs.csv"), "policy,replication\n").unwrap();
    let answer = retrial(folder.path(), &["compare", "a", "a"]);
    assert_eq!(answer.code, 2);
    assert!(
        answer.err.contains("can't read a/manifest.json: there is no such file"),
        "{}",
        answer.err
    );
}
