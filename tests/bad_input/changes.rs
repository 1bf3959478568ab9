//! What the command line changes.

use super::*;

#[test]
fn changes_from_the_command_line_are_named_where_they_are_wrong() {
    let no_help = "";
    let whole_number = "expected a whole number from 0 to 4,294,967,295";
    for (set, at, message, help) in [
        (
            "workload.clients",
            "workload.clients",
            "`--set workload.clients` has no value",
            "write KEY=VALUE, such as --set workload.clients=50",
        ),
        ("=5", "=5", "not a key: a part is empty", no_help),
        ("workload.=5", "workload.=5", "not a key: a part is empty", no_help),
        (
            "'workload.clients=5",
            "'workload.clients=5",
            "`--set 'workload.clients=5` has no value",
            "write KEY=VALUE, such as --set workload.clients=50",
        ),
        ("'workload'x=5", "'workload'x=5", "not a key: parts are separated by dots", no_help),
        (
            "route.1.kind=occ",
            "route.1.kind",
            "`route.1.kind`: there is no `1` among 1 entries",
            no_help,
        ),
        (
            "route.rwo.kind=occ",
            "route.rwo.kind",
            "`route.rwo.kind`: there is no `rwo` among 1 entries",
            no_help,
        ),
        ("seed.x=1", "seed.x", "`seed.x`: what stands before `x` is a value, not a table", no_help),
        (
            "workload.cleints=5",
            "workload.cleints",
            "unknown key `cleints`",
            "did you mean `clients`? allowed: clients, open, closed, trace, tokens, needs, concurrency",
        ),
        (
            "workload.clients=many",
            "many",
            &format!("{whole_number}, found the string \"many\""),
            no_help,
        ),
        ("workload.clients = -5", "-5", &format!("{whole_number}, found the number -5"), no_help),
        ("workload.clients=[5]", "[5]", &format!("{whole_number}, found a list"), no_help),
        ("workload.clients={}", "{}", &format!("{whole_number}, found a table"), no_help),
        (
            "workload.clients=",
            "workload.clients=«»",
            &format!("{whole_number}, found the string \"\""),
            no_help,
        ),
        ("title=true", "true", "expected a string, found true", no_help),
        (
            "policies.ful.backoff.kind=none",
            "policies.ful.backoff.kind",
            "there is no policy `ful`",
            "did you mean `full`? allowed: full",
        ),
        (
            "policies.*.backoff.cap=9ms",
            "9ms",
            "policy `full`: backoff.cap: the cap (9ms) is below the base (10ms)",
            no_help,
        ),
        (
            "policies.full.file=p.toml",
            "p.toml",
            "can't read the policy file `p.toml`: there is no such file",
            no_help,
        ),
        (
            "policies.full.limits.deadline=0s",
            "0s",
            "policy `full`: limits.deadline: must be above zero, or \"unlimited\"",
            no_help,
        ),
    ] {
        let stderr = Folder::with(GOOD).refusal(&["x.toml", "--set", set]);
        assert_eq!(stderr, complaint(("--set", set), at, message, help), "{set}");
    }
}

/// The axis would put its own values in place of the one that was asked for.
#[test]
fn a_change_that_an_axis_would_undo_is_refused() {
    let axis = "[sweep]\n\"policies.*.backoff.base\" = [\"1ms\", \"2ms\"]\n";
    let set = "policies.full.backoff.base=3ms";
    let stderr = Folder::with(&format!("{GOOD}{axis}")).refusal(&["x.toml", "--set", set]);
    let expected = complaint(
        ("--set", set),
        "policies.full.backoff.base",
        "`policies.full.backoff.base` is set by the axis `policies.*.backoff.base` at every point",
        "set `policies.*.backoff.base` instead: its axis then has that one value",
    );
    assert_eq!(stderr, expected);
}

/// A packaged experiment has no folder, so policy files are looked for where the command runs.
#[test]
fn a_policy_file_that_a_packaged_experiment_lacks_is_refused() {
    let set = "policies.full.file=p.toml";
    let expected = complaint(
        ("--set", set),
        "p.toml",
        "can't read the policy file `p.toml`: there is no such file",
        "",
    );
    assert_eq!(Folder::new().refusal(&["aws-occ", "--set", set]), expected);
}

/// A typing slip in a sweep must not eat the machine's memory.
#[test]
fn a_study_that_cannot_fit_is_refused() {
    let axis = |key: &str| {
        let values: Vec<_> = (1..=400).map(|value| value.to_string()).collect();
        format!("sweep.\"{key}\"=[{}]", values.join(","))
    };
    let folder = Folder::with(GOOD);
    let refusal = folder.refusal(&[
        "x.toml",
        "--set",
        &axis("workload.clients"),
        "--set",
        &axis("policies.full.limits.max_attempts"),
    ]);
    assert!(refusal.contains("error: the sweep has more than 10000 points"), "{refusal}");
    let refusal = folder.refusal(&["aws-occ", "--replications", "1000000"]);
    let expected = "error: 20 points, 5 policies and 1000000 replications are 100000000 runs\n";
    assert!(refusal.starts_with(expected), "{refusal}");
}

