//! One layer names fallback routes; the others go where it has turned, or begin at the first.

use super::*;

fn layer(fallback: &str, max: u32) -> String {
    format!(
        "backoff = {{ kind = 'none' }}, limits = {{ max_attempts = {max}, deadline = 'unlimited' }}\
         {fallback}"
    )
}

fn stacked(outer: &str, inner: &str) -> Result<Policy, String> {
    let outer = layer(outer, 2).replace("}, ", "}\n");
    let text = format!("{outer}\ninner = {{ {} }}", layer(inner, 2));
    Policy::from_toml(&text).map_err(|error| error.message)
}

fn routes(driven: &Driven) -> Vec<(u8, Branch)> {
    driven.sent.iter().map(|(_, attempt)| (attempt.route.0, attempt.branch)).collect()
}

const SECOND: &str = "routes = ['second'], after_attempts = 1";

/// All attempts of the SDK go to the route that the application has turned to.
#[test]
fn a_fallback_outside_leads_the_layers_inside() {
    let policy = stacked(&format!("\nfallback = {{ {SECOND} }}"), "").unwrap();
    let driven = drive(&policy, status(503));
    assert_eq!(
        routes(&driven),
        [
            (0, Branch::FirstTry),
            (0, Branch::SameRouteRetry),
            (1, Branch::ModelFallback),
            (1, Branch::SameRouteRetry),
        ]
    );
    let names: Vec<_> = driven.log.0.iter().map(|heard| (heard.depth, &*heard.route)).collect();
    assert_eq!(
        names,
        [
            (1, "primary"),
            (1, "primary"),
            (0, "primary"),
            (1, "second"),
            (1, "second"),
            (0, "second")
        ]
    );
    assert_eq!(policy.routing_layer().route_names(), ["primary", "second"]);
}

/// The application knows nothing of the SDK's routes: its next attempt begins at the first one.
#[test]
fn a_fallback_inside_begins_anew_with_each_attempt_outside() {
    let policy = stacked("", &format!(", fallback = {{ {SECOND} }}")).unwrap();
    let driven = drive(&policy, status(503));
    assert_eq!(
        routes(&driven),
        [
            (0, Branch::FirstTry),
            (1, Branch::ModelFallback),
            (0, Branch::SameRouteRetry),
            (1, Branch::ModelFallback),
        ]
    );
    let last = driven.log.0.last().expect("decisions");
    assert_eq!((last.depth, &*last.route), (0, "second"), "where the last attempt went");
    assert_eq!(policy.routing_layer().route_names(), ["primary", "second"]);
}

#[test]
fn two_layers_with_fallback_routes_contradict_each_other() {
    let refusal = stacked(
        &format!("\nfallback = {{ {SECOND} }}"),
        ", fallback = { exhausted = ['other-account'] }",
    );
    let message =
        "inner.fallback.exhausted: a layer outside names fallback routes too: only one may";
    assert_eq!(refusal.unwrap_err(), message);
}
