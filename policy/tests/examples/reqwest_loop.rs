//! The loop around reqwest.

use std::sync::mpsc;
use std::time::{Duration, Instant};

use retrial_policy::providers::Provider;
use retrial_policy::{Class, DecisionRecord, Nanos, Policy, Stop, StopReason};
use serde_json::{Value, json};

use crate::client::{Client, Route};
use crate::prompt::Prompt;
use crate::support::failure::Failure;
use crate::support::loopback::{Answer, Loopback};
use crate::{answered, gaps, only_key, overloaded, policy, told};

fn client(server: &Loopback, policy: Policy) -> Client {
    client_of(&server.url, policy)
}

fn client_of(url: &str, policy: Policy) -> Client {
    let route = |name: &str| Route {
        url: format!("{url}/{name}"),
        model: format!("model-of-{name}"),
        provider: Provider::find("anthropic").expect("it is embedded"),
    };
    Client::new(policy, route).expect("there is entropy")
}

fn question() -> Prompt {
    Prompt::new([json!({ "role": "user", "content": "Hi" })])
}

/// Sends one question, and gives the result with what the observer was told.
async fn ask(client: &Client) -> (Result<String, Failure>, Vec<(u32, String)>) {
    let mut records = Vec::new();
    let mut observer = |record: &DecisionRecord<'_>| records.push(told(record));
    let result = client.send(question(), &mut observer).await;
    (result, records)
}

fn record(attempt: u32, text: &str) -> (u32, String) {
    (attempt, text.into())
}

#[tokio::test]
async fn it_waits_as_told_and_keeps_its_key() {
    let limited = Answer::recorded("anthropic-429-rate").with_header("retry-after", "1");
    let server = Loopback::start([overloaded(), limited, answered()]).await.unwrap();
    let client = client(&server, policy("deadline = '1m'", ""));
    let (result, records) = ask(&client).await;
    assert_eq!(result.map(|body| body.contains("end_turn")), Ok(true));
    let expected = [
        record(1, "retry_same_route transient"),
        record(2, "retry_after_hint throttled"),
        record(3, "accept ok"),
    ];
    assert_eq!(records, expected);
    let first = server.seen();
    assert_eq!(first.len(), 3);
    let gaps = gaps(&first);
    assert!(gaps[0] >= Duration::from_millis(20), "the backoff: {gaps:?}");
    assert!(gaps[1] >= Duration::from_secs(1), "the hint: {gaps:?}");
    let key = only_key(&first);
    assert_eq!(ask(&client).await.1, [record(1, "accept ok")]);
    assert_ne!(only_key(&server.seen()[3..]), key, "another call has another key");
}

#[tokio::test]
async fn an_account_that_cannot_pay_is_asked_once() {
    let server = Loopback::start([Answer::recorded("anthropic-402-billing")]).await.unwrap();
    let (result, records) = ask(&client(&server, policy("deadline = '1m'", ""))).await;
    let stop = Stop { class: Class::Exhausted, reason: StopReason::NotRetryable };
    assert_eq!(result, Err(Failure::Stopped(stop)));
    assert_eq!(records, [record(1, "stop not_retryable")]);
    assert_eq!(server.seen().len(), 1);
}

#[tokio::test]
async fn a_wait_that_ends_after_the_deadline_is_not_begun() {
    let limited = Answer::recorded("anthropic-429-rate").with_header("retry-after", "50");
    let server = Loopback::start([limited]).await.unwrap();
    let (result, records) = ask(&client(&server, policy("deadline = '40s'", ""))).await;
    assert_eq!(records, [record(1, "stop deadline_exceeded")]);
    let Err(Failure::Stopped(Stop { class: Class::Throttled, reason })) = result else {
        panic!("{result:?}");
    };
    let StopReason::DeadlineExceeded { needed, .. } = reason else { panic!("{reason:?}") };
    assert!(needed >= Nanos::from_secs(50), "{needed}");
    assert_eq!(server.seen().len(), 1);
}

