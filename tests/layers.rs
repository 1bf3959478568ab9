//! `retrial run` with policies inside policies: what it reads, warns of, prints and writes.

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use tempfile::TempDir;

const WORLD: &str = "replications = 2\n\
                     [workload]\nclients = 5\nclosed = { requests = 2 }\n\
                     [network]\ndelay = '5ms'\n\
                     [[route]]\nname = 'dead'\n[[route.fault]]\nreply = 'generic-503'\n";

/// A layer's tables under a key, with waits of 10 ms.
fn layer(key: &str, max_attempts: &str) -> String {
    format!(
        "[{key}]\nbackoff = {{ kind = 'constant', base = '10ms' }}\n\
         limits = {{ max_attempts = {max_attempts}, deadline = '1h' }}\n"
    )
}

/// Layers inside each other, the outermost first.
fn stacked(name: &str, max_attempts: &[&str]) -> String {
    let layers = max_attempts.iter().enumerate();
    let key = |depth: usize| format!("policies.{name}{}", ".inner".repeat(depth));
    layers.map(|(depth, max)| layer(&key(depth), max)).collect()
}

/// What the command did.
struct Answer {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

fn run(folder: &TempDir, experiment: &str, flags: &[&str]) -> Answer {
    fs::write(folder.path().join("x.toml"), experiment).unwrap();
    let output = Command::cargo_bin("retrial")
        .unwrap()
        .current_dir(folder.path())
        .args(["run", "x.toml", "--out", "out", "--no-charts"])
        .args(flags)
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Answer { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
}

fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

/// The rows of a result file by column name.
fn column(path: &Path, name: &str) -> Vec<String> {
    let mut csv = csv::Reader::from_path(path).unwrap();
    let column = csv.headers().unwrap().iter().position(|header| header == name).unwrap();
    csv.records().map(|row| row.unwrap()[column].to_string()).collect()
}

/// Three layers of 4 are 64 attempts a request, five of 3 are 243, and a policy alone has no layers.
#[test]
fn a_whole_run_against_a_dead_server_makes_the_product() {
    let folder = folder();
    let (three, five) = (stacked("three", &["4"; 3]), stacked("five", &["3"; 5]));
    let experiment = format!("{WORLD}{three}{five}{}", stacked("alone", &["4"]));
    let answer = run(&folder, &experiment, &[]);
    assert_eq!(answer.code, Some(0), "{}", answer.stderr);
    let out = folder.path().join("out");
    let attempts = column(&out.join("runs.csv"), "attempts");
    assert_eq!(attempts, ["640", "640", "2430", "2430", "40", "40"]);

    let file = out.join("layers.csv");
    let names = ["policy", "layer", "max_attempts", "max_product", "attempts", "amplification"];
    let columns = names.map(|name| column(&file, name));
    let rows = (0..8).map(|row| names.iter().enumerate().map(|(i, _)| &*columns[i][row]).collect());
    let rows: Vec<Vec<&str>> = rows.collect();
    assert_eq!(rows[0], ["three", "1", "4", "4", "40", "4"]);
    assert_eq!(rows[1], ["three", "2", "4", "16", "160", "16"]);
    assert_eq!(rows[2], ["three", "3", "4", "64", "640", "64"]);
    assert_eq!(rows[7], ["five", "5", "3", "243", "2430", "243"]);
    assert_eq!(columns[0].len(), 8, "none for the policy without layers");

    let line = "`three`: 4 × 4 × 4 = 64 attempts a request at most; made, by layer from the \
                outside in: 4.00, 16.0, 64.0\n";
    assert!(answer.stdout.contains(line), "{}", answer.stdout);
    assert!(!answer.stdout.contains("`alone`: 4"), "{}", answer.stdout);

    // What was finished is kept, and gives the same file.
    let before = fs::read(&file).unwrap();
    fs::remove_file(&file).unwrap();
    run(&folder, &experiment, &[]);
    assert_eq!(fs::read(&file).unwrap(), before);
    // A run without layers leaves none behind.
    run(&folder, &format!("{WORLD}{}", stacked("alone", &["4"])), &[]);
    assert!(!file.exists());
}

#[test]
fn many_attempts_by_layers_that_look_modest_are_warned_of() {
    let warned = |max_attempts: &[&str]| {
        run(&folder(), &format!("{WORLD}{}", stacked("p", max_attempts)), &[]).stderr
    };
    let warning =
        |product: &str| format!("warning: the layers of policy `p` multiply: {product}\n");
    let stderr = warned(&["4", "4", "4"]);
    let expected = warning("4 × 4 × 4 = up to 64 attempts of one request");
    assert!(stderr.starts_with(&expected), "{stderr}");
    assert!(stderr.contains("= help: retry in one layer"), "{stderr}");
    assert!(warned(&["2", "6"]).starts_with(&warning("2 × 6 = up to 12 attempts of one request")));
    for quiet in [&["2", "5"][..], &["10", "1"], &["64"]] {
        let stderr = warned(quiet);
        assert!(!stderr.contains("warning"), "{quiet:?}: {stderr}");
    }
}

#[test]
fn a_layer_without_a_bound_makes_the_product_unlimited() {
    let folder = folder();
    let world = WORLD.replace("[workload]", "stop_after = '1s'\n[workload]");
    let answer = run(&folder, &format!("{world}{}", stacked("p", &["'unlimited'", "2"])), &[]);
    assert_eq!(answer.code, Some(0), "{}", answer.stderr);
    let warning = "the layers of policy `p` multiply: unlimited × 2 = attempts without bound\n";
    assert!(answer.stderr.contains(warning), "{}", answer.stderr);
    assert!(answer.stdout.contains("`p`: unlimited × 2 = unlimited attempts a request at most"));
    let products = column(&folder.path().join("out/layers.csv"), "max_product");
    assert_eq!(products, ["unlimited", "unlimited"]);
}

/// The whole policy of the SDK, in a file of its own that other experiments use too.
#[test]
fn an_inner_policy_may_come_from_a_file() {
    let folder = folder();
    let sdk = "backoff = { kind = 'constant', base = '10ms' }\n\
               limits = { max_attempts = 3, deadline = '1h' }\n";
    fs::write(folder.path().join("sdk.toml"), sdk).unwrap();
    fs::write(folder.path().join("app.toml"), format!("inner = {{ file = 'sdk.toml' }}\n{sdk}"))
        .unwrap();
    let attempts = |policy: &str, flags: &[&str]| {
        let answer = run(&folder, &format!("{WORLD}[policies.p]\n{policy}"), flags);
        assert_eq!(answer.code, Some(0), "{}", answer.stderr);
        column(&folder.path().join("out/runs.csv"), "attempts")[0].clone()
    };
    assert_eq!(attempts("file = 'app.toml'", &[]), "90");
    assert_eq!(attempts(&format!("{sdk}inner = {{ file = 'sdk.toml' }}"), &[]), "90");
    let beside = "{ file = 'sdk.toml', limits = { max_attempts = 2 } }";
    assert_eq!(attempts(&format!("{sdk}inner = {beside}"), &[]), "60");
    // A file in a file in a file, one of them from the command line.
    assert_eq!(attempts("file = 'sdk.toml'\ninner = { file = 'app.toml' }", &[]), "270");
    let set = ["--set", "policies.p.inner={ file = 'app.toml' }"];
    assert_eq!(attempts("file = 'sdk.toml'", &set), "270");
    let set = ["--set", "policies.p.inner.file='sdk.toml'"];
    assert_eq!(attempts("file = 'sdk.toml'", &set), "90");
    assert_eq!(attempts("file = 'sdk.toml'", &["--set", "policies.p.limits.max_attempts=1"]), "10");
    let set = ["--set", "policies.p.inner.limits.max_attempts=1"];
    assert_eq!(attempts("file = 'app.toml'", &set), "30");
    // Today's policy is read alike.
    attempts("file = 'sdk.toml'", &["--against", "app.toml"]);
    let layers = folder.path().join("out/layers.csv");
    assert_eq!(column(&layers, "policy"), ["app", "app"]);
    assert_eq!(column(&layers, "attempts"), ["30", "90"]);
}

#[test]
fn mistakes_in_a_layer_are_shown_where_they_are() {
    let folder = folder();
    let sound = "backoff = { kind = 'none' }, limits = { deadline = '1s' }";
    let statuses = "retry_on = { mode = 'statuses', statuses = §[200] }";
    for (inner, message) in [
        (
            "{ backoff = { kind = 'constant', base = '2s', cap = §'1s' }, limits = { deadline = '1s' } }",
            "policy `p`: inner.backoff.cap: the cap (1s) is below the base (2s)",
        ),
        (
            &format!("{{ {sound}, inner = {{ {sound}, {statuses} }} }}"),
            "policy `p`: inner.inner.retry_on.statuses: a status below 300 is an answer: it can't \
             be repeated",
        ),
        ("{ §backof = {} }", "policy `p`: unknown key `backof`"),
        ("{ preset = §'openai-pyton' }", "there is no preset `openai-pyton`"),
        ("{ file = 'a.toml', §preset = 'stripe' }", "`preset` goes without `file`"),
        ("{ file = §'nope.toml' }", "can't read the policy file `nope.toml`"),
        (
            &format!("{{ {sound}, fallback = {{ routes = §['elsewhere'] }} }}"),
            "policy `p` falls back to `elsewhere`, which is no further route",
        ),
    ] {
        let text =
            format!("{WORLD}[policies.p]\n{}\ninner = {inner}\n", sound.replace("}, ", "}\n"));
        let (before, after) = text.split_once('§').expect("a mark where the error is");
        let (line, start) = (before.lines().count(), before.rfind('\n').map_or(0, |at| at + 1));
        let place = format!("--> x.toml:{line}:{}\n", before.len() - start + 1);
        let answer = run(&folder, &format!("{before}{after}"), &[]);
        assert_eq!(answer.code, Some(2), "{inner}: {}", answer.stderr);
        assert!(answer.stderr.starts_with(&format!("error: {message}")), "{}", answer.stderr);
        assert!(answer.stderr.contains(&place), "{place}{}", answer.stderr);
    }
    // A table that is missing is missed in the layer that lacks it.
    let lacking = "inner = { backoff = { kind = 'none' } }";
    let text = format!("{WORLD}[policies.p]\n{}\n{lacking}\n", sound.replace("}, ", "}\n"));
    let stderr = run(&folder, &text, &[]).stderr;
    assert!(stderr.starts_with("error: policy `p`: inner.limits: missing: "), "{stderr}");
}

#[test]
fn a_policy_file_inside_itself_is_refused() {
    let folder = folder();
    fs::write(folder.path().join("loop.toml"), "inner = { file = 'loop.toml' }\n").unwrap();
    let answer = run(&folder, &format!("{WORLD}[policies.p]\nfile = 'loop.toml'\n"), &[]);
    let refused = "error: more than 16 policy files inside each other\n --> loop.toml:1:18\n";
    assert_eq!(
        (answer.code, answer.stderr.starts_with(refused)),
        (Some(2), true),
        "{}",
        answer.stderr
    );
}

/// Layers are counted for the policy on trial, not for those that some clients have of their own.
#[test]
fn only_the_layers_of_the_policy_on_trial_are_counted() {
    let folder = folder();
    let groups = "[[group]]\nname = 'mine'\nclients = 3\nclosed = { requests = 1 }\n\
                  [[group]]\nname = 'theirs'\nclients = 2\nclosed = { requests = 1 }\n\
                  policy = 'other'\n";
    let world = WORLD.replace("[workload]\nclients = 5\nclosed = { requests = 2 }\n", groups);
    let policies = format!("{}{}", stacked("p", &["2", "3"]), stacked("other", &["5", "2"]));
    let answer = run(&folder, &format!("{world}{policies}"), &[]);
    assert_eq!(answer.code, Some(0), "{}", answer.stderr);
    let out = folder.path().join("out");
    assert_eq!(column(&out.join("runs.csv"), "attempts")[0], (3 * 6 + 2 * 10).to_string());
    assert_eq!(column(&out.join("layers.csv"), "attempts"), ["6", "18", "15", "30"]);
}