#[test]
fn flags_with_impossible_values_are_refused() {
    let folder = Folder::with(GOOD);
    let expected = complaint(
        ("--replications", "replications=0"),
        "0",
        "`replications` must be at least 1",
        "",
    );
    assert_eq!(folder.refusal(&["x.toml", "--replications", "0"]), expected);
    for (flags, message) in [
        (&["--seed", "-1"][..], "unexpected argument '-1'"),
        (&["--seed=-1"], "invalid value '-1' for '--seed <SEED>'"),
        (&["--seed", "9223372036854775808"], "is not in 0..=9223372036854775807"),
        (&["--replications", "many"], "invalid value 'many' for '--replications <REPLICATIONS>'"),
        (&["--threads", "x"], "invalid value 'x' for '--threads <THREADS>'"),
        (&["--format", "xml"], "possible values: table, json, csv, markdown"),
        (&["--sett", "seed=1"], "a similar argument exists: '--set'"),
        (&["--set"], "a value is required for '--set <KEY=VALUE>'"),
        (&["y.toml"], "unexpected argument 'y.toml'"),
    ] {
        let arguments = [&["x.toml"], flags].concat();
        let stderr = folder.refusal(&arguments);
        assert!(stderr.contains(message), "{flags:?}\n{stderr}");
    }
    let unknown = Command::new(env!("CARGO_BIN_EXE_retrial")).arg("runn").output().unwrap();
    assert_eq!(unknown.status.code(), Some(2));
    let stderr = String::from_utf8(unknown.stderr).unwrap();
    assert!(stderr.contains("unrecognized subcommand 'runn'"), "{stderr}");
    assert!(stderr.contains("a similar subcommand exists: 'run'"), "{stderr}");
}

/// `-P` shows its faults as `--set` does.
#[test]
fn sweeps_from_the_command_line_are_named_where_they_are_wrong() {
    let no_help = "";
    let whole_number = "expected a whole number from 0 to 4,294,967,295";
    let steps = "write FROM:TO:STEPS, such as 50ms:800ms:log5, 50ms:800ms:lin4 or 50:200:4";
    for (param, at, message, help) in [
        (
            "workload.clients",
            "workload.clients",
            "`--param workload.clients` has no values",
            "write KEY=VALUES, such as -P workload.clients=50,100,200 or -P \
             'policies.*.backoff.base=50ms:800ms:log5'",
        ),
        ("=5", "=5", "not a key: a part is empty", no_help),
        (
            "workload.cleints=5,6",
            "workload.cleints",
            "unknown key `cleints`",
            "did you mean `clients`? allowed: clients, open, closed, trace, tokens, needs, concurrency",
        ),
        (
            "workload.clients=5,many",
            "many",
            &format!("{whole_number}, found the string \"many\""),
            no_help,
        ),
        (
            "workload.clients=5,,6",
            "workload.clients=5,«»,6",
            "a value is missing",
            "values are separated by commas, such as 50,100,200",
        ),
        ("workload.clients=5,6,5", "6,«5»", "the value 5 stands here twice", no_help),
        ("workload.clients=5:9:cubic3", "cubic3", "`cubic3` is no number of steps", steps),
        ("workload.clients=5:9:lin4:2", "lin4:«2»", "`2` is no number of steps", steps),
        (
            "workload.clients=5:6:lin3",
            "lin3",
            "3 steps give 6 twice",
            "take fewer steps, or a wider range",
        ),
        ("workload.clients=9:5:3", "9:«5»", "`from` (9) must be below `to`", no_help),
        (
            "policies.ful.backoff.base=1ms:9ms:3",
            "policies.ful.backoff.base",
            "there is no policy `ful`",
            "did you mean `full`? allowed: full",
        ),
        (
            "policies.no-*.backoff.base=1ms,2ms",
            "policies.no-*.backoff.base",
            "there is no policy `no-*`",
            "allowed: full",
        ),
        ("seed=1,2", "seed", "`seed` can't be swept: it is the same at every point", no_help),
        (
            "max_runs=5",
            "max_runs",
            "`max_runs` is no key of an experiment that could be swept",
            no_help,
        ),
    ] {
        let stderr = Folder::with(GOOD).refusal(&["x.toml", "-P", param]);
        assert_eq!(stderr, complaint(("--param", param), at, message, help), "{param}");
    }
    for (sample, at, message, help) in [
        (
            "sobol",
            "sobol",
            "`sobol` is no design with a number of points",
            "write DESIGN:POINTS, such as sobol:64, lhs:64 or random:64",
        ),
        (
            "halton:8",
            "halton",
            "unknown value `halton`",
            "allowed: sobol, latin_hypercube, lhs, random",
        ),
        ("sobol:0", "0", "`points` is a number from 1 to 10000", no_help),
        (
            "lhs:9",
            "lhs:9",
            "a sample needs from 1 to 256 axes",
            "give [sweep] a range or a list by key: \"workload.clients\" = { from = 50, to = 200 }",
        ),
    ] {
        let stderr = Folder::with(GOOD).refusal(&["x.toml", "--sample", sample]);
        assert_eq!(stderr, complaint(("--sample", sample), at, message, help), "{sample}");
    }
}

/// A cap says how many runs there are, and what would fit.
#[test]
fn a_study_above_its_cap_is_refused_with_what_would_fit() {
    let arguments = ["aws-occ", "-P", "workload.clients=10:100:10", "--replications", "30"];
    let refusal = |most: &'static str| {
        Folder::new().refusal(&[&arguments[..], &["--max-runs", most]].concat())
    };
    let message = "10 points, 5 policies and 30 replications are 1500 runs";
    for (most, help) in [
        ("1499", "at most 1499 are allowed: 29 replications, or 9 points would fit"),
        ("100", "at most 100 are allowed: 2 replications would fit"),
        ("7", "at most 7 are allowed"),
    ] {
        assert_eq!(refusal(most), complaint(("--max-runs", most), most, message, help), "{most}");
    }
}
