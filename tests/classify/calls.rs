//! What the call and its policy are changes the action, never the class.

use serde_json::{Value, json};

use super::{Folder, assert_says, classified};

fn action(arguments: &[&str]) -> Value {
    classified(arguments, "").1["action"].clone()
}

#[test]
fn what_may_have_been_sent_is_repeated_only_where_that_does_no_harm() {
    let timeout = ["--transport", "read_timeout"];
    let (_, object) = classified(&timeout, "");
    assert_says(
        &object,
        &[
            ("class", json!("outcome_unknown")),
            ("action", json!("reconcile")),
            ("raw_status", Value::Null),
            ("table", json!("transport")),
            ("rule", json!("sent")),
            ("owner", json!("caller")),
        ],
    );
    for flag in ["--idempotency-key", "--replay-safe"] {
        assert_eq!(action(&[&timeout[..], &[flag]].concat()), "retry_same_route", "{flag}");
    }
}

/// A failed connection sent nothing, unless it is known to have.
#[test]
fn whether_the_request_had_left_has_a_default_for_each_failure() {
    for (name, sent_by_default) in [
        ("connect_error", false),
        ("dns_error", false),
        ("connection_reset", true),
        ("read_timeout", true),
    ] {
        let is_sent = |more: &[&str]| {
            classified(&[&["--transport", name], more].concat(), "").1["rule"] == "sent"
        };
        assert_eq!(is_sent(&[]), sent_by_default, "{name}");
        assert!(!is_sent(&["--sent=false"]), "{name}");
        assert!(is_sent(&["--sent"]) && is_sent(&["--sent=true"]), "{name}");
    }
    let reset = ["--transport", "connection_reset"];
    assert_eq!(action(&reset), "reconcile");
    assert_eq!(action(&[&reset[..], &["--sent=false"]].concat()), "retry_same_route");
}

/// Sume's submits are paid for: nothing is repeated without the same key.
#[test]
fn a_paid_submit_is_repeated_with_its_key_only() {
    let unkeyed = ["--provider", "sume", "--status", "503", "--header", "retry-after: 2"];
    let (_, object) = classified(&unkeyed, "");
    assert_says(
        &object,
        &[
            ("class", json!("transient")),
            ("action", json!("stop")),
            ("owner", json!("caller")),
            ("reason", json!("not_replayable")),
        ],
    );
    assert_eq!(action(&[&unkeyed[..], &["--idempotency-key"]].concat()), "retry_after_hint");
}

/// The same file that production loads.
#[test]
fn a_policy_file_decides() {
    let policy =
        "[backoff]\nkind = \"none\"\n[limits]\ndeadline = \"90s\"\n[retry_after]\ncap = \"10s\"\n";
    let folder = Folder::new().with("p.toml", policy);
    let flags = ["--policy", "p.toml", "--json", "--status", "503", "--header"];
    for (header, says) in [
        ("retry-after: 9", r#""action":"retry_after_hint","retry_after_s":9.0"#),
        ("retry-after: 11", r#""action":"stop","retry_after_s":11.0"#),
    ] {
        let text = folder.classify(&[&flags[..], &[header]].concat(), "");
        assert!(text.contains(says), "{text}");
    }
}

/// A policy that looks at statuses alone repeats what no repetition can help.
#[test]
fn a_policy_of_statuses_shows_what_an_sdk_does() {
    let policy = "[backoff]\nkind = \"none\"\n[limits]\ndeadline = \"90s\"\n\
                  [retry_on]\nmode = \"statuses\"\nstatuses = [429]\n";
    let folder = Folder::new().with("p.toml", policy);
    let body = r#"{"error":{"type":"insufficient_quota","code":"insufficient_quota"}}"#;
    let flags = ["--provider", "openai", "--status", "429", "--policy", "p.toml", "--json"];
    let text = folder.classify(&flags, body);
    assert!(text.starts_with(r#"{"class":"exhausted","action":"retry_same_route""#), "{text}");
}
