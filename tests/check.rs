//! `retrial check`: each exit code, the first decision that differs, and every output read back.

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use quick_junit::{Report, TestCaseStatus};
use serde_json::Value;
use tempfile::TempDir;

/// Clients that all call at 0 s and once: the fault refuses the first second. `patient` succeeds
/// with three attempts, at 0, 600 and 1,200 ms; `hasty` gives up after two. No chance anywhere.
const EXPERIMENT: &str = r#"replications = 3
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
[thresholds]
patient = [
  "success_ratio >= 1",
  "amplification <= 3",
]
"#;

struct Answer {
    code: i32,
    out: String,
    err: String,
}

/// A folder with the experiment and, once it is blessed, its baseline.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        let folder = Folder(tempfile::tempdir().unwrap());
        folder.write("x.toml", EXPERIMENT);
        folder
    }

    fn blessed() -> Self {
        let folder = Folder::new();
        let answer = folder.check(&["--bless", "--note", "the first one"]);
        assert_eq!(answer.code, 0, "{}", answer.err);
        folder
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.path().join(name), text).unwrap();
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path().join(name)).unwrap()
    }

    /// Replaces what stands once or more in a file.
    fn edit(&self, name: &str, from: &str, to: &str) {
        let text = self.read(name);
        assert!(text.contains(from), "{from} is not in {name}:\n{text}");
        self.write(name, &text.replace(from, to));
    }

    fn check(&self, arguments: &[&str]) -> Answer {
        self.check_in(&[], arguments)
    }

    fn check_in(&self, variables: &[(&str, &str)], arguments: &[&str]) -> Answer {
        let output = Command::cargo_bin("retrial")
            .unwrap()
            .current_dir(self.path())
            .env_remove("GITHUB_ACTIONS")
            .env_remove("GITHUB_STEP_SUMMARY")
            .envs(variables.iter().copied())
            .args(["check", "x.toml", "--quiet"])
            .args(arguments)
            .output()
            .unwrap();
        Answer {
            code: output.status.code().unwrap(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// What `--format json` says of the experiment, and the exit code.
    fn json(&self) -> (i32, Value) {
        let answer = self.check(&["--format", "json"]);
        let document: Value = serde_json::from_str(&answer.out).unwrap();
        (answer.code, document["experiments"][0].clone())
    }
}

const BASELINE: &str = "results/baselines/x";

#[test]
fn a_baseline_is_needed_made_and_met() {
    let folder = Folder::new();
    let answer = folder.check(&[]);
    assert_eq!(answer.code, 2, "{}", answer.out);
    assert!(answer.err.contains("there is no baseline in results/baselines/x"), "{}", answer.err);
    assert!(answer.err.contains("retrial check x.toml --bless --note \"why\""), "{}", answer.err);
    assert_eq!(folder.check(&["--bless"]).code, 2);
    assert!(!folder.path().join("results").exists());

    assert_eq!(folder.check(&["--bless", "--note", "the first\none"]).code, 0);
    let files = ["runs.csv", "summary.csv", "arrivals.csv", "manifest.json", "charts/arrivals.svg"];
    for file in files.iter().chain(&["charts/arrivals.png", "decisions.ndjson", "notes.md"]) {
        assert!(folder.path().join(BASELINE).join(file).is_file(), "{file}");
    }
    assert!(!folder.path().join(BASELINE).join("units").exists());
    let manifest: Value =
        serde_json::from_str(&folder.read("results/baselines/x/manifest.json")).unwrap();
    let fingerprint = manifest["fingerprint"].as_str().unwrap();
    let version = manifest["version"].as_str().unwrap();
    let note = format!("- {version}, fingerprint none → {fingerprint}: the first one\n");
    assert!(folder.read("results/baselines/x/notes.md").ends_with(&note));

    let before = folder.read("results/baselines/x/runs.csv");
    let answer = folder.check(&[]);
    assert_eq!(answer.code, 0, "{}", answer.err);
    let head = format!("x.toml: all 6 runs are those of results/baselines/x ({fingerprint})\n");
    assert!(answer.out.starts_with(&head), "{}", answer.out);
    assert!(
        answer.out.contains("ok      patient: amplification <= 3 (up to 3.00)"),
        "{}",
        answer.out
    );
    // The tree is left as it was.
    assert_eq!(folder.read("results/baselines/x/runs.csv"), before);
    let left: Vec<_> = fs::read_dir(folder.path().join("results")).unwrap().collect();
    assert_eq!(left.len(), 1, "{left:?}");
}

/// The first retry of the first client is decided at 0 ms: it waits 700 ms instead of 600.
#[test]
fn a_changed_policy_shows_the_first_decision_that_differs() {
    let folder = Folder::blessed();
    folder.edit("x.toml", "base = \"600ms\"", "base = \"700ms\"");
    let (code, found) = folder.json();
    assert_eq!(code, 4);
    assert_eq!((&found["exact"], &found["runs"]), (&false.into(), &6.into()));
    // Only the policy that was changed differs, in each replication.
    assert_eq!(found["differing"].as_array().unwrap().len(), 1);
    assert_eq!(found["differing"][0]["policy"], "patient");
    assert_eq!(found["differing"][0]["runs"].as_array().unwrap().len(), 3);
    let key = serde_json::json!({
        "key": "policies.patient.backoff.base", "old": "\"600ms\"", "new": "\"700ms\"",
    });
    assert_eq!(found["changed_keys"], serde_json::json!([key]));
    let first = &found["first_difference"];
    assert_eq!(first["cause"], "experiment");
    assert_eq!((&first["replication"], &first["same_before"]), (&0.into(), &0.into()));
    for (side, delay) in [("old", 600.0), ("new", 700.0)] {
        let record = &first[side];
        assert_eq!(record["delay_ms"].as_f64(), Some(delay));
        assert_eq!((&record["client"], &record["attempt"]), (&0.into(), &1.into()));
        assert_eq!(record["at_ms"].as_f64(), Some(0.0));
    }
    let text = folder.check(&[]).out;
    assert!(text.starts_with("x.toml: 3 of 6 runs differ from results/baselines/x\n"), "{text}");
    assert!(text.contains("policies.patient.backoff.base: \"600ms\" → \"700ms\""), "{text}");
    let marked: Vec<Vec<&str>> = text
        .lines()
        .filter(|line| line.trim_start().starts_with('*'))
        .map(|line| line.split_whitespace().collect())
        .collect();
    assert_eq!(marked, [["*", "delay_ms", "600.0", "700.0"]], "{text}");
}

/// Two attempts less: the decisions are the same until the third attempt, which is not made.
#[test]
fn decisions_before_the_first_difference_are_counted() {
    let folder = Folder::blessed();
    folder.edit("x.toml", "max_attempts = 5", "max_attempts = 2");
    let (code, found) = folder.json();
    assert_eq!(code, 4, "results differ, which goes before thresholds");
    assert_eq!(found["thresholds"][0]["holds"], false);
    let first = &found["first_difference"];
    // `remaining_attempts` is a field of every record.
    assert_eq!(first["same_before"], 0);
    assert_eq!(first["old"]["remaining_attempts"], 4);
    assert_eq!(first["new"]["remaining_attempts"], 1);
    let counts = &found["differing"][0]["runs"][0]["counts"];
    assert_eq!(counts["attempts"], serde_json::json!({ "old": 12.0, "new": 8.0 }));
    assert_eq!(counts["succeeded"], serde_json::json!({ "old": 4.0, "new": 0.0 }));
}

/// Another fingerprint in the baseline stands for another program: this one no longer gives it.
#[test]
fn a_changed_program_is_shown_by_the_kept_decisions() {
    let folder = Folder::blessed();
    let runs = folder.read("results/baselines/x/runs.csv");
    let first = runs.lines().nth(1).unwrap();
    let (rest, _) = first.rsplit_once(',').unwrap();
    let other = runs.replace(first, &format!("{rest},0123456789abcdef"));
    folder.write("results/baselines/x/runs.csv", &other);
    let kept = folder.read("results/baselines/x/decisions.ndjson");
    let of_patient = kept.lines().filter(|line| line.contains("\"policy\":\"patient\"")).count();
    assert_eq!(of_patient, 12, "three decisions of each client");

    // All that is kept is the same.
    let (code, found) = folder.json();
    assert_eq!(code, 4);
    assert_eq!(found["changed_keys"], serde_json::json!([]));
    let difference = &found["first_difference"];
    assert_eq!((&difference["cause"], &difference["same_before"]), (&"program".into(), &12.into()));
    assert_eq!(difference["found"], "beyond what the baseline keeps");

    // The sixth record of the policy, at 600 ms, had another wait.
    let mut seen = 0;
    let lines = kept.lines().map(|line| {
        let record: Value = serde_json::from_str(line).unwrap();
        seen += usize::from(record["policy"] == "patient");
        match seen == 6 && record["policy"] == "patient" {
            true => line.replace("\"delay_ms\":600.0", "\"delay_ms\":599.0"),
            false => line.to_string(),
        }
    });
    let changed = lines.collect::<Vec<_>>().join("\n");
    assert_ne!(changed, kept.trim_end());
    folder.write("results/baselines/x/decisions.ndjson", &changed);
    let (_, found) = folder.json();
    let difference = &found["first_difference"];
    assert_eq!((&difference["cause"], &difference["same_before"]), (&"program".into(), &5.into()));
    assert_eq!(difference["old"]["delay_ms"].as_f64(), Some(599.0));
    assert_eq!(difference["new"]["delay_ms"].as_f64(), Some(600.0));
    assert_eq!(difference["new"]["client"], 1);

    fs::remove_file(folder.path().join(BASELINE).join("decisions.ndjson")).unwrap();
    let (_, found) = folder.json();
    assert_eq!(found["first_difference"]["found"], "the baseline keeps no decisions of it");
    let text = folder.check(&[]).out;
    assert!(text.contains("so the program has changed"), "{text}");
}

#[test]
fn counts_are_judged_and_computed_metrics_are_remarked_on() {
    let folder = Folder::blessed();
    let runs = folder.read("results/baselines/x/runs.csv");
    let column =
        |name: &str| runs.lines().next().unwrap().split(',').position(|c| c == name).unwrap();
    let with = |name: &str, value: &str| {
        let lines = runs.lines().enumerate().map(|(number, line)| {
            let mut cells: Vec<_> = line.split(',').collect();
            if number == 1 {
                cells[column(name)] = value;
            }
            cells.join(",") + "\n"
        });
        folder.write("results/baselines/x/runs.csv", &lines.collect::<String>());
        folder.json()
    };
    let (code, found) = with("wasted_ratio", "0.5");
    assert_eq!((code, &found["exact"]), (0, &true.into()));
    assert_eq!(found["redefined_metrics"], serde_json::json!({ "wasted_ratio": 1 }));
    let (code, found) = with("duplicates", "1");
    assert_eq!((code, &found["exact"]), (4, &false.into()));
    let counts = &found["differing"][0]["runs"][0]["counts"];
    assert_eq!(counts["duplicates"]["old"], 1.0);
}

#[test]
fn other_replications_and_policies_differ_too() {
    let folder = Folder::blessed();
    folder.edit("x.toml", "replications = 3", "replications = 2");
    folder.edit("x.toml", "policies.hasty", "policies.quick");
    let (code, found) = folder.json();
    assert_eq!(code, 4);
    let of = |policy: &str| {
        let cells = found["differing"].as_array().unwrap();
        let cell = cells.iter().find(|cell| cell["policy"] == policy).unwrap();
        (cell["missing"].as_u64().unwrap(), cell["added"].as_u64().unwrap())
    };
    assert_eq!((of("patient"), of("hasty"), of("quick")), ((1, 0), (3, 0), (0, 2)));
}

#[test]
fn accepting_renews_the_baseline_and_keeps_every_note() {
    let folder = Folder::blessed();
    folder.edit("x.toml", "base = \"600ms\"", "base = \"700ms\"");
    assert_eq!(folder.check(&[]).code, 4);
    let answer = folder.check(&["--bless", "--note", "a longer wait"]);
    assert_eq!(answer.code, 0, "{}", answer.out);
    assert_eq!(folder.check(&[]).code, 0);
    let notes = folder.read("results/baselines/x/notes.md");
    let notes: Vec<_> = notes.lines().filter(|line| line.starts_with("- ")).collect();
    assert_eq!(notes.len(), 2);
    assert!(notes[0].ends_with(": the first one") && notes[1].ends_with(": a longer wait"));
    let manifest: Value =
        serde_json::from_str(&folder.read("results/baselines/x/manifest.json")).unwrap();
    let now = format!("→ {}: ", manifest["fingerprint"].as_str().unwrap());
    assert!(notes[1].contains(&now), "{}", notes[1]);
}

#[test]
fn thresholds_end_with_three_and_are_annotated_at_their_line() {
    let folder = Folder::new();
    folder.edit("x.toml", "amplification <= 3", "amplification <= 2");
    let answer = folder.check(&["--bless", "--note", "n"]);
    assert_eq!(answer.code, 3, "accepting results accepts no broken threshold");
    let actions = [("GITHUB_ACTIONS", "true")];
    let answer = folder.check_in(&actions, &["--format", "json"]);
    assert_eq!(answer.code, 3);
    let document: Value = serde_json::from_str(&answer.out).unwrap();
    assert_eq!(document["experiments"][0]["thresholds"][1]["holds"], false);
    let text = folder.read("x.toml");
    let line = text.lines().position(|line| line.contains("amplification <= 2")).unwrap() + 1;
    assert_eq!(
        answer.err,
        format!(
            "::error file=x.toml,line={line},col=3,title=x.toml%3A a threshold does not hold::\
             patient: amplification <= 2 (up to 3.00)\n"
        )
    );
    assert_eq!(folder.check(&[]).err, "", "annotations are for GitHub alone");

    folder.edit("x.toml", "base = \"600ms\"", "base = \"700ms\"");
    let answer = folder.check_in(&actions, &[]);
    assert_eq!(answer.code, 4);
    let first = answer.err.lines().next().unwrap();
    let line = text.lines().position(|line| line == "[policies.patient]").unwrap() + 1;
    let place = format!("::error file=x.toml,line={line},col=11,title=");
    assert!(first.starts_with(&place), "{first}");
    assert_eq!(answer.err.lines().count(), 2);
}

#[test]
fn junit_and_the_summary_say_what_the_command_says() {
    let folder = Folder::blessed();
    folder.edit("x.toml", "base = \"600ms\"", "base = \"700ms\"");
    folder.edit("x.toml", "amplification <= 3", "amplification <= 2");
    let flags = ["--junit", "j.xml", "--markdown", "summary.md"];
    assert_eq!(folder.check(&flags).code, 4);
    let xml = folder.read("j.xml");
    let report = Report::deserialize_from_str(&xml).unwrap();
    let suite = &report.test_suites[0];
    assert_eq!((suite.name.as_str(), suite.tests, suite.failures), ("x.toml", 4, 2));
    let cases: Vec<_> = suite
        .test_cases
        .iter()
        .map(|case| {
            let failed = matches!(case.status, TestCaseStatus::NonSuccess { .. });
            assert_eq!((case.time, case.timestamp), (None, None));
            (case.name.as_str(), failed)
        })
        .collect();
    assert_eq!(
        cases,
        [
            ("exact: `patient`", true),
            ("exact: `hasty`", false),
            ("threshold: `patient`: success_ratio >= 1", false),
            ("threshold: `patient`: amplification <= 2", true),
        ]
    );
    let TestCaseStatus::NonSuccess { description, .. } = &suite.test_cases[0].status else {
        panic!("a failure");
    };
    let description = description.as_ref().unwrap().as_str();
    assert!(description.contains("* delay_ms: 600.0 → 700.0"), "{description}");
    // A second run gives the same file, and another summary in place of the first.
    assert_eq!(folder.check(&flags).code, 4);
    assert_eq!(folder.read("j.xml"), xml);
    let summary = folder.read("summary.md");
    let rows: Vec<Vec<&str>> = summary
        .lines()
        .filter(|line| line.starts_with('|'))
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
        .collect();
    let has = |row: &[&str]| assert!(rows.iter().any(|found| found == row), "{row:?}\n{summary}");
    has(&["`policies.patient.backoff.base`", "`\"600ms\"`", "`\"700ms\"`"]);
    has(&["* delay_ms", "600.0", "700.0"]);
    has(&["patient: amplification <= 2 (up to 3.00)", "**FAILED**"]);
    has(&["patient: success_ratio >= 1 (in every run)", "ok"]);
    assert_eq!(summary.matches("### ").count(), 1);
    // The summary of a job is added to.
    folder.write("step.md", "what another step said\n");
    let step = folder.path().join("step.md");
    let step = step.to_str().unwrap();
    let answer = folder.check_in(&[("GITHUB_STEP_SUMMARY", step)], &["--markdown", step]);
    assert_eq!(answer.code, 4);
    assert_eq!(folder.read("step.md"), format!("what another step said\n{summary}"));
}

#[test]
fn a_threshold_that_only_warns_is_told_everywhere_and_fails_nothing() {
    let folder = Folder::blessed();
    folder.edit("x.toml", "amplification <= 3", "warn: amplification <= 2");
    let flags = ["--junit", "j.xml", "--markdown", "summary.md"];
    let answer = folder.check_in(&[("GITHUB_ACTIONS", "true")], &flags);
    assert_eq!(answer.code, 0, "{}", answer.err);
    assert!(
        answer.out.contains("warn    patient: amplification <= 2 (up to 3.00)"),
        "{}",
        answer.out
    );
    let text = folder.read("x.toml");
    let line = text.lines().position(|line| line.contains("amplification <= 2")).unwrap() + 1;
    assert!(answer.err.starts_with(&format!("::warning file=x.toml,line={line},col=3,")));
    let report = Report::deserialize_from_str(&folder.read("j.xml")).unwrap();
    let suite = &report.test_suites[0];
    assert_eq!((suite.tests, suite.failures), (4, 0));
    let TestCaseStatus::Skipped { message, .. } = &suite.test_cases[3].status else {
        panic!("it warns");
    };
    let message = message.as_ref().unwrap().as_str();
    assert_eq!(message, "warning: patient: amplification <= 2 (up to 3.00)");
    assert!(folder.read("summary.md").contains("| warn "), "{}", folder.read("summary.md"));
}

#[test]
fn several_experiments_have_a_folder_each() {
    let folder = Folder::new();
    folder.write("y.toml", &EXPERIMENT.replace("replications = 3", "replications = 2"));
    let both = ["y.toml", "--baseline", "kept", "--out", "out"];
    let bless = ["--bless", "--note", "two"];
    assert_eq!(folder.check(&[&both[..], &bless[..]].concat()).code, 0);
    for name in ["x", "y"] {
        assert!(folder.path().join("kept").join(name).join("manifest.json").is_file(), "{name}");
        assert!(folder.path().join("out").join(name).join("units").is_dir(), "{name}");
    }
    let answer = folder.check(&both);
    assert_eq!(answer.code, 0, "{}", answer.err);
    assert!(answer.out.contains("y.toml: all 4 runs are those of kept/y"), "{}", answer.out);
    // One that is missing stops all of them before anything is run.
    folder.write("z.toml", EXPERIMENT);
    assert_eq!(folder.check(&["y.toml", "z.toml", "--baseline", "kept"]).code, 2);
    // Of one experiment the folder is the baseline itself.
    assert_eq!(folder.check(&["--baseline", "kept/x"]).code, 0);
}

#[test]
fn two_experiments_of_one_name_are_refused() {
    let folder = Folder::new();
    fs::create_dir(folder.path().join("b")).unwrap();
    folder.write("b/x.toml", EXPERIMENT);
    let answer = folder.check(&["b/x.toml", "--bless", "--note", "two"]);
    assert_eq!(answer.code, 2, "{}", answer.out);
    assert!(answer.err.contains("`x.toml` and `b/x.toml` are both called `x`"), "{}", answer.err);
    assert!(!folder.path().join("results").exists());
}

/// Notes that are there but can't be read as text are not written over.
#[test]
fn notes_that_cant_be_read_are_left_alone() {
    let folder = Folder::blessed();
    let path = folder.path().join(BASELINE).join("notes.md");
    fs::write(&path, b"\xff").unwrap();
    let answer = folder.check(&["--bless", "--note", "again"]);
    assert_eq!(answer.code, 1, "{}", answer.err);
    assert_eq!(fs::read(&path).unwrap(), b"\xff");
}

#[test]
fn a_changed_data_file_is_named_and_not_the_program() {
    let folder = Folder::new();
    folder.edit("x.toml", "closed = { requests = 1 }", "trace = { file = \"t.csv\" }");
    folder.write("t.csv", "t_ms\n0\n10\n20\n");
    assert_eq!(folder.check(&["--bless", "--note", "first"]).code, 0);
    folder.write("t.csv", "t_ms\n0\n10\n50\n");
    let (code, found) = folder.json();
    assert_eq!(code, 4);
    assert_eq!(found["first_difference"]["cause"], "data files");
    assert_eq!(found["changed_keys"].as_array().unwrap().len(), 1);
    assert_eq!(found["changed_keys"][0]["key"], "t.csv");
    let text = folder.check(&[]).out;
    assert!(text.contains("the content of t.csv has changed since the baseline"), "{text}");
}
