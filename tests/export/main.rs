//! `retrial export`: whole outputs, losses where their traits are, and bad input. What the real
//! libraries make of the outputs is checked by the Python files in `libraries/`.

use assert_cmd::Command;

const TARGETS: [&str; 6] =
    ["grpc-service-config", "envoy", "botocore", "openai-python", "tenacity", "typescript-json"];

/// Runs `retrial export` with a policy on stdin: exit code, stdout, stderr.
fn run(arguments: &[&str], policy: &str) -> (Option<i32>, String, String) {
    let mut command = Command::cargo_bin("retrial").unwrap();
    let output = command.arg("export").args(arguments).write_stdin(policy).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// The keys of what is lost.
fn lost(target: &str, policy: &str) -> Vec<String> {
    let (code, _, stderr) = run(&["-", "--to", target], policy);
    assert_eq!(code, Some(0), "{stderr}");
    let keys = stderr.lines().filter_map(|line| line.strip_prefix("- "));
    keys.map(|line| line.split(':').next().unwrap_or_default().to_string()).collect()
}

/// What gRPC has no loss for but its codes: its own backoff, no hints, no bodies.
const OF_GRPC: &str = r#"
[backoff]
kind = "exponential"
base = "100ms"
cap = "1s"
jitter = "proportional"
jitter_ratio = 0.2
[limits]
max_attempts = 5
deadline = "10s"
[retry_after]
cap = "unlimited"
jitter_ratio = 0
[[budget]]
kind = "grpc"
max_tokens = 10
token_ratio = 0.1
[retry_on]
mode = "statuses"
statuses = [429, 503]
transport = ["connect", "reset", "timeout"]
honour_veto = false
"#;

#[test]
fn a_service_config_is_exactly_what_the_policy_says() {
    let (code, stdout, stderr) = run(&["-", "--to", "grpc-service-config"], OF_GRPC);
    let expected = r#"{
  "methodConfig": [{
    "name": [{}],
    "timeout": "10s",
    "retryPolicy": {
      "maxAttempts": 5,
      "initialBackoff": "0.1s",
      "maxBackoff": "1s",
      "backoffMultiplier": 2,
      "retryableStatusCodes": ["UNAVAILABLE", "RESOURCE_EXHAUSTED"]
    }
  }],
  "retryThrottling": {
    "maxTokens": 10,
    "tokenRatio": 0.1
  }
}
"#;
    assert_eq!((code, stdout.as_str()), (Some(0), expected), "{stderr}");
    assert_eq!(lost("grpc-service-config", OF_GRPC), ["retry_on.statuses"]);
}

/// Each change brings its loss and no other.
#[test]
fn a_loss_appears_where_its_trait_is() {
    for (from, to, key) in [
        ("max_attempts = 5", "max_attempts = 8", "limits.max_attempts"),
        ("jitter_ratio = 0.2", "jitter_ratio = 0.5", "backoff.jitter"),
        ("base = \"100ms\"", "base = \"1ms\"\nfloor = \"1ns\"", "backoff.base"),
        ("deadline", "attempt_timeout = \"1s\"\ndeadline", "limits.attempt_timeout"),
        ("cap = \"unlimited\"", "cap = \"30s\"", "retry_after.cap"),
        ("jitter_ratio = 0\n", "jitter_ratio = 0.1\n", "retry_after.jitter_ratio"),
        ("token_ratio", "refund_answered = true\ntoken_ratio", "budget.0.refund_answered"),
        ("token_ratio", "scope = \"group\"\ntoken_ratio", "budget.0.scope"),
        ("[retry_on]", "[[budget]]\nkind = \"concurrent\"\n[retry_on]", "budget.1"),
        ("[retry_on]", "[fallback]\nroutes = [\"b\"]\n[retry_on]", "fallback.routes"),
        ("[retry_on]", "[replay]\nidempotency_key = true\n[retry_on]", "replay.idempotency_key"),
        ("\"reset\", ", "", "retry_on.transport"),
    ] {
        let changed = OF_GRPC.replacen(from, to, 1);
        assert_ne!(changed, OF_GRPC);
        let keys = lost("grpc-service-config", &changed);
        assert!(keys.iter().any(|k| k == key), "{key}: {keys:?}");
        let others = keys.iter().filter(|k| *k != key && *k != "retry_on.statuses");
        let own = |k: &&String| !(key == "backoff.base" && k.starts_with("backoff"));
        assert_eq!(others.filter(own).count(), 0, "{key}: {keys:?}");
    }
}

