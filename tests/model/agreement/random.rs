//! Experiments made up at random.

use proptest::prelude::*;

use super::*;

fn one_of(choices: &'static [&'static str]) -> impl Strategy<Value = &'static str> {
    prop::sample::select(choices)
}

/// Coarse and fine times, so that some experiments tie often and others never.
fn delay() -> impl Strategy<Value = &'static str> {
    one_of(&[
        "\"0s\"",
        "\"10ms\"",
        "{ normal = { mean = \"10ms\", sd = \"3ms\" } }",
        "{ exponential = { mean = \"20ms\" } }",
        "{ uniform = { min = \"0s\", max = \"30ms\" } }",
    ])
}

fn workload() -> impl Strategy<Value = &'static str> {
    one_of(&[
        "closed = { requests = 3 }",
        "closed = { requests = \"unlimited\", think = \"10ms\" }",
        "closed = { requests = 4, start = { over = \"200ms\" }, think = { exponential = { mean = \"30ms\" } } }",
        "open = { arrivals = { poisson = \"80/s\" } }",
        "open = { arrivals = { every = \"10ms\" }, until = \"500ms\" }\nconcurrency = 1",
        "open = { arrivals = { cron = { period = \"200ms\" } } }\nconcurrency = 2",
        "open = [{ arrivals = { poisson = \"30/s\" } }, { arrivals = { every = \"5ms\" }, from = \"200ms\", until = \"300ms\" }]",
    ])
}

fn server() -> impl Strategy<Value = String> {
    let capacity = one_of(&[
        "",
        "workers = 1\n",
        "workers = 1\nqueue = 0\n",
        "workers = 2\nqueue = 3\nfull = { reply = \"generic-503\", latency = \"5ms\" }\n",
        "workers = 3\nabandoned = \"dropped\"\n",
        "workers = 1\nqueue = 2\nabandoned = \"dropped\"\n",
    ]);
    let limit = one_of(&[
        "",
        "[[route.limit]]\nrequests = 10\nper = \"200ms\"\nburst = 2\nover = { reply = \"generic-429\", retry_after = \"exact\" }\n",
        "[[route.limit]]\nrequests = 5\nper = \"100ms\"\nwindow = \"fixed\"\nover = { reply = \"generic-429\", retry_after = \"window\" }\n",
        "[[route.limit]]\nrequests = 20\nper = \"1s\"\n",
    ]);
    let fault = one_of(&[
        "",
        "[[route.fault]]\nfrom = \"100ms\"\nuntil = \"300ms\"\nworkers = 0\n",
        "[[route.fault]]\nshare = 0.3\nsilent = true\n",
        "[[route.fault]]\nuntil = \"400ms\"\nshare = 0.5\nreply = \"generic-503\"\nlatency = \"10ms\"\n",
        "[[route.fault]]\nshare = 0.2\nslow = 5.0\n",
        "[[route.fault]]\nshare = 0.4\nstream = \"error_after_0\"\n",
        "[[route.fault]]\nshare = 0.3\nreply = { status = 503, headers = { retry-after-ms = \"30\" } }\n",
    ]);
    (capacity, delay(), limit, fault).prop_map(|(capacity, service, limit, fault)| {
        format!("{capacity}service = {service}\n{limit}{fault}")
    })
}

fn route() -> impl Strategy<Value = String> {
    prop_oneof![4 => server(), 1 => Just("kind = \"occ\"\n".to_string())]
}

fn policy() -> impl Strategy<Value = String> {
    let backoff = one_of(&[
        "kind = \"none\"",
        "kind = \"constant\", base = \"10ms\"",
        "kind = \"exponential\", base = \"10ms\", cap = \"100ms\", jitter = \"full\"",
    ]);
    let limits = one_of(&[
        "deadline = \"unlimited\"",
        "deadline = \"300ms\"",
        "deadline = \"unlimited\", attempt_timeout = \"40ms\"",
        "deadline = \"200ms\", attempt_timeout = \"20ms\"",
    ]);
    let budget = one_of(&[
        "",
        "{ kind = \"aimd\", scope = \"client\", max = 2, min = 1 }",
        "{ kind = \"aimd\", scope = \"group\", max = 5, min = 1 }",
        "{ kind = \"token_bucket\", scope = \"client\", capacity = 2.0, retry_cost = 1.0, success_refund = 0.5 }",
        "{ kind = \"token_bucket\", scope = \"group\", capacity = 5.0, retry_cost = 1.0, success_refund = 0.5 }",
        "{ kind = \"aws_quota\", scope = \"group\", capacity = 50 }, { kind = \"aws_adaptive\" }",
        "{ kind = \"aws_adaptive\", scope = \"group\", interval = \"50ms\" }",
        "{ kind = \"circuit_breaker\", failures = 2, open = \"50ms\" }, { kind = \"sre_adaptive\", scope = \"group\" }",
        "{ kind = \"circuit_breaker\", scope = \"group\", failure_ratio = 0.5, min_calls = 3, window = \"200ms\", open = \"30ms\", probes = 2 }",
        "{ kind = \"cooldown_gate\", scope = \"group\" }, { kind = \"ratio\", ttl = \"100ms\" }",
        "{ kind = \"concurrent\", scope = \"group\" }, { kind = \"grpc\", max_tokens = 4, token_ratio = 0.5 }",
    ]);
    let replay = one_of(&["safe = true", "idempotency_key = true", ""]);
    let fallback = one_of(&["", "fallback = { routes = [\"b\"], after_attempts = 1 }\n"]);
    let mode = one_of(&["replace", "ignore"]);
    (backoff, limits, 1..5_u32, budget, replay, fallback, mode).prop_map(
        |(backoff, limits, attempts, budget, replay, fallback, mode)| {
            format!(
                "[policies.p]\nbackoff = {{ {backoff} }}\n\
                 limits = {{ max_attempts = {attempts}, {limits} }}\nbudget = [{budget}]\n\
                 replay = {{ {replay} }}\nretry_after = {{ mode = \"{mode}\", jitter_ratio = 0.0 }}\n\
                 {fallback}"
            )
        },
    )
}

fn experiment() -> impl Strategy<Value = String> {
    let lost = one_of(&["", "lost = 0.1\n", "lost_replies = 0.1\n"]);
    let warmup = one_of(&["", "warmup = \"300ms\"\n"]);
    (1..20_u32, workload(), warmup, delay(), lost, route(), route(), policy()).prop_map(
        |(clients, workload, warmup, delay, lost, first, second, policy)| {
            format!(
                "stop_after = \"1s\"\n{warmup}[workload]\nclients = {clients}\n{workload}\n\
                 [network]\ndelay = {delay}\n{lost}[[route]]\nname = \"a\"\n{first}\
                 [[route]]\nname = \"b\"\n{second}{policy}"
            )
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn all_layouts_agree_and_the_books_are_in_order(text in experiment()) {
        let value = agreed(&text);
        prop_assert!(value(Id::Requests) >= 0.0);
    }
}
