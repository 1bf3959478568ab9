//! `--cases`: a whole log of replies.

use std::fs;

use serde_json::Value;

use super::Folder;

const REAL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/policy/tests/data/error_cases.jsonl");
const LINE: &str = r#"{"id": "a", "provider": "openai", "status": 503}"#;

/// Real replies with the right answers. The two that differ are submits that are paid for, whose
/// provider forbids repeating them without a key.
#[test]
fn the_real_cases_come_out_as_labelled() {
    let answer = Folder::new().retrial(&["classify", "--cases", REAL], "");
    assert_eq!(answer.code, Some(0));
    let (objects, score) = answer.stdout.trim_end().rsplit_once('\n').unwrap();
    assert_eq!(
        score,
        "151 of 153 right (class and action), 0 retries of dead requests, 0 false accepts, \
         waits 21 of 21"
    );
    let ids: Vec<String> = fs::read_to_string(REAL)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["id"].as_str().unwrap().into())
        .collect();
    assert_eq!(objects.lines().count(), ids.len());
    for (line, id) in objects.lines().zip(&ids) {
        assert!(line.starts_with(&format!("{{\"id\":\"{id}\",\"class\":\"")), "{line}");
    }
    assert!(answer.stderr.starts_with("153 replies in "), "{}", answer.stderr);
    assert!(answer.stderr.contains("exhausted        stop"), "{}", answer.stderr);
    let differing = answer.stderr.split_once("not as labelled:\n").unwrap().1;
    let differing: Vec<_> = differing.lines().map(|line| line.split_once(':').unwrap().0).collect();
    assert_eq!(differing, ["  sume-429-queue-full", "  sume-503-no-hint"]);
}

/// With a key on every call the two come out as labelled, too.
#[test]
fn flags_of_the_call_hold_for_every_case() {
    let all = ["classify", "--cases", REAL, "--idempotency-key", "--json"];
    let answer = Folder::new().retrial(&all, "");
    assert!(!answer.stderr.contains("sume-429-queue-full"), "{}", answer.stderr);
}

/// What goes to another program is objects and nothing else.
#[test]
fn with_json_the_score_goes_to_stderr() {
    let answer = Folder::new().retrial(&["classify", "--json", "--cases", REAL], "");
    for line in answer.stdout.lines() {
        assert!(serde_json::from_str::<Value>(line).unwrap().is_object(), "{line}");
    }
    assert!(answer.stderr.contains("\n151 of 153 right"), "{}", answer.stderr);
}

/// A log has no labels, so that there is nothing to score; a line may say nothing of its provider.
#[test]
fn a_log_without_labels_has_no_score() {
    let log = format!(
        "\u{feff}{LINE}\r\n\n  \n{{\"status\": null, \"body\": {{\"transport\": \"dns_error\"}}}}"
    );
    let answer = Folder::new().retrial(&["classify", "--cases", "-"], &log);
    assert_eq!(answer.code, Some(0), "{}", answer.stderr);
    assert_eq!(answer.stdout.lines().count(), 2, "{}", answer.stdout);
    assert!(answer.stdout.lines().all(|line| line.starts_with("{\"id\":")));
    assert_eq!(
        answer.stderr,
        "2 replies in stdin\n\n replies  class      action            owner\n       \
         2  transient  retry_same_route\n"
    );
}

#[test]
fn unlisted_providers_are_read_as_openai_speaks_with_one_warning_each() {
    let line = r#"{"id":"a","provider":"ourproxy","status":429,"body":{"error":{"code":"insufficient_quota"}}}"#;
    let log = format!("{line}\n{line}\n");
    let answer = Folder::new().retrial(&["classify", "--cases", "-"], &log);
    assert!(answer.stdout.starts_with(r#"{"id":"a","class":"exhausted""#), "{}", answer.stdout);
    let warning =
        "warning: no provider is called `ourproxy`: its replies are read by generic_openai\n";
    assert!(answer.stderr.starts_with(warning), "{}", answer.stderr);
    assert_eq!(answer.stderr.matches("warning").count(), 1);
    // Whoever names one has answered the question.
    let named = ["classify", "--cases", "-", "--provider", "openai"];
    let answer = Folder::new().retrial(&named, &log);
    assert!(!answer.stderr.contains("warning"), "{}", answer.stderr);
    assert!(answer.stdout.contains(r#""table":"openai""#), "{}", answer.stdout);
}

#[test]
fn unknown_codes_are_counted() {
    let line = r#"{"provider":"openai","status":400,"body":{"error":{"code":"brand_new_code"}}}"#;
    let answer = Folder::new().retrial(&["classify", "--cases", "-"], &format!("{line}\n{line}"));
    let codes = "\ncodes that no table knows:\n  2 × brand_new_code (openai)\n";
    assert!(answer.stderr.ends_with(codes), "{}", answer.stderr);
}

/// An alternative that the label tolerates is right, and what is never right is counted by name.
#[test]
fn the_score_counts_what_must_never_happen() {
    let label = |status: u16, class: &str, action: &str, rest: &str| {
        format!(
            r#"{{"provider":"generic","status":{status},"expect_class":"{class}","expect_action":"{action}"{rest}}}"#
        )
    };
    let log = [
        label(
            503,
            "throttled",
            "stop",
            r#","also_ok_class":["transient"],"also_ok_action":["retry_same_route"]"#,
        ),
        label(503, "auth", "stop", ""),
        label(204, "transient", "retry_same_route", r#","retry_after_s":3"#),
    ]
    .join("\n");
    let answer = Folder::new().retrial(&["classify", "--cases", "-"], &log);
    let score = "1 of 3 right (class and action), 1 retries of dead requests, 1 false accepts, waits 0 of 1\n";
    assert!(answer.stdout.ends_with(score), "{}", answer.stdout);
}

/// Nothing is printed before the whole file is known to be readable.
#[test]
fn a_line_that_cannot_be_read_is_named() {
    for (bad, problem) in [
        ("{", "EOF while parsing an object, at column 1"),
        (r#"["a", "openai", 503]"#, "it is no JSON object"),
        (r#"{"provider": "x", "status": 70000}"#, "invalid value: integer `70000`, expected u16"),
        (r#"{"provider": "x"}"#, "status is null, so body.transport must be one of connect_error"),
    ] {
        let folder = Folder::new().with("log.jsonl", format!("{LINE}\n\n{bad}\n{LINE}\n"));
        let complaint = folder.refusal(&["classify", "--cases", "log.jsonl"], "");
        assert!(
            complaint.starts_with(&format!("error: log.jsonl, line 3: {problem}")),
            "{complaint}"
        );
    }
}
