//! Values that are well formed and impossible.

use super::*;

#[test]
fn impossible_values_and_contradictions_are_named() {
    let no_help = "";
    let fault = |rest: &str| leak(format!("[[route.fault]]\n{rest}"));
    let limit = |rest: &str| leak(format!("[[route.limit]]\n{rest}"));
    let over = |rest: &str| leak(format!("{ROUTE}\n{rest}"));
    let server = |rest: &str| leak(format!("workers = 5\n{rest}"));
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
            ("delay = \"1ms\"", "delay = { gamma = { mean = \"2ms\", cv = 0 } }"),
            "cv = «0»",
            "a coefficient of variation lies between 0.01 and 100 here, not at 0",
            no_help,
        ),
        case(
            ("delay = \"1ms\"", "delay = { weibull = { mean = \"2ms\", cv = nan } }"),
            "cv = «nan»",
            "a coefficient of variation lies between 0.01 and 100 here, not at NaN",
            no_help,
        ),
        case(
            ("delay = \"1ms\"", "delay = { pareto = { min = \"0s\", shape = 2 } }"),
            "\"0s\"",
            "the least value must be above zero",
            no_help,
        ),
        case(
            ("delay = \"1ms\"", "delay = { pareto = { min = \"1ms\", shape = -1.5 } }"),
            "-1.5",
            "the shape must be above zero",
            no_help,
        ),
        case(
            (ROUTE, over("[[route]]\nname = \"row\"")),
            "kind = \"occ\"\n[[route]]\nname = «\"row\"»",
            "two routes are called `row`",
            no_help,
        ),
        case(
            (ROUTE, server(fault("share = 1.5"))),
            "1.5",
            "a share lies between 0 and 1, not at 1.5",
            no_help,
        ),
        case(
            (ROUTE, server(fault("from = \"30s\"\nuntil = \"20s\""))),
            "\"20s\"",
            "the fault ends (20s) before it starts (30s)",
            no_help,
        ),
        case(
            (ROUTE, server(limit("requests = 0\nper = \"1m\""))),
            "requests = «0»",
            "`requests` must be above zero",
            "a limit of nothing is an outage: write a [[route.fault]] with a reply",
        ),
        case(
            (ROUTE, server(limit("requests = 5\nper = \"0s\""))),
            "\"0s\"",
            "`per` must be above zero",
            no_help,
        ),
        case(
            (ROUTE, server(limit("requests = 5\ntokens = 5\nper = \"1m\""))),
            "[[route.limit]]",
            "a limit bounds exactly one amount",
            "give one of requests, input_tokens, output_tokens, tokens, spend",
        ),
        case(
            (ROUTE, server(limit("requests = 5\nper = \"1m\"\nburst = 5\nwindow = \"fixed\""))),
            "burst = «5»",
            "a window that starts over has no burst: its amount may come at once",
            no_help,
        ),
        case(
            (
                ROUTE,
                server(limit(
                    "requests = 5\nper = \"1m\"\nover = { reply = \"generic-429\", retry_after = \"soon\" }",
                )),
            ),
            "\"soon\"",
            "this is no hint",
            "allowed: exact, window, none, or a duration such as \"30s\"",
        ),
        case(
            (ROUTE, server("full = { reply = \"generic-504x\" }")),
            "\"generic-504x\"",
            "no reply is called `generic-504x`",
            "did you mean `generic-504`? or give it in place: { status = 503, headers = { retry-after = \"2\" } }",
        ),
        case(
            (ROUTE, server(fault("reply = \"generic-503\"\nsilent = true"))),
            "silent = «true»",
            "an attempt gets a reply or none: `reply` and `silent` exclude each other",
            no_help,
        ),
        case(
            (ROUTE, server(fault("workers = 2\nshare = 0.5"))),
            "0.5",
            "workers are lost to all attempts: `share` goes with reply, slow, silent and stream",
            no_help,
        ),
        case(
            (ROUTE, server(fault("slow = 2.0\nlatency = \"1s\""))),
            "latency = «\"1s\"»",
            "`latency` is that of a `reply`",
            no_help,
        ),
        case(
            (ROUTE, server(fault("stream = \"error_after_x\""))),
            "\"error_after_x\"",
            "`error_after_x` is no way for a stream to end",
            "allowed: truncated, error_after_N with the number of chunks before it",
        ),
        case(
            (ROUTE, "queue = 5"),
            "queue = «5»",
            "a queue forms before workers: without a number of them nobody ever waits",
            "give `workers`, such as workers = 50",
        ),
        case(
            (ROUTE, over("workers = 5")),
            "workers = «5»",
            "a route of kind \"occ\" has no `workers`: it is a row that answers at once, and \
             contention is for its version",
            no_help,
        ),
        case(
            (WORKLOAD, "open = { arrivals = { every = \"1s\" }, from = \"2s\", until = \"1s\" }"),
            "until = «\"1s\"»",
            "the arrivals end (1s) before they start (2s)",
            no_help,
        ),
        case(
            ("", "[[group]]\nname = \"a\"\nclients = 3\nclosed = { requests = 1 }"),
            "[[group]]",
            "`[workload]` and `[[group]]` exclude each other",
            no_help,
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
            (LIMITS, leak(format!("{LIMITS}\nfallback = {{ content = [\"lenient\"] }}"))),
            "[\"lenient\"]",
            "policy `full` falls back to `lenient`, which is no further route",
            "routes after the first are defined by further [[route]] tables",
        ),
        case(
            (LIMITS, leak(format!("{LIMITS}\nfallback = {{ exhausted = [\"other\"] }}"))),
            "[\"other\"]",
            "policy `full` falls back to `other`, which is no further route",
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
            "a bare number in the metric's unit: \"latency_p99_ms <= 2000\"",
        ),
        case(
            ("", "[gate]\namplificaton = 0.1"),
            "0.1",
            "no metric is called `amplificaton`",
            "did you mean `amplification`?",
        ),
        case(
            ("", "[gate]\nrequests = 0"),
            "requests = «0»",
            "`requests` can't get worse: neither way of it is better",
            "gate on one that has a direction, such as success_ratio or amplification",
        ),
        case(
            ("", "[gate]\nattempts = \"5 per cent\""),
            "\"5 per cent\"",
            "`5 per cent` says not by how much it may become worse: a number in the metric's \
             unit, not below zero, or a share of the old mean: 0.01 or \"2%\"",
            "",
        ),
        case(
            ("", "[gate]\nattempts = [1]"),
            "[1]",
            "expected a number, or a share such as \"2%\", found a list",
            "",
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
            "an axis is a list of values or a range",
            "such as [50, 100] or { from = 50, to = 200, steps = 4 }",
        ),
        case(
            ("", "[sweep]\nworkload.clients = [50]"),
            "[sweep]\n«workload»",
            "an axis is a list of values or a range, not a table",
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
            "did you mean `clients`? allowed: clients, open, closed, trace, tokens, needs, concurrency",
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
            "`policies.*.backoff.cap` sets it for every policy whose name fits: name one policy, or a pattern such as full-*",
        ),
        case(
            ("", "[sweep]\n\"policies.*.backoff.step\" = [\"1s\"]"),
            "[«\"1s\"»]",
            "policy `full`: backoff.step: goes with kind = \"linear\" only",
            "`policies.*.backoff.step` sets it for every policy whose name fits: name one policy, or a pattern such as full-*",
        ),
        case(
            ("", "[sweep]\n\"policies.no-*.backoff.cap\" = [\"1s\"]"),
            "\"policies.no-*.backoff.cap\"",
            "`policies.no-*.backoff.cap`: there is nothing that `no-*` could stand for",
            no_help,
        ),
        case(
            ("", "[sweep]\n\"policies.*.backoff.cap\" = [\"1s\"]\n\"policies.f*.backoff\" = [{}]"),
            "\"policies.f*.backoff\"",
            "`policies.f*.backoff` and `policies.*.backoff.cap` set the same key at every point",
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
fn ranges_samples_and_caps_that_make_no_sense_are_refused() {
    let no_help = "";
    let range = |keys: &str| leak(format!("[sweep]\n\"workload.clients\" = {{ {keys} }}"));
    let sample = |keys: &str| leak(format!("{}\nsample = {{ {keys} }}", range("from = 1, to = 9")));
    let kinds = "give both ends as durations, rates or numbers, such as from = \"50ms\"";
    let axis =
        "give [sweep] a range or a list by key: \"workload.clients\" = { from = 50, to = 200 }";
    assert_all_refused(&[
        case(
            ("", range("from = 1, to = 9")),
            "{ from = 1, to = 9 }",
            "a range needs `steps`",
            "say how many values, such as steps = 5, or sample all axes: sample = { design = \"sobol\", points = 64 }",
        ),
        case(
            ("", range("from = 1, to = 9, step = 2")),
            "step",
            "unknown key `step`",
            "did you mean `steps`? allowed: from, to, steps, scale",
        ),
        case(
            ("", range("from = 1, to = 3, steps = 4")),
            "steps = «4»",
            "4 steps give 2 twice",
            "take fewer steps, or a wider range",
        ),
        case(
            ("", range("from = 9, to = 1, steps = 2")),
            "to = «1»",
            "`from` (9) must be below `to`",
            no_help,
        ),
        case(
            ("", range("from = 1, to = \"9s\", steps = 2")),
            "\"9s\"",
            "the ends of a range are of one kind",
            kinds,
        ),
        case(
            ("", sample("design = \"sobol\", points = 0")),
            "points = «0»",
            "`points` is a number from 1 to 10000",
            no_help,
        ),
        case(
            ("", sample("design = \"halton\", points = 8")),
            "\"halton\"",
            "unknown value `halton`",
            "allowed: sobol, latin_hypercube, lhs, random",
        ),
        case(
            ("", "[sweep]\nsample = { design = \"sobol\", points = 8 }"),
            "{ design = \"sobol\", points = 8 }",
            "a sample needs from 1 to 256 axes",
            axis,
        ),
        case(
            (
                "",
                "[sweep]\n\"workload.clients\" = { from = 1, to = 9, steps = 3 }\n\
                 sample = { design = \"sobol\", points = 8 }",
            ),
            "steps = «3»",
            "`steps` has no meaning where points are sampled: leave it out",
            no_help,
        ),
        case(
            ("", "[sweep]\n\"workload.clients\" = [1, 2, 3, 4]\nmax_runs = 3"),
            "max_runs = «3»",
            "4 points, 1 policies and 1 replications are 4 runs",
            "at most 3 are allowed: 3 points would fit",
        ),
        case(
            ("", "[sweep]\nmax_runs = \"many\""),
            "\"many\"",
            "expected a whole number, not negative, found the string \"many\"",
            no_help,
        ),
    ]);
}
