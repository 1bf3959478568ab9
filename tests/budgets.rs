//! Every kind of budget in an experiment, in cases small enough to work out by hand: what it lets
//! through, who shares it, and how what it refuses is counted.

#[path = "support/written.rs"]
mod written;

use retrial::measure::metric::Id;
use retrial::measure::recorder::measure;
use retrial::model::run_id::RunId;

use written::cell_of;

/// One request a second of each of `clients`, ten in all, to a route that only fails. Two attempts
/// a request, 10 ms apart.
fn outage(clients: u32, budget: &str) -> impl Fn(Id) -> f64 + use<> {
    run(&format!(
        "[workload]\nclients = {clients}\nclosed = {{ requests = 10, think = \"1s\" }}\n\
         [[route]]\nname = \"a\"\n[[route.fault]]\nreply = \"generic-503\"\n\
         [policies.p]\nbackoff = {{ kind = \"constant\", base = \"10ms\" }}\n\
         limits = {{ max_attempts = 2, deadline = \"unlimited\" }}\nbudget = [{budget}]\n"
    ))
}

fn run(text: &str) -> impl Fn(Id) -> f64 + use<> {
    let cell = cell_of(text, &[]);
    let run = RunId { seed: 1, replication: 0 };
    let row = measure(&cell.scenario, &cell.subjects(), run, false).unwrap().metrics;
    move |id| row.get(id).unwrap_or_else(|| panic!("{id:?} is not estimated"))
}

/// What four clients get: each for itself, then all together.
#[track_caller]
fn retries(kind: &str, of_client: f64, of_group: f64) {
    for (scope, expected) in [("client", 4.0 * of_client), ("group", of_group)] {
        let value = outage(4, &format!("{{ {kind}, scope = \"{scope}\" }}"));
        assert_eq!(value(Id::Requests), 40.0);
        assert_eq!(value(Id::Retries), expected, "{kind}, {scope}");
        assert_eq!(value(Id::Attempts), 40.0 + expected, "{kind}, {scope}");
        // A retry that fails too was the last attempt.
        assert_eq!(value(Id::GaveUpAttempts), expected, "{kind}, {scope}");
        assert_eq!(value(Id::GaveUpBudget), 40.0 - expected, "{kind}, {scope}");
    }
}

/// Ten tokens: a failure costs one, and at five there are no more retries. Of one client, the
/// first try and the retry of two requests, then the first try of a third. Four clients fail at
/// once: the first four failures leave 9, 8, 7 and 6 tokens, and each may retry.
#[test]
fn a_grpc_throttle_stops_retries_at_half() {
    retries("kind = \"grpc\", max_tokens = 10, token_ratio = 0.1", 2.0, 4.0);
}

/// ⌊50 / 14⌋ = 3; after throttling, which this is not, it would be 10.
#[test]
fn an_aws_quota_bounds_retries() {
    retries("kind = \"aws_quota\", capacity = 50", 3.0, 3.0);
}

/// ⌊10 × 0.25⌋ = 2 of each client's requests, ⌊40 × 0.25⌋ = 10 of all.
#[test]
fn a_ratio_is_a_share_of_requests() {
    retries("kind = \"ratio\", ratio = 0.25, min_per_sec = 0, ttl = \"10m\"", 2.0, 10.0);
}

/// A lone client has one request in flight and may always retry one. Of four in flight, half may;
/// those that may are late for the next round, which has fewer in flight.
#[test]
fn a_concurrency_share_is_of_requests_in_flight() {
    let kind = "kind = \"concurrent\", budget_percent = 50, min_retry_concurrency = 1";
    let lone = outage(4, &format!("{{ {kind}, scope = \"client\" }}"));
    assert_eq!((lone(Id::Retries), lone(Id::GaveUpBudget)), (40.0, 0.0));
    let shared = outage(4, &format!("{{ {kind}, scope = \"group\" }}"));
    assert!((10.0..30.0).contains(&shared(Id::Retries)), "{}", shared(Id::Retries));
    assert_eq!(shared(Id::Retries) + shared(Id::GaveUpBudget), 40.0);
}

/// With nothing accepted, the retry after n attempts is refused with probability n / (n + 1): the
/// more clients share what they learn, the fewer.
#[test]
fn adaptive_throttling_learns_faster_together() {
    let kind = "kind = \"sre_adaptive\"";
    let lone = outage(100, &format!("{{ {kind}, scope = \"client\" }}"))(Id::Retries);
    let shared = outage(100, &format!("{{ {kind}, scope = \"group\" }}"))(Id::Retries);
    // Of a lone client: 1/2 of the first, then about 1/3 or 1/4, …: some 2 of 10.
    assert!((100.0..350.0).contains(&lone), "{lone}");
    // Of a thousand requests together: about ln 1,000 ≈ 7.
    assert!((1.0..30.0).contains(&shared), "{shared}");
}

