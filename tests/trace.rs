//! `retrial trace` from end to end, and what `retrial run` says of alerts and signatures.

use std::collections::BTreeMap;
use std::fs;

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;

/// Nothing is random: 5 ms each way, 10 ms of service, and no answer for the first 50 ms.
const WORLD: &str = "[workload]\nclients = 2\nclosed = { requests = 2, think = '1s' }\n\
                     [network]\ndelay = '5ms'\n\
                     [[route]]\nname = 'primary'\nservice = '10ms'\n\
                     [[route.fault]]\nuntil = '50ms'\nreply = { status = 503 }\n\
                     [policies.patient]\nbackoff = { kind = 'constant', base = '100ms' }\n\
                     limits = { max_attempts = 3, deadline = '10s' }\n\
                     [policies.once]\nbackoff = { kind = 'none' }\nlimits = { max_attempts = 1, deadline = '10s' }\n";

const FIELDS: [&str; 18] = [
    "logical_request_id",
    "attempt",
    "branch",
    "route",
    "model",
    "class",
    "reason",
    "status",
    "code",
    "request_id",
    "rejected_param",
    "delay_ms",
    "delay_source",
    "fallback_reason",
    "remaining_attempts",
    "remaining_time_ms",
    "action",
    "terminal_outcome",
];