#[tokio::test]
async fn silence_is_cut_by_the_timeout_of_the_attempt() {
    let server = Loopback::start([Answer::Silence]).await.unwrap();
    let limits = "max_attempts = 3\ndeadline = '1m'\nattempt_timeout = '100ms'";
    let (result, _) = ask(&client(&server, policy(limits, ""))).await;
    let stop = Stop { class: Class::OutcomeUnknown, reason: StopReason::AttemptsExhausted };
    assert_eq!(result, Err(Failure::Stopped(stop)));
    let seen = server.seen();
    assert!(gaps(&seen).iter().all(|gap| *gap >= Duration::from_millis(120)), "{seen:?}");
    only_key(&seen);
}

#[tokio::test]
async fn silence_is_cut_by_the_deadline() {
    let server = Loopback::start([Answer::Silence]).await.unwrap();
    let began = Instant::now();
    let (result, _) = ask(&client(&server, policy("deadline = '200ms'", ""))).await;
    let nothing = StopReason::DeadlineExceeded { needed: Nanos::ZERO, remaining: Nanos::ZERO };
    let stop = Stop { class: Class::OutcomeUnknown, reason: nothing };
    assert_eq!(result, Err(Failure::Stopped(stop)));
    assert!(began.elapsed() >= Duration::from_millis(200));
    assert_eq!(server.seen().len(), 1);
}

#[tokio::test]
async fn a_lost_answer_to_a_call_without_a_key_is_for_the_caller_to_look_into() {
    let server = Loopback::start([Answer::HangUp]).await.unwrap();
    let text = "[backoff]\nkind = 'none'\n[limits]\ndeadline = '1m'";
    let (result, _) = ask(&client(&server, Policy::from_toml(text).unwrap())).await;
    let Err(Failure::Reconcile { stop, .. }) = result else { panic!("{result:?}") };
    assert_eq!(stop.class, Class::OutcomeUnknown);
    let seen = server.seen();
    assert_eq!(seen.len(), 1);
    assert_eq!(seen[0].idempotency_key, None, "the provider would not honour it");
}

#[tokio::test]
async fn nobody_listening_is_retried_though_there_is_no_key() {
    let free = std::net::TcpListener::bind(("127.0.0.1", 0)).and_then(|it| it.local_addr());
    let url = format!("http://{}", free.expect("a free port, which is closed again by now"));
    let text = "[backoff]\nkind = 'none'\n[limits]\nmax_attempts = 3\ndeadline = '1m'";
    let (_, records) = ask(&client_of(&url, Policy::from_toml(text).unwrap())).await;
    let again = |attempt| record(attempt, "retry_same_route transient");
    assert_eq!(records, [again(1), again(2), record(3, "stop attempts_exhausted")]);
}

#[tokio::test]
async fn the_other_route_is_taken_once_the_first_has_had_its_share() {
    let server = Loopback::start([overloaded(), overloaded(), answered()]).await.unwrap();
    let fallback = "[fallback]\nroutes = ['other']\nafter_attempts = 2";
    let (_, records) = ask(&client(&server, policy("deadline = '1m'", fallback))).await;
    assert_eq!(records[1], record(2, "fallback transient"));
    let seen = server.seen();
    let paths: Vec<_> = seen.iter().map(|seen| seen.path.as_str()).collect();
    assert_eq!(paths, ["/primary", "/primary", "/other"]);
    assert!(seen[2].body.contains("model-of-other"), "{}", seen[2].body);
    only_key(&seen);
}

