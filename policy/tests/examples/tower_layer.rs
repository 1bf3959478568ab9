//! The tower layer around hyper's client.

use std::sync::mpsc;
use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response};
use retrial_policy::{Class, DecisionRecord, Policy, Stop, StopReason};
use tower::ServiceExt;

use crate::support::failure::Failure;
use crate::support::loopback::{Answer, Loopback};
use crate::{answered, gaps, only_key, overloaded, policy, service, told};

/// Sends one request through the layer: its end, and what the observer was told.
async fn ask(
    server: &Loopback,
    policy: Policy,
) -> (Result<Response<Bytes>, Failure>, Vec<(u32, String)>) {
    let (tell, records) = mpsc::channel();
    let observer = move |record: &DecisionRecord<'_>| {
        tell.send(told(record)).expect("the test listens to the end");
    };
    let url = server.url.clone();
    let address = move |route: retrial_policy::RouteId| {
        format!("{url}/{}", route.0).parse().expect("a loopback address is one")
    };
    let service = service::new(policy, observer, address).expect("there is entropy");
    let request = Request::post("/").body(Bytes::from_static(b"the body")).unwrap();
    let result = service.oneshot(request).await;
    (result, records.try_iter().collect())
}

#[tokio::test]
async fn it_waits_as_told_and_sends_the_same_thing_again() {
    let limited = Answer::recorded("anthropic-429-rate").with_header("retry-after", "1");
    let server = Loopback::start([overloaded(), limited, answered()]).await.unwrap();
    let (result, records) = ask(&server, policy("deadline = '1m'", "")).await;
    assert_eq!(result.map(|response| response.status().as_u16()), Ok(200));
    assert_eq!(records.len(), 3);
    let seen = server.seen();
    let gaps = gaps(&seen);
    assert!(gaps[0] >= Duration::from_millis(20), "the backoff: {gaps:?}");
    assert!(gaps[1] >= Duration::from_secs(1), "the hint: {gaps:?}");
    only_key(&seen);
    assert!(seen.iter().all(|seen| seen.body == "the body"), "{seen:?}");
}

#[tokio::test]
async fn the_response_that_ends_a_call_is_handed_on() {
    let server = Loopback::start([Answer::recorded("anthropic-402-billing")]).await.unwrap();
    let (result, records) = ask(&server, policy("deadline = '1m'", "")).await;
    let response = result.expect("it was a response");
    assert_eq!(response.status(), 402);
    assert!(String::from_utf8_lossy(response.body()).contains("billing_error"));
    assert_eq!(records, [(1, "stop not_retryable".to_string())]);
    assert_eq!(server.seen().len(), 1);
}

#[tokio::test]
async fn silence_is_cut_by_the_timeout_of_the_attempt() {
    let server = Loopback::start([Answer::Silence]).await.unwrap();
    let limits = "max_attempts = 2\ndeadline = '1m'\nattempt_timeout = '100ms'";
    let (result, _) = ask(&server, policy(limits, "")).await;
    let stop = Stop { class: Class::OutcomeUnknown, reason: StopReason::AttemptsExhausted };
    assert_eq!(result.map(|response| response.status()), Err(Failure::Stopped(stop)));
    let seen = server.seen();
    assert!(gaps(&seen)[0] >= Duration::from_millis(120), "{seen:?}");
}

#[tokio::test]
async fn a_service_inside_sees_the_route() {
    let server = Loopback::start([overloaded(), answered()]).await.unwrap();
    let fallback = "[fallback]\nroutes = ['other']\nafter_attempts = 1";
    let (_, records) = ask(&server, policy("deadline = '1m'", fallback)).await;
    assert_eq!(records[0], (1, "fallback transient".to_string()));
    let paths: Vec<_> = server.seen().into_iter().map(|seen| seen.path).collect();
    assert_eq!(paths, ["/0", "/1"]);
}

#[tokio::test]
async fn a_paused_turn_is_the_callers_to_go_on_with() {
    let paused = r#"{"type":"message","content":[],"stop_reason":"pause_turn"}"#;
    let server = Loopback::start([Answer::json(200, paused)]).await.unwrap();
    let (result, records) = ask(&server, policy("deadline = '1m'", "")).await;
    assert_eq!(result.map(|response| response.status().as_u16()), Ok(200));
    assert_eq!(records, [(1, "continue_turn ok".to_string())]);
    assert_eq!(server.seen().len(), 1);
}