/// Three failures open it for good: the first two requests of a client end after their second
/// attempt, or the third failure closes the route before a retry. What is refused never reaches the
/// route and gave up on the budget.
#[test]
fn a_breakers_refusal_gave_up_on_the_budget() {
    let kind = "kind = \"circuit_breaker\", failures = 3, open = \"1h\"";
    let value = outage(1, &format!("{{ {kind} }}"));
    let figures = [
        (Id::Attempts, 3.0),
        (Id::Retries, 1.0),
        (Id::GaveUpAttempts, 1.0),
        (Id::GaveUpBudget, 9.0),
        (Id::Stopped, 0.0),
    ];
    for (id, expected) in figures {
        assert_eq!(value(id), expected, "{id:?}");
    }
    let lone = outage(4, &format!("{{ {kind}, scope = \"client\" }}"));
    assert_eq!((lone(Id::Attempts), lone(Id::GaveUpBudget)), (12.0, 36.0));
    // Three of the four first tries do it, and the fourth was under way or is refused.
    let shared = outage(4, &format!("{{ {kind}, scope = \"group\" }}"));
    assert!((3.0..=4.0).contains(&shared(Id::Attempts)), "{}", shared(Id::Attempts));
    assert!(shared(Id::GaveUpBudget) >= 36.0);
}

/// Behind an open breaker lies the other route, at once.
#[test]
fn an_open_breaker_sends_requests_to_the_other_route() {
    let value = run(r#"
[workload]
clients = 1
closed = { requests = 10, think = "1s" }
[[route]]
name = "a"
[[route.fault]]
reply = "generic-503"
[[route]]
name = "b"
service = "5ms"
[policies.p]
backoff = { kind = "constant", base = "10ms" }
limits = { max_attempts = 5, deadline = "unlimited" }
fallback = { routes = ["b"] }
budget = [{ kind = "circuit_breaker", failures = 3, open = "1h" }]
"#);
    let figures = [
        (Id::Succeeded, 10.0),
        // Three on the first route, then ten on the other: nine of them are first attempts.
        (Id::Attempts, 13.0),
        (Id::Retries, 2.0),
        (Id::Fallbacks, 10.0),
        (Id::FirstTrySucceeded, 9.0),
        (Id::RetriedSucceeded, 1.0),
        (Id::LatencyMaxMs, 25.0),
    ];
    for (id, expected) in figures {
        assert_eq!(value(id), expected, "{id:?}");
    }
}

/// The route is back after 1.5 s. Ten seconds of breaker later a probe finds that out: attempts at
/// 1 s and 11 s and then all.
#[test]
fn a_probe_finds_that_the_route_is_back() {
    let value = run(r#"
[workload]
clients = 1
open = { arrivals = { every = "1s" }, until = "20500ms" }
[[route]]
name = "a"
[[route.fault]]
until = "1500ms"
reply = "generic-503"
[policies.p]
backoff = { kind = "constant", base = "10ms" }
limits = { max_attempts = 1, deadline = "unlimited" }
budget = [{ kind = "circuit_breaker", failures = 1, open = "9500ms" }]
"#);
    let first_second_refused = value(Id::GaveUpBudget);
    assert_eq!(first_second_refused, 9.0);
    assert_eq!(value(Id::GaveUpAttempts), 1.0);
    assert_eq!(value(Id::Succeeded), value(Id::Requests) - 10.0);
    assert_eq!(value(Id::Attempts), value(Id::Requests) - 9.0);
}

/// The first request hears "5 s" and nobody leaves before: each request waits for that moment.
#[test]
fn a_cooldown_gate_holds_the_whole_group() {
    let of_scope = |scope: &str| {
        run(&format!(
            r#"
[workload]
clients = 200
open = {{ arrivals = {{ every = "100ms" }}, until = "4950ms" }}
[[route]]
name = "a"
[[route.fault]]
until = "4s"
reply = {{ status = 429, headers = {{ retry-after = "5" }} }}
[policies.p]
backoff = {{ kind = "constant", base = "10ms" }}
limits = {{ max_attempts = 2, deadline = "unlimited" }}
retry_after = {{ jitter_ratio = 0.0 }}
budget = [{{ kind = "cooldown_gate", spread = 0.0, scope = "{scope}" }}]
"#
        ))
    };
    let shared = of_scope("group");
    assert_eq!(shared(Id::Attempts), shared(Id::Requests) + 1.0, "one paid for the lesson");
    assert_eq!(shared(Id::Succeeded), shared(Id::Requests));
    assert_eq!(shared(Id::LatencyMaxMs), 5_000.0);
    // Alone, nearly everybody has to learn it.
    let lone = of_scope("client");
    assert!(lone(Id::Retries) > 30.0, "{}", lone(Id::Retries));
}

/// Ten a second ask for five: half are refused. The limiter learns what the route takes.
#[test]
fn an_adaptive_limiter_sends_what_the_route_takes() {
    let with = |budget: &str| {
        run(&format!(
            r#"
stop_after = "60s"
[workload]
clients = 10
open = {{ arrivals = {{ poisson = "10/s" }} }}
[[route]]
name = "a"
[[route.limit]]
requests = 5
per = "1s"
burst = 1
over = {{ reply = "generic-429" }}
[policies.p]
backoff = {{ kind = "constant", base = "10ms" }}
limits = {{ max_attempts = 1, deadline = "2s" }}
budget = [{budget}]
"#
        ))
    };
    let free = with("")(Id::BlockingRatio);
    let limited = with("{ kind = \"aws_adaptive\", scope = \"group\" }")(Id::BlockingRatio);
    assert!(free > 0.5, "{free}");
    assert!(limited < 0.6 * free, "{limited} of {free}");
}
