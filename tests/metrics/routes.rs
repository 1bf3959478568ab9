//! Further routes.

use super::*;

fn run(after_attempts: u32) -> impl Fn(Id) -> Option<f64> + use<> {
    metrics(&format!(
        r#"
[workload]
clients = 3
closed = {{ requests = 1 }}
[network]
delay = "10ms"
[[route]]
name = "a"
[[route.fault]]
reply = "generic-503"
[[route]]
name = "b"
service = "30ms"
[policies.p]
backoff = {{ kind = "constant", base = "100ms" }}
limits.deadline = "unlimited"
fallback = {{ routes = ["b"], after_attempts = {after_attempts} }}
"#
    ))
}

/// Refused at 10 ms, told so at 20, and off to the other route at once: 10 + 30 + 10 more.
#[test]
fn a_fallback_leaves_at_once() {
    let figures = [
        (Id::Attempts, 6.0),
        (Id::Fallbacks, 3.0),
        (Id::Retries, 0.0),
        (Id::RetriedSucceeded, 3.0),
        (Id::MakespanMs, 70.0),
    ];
    assert_metrics(run(1), &figures);
}

/// One retry, from 120 to 140 ms, comes first.
#[test]
fn retries_and_fallbacks_are_counted_apart() {
    let figures = [
        (Id::Attempts, 9.0),
        (Id::Fallbacks, 3.0),
        (Id::Retries, 3.0),
        (Id::Amplification, 3.0),
        (Id::MakespanMs, 190.0),
    ];
    assert_metrics(run(2), &figures);
}

/// Each of three requests meets `reply` on its first route; the others are in an order of their own.
fn run_with_own_lists(reply: &str) -> impl Fn(Id) -> Option<f64> + use<> {
    metrics(&format!(
        r#"
[workload]
clients = 3
closed = {{ requests = 1 }}
[network]
delay = "10ms"
[[route]]
name = "first"
[[route.fault]]
reply = "{reply}"
[[route]]
name = "secondary"
service = "30ms"
[[route]]
name = "lenient"
service = "50ms"
[[route]]
name = "down"
[[route.fault]]
reply = "generic-503"
[policies.p]
backoff = {{ kind = "constant", base = "100ms" }}
limits.deadline = "unlimited"
fallback = {{ routes = ["down"], content = ["lenient"], exhausted = ["secondary"] }}
"#
    ))
}

/// Refused at 10 ms, told so at 20: one attempt a request there, and one on the other account,
/// 10 + 30 + 10 ms.
#[test]
fn a_spent_account_is_called_once_and_then_another() {
    let figures = [
        (Id::Attempts, 6.0),
        (Id::Fallbacks, 3.0),
        (Id::Retries, 0.0),
        (Id::RetriedSucceeded, 3.0),
        (Id::MakespanMs, 70.0),
    ];
    assert_metrics(run_with_own_lists("openai-429-insufficient-quota"), &figures);
}

/// The same, with 50 ms on the route that accepts the content.
#[test]
fn refused_content_goes_to_the_route_that_may_accept_it() {
    let figures = [
        (Id::Attempts, 6.0),
        (Id::Fallbacks, 3.0),
        (Id::Retries, 0.0),
        (Id::RetriedSucceeded, 3.0),
        (Id::MakespanMs, 90.0),
    ];
    assert_metrics(run_with_own_lists("azure-400-content-filter-no-inner"), &figures);
}
