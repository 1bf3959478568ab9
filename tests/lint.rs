//! `retrial lint`: each warning with its trait, and without the trait no warning. The figures are
//! those measured with the libraries that have the traits (policy/tests/data/policy_reference.csv).

use assert_cmd::Command;

/// A policy with nothing to warn of.
const SOUND: &str = "\
backoff = { kind = 'exponential', base = '1s', cap = '30s', jitter = 'full' }
limits = { max_attempts = 8, deadline = '3m', attempt_timeout = '20s' }
retry_after = { cap = '60s', jitter_ratio = 0.1 }
replay = { idempotency_key = true }
budget = [{ kind = 'token_bucket', capacity = 10, retry_cost = 1, success_refund = 0.1 }]
";

struct Answer {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

fn lint(policy: &str, flags: &[&str]) -> Answer {
    let output = Command::cargo_bin("retrial")
        .unwrap()
        .args(["lint", "-"])
        .args(flags)
        .write_stdin(policy)
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Answer { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
}

/// Names, keys and messages of what is found.
fn found(policy: &str, flags: &[&str]) -> Vec<(String, String, String)> {
    let answer = lint(policy, &[flags, &["--json"]].concat());
    assert_eq!(answer.code, Some(0), "{}", answer.stderr);
    let document: serde_json::Value = serde_json::from_str(&answer.stdout).unwrap();
    let text =
        |finding: &serde_json::Value, name: &str| finding[name].as_str().unwrap().to_string();
    let findings = document["findings"].as_array().unwrap().iter();
    findings.map(|f| (text(f, "lint"), text(f, "key"), text(f, "message"))).collect()
}

/// [`SOUND`] with one line in the place of the one with its key.
fn with(line: &str) -> String {
    let key = line.split(' ').next();
    let keep = |own: &&str| own.split(' ').next() != key;
    SOUND.lines().filter(keep).chain([line]).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_sound_policy_has_nothing_to_warn_of() {
    let answer = lint(SOUND, &[]);
    assert_eq!((answer.code, &*answer.stdout), (Some(0), "`stdin`: nothing to warn of\n"));
}

/// One trait at a time is one warning.
#[test]
fn each_trait_has_its_warning() {
    for (line, lint, key, says) in [
        (
            "backoff = { kind = 'exponential', base = '1s', cap = '30s' }",
            "no-jitter",
            "backoff.jitter",
            "each of 7 waits is the same for all calls",
        ),
        // stamina: its measured spread is zero from the seventh retry on.
        (
            "backoff = { kind = 'exponential', base = '100ms', cap = '5s', jitter = 'add', add = '1s', cap_order = 'jitter_then_cap' }",
            "jitter-gone-at-cap",
            "backoff.cap",
            "from retry 7 on, 1000 of 1000 calls wait exactly 5s",
        ),
        // stripe: the first wait is measured as 500 ms without spread, whatever is drawn.
        (
            "backoff = { kind = 'exponential', base = '500ms', cap = '60s', jitter = 'equal', floor = '500ms' }",
            "first-retry-in-step",
            "backoff.floor",
            "1000 of 1000 calls wait exactly 500ms",
        ),
        // The longest waits: 0.05 * (1 + 2 + 4 + ... + 64) = 6.35 s.
        (
            "backoff = { kind = 'exponential', base = '50ms', jitter = 'full' }",
            "waits-shorter-than-refill",
            "backoff.base",
            "7 retries are spent after 6.35s of waiting at most, while a limiter takes 60s",
        ),
        (
            "limits = { max_attempts = 8, deadline = 'unlimited', attempt_timeout = '20s' }",
            "no-deadline",
            "limits.deadline",
            "8 attempts and their waits may take any time",
        ),
        (
            "limits = { max_attempts = 8, deadline = '3m' }",
            "no-attempt-timeout",
            "limits.attempt_timeout",
            "takes the whole deadline (180s)",
        ),
        (
            "retry_after = { mode = 'ignore' }",
            "retried-earlier-than-asked",
            "retry_after.mode",
            "`retry-after` is ignored",
        ),
        // AWS: at most 5 s above a first wait of at most 1 s.
        (
            "retry_after = { mode = 'clamp', above = '5s', jitter_ratio = 0.1 }",
            "retried-earlier-than-asked",
            "retry_after.mode",
            "back within 6s",
        ),
        // undici: obeyed up to 30 s, then a shorter wait.
        (
            "retry_after = { cap = '30s', over_cap = 'clip' }",
            "retried-earlier-than-asked",
            "retry_after.over_cap",
            "a hint above 30s is cut to 30s",
        ),
        (
            "retry_after = { cap = '60s', over_cap = 'own_backoff' }",
            "retried-earlier-than-asked",
            "retry_after.over_cap",
            "counts as none: the first retry is back within 1s",
        ),
        (
            "retry_after = { jitter_ratio = 0 }",
            "hint-without-spread",
            "retry_after.jitter_ratio",
            "return in one second",
        ),
        (
            "replay = { safe = false }",
            "timeouts-reconcile",
            "replay",
            "every timeout ends its call",
        ),
        ("budget = []", "no-shared-budget", "budget", "up to 8 times its usual load"),
        // It holds attempts back and refuses none.
        (
            "budget = [{ kind = 'cooldown_gate' }]",
            "no-shared-budget",
            "budget",
            "up to 8 times its usual load",
        ),
    ] {
        let found = found(&with(line), &[]);
        let named: Vec<_> = found.iter().map(|(lint, key, _)| (&**lint, &**key)).collect();
        assert!(named.contains(&(lint, key)), "{line}: {found:?}");
        let message = &found.iter().find(|(found, ..)| found == lint).unwrap().2;
        assert!(message.contains(says), "{message}");
        // The jittered backoffs of real libraries are short, too.
        let others: Vec<_> = named
            .iter()
            .filter(|(found, _)| *found != lint && *found != "waits-shorter-than-refill")
            .collect();
        assert!(others.is_empty(), "{line}: {others:?}");
    }
}

#[test]
fn a_hint_without_bound_needs_a_deadline() {
    let unbounded = "retry_after = { cap = 'unlimited' }";
    assert_eq!(found(&with(unbounded), &[]), []);
    let endless = with(unbounded).replace("deadline = '3m'", "deadline = 'unlimited'");
    let lints: Vec<_> = found(&endless, &[]).into_iter().map(|(lint, ..)| lint).collect();
    assert_eq!(lints, ["no-deadline", "hint-without-bound"]);
}

#[test]
fn the_refill_time_of_the_limiter_is_the_users_word() {
    let short = with("backoff = { kind = 'exponential', base = '50ms', jitter = 'full' }");
    assert_eq!(found(&short, &["--refill", "6350ms"]), []);
    let lints = found(&short, &["--refill", "6351ms"]);
    assert_eq!(lints.len(), 1, "{lints:?}");
}

/// Anthropic documents 529 for overload and 504 for a timeout; a spent account is a 429 there, and
/// so it is at OpenAI.
#[test]
fn a_list_of_statuses_is_held_against_the_providers() {
    let statuses = |list: &str| {
        with(&format!("retry_on = {{ mode = 'statuses', statuses = {list}, transport = [] }}"))
    };
    let provider = ["--provider", "anthropic"];
    let narrow = found(&statuses("[500, 503]"), &provider);
    let [(lint, key, message)] = &narrow[..] else { panic!("{narrow:?}") };
    assert_eq!((&**lint, &**key), ("transient-not-retried", "retry_on.statuses"));
    for missed in ["504 (anthropic/timeout)", "529 (anthropic/overloaded)"] {
        assert!(message.contains(missed), "{message}");
    }
    let wide = found(&statuses("[408, 409, 429, '5xx']"), &["--provider", "openai"]);
    let exhausted = wide.iter().find(|(_, _, message)| message.contains("exhausted under 429"));
    let (lint, _, message) = exhausted.expect("a spent account is retried");
    assert_eq!(lint, "dead-request-retried");
    assert!(message.contains("8 attempts each") && message.contains("openai/"), "{message}");
    assert!(!wide.iter().any(|(lint, ..)| lint == "transient-not-retried"), "{wide:?}");
    // Classes are what the tables say.
    assert_eq!(found(SOUND, &[]), []);
}

#[test]
fn a_lost_answer_that_is_asked_for_again_needs_a_key() {
    let blind = with("retry_on = { mode = 'statuses', statuses = [], transport = ['timeout'] }");
    let unkeyed = blind.replace("replay = { idempotency_key = true }", "");
    let flags = ["--provider", "sume"];
    let named =
        |policy: &str| found(policy, &flags).iter().any(|(l, ..)| l == "repeated-without-key");
    assert_eq!((named(&unkeyed), named(&blind)), (true, false));
}

/// 4 * 4 * 4 = 64: a warning, whose parts name their layer.
#[test]
fn layers_multiply() {
    let layer = "backoff = { kind = 'constant', base = '1s' }, limits = { max_attempts = 4, deadline = '9s' }";
    let policy = with(&format!("inner = {{ {layer}, inner = {{ {layer} }} }}"))
        .replace("max_attempts = 8", "max_attempts = 4");
    let found = found(&policy, &[]);
    let (lint, key, message) = &found[0];
    assert_eq!((&**lint, &**key), ("layers-multiply", "inner"));
    assert!(message.contains("3 layers retry and multiply: 4 × 4 × 4 = 64 attempts"), "{message}");
    let no_jitter: Vec<_> =
        found.iter().filter(|(lint, ..)| lint == "no-jitter").map(|(_, key, _)| &**key).collect();
    assert_eq!(no_jitter, ["inner.backoff.jitter", "inner.inner.backoff.jitter"]);
    // A layer that makes one attempt multiplies nothing.
    let once =
        SOUND.replace("max_attempts = 8", "max_attempts = 1") + &format!("inner = {{ {layer} }}");
    assert!(!self::found(&once, &[]).iter().any(|(lint, ..)| lint == "layers-multiply"));
}

#[test]
fn a_policy_that_never_retries_is_not_told_how_to() {
    let once = SOUND
        .replace("max_attempts = 8", "max_attempts = 1")
        .replace(", jitter = 'full'", "")
        .replace("jitter_ratio = 0.1", "mode = 'ignore'");
    assert_eq!(found(&once, &[]), []);
}

#[test]
fn bad_input_is_answered_with_its_place() {
    let answer = lint("backof = 1", &[]);
    assert_eq!((answer.code, &*answer.stdout), (Some(2), ""));
    assert!(answer.stderr.contains("stdin:1:1"), "{}", answer.stderr);
    for flags in [["--provider", "antropic"], ["--refill", "soon"]] {
        let answer = lint(SOUND, &flags);
        assert_eq!((answer.code, &*answer.stdout), (Some(2), ""), "{flags:?}");
        assert!(answer.stderr.contains(flags[1]), "{}", answer.stderr);
    }
}
