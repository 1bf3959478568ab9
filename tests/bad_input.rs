//! Bad input: every fault is answered with its place, its line and what would be right, exit
//! code 2, and nothing written. Whatever the bytes, the answer is a plan or such a message.

use std::fs;
use std::path::Path;
use std::process::Command;

use proptest::prelude::*;
use retrial::experiment::load::{Change, Wanted, load};
use retrial::experiment::plan::Plan;
use tempfile::TempDir;

/// A valid experiment that each case spoils.
const GOOD: &str = r#"
seed = 1
replications = 1

[workload]
clients = 3
closed = { requests = 1, start = "together" }

[network]
delay = "1ms"

[[route]]
name = "row"
kind = "occ"

[policies.full]
backoff = { kind = "exponential", base = "10ms", cap = "2s", jitter = "full" }
limits = { max_attempts = 9, deadline = "unlimited" }
"#;

/// A folder with an experiment and the files beside it.
struct Folder(TempDir);

/// How a command ended.
struct Answer {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

impl Folder {
    fn new() -> Self {
        Folder(tempfile::tempdir().unwrap())
    }

    /// A folder with `text` as `x.toml`.
    fn with(text: &str) -> Self {
        let folder = Folder::new();
        folder.write("x.toml", text);
        folder
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    /// `retrial run --out out` with more arguments, in this folder.
    fn run(&self, arguments: &[&str]) -> Answer {
        self.run_to("out", arguments)
    }

    fn run_to(&self, out: &str, arguments: &[&str]) -> Answer {
        let output = Command::new(env!("CARGO_BIN_EXE_retrial"))
            .args(["run", "--out", out, "--no-charts"])
            .args(arguments)
            .current_dir(self.path())
            .output()
            .unwrap();
        Answer {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// As [`Folder::run`], for input that is refused before anything is written.
    fn refusal(&self, arguments: &[&str]) -> String {
        let answer = self.run(arguments);
        assert_eq!(answer.code, Some(2), "{arguments:?}\n{}", answer.stderr);
        assert_eq!(answer.stdout, "", "{arguments:?}");
        assert!(!self.path().join("out").exists(), "{arguments:?} wrote something");
        answer.stderr
    }

    /// No file that was begun and not finished.
    fn assert_nothing_partial(&self) {
        let mut folders = vec![self.path().to_path_buf()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                assert_ne!(path.extension().and_then(|e| e.to_str()), Some("partial"), "{path:?}");
                if path.is_dir() {
                    folders.push(path);
                }
            }
        }
    }
}

/// What stderr says of one fault in `text`: the message, the place, the line, the underlined part
/// and the help. `at` is found in the text; what stands between `«` and `»` in it is underlined.
fn complaint((name, text): (&str, &str), at: &str, message: &str, help: &str) -> String {
    let needle = at.replace(['«', '»'], "");
    let underlined = at.split_once('«').map_or(at, |(_, rest)| rest.split_once('»').unwrap().0);
    let found = text.find(&needle).unwrap_or_else(|| panic!("{needle} is not in {text}"));
    let start = found + at.find('«').unwrap_or(0);
    let line = text[..start].matches('\n').count() + 1;
    let column = text[..start].chars().rev().take_while(|c| *c != '\n').count() + 1;
    let shown = text.lines().nth(line - 1).unwrap();
    let (spaces, carets) = (" ".repeat(column - 1), "^".repeat(underlined.chars().count().max(1)));
    let margin = " ".repeat(line.to_string().len());
    let mut complaint = format!(
        "error: {message}\n{margin}--> {name}:{line}:{column}\n{margin} |\n{line} | {shown}\n\
         {margin} | {spaces}{carets}\n"
    );
    if !help.is_empty() {
        complaint.push_str(&format!("{margin} |\n{margin} = help: {help}\n"));
    }
    complaint
}

/// One way to spoil [`GOOD`].
struct Case {
    /// What is replaced; nothing to add at the end.
    from: &'static str,
    to: &'static str,
    /// What the message points at, as [`complaint`] takes it.
    at: &'static str,
    message: &'static str,
    /// Nothing if there is none.
    help: &'static str,
}

fn case(
    (from, to): (&'static str, &'static str),
    at: &'static str,
    message: &'static str,
    help: &'static str,
) -> Case {
    Case { from, to, at, message, help }
}

fn assert_all_refused(cases: &[Case]) {
    let mut wrong = Vec::new();
    for Case { from, to, at, message, help } in cases {
        let text = match *from {
            "" => format!("{GOOD}{to}\n"),
            from => {
                assert_eq!(GOOD.matches(from).count(), 1, "{from}");
                GOOD.replace(from, to)
            }
        };
        let stderr = Folder::with(&text).refusal(&["x.toml"]);
        let expected = complaint(("x.toml", &text), at, message, help);
        if stderr != expected {
            wrong.push(format!("expected\n{expected}found\n{stderr}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

const WORKLOAD: &str = "closed = { requests = 1, start = \"together\" }";
const ROUTE: &str = "kind = \"occ\"";
const BACKOFF: &str =
    "backoff = { kind = \"exponential\", base = \"10ms\", cap = \"2s\", jitter = \"full\" }";
const LIMITS: &str = "limits = { max_attempts = 9, deadline = \"unlimited\" }";

/// Without this every refusal below could have another reason.
#[test]
fn the_experiment_that_cases_spoil_is_valid() {
    let folder = Folder::with(GOOD);
    let answer = folder.run(&["x.toml", "--quiet"]);
    assert_eq!((answer.code, answer.stderr.as_str()), (Some(0), ""));
    assert!(folder.path().join("out/runs.csv").is_file());
    folder.assert_nothing_partial();
}

#[test]
fn unknown_keys_are_named_with_the_nearest_one() {
    assert_all_refused(&[
        case(
            ("seed = 1", "sed = 1"),
            "«sed» = 1",
            "unknown key `sed`",
            "did you mean `seed`? allowed: title, seed, replications, stop_after, warmup, bin, \
             workload, group, network, route, policies, sweep, thresholds, tune, gate",
        ),
        case(
            ("clients = 3", "client = 3"),
            "«client» = 3",
            "unknown key `client`",
            "did you mean `clients`? allowed: clients, open, closed, trace, tokens, concurrency",
        ),
        case(
            ("delay = \"1ms\"", "dealy = \"1ms\""),
            "dealy",
            "unknown key `dealy`",
            "did you mean `delay`? allowed: delay, lost, lost_replies",
        ),
        case(
            ("name = \"row\"", "nmae = \"row\""),
            "nmae",
            "unknown key `nmae`",
            "did you mean `name`? allowed: name, kind, provider, table, workers, queue, \
             abandoned, full, service, limit, fault",
        ),
        case(
            (LIMITS, "limit = 1"),
            "«limit» = 1",
            "policy `full`: unknown key `limit`",
            "did you mean `limits`? allowed: backoff, limits, retry_after, budget, retry_on, \
             fallback, replay, inner",
        ),
        case(
            ("jitter =", "jiter ="),
            "jiter",
            "policy `full`: unknown key `jiter`",
            "did you mean `jitter`? allowed: kind, base, factor, step, schedule, cap, jitter, \
             jitter_ratio, add, throttled_base, cap_order, floor, round",
        ),
        case(
            ("deadline =", "dead_line ="),
            "dead_line",
            "policy `full`: unknown key `dead_line`",
            "did you mean `deadline`? allowed: max_attempts, deadline, attempt_timeout",
        ),
    ]);
}

#[test]
fn values_of_the_wrong_form_are_named_with_the_right_one() {
    let no_duration = "write a number with a unit, such as \"200ms\" or \"1m30s\"";
    let duration = "expected a duration such as \"200ms\"";
    let no_help = "";
    assert_all_refused(&[
        case(
            ("seed = 1", "seed = -1"),
            "-1",
            "expected a whole number, not negative, found the number -1",
            no_help,
        ),
        case(
            ("seed = 1", "seed = 9223372036854775808"),
            "9223372036854775808",
            "`9223372036854775808` is not a number that fits in 64 bits",
            no_help,
        ),
        case(
            ("clients = 3", "clients = 2.5"),
            "2.5",
            "expected a whole number from 0 to 4,294,967,295, found the number 2.5",
            no_help,
        ),
        case(
            ("clients = 3", "clients = \"3\""),
            "\"3\"",
            "expected a whole number from 0 to 4,294,967,295, found the string \"3\"",
            no_help,
        ),
        case(("seed = 1", "title = 5"), "5", "expected a string, found the number 5", no_help),
        case(
            ("", "[thresholds]\nfull = \"amplification <= 1.5\""),
            "\"amplification <= 1.5\"",
            "expected a list, found the string \"amplification <= 1.5\"",
            no_help,
        ),
        case(
            ("[[route]]", "[route]"),
            "[route]",
            "expected a list, found a table",
            "a list of tables is written [[NAME]], with two pairs of brackets",
        ),
        case(
            ("\"1ms\"", "\"-1ms\""),
            "\"-1ms\"",
            leak(format!("`-1ms` is negative: a duration can't be; {no_duration}")),
            no_help,
        ),
        case(
            ("\"1ms\"", "\"soon\""),
            "\"soon\"",
            leak(format!("`soon` is not a duration: {no_duration}")),
            no_help,
        ),
        case(("\"1ms\"", "\"585y\""), "\"585y\"", "`585y` is too long: at most 584 years", no_help),
        case(
            ("seed = 1", "warmup = 5"),
            "5",
            leak(format!("{duration}, found the number 5")),
            no_help,
        ),
        case(
            ("\"10ms\"", "10"),
            "10",
            leak(format!("policy `full`: {duration}, found the number 10")),
            no_help,
        ),
        case(
            ("delay = \"1ms\"", "delay = { normal = { mean = \"1ms\" } }"),
            "{ mean = \"1ms\" }",
            "missing key `sd`",
            no_help,
        ),
        case(
            ("delay = \"1ms\"", "delay = { nromal = { mean = \"1ms\" } }"),
            "nromal",
            "unknown value `nromal`",
            "did you mean `normal`? allowed: exponential, normal, lognormal, uniform, gamma, \
             weibull, pareto, empirical, tokens",
        ),
        case((ROUTE, "kind = \"queue\""), "\"queue\"", "unknown value `queue`", "allowed: occ"),
        case(
            (ROUTE, "kind = { occ = 1 }"),
            "occ = «1»",
            "this word stands alone, as a string: it takes no value",
            no_help,
        ),
        case(
            ("\"together\"", "\"over\""),
            "\"over\"",
            "expected a table with this key and its value, found the key alone",
            no_help,
        ),
        case(
            ("\"together\"", "7"),
            "7",
            "expected one of together, over, found the number 7",
            no_help,
        ),
        case(
            ("\"together\"", "{ over = \"1s\", later = true }"),
            "{ over = \"1s\", later = true }",
            "expected a table with exactly one of the keys together, over",
            no_help,
        ),
        case(
            ("\"exponential\"", "\"exponentail\""),
            "\"exponentail\"",
            "policy `full`: unknown value `exponentail`",
            "did you mean `exponential`? allowed: none, constant, linear, exponential, \
             fibonacci, schedule, decorrelated, smooth_decorrelated",
        ),
        case(
            ("\"full\"", "\"ful\""),
            "\"ful\"",
            "policy `full`: unknown value `ful`",
            "did you mean `full`? allowed: none, full, equal, proportional, shrink, stretch, \
             add, exponential",
        ),
        case(
            ("max_attempts = 9", "max_attempts = 0"),
            "max_attempts = «0»",
            "policy `full`: `0` is not a whole number of at least 1, or \"unlimited\"",
            no_help,
        ),
        case(
            ("max_attempts = 9", "max_attempts = \"many\""),
            "\"many\"",
            "policy `full`: `many` is not a whole number of at least 1, or \"unlimited\"",
            no_help,
        ),
    ]);
}

/// Messages made of parts; a test leaks a few bytes gladly.
fn leak(text: String) -> &'static str {
    text.leak()
}

#[test]
fn what_is_missing_is_named_with_the_table_that_lacks_it() {
    let no_help = "";
    assert_all_refused(&[
        case(
            (LIMITS, "limits = { max_attempts = 9 }"),
            "{ max_attempts = 9 }",
            "policy `full`: missing key `deadline`",
            no_help,
        ),
        case((BACKOFF, ""), "[policies.full]", "policy `full`: missing key `backoff`", no_help),
        case((LIMITS, ""), "[policies.full]", "policy `full`: missing key `limits`", no_help),
        case(
            ("base = \"10ms\", ", ""),
            "\"exponential\"",
            "policy `full`: backoff.kind: needs `base`, the first delay",
            no_help,
        ),
        case(
            (WORKLOAD, ""),
            "workload",
            "the workload says who calls, but not when",
            "give one of `open`, `closed` and `trace`, such as closed = { requests = 1 }",
        ),
        case(("clients = 3", ""), "[workload]", "missing key `clients`", no_help),
        case(("name = \"row\"", ""), "[[route]]", "missing key `name`", no_help),
    ]);
}

#[test]
fn impossible_values_and_contradictions_are_named() {
    let no_help = "";
    let fault = |rest: &str| leak(format!("[[route.fault]]\n{rest}"));
    let limit = |rest: &str| leak(format!("[[route.limit]]\n{rest}"));
    let over = |rest: &str| leak(format!("{ROUTE}\n{rest}"));
    assert_all_refused(&[
        case(
            ("replications = 1", "replications = 0"),
            "replications = «0»",
            "`replications` must be at least 1",
            no_help,
        ),
        case(
            ("seed = 1", "stop_after = \"0s\""),
            "\"0s\"",
            "`stop_after` must be above zero",
            no_help,
        ),
        case(("seed = 1", "bin = \"0s\""), "\"0s\"", "`bin` must be above zero", no_help),
        case(
            ("clients = 3", "clients = 0"),
            "clients = «0»",
            "`clients` must be at least 1",
            no_help,
        ),
        case(
            (WORKLOAD, "closed = {}\nopen = { arrivals = { poisson = \"5/s\" } }"),
            "closed",
            "`open`, `closed` and `trace` exclude each other",
            no_help,
        ),
        case(
            (WORKLOAD, "open = { arrivals = { poisson = \"5/s\" } }"),
            "workload",
            "this workload never ends by itself",
            "say when to stop, such as stop_after = \"120s\"",
        ),
        case(
            (WORKLOAD, "closed = { requests = \"unlimited\" }"),
            "workload",
            "this workload never ends by itself",
            "say when to stop, such as stop_after = \"120s\"",
        ),
        case(
            ("delay = \"1ms\"", "lost = 1.5"),
            "1.5",
            "a share lies between 0 and 1, not at 1.5",
            no_help,
        ),
        case(
            ("delay = \"1ms\"", "lost_replies = nan"),
            "nan",
            "a share lies between 0 and 1, not at NaN",
            no_help,
        ),
        case(
            ("delay = \"1ms\"", "delay = { uniform = { min = \"2ms\", max = \"1ms\" } }"),
            "\"1ms\"",
            "the upper end (1ms) is below the lower end (2ms)",
            no_help,
        ),
        case(
            ("delay = \"1ms\"", "delay = { lognormal = { median = \"2ms\", p99 = \"1ms\" } }"),
            "\"1ms\"",
            "the 99 % quantile (1ms) is below the median (2ms)",
            no_help,
        ),
        case(
            (ROUTE, over("[[route]]\nname = \"row\"")),
            "kind = \"occ\"\n[[route]]\nname = «\"row\"»",
            "two routes are called `row`",
            no_help,
        ),
        case(
            (ROUTE, over(fault("share = 1.5"))),
            "1.5",
            "a share lies between 0 and 1, not at 1.5",
            no_help,
        ),
        case(
            (ROUTE, over(fault("from = \"30s\"\nuntil = \"20s\""))),
            "\"20s\"",
            "the fault ends (20s) before it starts (30s)",
            no_help,
        ),
        case(
            (ROUTE, over(limit("requests = 0\nper = \"1m\""))),
            "requests = «0»",
            "a limit must be above zero",
            no_help,
        ),
        case(
            (ROUTE, over(limit("requests = 5\nper = \"0s\""))),
            "\"0s\"",
            "`per` must be above zero",
            no_help,
        ),
        case(
            (ROUTE, over(limit("requests = 5\ntokens = 5\nper = \"1m\""))),
            "[[route.limit]]",
            "a limit bounds exactly one amount",
            "give one of requests, input_tokens, output_tokens, tokens, spend",
        ),
        case(
            ("\"2s\"", "\"9ms\""),
            "\"9ms\"",
            "policy `full`: backoff.cap: the cap (9ms) is below the base (10ms)",
            no_help,
        ),
        case(
            (BACKOFF, "backoff = { kind = \"none\", base = \"7ms\" }"),
            "\"7ms\"",
            "policy `full`: backoff.base: goes with a kind that grows from it only",
            no_help,
        ),
        case(
            (LIMITS, "limits = { deadline = \"0s\" }"),
            "\"0s\"",
            "policy `full`: limits.deadline: must be above zero, or \"unlimited\"",
            no_help,
        ),
        case(
            (LIMITS, leak(format!("{LIMITS}\nfallback = {{ routes = [\"second\"] }}"))),
            "[\"second\"]",
            "policy `full` falls back to `second`, which is no further route",
            "routes after the first are defined by further [[route]] tables",
        ),
        case(
            ("", "[thresholds]\nful = [\"amplification <= 1.5\"]"),
            "[\"amplification <= 1.5\"]",
            "there is no policy `ful`",
            "did you mean `full`? allowed: full",
        ),
        case(
            ("", "[thresholds]\nfull = [\"attempts >= 1\", \"amplificaton <= 1.5\"]"),
            "\"amplificaton <= 1.5\"",
            "no metric is called `amplificaton`",
            "did you mean `amplification`?",
        ),
        case(
            ("", "[thresholds]\nfull = [\"amplification = 1.5\"]"),
            "\"amplification = 1.5\"",
            "this is not a condition",
            "write a metric, <= or >=, and a number: \"amplification <= 1.5\"",
        ),
        case(
            ("", "[thresholds]\nfull = [\"amplification <= nan\"]"),
            "\"amplification <= nan\"",
            "`nan` is not a number",
            no_help,
        ),
    ]);
}

/// Nothing that a run does would take time, so it would never end.
#[test]
fn retries_without_end_or_time_are_refused() {
    let forever = "limits = { max_attempts = \"unlimited\", deadline = \"unlimited\" }";
    let text = GOOD
        .replace("\"1ms\"", "\"0ms\"")
        .replace(BACKOFF, "backoff = { kind = \"none\" }")
        .replace(LIMITS, forever);
    let expected = complaint(
        ("x.toml", &text),
        "backoff",
        "policy `full` may retry for ever without time passing: no delay, no limit on attempts \
         or time, and a network that takes no time",
        "limit max_attempts or deadline, or give the network a delay",
    );
    assert_eq!(Folder::with(&text).refusal(&["x.toml"]), expected);
    // Each of the two remedies is enough.
    for remedy in ["network.delay=1ms", "policies.full.limits.max_attempts=4"] {
        let answer = Folder::with(&text).run(&["x.toml", "--quiet", "--set", remedy]);
        assert_eq!((answer.code, answer.stderr.as_str()), (Some(0), ""), "{remedy}");
    }
}

#[test]
fn a_sweep_that_makes_no_sense_is_refused() {
    let no_help = "";
    let whole_study = "can't be swept: it is the same at every point";
    let names = "the policies are full";
    assert_all_refused(&[
        case(
            ("", "[sweep]\n\"workload.clients\" = []"),
            "[]",
            "`workload.clients` is swept over no value at all",
            no_help,
        ),
        case(
            ("", "[sweep]\n\"workload.clients\" = 50"),
            "50",
            "an axis is a list of values",
            no_help,
        ),
        case(
            ("", "[sweep]\nworkload.clients = [50]"),
            "[sweep]\n«workload»",
            "an axis is a list of values, not a table",
            "a dotted key is quoted here: \"workload.clients\" = [50, 100]",
        ),
        case(
            ("", "[sweep]\n\"workload.clients\" = [50, 60, 50]"),
            "60, «50»",
            "the value 50 stands here twice",
            no_help,
        ),
        case(
            ("", "[sweep]\n\"workload.cleints\" = [50]"),
            "\"workload.cleints\"",
            "unknown key `cleints`",
            "did you mean `clients`? allowed: clients, open, closed, trace, tokens, concurrency",
        ),
        case(
            ("", "[sweep]\n\"workload.clients.x\" = [50]"),
            "\"workload.clients.x\"",
            "`workload.clients.x`: what stands before `x` is a value, not a table",
            no_help,
        ),
        case(
            ("", "[sweep]\n\"route.other.kind\" = [\"occ\"]"),
            "\"route.other.kind\"",
            "`route.other.kind`: there is no `other` among 1 entries",
            no_help,
        ),
        case(
            ("", "[sweep]\n\"workload..clients\" = [50]"),
            "\"workload..clients\"",
            "not a key: a part is empty",
            no_help,
        ),
        case(
            ("", "[sweep]\n\"workload.clients\" = [50, \"many\"]"),
            "\"many\"",
            "expected a whole number from 0 to 4,294,967,295, found the string \"many\"",
            no_help,
        ),
        case(
            ("", "[sweep]\n\"policies.*.backoff.cap\" = [\"1s\", \"9ms\"]"),
            "\"9ms\"",
            "policy `full`: backoff.cap: the cap (9ms) is below the base (10ms)",
            no_help,
        ),
        case(
            ("", "[sweep]\n\"policies.*.budget.*.capacity\" = [5]"),
            "\"policies.*.budget.*.capacity\"",
            "`policies.*.budget.*.capacity`: there is nothing that `*` could stand for",
            no_help,
        ),
        // All runs of a study have the seed of the study: an axis of seeds would show the same
        // runs under other names.
        case(
            ("", "[sweep]\nseed = [1, 2]"),
            "[sweep]\n«seed»",
            leak(format!("`seed` {whole_study}")),
            no_help,
        ),
        case(
            ("", "[sweep]\n\"thresholds.full\" = [[]]"),
            "\"thresholds.full\"",
            leak(format!("`thresholds` {whole_study}")),
            no_help,
        ),
        // Every policy runs at every point.
        case(
            ("", "[sweep]\npolicies = [{}]"),
            "[sweep]\n«policies»",
            "`policies` names no policy there is, or removes one",
            names,
        ),
        case(
            ("", "[sweep]\n\"policies.ful.backoff.base\" = [\"1ms\"]"),
            "\"policies.ful.backoff.base\"",
            "`policies.ful.backoff.base` names no policy there is, or removes one",
            names,
        ),
    ]);
}

#[test]
fn what_is_not_built_yet_says_so_where_it_stands() {
    let yet = |key: &str| leak(format!("`{key}` is not supported yet"));
    let in_policy = |key: &str| leak(format!("policy `full`: {key}: not supported yet"));
    let no_timeouts = |key: &str| {
        leak(format!(
            "policy `full`: {key}: client timeouts on a route of kind \"occ\" are not supported \
             yet; write \"unlimited\""
        ))
    };
    let route = |rest: &str| leak(format!("{ROUTE}\n{rest}"));
    let policy = |rest: &str| leak(format!("{LIMITS}\n{rest}"));
    let group = "[[group]]\nname = \"a\"\nclients = 3\nclosed = { requests = 1 }";
    let workload = leak(format!("[workload]\nclients = 3\n{WORKLOAD}"));
    let tokens = leak(format!("{WORKLOAD}\ntokens = {{ input = 5, output = 5 }}"));
    let concurrency = leak(format!("{WORKLOAD}\nconcurrency = 2"));
    let tune = "[tune]\npolicy = \"full\"\nminimise = \"attempts\"";
    let gamma = "delay = { gamma = { mean = \"1ms\", cv = 1.5 } }";
    let second = "[[route]]\nname = \"second\"\nkind = \"occ\"";
    let part = "[{ kind = \"grpc\", max_tokens = 10 }]";
    let no_help = "";
    assert_all_refused(&[
        case((workload, group), "[[group]]", yet("group"), no_help),
        case(("seed = 1", "warmup = \"5s\""), "\"5s\"", yet("warmup"), no_help),
        case(
            (WORKLOAD, "open = { arrivals = { every = \"1s\" }, until = \"9s\" }"),
            "open",
            yet("workload.open"),
            no_help,
        ),
        case((WORKLOAD, "trace = { file = \"t.csv\" }"), "trace", yet("workload.trace"), no_help),
        case((WORKLOAD, tokens), "tokens", yet("workload.tokens"), no_help),
        case((WORKLOAD, concurrency), "concurrency = «2»", yet("workload.concurrency"), no_help),
        case(
            (WORKLOAD, "closed = { requests = 2 }"),
            "requests = «2»",
            yet("workload.closed.requests"),
            no_help,
        ),
        case(
            (WORKLOAD, "closed = { start = { over = \"10s\" } }"),
            "start",
            yet("workload.closed.start"),
            no_help,
        ),
        case(
            (WORKLOAD, "closed = { think = \"1s\" }"),
            "\"1s\"",
            yet("workload.closed.think"),
            no_help,
        ),
        case(("delay = \"1ms\"", "lost = 0.5"), "0.5", yet("network.lost"), no_help),
        case(
            ("delay = \"1ms\"", "lost_replies = 1"),
            "lost_replies = «1»",
            yet("network.lost_replies"),
            no_help,
        ),
        case(("delay = \"1ms\"", gamma), "gamma", yet("network.delay.gamma"), no_help),
        case((ROUTE, route(second)), "«[[route]]»\nname = \"second\"", yet("route.1"), no_help),
        case(
            (ROUTE, route("provider = \"openai\"")),
            "\"openai\"",
            yet("route.0.provider"),
            no_help,
        ),
        case((ROUTE, route("workers = 5")), "workers = «5»", yet("route.0.workers"), no_help),
        case(
            (ROUTE, route("queue = \"unlimited\"")),
            "queue = «\"unlimited\"»",
            yet("route.0.queue"),
            no_help,
        ),
        case(
            (ROUTE, route("abandoned = \"dropped\"")),
            "\"dropped\"",
            yet("route.0.abandoned"),
            no_help,
        ),
        case(
            (ROUTE, route("full = { reply = \"generic-503\" }")),
            "«full» = { reply",
            yet("route.0.full"),
            no_help,
        ),
        case((ROUTE, route("service = \"5ms\"")), "\"5ms\"", yet("route.0.service"), no_help),
        case(
            (ROUTE, route("[[route.limit]]\nrequests = 5\nper = \"1m\"")),
            "[[route.limit]]",
            yet("route.0.limit"),
            no_help,
        ),
        case(
            (ROUTE, route("[[route.fault]]\nsilent = true")),
            "[[route.fault]]",
            yet("route.0.fault"),
            no_help,
        ),
        case(
            (ROUTE, ""),
            "\"row\"",
            "a route with workers and a queue is not supported yet",
            "kind = \"occ\" is: one row under optimistic concurrency control",
        ),
        case(
            ("", "[thresholds]\nfull = [\"attempts <= 9\"]"),
            "thresholds",
            yet("thresholds"),
            no_help,
        ),
        case(("", tune), "tune", yet("tune"), no_help),
        case(("", "[gate]\nattempts = 1"), "gate", yet("gate"), no_help),
        case(
            ("", "[sweep]\n\"workload.clients\" = { from = 1, to = 9 }"),
            "{ from = 1, to = 9 }",
            "ranges are not supported yet: list the values",
            no_help,
        ),
        case((BACKOFF, "preset = \"openai-python\""), "preset", yet("preset"), no_help),
        case(
            (LIMITS, policy("retry_on = { mode = \"statuses\" }")),
            "retry_on",
            in_policy("retry_on"),
            no_help,
        ),
        case(
            (LIMITS, policy("inner = { preset = \"openai-python\" }")),
            "inner",
            in_policy("inner"),
            no_help,
        ),
        case(
            (LIMITS, policy("fallback = { content = [\"row\"] }")),
            "[\"row\"]",
            in_policy("fallback.content"),
            no_help,
        ),
        case(
            (LIMITS, policy("fallback = { exhausted = [\"row\"] }")),
            "[\"row\"]",
            in_policy("fallback.exhausted"),
            no_help,
        ),
        case(
            (LIMITS, leak(format!("{LIMITS}\nbudget = {part}"))),
            "\"grpc\"",
            in_policy("budget.0.kind"),
            no_help,
        ),
        case(
            (LIMITS, "limits = { deadline = \"90s\" }"),
            "\"90s\"",
            no_timeouts("limits.deadline"),
            no_help,
        ),
        case(
            (LIMITS, "limits = { deadline = \"unlimited\", attempt_timeout = \"20s\" }"),
            "\"20s\"",
            no_timeouts("limits.attempt_timeout"),
            no_help,
        ),
    ]);
}

#[test]
fn experiments_that_cannot_be_read_are_named() {
    let folder = Folder::new();
    folder.write("latin1.toml", b"title = \"caf\xe9\"\n");
    fs::create_dir(folder.path().join("folder")).unwrap();
    let packaged = "give a path or a packaged experiment: aws-occ";
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
            "did you mean `clients`? allowed: clients, open, closed, trace, tokens, concurrency",
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
            "policy `ful`: missing key `limits`",
            no_help,
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
            "policies.full.limits.deadline=90s",
            "90s",
            "policy `full`: limits.deadline: client timeouts on a route of kind \"occ\" are not supported yet; write \"unlimited\"",
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
    let axis = |name: &str| {
        let values: Vec<_> = (1..=400).map(|value| value.to_string()).collect();
        format!("sweep.\"policies.{name}.limits.max_attempts\"=[{}]", values.join(","))
    };
    let folder = Folder::with(GOOD);
    let refusal = folder.refusal(&["x.toml", "--set", &axis("*"), "--set", &axis("full")]);
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

/// Something that fails while running is not bad input: exit code 1.
#[test]
fn an_output_that_cannot_be_written_is_named() {
    let folder = Folder::with(GOOD);
    folder.write("out", "a file stands here");
    folder.write("units", "and here");
    for out in ["out", "out/below", "."] {
        let answer = folder.run_to(out, &["x.toml"]);
        assert_eq!((answer.code, answer.stdout.as_str()), (Some(1), ""), "{}", answer.stderr);
        let start = format!("error: can't write {out}/units: ");
        assert!(answer.stderr.starts_with(&start), "{}", answer.stderr);
    }
    // What stood there stands there still, and nothing was put beside it.
    assert_eq!(fs::read_to_string(folder.path().join("out")).unwrap(), "a file stands here");
    assert_eq!(fs::read_to_string(folder.path().join("units")).unwrap(), "and here");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3);
}

/// The experiment of the fuzz tests.
const SEED_TEXT: &str = include_str!("../experiments/aws-occ.toml");

/// Values that stand where others should.
const STRANGE: [&str; 16] = [
    "0",
    "-1",
    "1.5",
    "nan",
    "-inf",
    "99999999999999999999",
    "true",
    "\"\"",
    "\"unlimited\"",
    "\"584y\"",
    "\"18446744073709551615s 1000000000ns\"",
    "2020-01-01",
    "[]",
    "[[]]",
    "{}",
    "{ normal = { mean = \"1ms\", sd = \"1ms\" } }",
];

/// One small accident to a file.
#[derive(Clone, Debug)]
enum Accident {
    Byte { at: usize, becomes: u8 },
    LineLost(usize),
    LineTwice(usize),
    LinesSwapped(usize, usize),
    Value { line: usize, becomes: &'static str },
}

impl Accident {
    fn befall(&self, bytes: &mut Vec<u8>) {
        if let Accident::Byte { at, becomes } = self {
            let at = at % bytes.len();
            bytes[at] = *becomes;
            return;
        }
        let mut lines: Vec<Vec<u8>> =
            bytes.split(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
        let count = lines.len();
        match self {
            Accident::Byte { .. } => {}
            Accident::LineLost(line) => drop(lines.remove(line % count)),
            Accident::LineTwice(line) => lines.insert(line % count, lines[line % count].clone()),
            Accident::LinesSwapped(a, b) => lines.swap(a % count, b % count),
            Accident::Value { line, becomes } => {
                let line = &mut lines[line % count];
                if let Some(equals) = line.iter().position(|byte| *byte == b'=') {
                    line.truncate(equals + 1);
                    line.extend(becomes.bytes());
                }
            }
        }
        *bytes = lines.join(&b'\n');
        bytes.push(b'\n');
    }
}

fn accident() -> impl Strategy<Value = Accident> {
    let line = 0..60_usize;
    prop_oneof![
        (any::<usize>(), any::<u8>()).prop_map(|(at, becomes)| Accident::Byte { at, becomes }),
        line.clone().prop_map(Accident::LineLost),
        line.clone().prop_map(Accident::LineTwice),
        (line.clone(), line.clone()).prop_map(|(a, b)| Accident::LinesSwapped(a, b)),
        (line, prop::sample::select(&STRANGE[..]))
            .prop_map(|(line, becomes)| Accident::Value { line, becomes }),
    ]
}

/// A change that has the form of one, with keys that exist, nearly exist or don't.
fn change() -> impl Strategy<Value = String> {
    let part = prop::sample::select(
        &[
            "seed",
            "workload",
            "clients",
            "closed",
            "start",
            "network",
            "delay",
            "route",
            "0",
            "row",
            "kind",
            "policies",
            "*",
            "none",
            "full",
            "backoff",
            "base",
            "limits",
            "budget",
            "sweep",
            "\"workload.clients\"",
            "'",
            "\"",
            "",
            " ",
            "title",
            "file",
        ][..],
    );
    let key = prop::collection::vec(part, 1..6).prop_map(|parts| parts.join("."));
    let value =
        prop_oneof![prop::sample::select(&STRANGE[..]).prop_map(String::from), "\\PC{0,20}",];
    prop_oneof![3 => (key, value).prop_map(|(key, value)| format!("{key}={value}")), 1 => "\\PC*"]
}

fn plan(path: &Path, changes: Vec<String>) -> Result<Plan, String> {
    let changes = changes.into_iter().map(|text| Change { flag: "--set", text });
    let wanted =
        Wanted { experiment: Some(path.display().to_string()), changes: changes.collect() };
    load(&wanted).and_then(|loaded| Plan::new(&loaded)).map_err(|report| report.to_string())
}

/// Asserts that there is a whole plan, or a message with a place.
fn assert_plan_or_place(plan: Result<Plan, String>) {
    match plan {
        Ok(plan) => assert_eq!(plan.cells.len(), plan.policies.len() * plan.points.len()),
        Err(message) => {
            assert!(message.starts_with("error: "), "{message}");
            assert!(message.contains("--> "), "no place in: {message}");
        }
    }
}

proptest! {
    // Cases come from a fixed seed, so that what passes here passes everywhere.
    #![proptest_config(ProptestConfig {
        cases: 1_500,
        failure_persistence: None,
        rng_seed: proptest::test_runner::RngSeed::Fixed(1),
        ..ProptestConfig::default()
    })]

    #[test]
    fn any_spoilt_file_gives_a_plan_or_a_place(accidents in prop::collection::vec(accident(), 1..4)) {
        let mut bytes = SEED_TEXT.as_bytes().to_vec();
        for accident in &accidents {
            accident.befall(&mut bytes);
        }
        let folder = Folder::new();
        folder.write("x.toml", &bytes);
        let plan = plan(&folder.path().join("x.toml"), Vec::new());
        if String::from_utf8(bytes).is_ok() {
            assert_plan_or_place(plan);
        } else {
            prop_assert!(plan.unwrap_err().contains("it is not text in UTF-8"));
        }
    }

    #[test]
    fn any_change_gives_a_plan_or_a_place(changes in prop::collection::vec(change(), 1..4)) {
        let folder = Folder::with(GOOD);
        assert_plan_or_place(plan(&folder.path().join("x.toml"), changes));
    }
}
