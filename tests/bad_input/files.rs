//! Files that can't be read, and policy files.

use retrial::experiment::packaged;

use super::*;

#[test]
fn experiments_that_cannot_be_read_are_named() {
    let folder = Folder::new();
    folder.write("latin1.toml", b"title = \"caf\xe9\"\n");
    fs::create_dir(folder.path().join("folder")).unwrap();
    let names: Vec<_> = packaged::ALL.iter().map(|packaged| packaged.name).collect();
    let packaged = &format!("give a path or a packaged experiment: {}", names.join(", "));
    for (experiment, problem, help) in [
        ("nope.toml", "there is no such file", packaged),
        ("no/such/folder.toml", "there is no such file", packaged),
        ("latin1.toml", "it is not text in UTF-8", packaged),
        ("aws-ooc", "there is no such file", &format!("did you mean `aws-occ`? {packaged}")),
        ("folder", "it is a folder", packaged),
    ] {
        assert_eq!(
            folder.refusal(&[experiment]),
            format!(
                "error: can't read the experiment `{experiment}`: {problem}\n |\n = help: {help}\n"
            ),
        );
    }
}

#[test]
fn text_that_is_not_toml_is_shown_where_it_goes_wrong() {
    let no_help = "";
    assert_all_refused(&[
        case(("seed = 1", "seed"), "seed«»\n", "key with no value, expected `=`", no_help),
        case(("seed = 1", "seed = 1\nseed = 2"), "«seed» = 2", "duplicate key", no_help),
        case(("", "[workload]"), "}\n[«workload»]", "duplicate key", no_help),
    ]);
}

/// Nesting deeper than the stack ends in a message too.
#[test]
fn bottomless_nesting_is_refused() {
    let deep = "a.".repeat(50_000);
    for text in [
        format!("{deep}a = 1"),
        format!("a = {}", "[".repeat(100_000)),
        format!("{GOOD}[sweep]\n\"{deep}a\" = [1]"),
    ] {
        let stderr = Folder::with(&text).refusal(&["x.toml"]);
        assert!(stderr.contains("--> x.toml:"), "{stderr}");
    }
    let stderr = Folder::with(GOOD).refusal(&["x.toml", "--set", &format!("{deep}a=1")]);
    assert!(stderr.starts_with("error: not a key: it has too many parts\n --> --set:1:1\n"));
}

#[test]
fn policy_files_are_named_where_they_are_wrong() {
    let no_help = "";
    let using = |entry: &str| GOOD.replace(BACKOFF, "").replace(LIMITS, entry);
    let text = using("file = \"policies/p.toml\"");
    let good = format!("{}\n{}\n", BACKOFF, LIMITS);

    // Spoilt files: the place is in the file.
    for (from, to, at, message, help) in [
        (
            "\"2s\"",
            "\"9ms\"",
            "\"9ms\"",
            "policy `full`: backoff.cap: the cap (9ms) is below the base (10ms)",
            no_help,
        ),
        (
            "deadline = \"unlimited\"",
            "dedline = \"unlimited\"",
            "dedline",
            "policy `full`: unknown key `dedline`",
            "did you mean `deadline`? allowed: max_attempts, deadline, attempt_timeout",
        ),
        (
            ", deadline = \"unlimited\"",
            "",
            "{ max_attempts = 9 }",
            "policy `full`: missing key `deadline`",
            no_help,
        ),
        (
            "max_attempts = 9",
            "max_attempts",
            "max_attempts«,»",
            "extra comma in inline table, expected `=`",
            no_help,
        ),
    ] {
        let policy = good.replace(from, to);
        let folder = Folder::with(&text);
        folder.write("policies/p.toml", &policy);
        let expected = complaint(("policies/p.toml", &policy), at, message, help);
        assert_eq!(folder.refusal(&["x.toml"]), expected);
    }

    // Spoilt references: the place is in the experiment.
    for (entry, at, message) in [
        (
            "file = \"policies/q.toml\"",
            "\"policies/q.toml\"",
            "can't read the policy file `policies/q.toml`: there is no such file",
        ),
        ("file = 5", "5", "`file` is the path of a policy file, a string"),
        (
            "file = \"policies/latin1.toml\"",
            "\"policies/latin1.toml\"",
            "can't read the policy file `policies/latin1.toml`: it is not text in UTF-8",
        ),
        // What is given beside the file wins, and is what is wrong.
        (
            "file = \"policies/p.toml\"\nbackoff.cap = \"8ms\"",
            "\"8ms\"",
            "policy `full`: backoff.cap: the cap (8ms) is below the base (10ms)",
        ),
    ] {
        let text = using(entry);
        let folder = Folder::with(&text);
        folder.write("policies/p.toml", &good);
        folder.write("policies/latin1.toml", b"\xe9");
        let expected = complaint(("x.toml", &text), at, message, no_help);
        assert_eq!(folder.refusal(&["x.toml"]), expected);
    }
}

/// The place is in the experiment; line and column of the table are in the message.
#[test]
fn provider_tables_are_named_where_they_are_wrong() {
    let text = GOOD.replace(ROUTE, &format!("{ROUTE}\ntable = \"tables/t.toml\""));
    let row = "title = \"T\"\nreviewed = 2026-01-31\n[[row]]\nid = \"a\"\nclass = \"auth\"\nnote = \"\"\n\
               example = { status = 401 }\n";
    for (table, problem) in [
        (None, "there is no such file"),
        (
            Some(row.replace("auth", "auht")),
            "line 5, column 9: unknown class `auht`, expected one of ok, transient, throttled, \
             exhausted, invalid_request, auth, too_large, content, conflict, outcome_unknown, unknown",
        ),
        (
            Some(row.to_string()),
            "line 4, column 1: row `a` holds for every reply: give it a status, a code or a message",
        ),
    ] {
        let folder = Folder::with(&text);
        if let Some(table) = table {
            folder.write("tables/t.toml", table);
        }
        let message = format!("can't use the table `tables/t.toml`: {problem}");
        let expected = complaint(("x.toml", &text), "\"tables/t.toml\"", &message, "");
        assert_eq!(folder.refusal(&["x.toml"]), expected);
    }
}
