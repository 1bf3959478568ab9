//! Policies that look at statuses alone, as SDKs do: what they repeat, and what they don't see.

use retrial_policy::{
    Budget, Call, CallKey, Decision, Instant, Nanos, Outcome, Policy, Progress, Request, Signal,
    StatusTable, StopReason,
};

/// The rule of the OpenAI SDKs: 408, 409, 429, every 5xx, and transport failures.
const SDK: &str = "
[backoff]
kind = \"constant\"
base = \"200ms\"
[limits]
max_attempts = 3
deadline = \"unlimited\"
[retry_on]
mode = \"statuses\"
statuses = [408, 409, 429, \"5xx\"]
transport = [\"connect\", \"reset\", \"timeout\"]
";

fn decide(policy: &Policy, outcome: &Outcome<'_>) -> Decision {
    let mut budget = retrial_policy::Unlimited;
    let now = Instant::from_nanos(0);
    let (mut call, _) = Call::start(policy, Request::default(), CallKey::new(1), &mut budget, now);
    let table = StatusTable::generic();
    call.on_outcome(policy, &table, outcome, now, &mut budget as &mut dyn Budget, &mut ())
}

fn is_retried(policy: &Policy, outcome: &Outcome<'_>) -> bool {
    match decide(policy, outcome) {
        Decision::RetrySameRoute(wait) => {
            assert_eq!(wait.delay, Nanos::from_millis(200), "{outcome:?}");
            true
        }
        Decision::Stop(stop) => {
            assert_eq!(stop.reason, StopReason::NotRetryable, "{outcome:?}");
            false
        }
        other => panic!("{outcome:?}: {other:?}"),
    }
}

#[test]
fn the_list_decides_and_not_what_an_outcome_means() {
    let policy = Policy::from_toml(SDK).unwrap();
    for (outcome, retried) in [
        (Outcome::response(429).with_code("insufficient_quota"), true),
        (Outcome::response(500).with_code("invalid_request"), true),
        (Outcome::response(501), true),
        (Outcome::response(409), true),
        (Outcome::response(400), false),
        (Outcome::response(425), false),
        (Outcome::new(Signal::AttemptTimeout), true),
        (Outcome::new(Signal::ConnectionReset), true),
        (Outcome::new(Signal::ConnectError), true),
        (Outcome::new(Signal::StreamError).with_progress(Progress::Sent), false),
    ] {
        assert_eq!(is_retried(&policy, &outcome), retried, "{outcome:?}");
    }
}

#[test]
fn a_list_leaves_out_what_it_does_not_name() {
    let text = SDK.replace(", \"5xx\"", "").replace("\"connect\", \"reset\", \"timeout\"", "");
    let policy = Policy::from_toml(&text).unwrap();
    assert!(is_retried(&policy, &Outcome::response(429)));
    for outcome in [Outcome::response(503), Outcome::new(Signal::ConnectError)] {
        assert!(!is_retried(&policy, &outcome), "{outcome:?}");
    }
}

#[test]
fn the_server_may_forbid_a_retry_unless_the_library_does_not_listen() {
    let vetoed = Outcome::response(503).with_veto();
    let listens = Policy::from_toml(SDK).unwrap();
    match decide(&listens, &vetoed) {
        Decision::Stop(stop) => assert_eq!(stop.reason, StopReason::ServerForbade),
        other => panic!("{other:?}"),
    }
    let deaf = Policy::from_toml(&format!("{SDK}honour_veto = false\n")).unwrap();
    assert!(is_retried(&deaf, &vetoed));
}

#[test]
fn a_range_of_statuses_has_both_its_ends() {
    let policy = Policy::from_toml(&SDK.replace("\"5xx\"", "\"501-503\"")).unwrap();
    for (status, retried) in [(500, false), (501, true), (503, true), (504, false)] {
        assert_eq!(is_retried(&policy, &Outcome::response(status)), retried, "{status}");
    }
}

#[test]
fn lists_that_can_not_be() {
    for (from, to, expected) in [
        ("408, ", "200, ", "a status below 300 is an answer"),
        ("408, ", "42, ", "42 is no status"),
        ("\"5xx\"", "\"5x\"", "`5x` is no status"),
        ("\"5xx\"", "\"599-501\"", "`599-501` is no status"),
        ("\"5xx\"", "\"501-600\"", "`501-600` is no status"),
        ("\"reset\"", "\"dns\"", "unknown variant `dns`"),
        ("mode = \"statuses\"", "mode = \"classes\"", "unknown variant `classes`"),
    ] {
        let error = Policy::from_toml(&SDK.replace(from, to)).unwrap_err().to_string();
        assert!(error.contains(expected), "{to}: {error}");
    }
}