#[tokio::test]
async fn a_conversation_that_is_too_long_is_halved_once() {
    let large = Answer::recorded("anthropic-413-invalid-request-context");
    let server = Loopback::start([large]).await.unwrap();
    let client = client(&server, policy("deadline = '1m'", ""));
    let prompt = Prompt::new((0..4).map(|n| json!({ "role": "user", "content": n })));
    let result = client.send(prompt, &mut |_: &DecisionRecord<'_>| {}).await;
    let stop = Stop { class: Class::TooLarge, reason: StopReason::NotRetryable };
    assert_eq!(result, Err(Failure::Stopped(stop)));
    assert_eq!(
        contents(&server),
        [vec![json!(0), json!(1), json!(2), json!(3)], vec![json!(2), json!(3)]]
    );
}

#[tokio::test]
async fn a_paused_turn_is_sent_back() {
    let paused = r#"{"type":"message","content":[{"type":"text","text":"Wait"}],"stop_reason":"pause_turn"}"#;
    let server = Loopback::start([Answer::json(200, paused), answered()]).await.unwrap();
    let (result, records) = ask(&client(&server, policy("deadline = '1m'", ""))).await;
    assert_eq!(result.map(|body| body.contains("end_turn")), Ok(true));
    assert_eq!(records, [record(1, "continue_turn ok"), record(2, "accept ok")]);
    let turn = json!([{ "type": "text", "text": "Wait" }]);
    assert_eq!(contents(&server), [vec![json!("Hi")], vec![json!("Hi"), turn]]);
}

/// The contents of the messages in each request.
fn contents(server: &Loopback) -> Vec<Vec<Value>> {
    let contents = |body: &str| {
        let body: Value = serde_json::from_str(body).expect("the client sends JSON");
        let messages = body["messages"].as_array().expect("a list").clone();
        messages.iter().map(|message| message["content"].clone()).collect()
    };
    server.seen().iter().map(|seen| contents(&seen.body)).collect()
}

const ONE_TOKEN: &str =
    "[[budget]]\nkind = 'token_bucket'\ncapacity = 1\nretry_cost = 1\nsuccess_refund = 0";

#[tokio::test]
async fn calls_share_their_budget() {
    let server = Loopback::start([overloaded()]).await.unwrap();
    let client = client(&server, policy("max_attempts = 2\ndeadline = '1m'", ONE_TOKEN));
    assert_eq!(ask(&client).await.1[1], record(2, "stop attempts_exhausted"));
    assert_eq!(ask(&client).await.1, [record(1, "stop budget_denied")]);
    assert_eq!(server.seen().len(), 3);
}

/// Dropped during its wait, a call gives its permit back: the next one finds it.
#[tokio::test]
async fn a_dropped_call_gives_back_what_it_holds() {
    let server = Loopback::start([overloaded()]).await.unwrap();
    let text = format!(
        "[backoff]\nkind = 'constant'\nbase = '1h'\n[limits]\ndeadline = 'unlimited'\n\
         [replay]\nsafe = true\n{ONE_TOKEN}"
    );
    let client = client(&server, Policy::from_toml(&text).unwrap());
    for _ in 0..2 {
        let (tell, told_here) = mpsc::channel();
        let mut observer = |record: &DecisionRecord<'_>| {
            // The other end lives as long as the call.
            tell.send(told(record)).expect("somebody listens");
        };
        let call = client.send(question(), &mut observer);
        let decided = async {
            loop {
                if let Ok(record) = told_here.try_recv() {
                    return record;
                }
                tokio::task::yield_now().await;
            }
        };
        tokio::select! {
            result = call => panic!("it waits for an hour: {result:?}"),
            decision = decided => {
                assert_eq!(decision, record(1, "retry_same_route transient"));
            }
        }
    }
}

#[tokio::test]
async fn an_open_breaker_keeps_attempts_from_the_wire() {
    let server = Loopback::start([overloaded()]).await.unwrap();
    let breaker = "[[budget]]\nkind = 'circuit_breaker'\nfailures = 2\nopen = '1h'";
    let client = client(&server, policy("deadline = '1m'", breaker));
    assert_eq!(ask(&client).await.1[1], record(2, "stop budget_denied"));
    let (result, _) = ask(&client).await;
    let stop = Stop { class: Class::Transient, reason: StopReason::BudgetDenied };
    assert_eq!(result, Err(Failure::Stopped(stop)));
    assert_eq!(server.seen().len(), 2);
}
