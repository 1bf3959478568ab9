//! What is valid but not built yet.

use super::*;

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
    let column = "delay = { empirical = { file = \"a.csv\", column = \"b_ms\" } }";
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
        case(("delay = \"1ms\"", column), "empirical", yet("network.delay.empirical"), no_help),
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