/// What the command did.
#[derive(PartialEq, Eq)]
struct Answer {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

fn retrial(folder: &TempDir, arguments: &[&str]) -> Answer {
    let mut command = Command::cargo_bin("retrial").unwrap();
    let output =
        command.current_dir(folder.path()).env("COLUMNS", "140").args(arguments).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Answer { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
}

fn experiment(text: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("x.toml"), text).unwrap();
    folder
}

fn trace(folder: &TempDir, arguments: &[&str]) -> Answer {
    let answer = retrial(folder, &[&["trace", "x.toml"], arguments].concat());
    assert_eq!(answer.code, Some(0), "{}", answer.stderr);
    answer
}

/// The rows of a result file, by column.
fn rows(folder: &TempDir, name: &str) -> Vec<BTreeMap<String, String>> {
    let mut csv = csv::Reader::from_path(folder.path().join(name)).unwrap();
    csv.deserialize().map(Result::unwrap).collect()
}

/// Worked out by hand: the first attempt is refused at 5 ms and its client knows at 10 ms; the second
/// leaves 100 ms later, and its answer is there 20 ms after that.
#[test]
fn a_record_is_a_line_with_the_fields_of_production() {
    let folder = experiment(WORLD);
    let arguments = ["--policy", "patient", "--client", "1", "--request", "0"];
    let answer = trace(&folder, &arguments);
    let [first, second] = answer.stdout.lines().collect::<Vec<_>>()[..] else {
        panic!("{}", answer.stdout)
    };
    let id = &first[..r#"{"logical_request_id":"0123456789abcdef""#.len()];
    assert_eq!(
        first,
        format!(
            "{id}{}",
            concat!(
                r#","attempt":1,"branch":"first_try","route":"primary","model":null,"#,
                r#""class":"transient","reason":"transient","status":503,"code":null,"#,
                r#""request_id":null,"rejected_param":null,"delay_ms":100.0,"#,
                r#""delay_source":"backoff","fallback_reason":null,"remaining_attempts":2,"#,
                r#""remaining_time_ms":9990.0,"action":"retry_same_route","#,
                r#""terminal_outcome":null,"policy":"patient","client":1,"request":0,"layer":1,"#,
                r#""sent_ms":0.0,"at_ms":10.0}"#
            )
        )
    );
    assert_eq!(
        second,
        format!(
            "{id}{}",
            concat!(
                r#","attempt":2,"branch":"same_route_retry","route":"primary","model":null,"#,
                r#""class":"ok","reason":"ok","status":200,"code":null,"request_id":null,"#,
                r#""rejected_param":null,"delay_ms":null,"delay_source":"none","#,
                r#""fallback_reason":null,"remaining_attempts":1,"remaining_time_ms":9870.0,"#,
                r#""action":"accept","terminal_outcome":"succeeded","policy":"patient","#,
                r#""client":1,"request":0,"layer":1,"sent_ms":110.0,"at_ms":130.0}"#
            )
        )
    );
    assert!(answer == trace(&folder, &arguments), "the same bytes twice");
}

/// As many records as decisions: each attempt that ended had one. The ids are those of requests.csv.
#[test]
fn records_agree_with_the_result_files() {
    let folder = experiment(WORLD);
    let run = ["run", "x.toml", "--out", "out", "--requests", "--no-charts", "--quiet"];
    assert_eq!(retrial(&folder, &run).code, Some(0));
    let answer = trace(&folder, &["--threads", "1"]);
    assert_eq!(answer.stderr, "");
    assert!(answer == trace(&folder, &["--threads", "3"]), "threads show");
    let mut ends = Vec::new();
    let mut records = BTreeMap::<String, u64>::new();
    for line in answer.stdout.lines() {
        let places: Vec<_> = FIELDS.map(|name| line.find(&format!("\"{name}\":"))).to_vec();
        assert!(places.is_sorted() && !places.contains(&None), "{line}");
        let record: Value = serde_json::from_str(line).unwrap();
        let text = |name: &str| record[name].as_str().unwrap_or_default().to_string();
        *records.entry(text("policy")).or_default() += 1;
        if !record["terminal_outcome"].is_null() {
            let client = record["client"].to_string();
            ends.push([text("logical_request_id"), client, text("terminal_outcome")]);
        }
    }
    let requests = rows(&folder, "out/requests.csv");
    let expected: Vec<_> = requests
        .iter()
        .map(|row| ["logical_request_id", "client", "outcome"].map(|name| row[name].clone()))
        .collect();
    assert_eq!(ends, expected);
    let runs = rows(&folder, "out/runs.csv");
    let attempts = |policy: &str| {
        let run = runs.iter().find(|row| row["policy"] == policy && row["replication"] == "0");
        run.unwrap()["attempts"].parse::<u64>().unwrap()
    };
    assert_eq!(records["patient"], 6, "two clients with two attempts, then one");
    assert_eq!(records["patient"], attempts("patient"));
    assert_eq!(records["once"], attempts("once"));
}

#[test]
fn a_person_gets_a_waterfall_that_ends_with_the_stop() {
    let folder = experiment(WORLD);
    let text = |policy| {
        let flags = ["--format", "table", "--client", "0", "--request", "0", "--policy", policy];
        trace(&folder, &flags).stdout
    };
    let patient = text("patient");
    let lines: Vec<_> = patient.lines().collect();
    assert!(lines[0].starts_with("`patient`, client 0, request 0 ("), "{patient}");
    assert!(lines[0].ends_with("planned at 0 ms: succeeded after 2 attempts in 130 ms"));
    // On a bar of 35 characters for 130 ms, 10 ms end before the third and 110 ms before the thirtieth.
    let count = |line: &str| ['█', '░'].map(|bar| line.chars().filter(|c| *c == bar).count());
    assert_eq!((count(lines[2]), count(lines[3])), ([2, 27], [6, 0]), "{patient}");
    assert!(lines[2].ends_with(
        "primary  first_try         transient 503  retry_same_route in 100 ms (backoff)  2, 9.99 s"
    ));
    assert_eq!(lines.len(), 4);
    assert_eq!(
        text("once").lines().last().unwrap().trim(),
        "transient (attempts_exhausted) on route primary, status 503; 1 attempt in 10ms; route: the \
         route stayed unavailable: check it, or qualify a fallback"
    );
}

#[test]
fn what_is_shown_can_be_chosen_and_limited() {
    let folder = experiment(WORLD);
    let answer = trace(&folder, &["--limit", "1", "--policy", "patient"]);
    assert_eq!(answer.stdout.lines().count(), 2);
    assert_eq!(
        answer.stderr,
        "note: 1 of 4 requests of `patient` shown; --limit, --client, --request and --outcome \
         choose\n"
    );
    let answer = trace(&folder, &["--outcome", "gave_up"]);
    assert_eq!(answer.stdout.lines().count(), 2, "the first requests under `once`");
    assert_eq!(answer.stderr, "note: no request of `patient` matches\n");
    let sweep = format!("{WORLD}[sweep]\n'workload.clients' = [1, 2]\n");
    let answer = trace(&experiment(&sweep), &["--client", "0", "--request", "0"]);
    assert_eq!(
        answer.stderr,
        "note: traced at workload.clients=1, the first of 2 points; --set KEY=VALUE picks another\n"
    );
}

#[test]
fn what_is_not_there_is_said_with_what_is() {
    let folder = experiment(WORLD);
    for (arguments, message) in [
        (
            &["--policy", "patent"][..],
            "there is no policy `patent`: did you mean `patient`? allowed: patient, once",
        ),
        (&["--client", "2"], "there is no client 2: they are numbered 0 to 1"),
        (
            &["--client", "1", "--request", "5", "--policy", "patient"],
            "there is no request 5 of client 1 in replication 0\n  \
             under `patient` requests are numbered 0 to 1: 2 succeeded",
        ),
    ] {
        let answer = retrial(&folder, &[&["trace", "x.toml"], arguments].concat());
        assert_eq!((answer.code, &*answer.stdout), (Some(2), ""));
        assert_eq!(answer.stderr, format!("error: {message}\n"));
    }
}

/// An application's policy over an SDK's: both decide on the second failure, the SDK first.
#[test]
fn each_layer_has_its_records() {
    let world = WORLD.replace("until = '50ms'\n", "");
    let inner = "[policies.patient.inner]\nlimits = { max_attempts = 2, deadline = 'unlimited' }\n\
                 backoff = { kind = 'constant', base = '10ms' }\n";
    let folder = experiment(&format!("{world}{inner}"));
    let flags = ["--policy", "patient", "--client", "0", "--request", "0"];
    let answer = trace(&folder, &flags);
    let layers: Vec<_> = answer
        .stdout
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .map(|record| (record["layer"].as_u64(), record["attempt"].as_u64()))
        .collect();
    let expected = [(2, 1), (2, 2), (1, 1), (2, 1), (2, 2), (1, 2), (2, 1), (2, 2), (1, 3)];
    assert_eq!(layers, expected.map(|(layer, attempt)| (Some(layer), Some(attempt))));
}

/// What `retrial run` says of a world in which every reply is the same.
fn signals(reply: &str, policy: &str) -> (Vec<String>, bool) {
    let folder = experiment(&format!(
        "replications = 1\n[workload]\nclients = 20\nclosed = {{ requests = 2, think = '100ms' }}\n\
         [[route]]\nname = 'primary'\nprovider = 'anthropic'\nservice = '10ms'\n\
         [[route.fault]]\nreply = '{reply}'\n\
         [policies.p]\nbackoff = {{ kind = 'constant', base = '10ms' }}\n\
         limits = {{ max_attempts = 3, deadline = '10s' }}\n{policy}\n"
    ));
    let answer = retrial(&folder, &["run", "x.toml", "--out", "out", "--no-charts", "--quiet"]);
    assert_eq!(answer.code, Some(0), "{}", answer.stderr);
    let starts = ["Alert: ", "Dead branch: ", "Runaway: "];
    let lines = answer.stdout.lines().filter(|line| starts.iter().any(|s| line.starts_with(s)));
    (lines.map(String::from).collect(), folder.path().join("out/telemetry.csv").exists())
}

#[test]
fn a_list_without_529_is_a_dead_branch_and_one_with_it_runs_away() {
    let (lines, _) =
        signals("anthropic-529-overloaded", "retry_on = { mode = 'statuses', statuses = [503] }");
    assert_eq!(
        lines,
        [
            "Dead branch: `p` stopped 40 of 40 requests with transient/overloaded_error (status 529) on \
          route primary and repeated none of them: add 529 to `retry_on.statuses`, or leave \
          `retry_on` out: classes decide then."
        ]
    );
    let (lines, written) =
        signals("anthropic-529-overloaded", "retry_on = { mode = 'statuses', statuses = [529] }");
    assert_eq!(
        lines,
        [
            "Runaway: from 0 ms to 10.0 s `p` spent all attempts of 40 requests, 3.00 attempts for each \
          first try, and none succeeded (mostly transient/overloaded_error (status 529) on route \
          primary): retries feed a route that answers nobody: bound them with a retry budget or a \
          circuit breaker."
        ]
    );
    assert!(written);
}

#[test]
fn a_repeated_stop_is_an_alert_and_success_is_none() {
    let (lines, written) = signals("generic-401", "");
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert!(lines[0].starts_with("Alert: `p` stopped 40 requests with auth"), "{lines:?}");
    assert!(lines[0].ends_with(": configuration or credentials, not availability."), "{lines:?}");
    assert!(written);
    let folder = experiment(WORLD);
    let answer = retrial(&folder, &["run", "x.toml", "--out", "out", "--no-charts", "--quiet"]);
    assert!(!answer.stdout.contains("Alert"), "{}", answer.stdout);
    assert!(!folder.path().join("out/telemetry.csv").exists());
}
