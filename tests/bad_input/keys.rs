//! Keys and values that no experiment has.

use super::*;

#[test]
fn unknown_keys_are_named_with_the_nearest_one() {
    assert_all_refused(&[
        case(
            ("seed = 1", "sed = 1"),
            "«sed» = 1",
            "unknown key `sed`",
            "did you mean `seed`? allowed: title, seed, replications, stop, stop_after, warmup, \
             bin, workload, group, network, route, policies, sweep, thresholds, tune, gate",
        ),
        case(
            ("clients = 3", "client = 3"),
            "«client» = 3",
            "unknown key `client`",
            "did you mean `clients`? allowed: clients, open, closed, trace, tokens, needs, concurrency",
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
            "did you mean `name`? allowed: name, kind, provider, table, contract, workers, queue, \
             abandoned, full, service, limit, fault",
        ),
        case(
            (LIMITS, "limit = 1"),
            "«limit» = 1",
            "policy `full`: unknown key `limit`",
            "did you mean `limits`? allowed: preset, backoff, limits, retry_after, budget, retry_on, \
             fallback, replay, inner",
        ),
        case(
            ("jitter =", "jiter ="),
            "jiter",
            "policy `full`: unknown key `jiter`",
            "did you mean `jitter`? allowed: kind, base, factor, step, schedule, cap, jitter, \
             jitter_ratio, add, first, throttled_base, cap_order, floor, round",
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
