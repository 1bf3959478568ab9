//! Policies with inner ones: their metrics are those of the attempts on the wire.

use super::*;

/// Three clients, 10 ms each way, and a route with these keys.
fn run(route: &str, policy: &str) -> impl Fn(Id) -> Option<f64> + use<> {
    metrics(&format!(
        "[workload]\nclients = 3\nclosed = {{ requests = 1 }}\n[network]\ndelay = '10ms'\n\
         [[route]]\nname = 'a'\n{route}\n{policy}"
    ))
}

const DEAD: &str = "[[route.fault]]\nreply = 'generic-503'";

/// Layers of so many attempts with a wait of 100 ms between them, the outermost first.
fn layers(max_attempts: &[u32]) -> String {
    let tables = max_attempts.iter().enumerate().map(|(depth, max)| {
        let layer = format!("policies.p{}", ".inner".repeat(depth));
        format!(
            "[{layer}]\nbackoff = {{ kind = 'constant', base = '100ms' }}\n\
             limits = {{ max_attempts = {max}, deadline = 'unlimited' }}\n"
        )
    });
    tables.collect()
}

/// 4 × 4 × 4 attempts of 20 ms, with 63 waits between them.
#[test]
fn attempts_multiply() {
    let figures = [
        (Id::Requests, 3.0),
        (Id::Attempts, 192.0),
        (Id::Retries, 189.0),
        (Id::Amplification, 64.0),
        (Id::RetriedGaveUp, 3.0),
        (Id::GaveUpAttempts, 3.0),
        (Id::MakespanMs, 64.0 * 20.0 + 63.0 * 100.0),
    ];
    assert_metrics(run(DEAD, &layers(&[4, 4, 4])), &figures);
    assert_metrics(run(DEAD, &layers(&[3; 5])), &[(Id::Amplification, 243.0)]);
}

/// The fault ends at 300 ms: attempts at 10, 130 and, after the outer layer's wait, 250 ms fail, and
/// that of 370 ms succeeds, inside.
#[test]
fn a_success_inside_ends_all() {
    let figures = [
        (Id::Attempts, 12.0),
        (Id::RetriedSucceeded, 3.0),
        (Id::MakespanMs, 380.0),
        (Id::SuccessRatio, 1.0),
    ];
    let fault = format!("{DEAD}\nuntil = '300ms'");
    assert_metrics(run(&fault, &layers(&[4, 2])), &figures);
}

/// Nothing is ever answered: inner calls of two attempts of 150 ms do not fit into the 250 ms of
/// the outer layer's attempts, and those not into its second.
#[test]
fn time_nests() {
    let policy = "[policies.p]\nbackoff = { kind = 'none' }\nreplay = { safe = true }\n\
                  limits = { deadline = '1s', attempt_timeout = '250ms', max_attempts = 9 }\n\
                  [policies.p.inner]\nbackoff = { kind = 'none' }\nreplay = { safe = true }\n\
                  limits = { deadline = '10s', attempt_timeout = '150ms', max_attempts = 2 }";
    let figures = [(Id::Attempts, 24.0), (Id::GaveUpDeadline, 3.0), (Id::MakespanMs, 1000.0)];
    assert_metrics(run("[[route.fault]]\nsilent = true", policy), &figures);
}

/// All clients' inner layers share three retries, once and for all.
#[test]
fn a_budget_inside_lasts() {
    let budget = "budget = [{ kind = 'token_bucket', scope = 'group', capacity = 3.0, \
                  retry_cost = 1.0, success_refund = 0.0 }]";
    let policy = format!("{}{budget}", layers(&[4, 4]));
    assert_metrics(run(DEAD, &policy), &[(Id::Attempts, 3.0 * 4.0 + 3.0)]);
}

/// Replies get lost, so that each request is carried out by each of its attempts; the key of either
/// layer tells the route that it is the same one.
#[test]
fn a_key_of_any_layer_is_sent() {
    let with = |outer: &str, inner: &str| {
        let layer = |replay: &str, timeout: &str| {
            format!(
                "backoff = {{ kind = 'none' }}\nreplay = {{ {replay} }}\n\
                 limits = {{ deadline = '9s', attempt_timeout = '{timeout}', max_attempts = 2 }}\n"
            )
        };
        let (outer, inner) = (layer(outer, "1s"), layer(inner, "100ms"));
        let lost = "[network]\ndelay = '10ms'\nlost_replies = 1.0";
        metrics(&format!(
            "[workload]\nclients = 3\nclosed = {{ requests = 1 }}\n{lost}\n\
             [[route]]\nname = 'a'\n[policies.p]\n{outer}[policies.p.inner]\n{inner}"
        ))
    };
    let safe = "safe = true";
    let key = "idempotency_key = true";
    for (outer, inner, duplicates) in [(safe, safe, 9.0), (key, safe, 0.0), (safe, key, 0.0)] {
        let figures = [(Id::Attempts, 12.0), (Id::Duplicates, duplicates)];
        assert_metrics(with(outer, inner), &figures);
    }
}

/// The application leaves for another route with all that its SDK does there.
#[test]
fn a_fallback_outside_is_one_attempt_on_the_wire() {
    let policy =
        format!("{}[policies.p.fallback]\nroutes = ['b']\nafter_attempts = 1\n", layers(&[2, 2]));
    let route = format!("{DEAD}\n[[route]]\nname = 'b'");
    let figures =
        [(Id::Attempts, 9.0), (Id::Retries, 3.0), (Id::Fallbacks, 3.0), (Id::MakespanMs, 160.0)];
    assert_metrics(run(&route, &policy), &figures);
}