#[test]
fn a_clamped_value_is_named_with_both_figures() {
    let policy = OF_GRPC.replacen("max_attempts = 5", "max_attempts = 8", 1);
    let (_, stdout, stderr) = run(&["-", "--to", "grpc-service-config"], &policy);
    assert!(stderr.contains("gRPC caps maxAttempts at 5: 8 becomes 5"), "{stderr}");
    assert!(stdout.contains("\"maxAttempts\": 5"), "{stdout}");
}

#[test]
fn every_policy_beside_the_experiments_goes_to_every_target() {
    for name in ["no-jitter", "full-jitter", "capped-budget"] {
        for target in TARGETS {
            let path = format!("experiments/policies/{name}.toml");
            let (code, from_file, _) = run(&[&path, "--to", target], "");
            assert_eq!(code, Some(0), "{name} {target}");
            assert!(from_file.contains(name) || target == "grpc-service-config");
            let (_, again, _) = run(&[&path, "--to", target], "");
            assert_eq!(from_file, again, "{name} {target}");
        }
    }
}

#[test]
fn a_policy_of_an_experiment_has_its_name_there() {
    let (code, stdout, _) = run(&["thundering-herd:full-jitter", "--to", "openai-python"], "");
    assert_eq!(code, Some(0));
    assert!(stdout.starts_with("# The retry policy `full-jitter` for openai-python"), "{stdout}");
    let (code, _, stderr) = run(&["thundering-herd:full-jiter", "--to", "openai-python"], "");
    assert_eq!(code, Some(2));
    assert!(stderr.contains("has no policy `full-jiter`"), "{stderr}");
    assert!(stderr.contains("full-jitter"), "{stderr}");
}

#[test]
fn what_cannot_be_read_is_shown_with_its_place() {
    let (code, stdout, stderr) = run(&["-", "--to", "envoy"], "[backoff]\nkind = \"quadratic\"\n");
    assert_eq!((code, stdout.as_str()), (Some(2), ""));
    assert!(stderr.contains("stdin:2:8") && stderr.contains("quadratic"), "{stderr}");
    for arguments in [&["no-such.toml", "--to", "envoy"][..], &["-", "--to", "nginx"], &["-"]] {
        let (code, stdout, _) = run(arguments, OF_GRPC);
        assert_eq!((code, stdout.as_str()), (Some(2), ""), "{arguments:?}");
    }
}

#[test]
fn a_file_is_written_whole_and_nothing_else_goes_to_stdout() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("config.json");
    let shown = path.to_str().unwrap();
    let (code, stdout, _) = run(&["-", "--to", "grpc-service-config", "--out", shown], OF_GRPC);
    assert_eq!((code, stdout.as_str()), (Some(0), ""));
    let (_, printed, _) = run(&["-", "--to", "grpc-service-config"], OF_GRPC);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), printed);
    let folder = folder.path().to_str().unwrap();
    assert_eq!(run(&["-", "--to", "envoy", "--out", folder], OF_GRPC).0, Some(2));
}

/// The closed form of full jitter under a cap.
#[test]
fn the_document_for_typescript_lists_the_range_of_every_delay() {
    let policy = "[backoff]\nkind = \"exponential\"\nbase = \"100ms\"\ncap = \"250ms\"\n\
                  jitter = \"full\"\n[limits]\nmax_attempts = 4\ndeadline = \"1s\"\n";
    let (_, stdout, _) = run(&["-", "--to", "typescript-json"], policy);
    let document: serde_json::Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!(document["delayRangesMs"], serde_json::json!([[0, 100], [0, 200], [0, 250]]));
    assert_eq!(document["policy"]["capMs"], 250);
}
