//! Presets in whole commands: `retrial presets`, and experiments that name one.

use std::fs;

use assert_cmd::Command;
use retrial_policy::Policy;
use retrial_policy::presets::Preset;
use serde_json::Value;
use tempfile::TempDir;

/// `retrial` with arguments in an empty folder: exit code, stdout, stderr.
fn retrial(folder: &TempDir, arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = Command::cargo_bin("retrial").unwrap();
    let output = command.current_dir(folder.path()).args(arguments).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

fn printed(arguments: &[&str]) -> String {
    let (code, out, error) = retrial(&folder(), arguments);
    assert_eq!((code, error.as_str()), (Some(0), ""), "{arguments:?}");
    out
}

#[test]
fn the_list_has_every_preset_in_short() {
    let text = printed(&["presets"]);
    let list: Vec<Value> =
        serde_json::from_str(&printed(&["presets", "--format", "json"])).unwrap();
    assert_eq!(printed(&["presets", "--json"]), printed(&["presets", "--format", "json"]));
    assert_eq!(list.len(), Preset::all().len());
    for (preset, entry) in Preset::all().iter().zip(&list) {
        let line = text.lines().find(|line| line.starts_with(&format!("{} ", preset.name)));
        assert!(line.unwrap().ends_with(&preset.about.about), "{line:?}");
        assert_eq!(entry["name"], preset.name);
        assert_eq!(entry["version"], preset.about.version.as_str());
        assert_eq!(entry["notes"], Value::from(preset.about.notes.clone()));
    }
    let sdk = "\
openai (PyPI) 3.57.0
3 attempts; 500ms ×2 up to 8s, shrink 0.25; hints: obeyed up to 120s, else stop
retries 408, 409, 429, 5xx, connect, reset, timeout, what the server asks for; budget: none
";
    for line in sdk.lines() {
        assert!(text.lines().any(|shown| shown.trim() == line), "{line}\n{text}");
    }
    let entry = |name: &str| list.iter().find(|entry| entry["name"] == name).unwrap();
    assert_eq!(entry("llamaindex-openai")["attempts"], "3 × 4 attempts within 60s");
    assert_eq!(entry("llamaindex-openai")["max_wire_attempts"], 12);
    assert_eq!(entry("mistral-python")["max_wire_attempts"], Value::Null);
    assert_eq!(entry("botocore-standard")["budget"], "aws_quota 500, 14 a retry, 5 if throttled");
    assert_eq!(entry("sume")["retried"], "what its class allows");
}

/// What is printed can be loaded, by production and by an experiment.
#[test]
fn one_preset_is_printed_as_a_policy_file() {
    for preset in Preset::all() {
        let text = printed(&["presets", preset.name]);
        assert_eq!(Policy::from_toml(&text), preset.policy(), "{}", preset.name);
    }
    assert_eq!(printed(&["presets", "groq-node"]), printed(&["presets", "openai-node"]));
    let folder = folder();
    fs::write(folder.path().join("policy.toml"), printed(&["presets", "openai-python"])).unwrap();
    let run = ["run", "thundering-herd", "--no-charts", "--replications", "1", "--format", "csv"];
    let file = ["--set", "policies.sdk.file=policy.toml"];
    let (code, by_file, error) = retrial(&folder, &[&run[..], &file].concat());
    assert_eq!(code, Some(0), "{error}");
    let preset = ["--set", "policies.sdk.preset=openai-python"];
    let (_, by_name, _) = retrial(&folder, &[&run[..], &preset].concat());
    assert_eq!(by_file, by_name);
}

#[test]
fn an_unknown_name_is_refused_with_the_nearest() {
    let (code, out, error) = retrial(&folder(), &["presets", "openai-pyton"]);
    assert_eq!((code, out.as_str()), (Some(2), ""));
    assert!(error.contains("there is no preset `openai-pyton`"), "{error}");
    assert!(error.contains("did you mean `openai-python`? allowed: anthropic-python,"), "{error}");
    for (change, says) in [
        ("policies.sdk.preset=openai-pyton", "there is no preset `openai-pyton`"),
        ("policies.x={ file = \"x.toml\", preset = \"stripe\" }", "`preset` goes without `file`"),
    ] {
        let (code, _, error) = retrial(&folder(), &["run", "--set", change]);
        assert_eq!(code, Some(2), "{change}");
        assert!(error.contains(says), "{error}");
    }
}

/// Attempts of each policy by its name, from one small run of the herd.
fn attempts(arguments: &[&str]) -> Vec<(String, f64, f64)> {
    let run = ["run", "thundering-herd", "--no-charts", "--replications", "2", "--format", "json"];
    let (code, out, error) = retrial(&folder(), &[&run[..], arguments].concat());
    // The packaged thresholds may fail with two replications.
    assert!(matches!(code, Some(0 | 3)), "{error}");
    let document: Value = serde_json::from_str(&out).unwrap();
    let rows = document["rows"].as_array().unwrap();
    let mean = |row: &Value, metric: &str| row["metrics"][metric]["mean"].as_f64().unwrap();
    rows.iter()
        .map(|row| {
            let name = row["policy"].as_str().unwrap().to_string();
            (name, mean(row, "attempts"), mean(row, "requests"))
        })
        .collect()
}

#[test]
fn a_run_puts_presets_on_trial() {
    let rows = attempts(&[
        "--set",
        "policies.sdk.preset=\"openai-python\"",
        "--set",
        "policies.aws.preset=\"botocore-standard\"",
        "--set",
        "policies.stacked.preset=\"llamaindex-openai\"",
        "--set",
        "policies.stacked.limits.max_attempts=2",
    ]);
    for (name, most) in [("sdk", 3.0), ("aws", 3.0), ("stacked", 8.0)] {
        let (_, attempts, requests) = rows.iter().find(|row| row.0 == name).unwrap();
        assert!(requests < attempts, "{name}: some are repeated");
        assert!(*attempts <= most * requests, "{name}: {attempts} of {requests}");
    }
}

#[test]
fn a_preset_can_be_todays_policy() {
    let rows = attempts(&["--against", "openai-python"]);
    assert!(rows.iter().any(|row| row.0 == "openai-python"), "{rows:?}");
    let (code, _, error) = retrial(&folder(), &["run", "--against", "openai-pyton"]);
    assert_eq!(code, Some(2));
    assert!(error.contains("a preset (the nearest is `openai-python`)"), "{error}");
}

/// Wherever a command takes a policy it takes a preset, and a slip is answered with the nearest.
#[test]
fn commands_that_take_a_policy_take_a_preset() {
    let folder = folder();
    let classify = ["classify", "--status", "529", "--provider", "anthropic", "--policy"];
    for (arguments, says) in [
        (vec!["lint", "openai-python"], "`openai-python`: "),
        (vec!["export", "openai-python", "--to", "tenacity"], "`openai-python`"),
        ([&classify[..], &["openai-python"]].concat(), "retry_same_route"),
    ] {
        let (code, stdout, stderr) = retrial(&folder, &arguments);
        assert_eq!(code, Some(0), "{arguments:?}: {stderr}");
        assert!(stdout.contains(says), "{arguments:?}: {stdout}");
    }
    for arguments in [
        vec!["lint", "opnai-python"],
        vec!["export", "opnai-python", "--to", "envoy"],
        [&classify[..], &["opnai-python"]].concat(),
    ] {
        let (code, stdout, stderr) = retrial(&folder, &arguments);
        assert_eq!((code, &*stdout), (Some(2), ""), "{arguments:?}");
        let help = "did you mean the preset `openai-python`?";
        assert!(stderr.contains(help), "{arguments:?}: {stderr}");
    }
}
