//! One record per decision, and one message per stop.

use retrial_policy::*;

use crate::support::{SpyBudget, always, at_ms, key, ms, secs};
use crate::{Driver, Seen, spec};

#[test]
fn each_decision_makes_exactly_one_record_with_its_fields() {
    let mut driver = Driver::start(spec());
    driver.now = at_ms(30);
    let read = Classification::of(Class::Transient);
    assert_eq!(driver.decide(read, &Outcome::response(503)).action(), Action::RetrySameRoute);
    driver.now = at_ms(260);
    let ok = Classification::of(Class::Ok);
    assert_eq!(driver.decide(ok, &Outcome::response(200)), Decision::Accept);
    let retried = Seen {
        attempt: 1,
        branch: Branch::FirstTry,
        route: "primary".into(),
        class: Class::Transient,
        reason: "transient",
        delay: Some(ms(200)),
        delay_source: DelaySource::Backoff,
        fallback_reason: None,
        remaining_attempts: Some(4),
        remaining_time: Some(ms(89_970)),
        action: Action::RetrySameRoute,
        terminal_outcome: None,
    };
    let accepted = Seen {
        attempt: 2,
        branch: Branch::SameRouteRetry,
        class: Class::Ok,
        reason: "ok",
        delay: None,
        delay_source: DelaySource::None,
        remaining_attempts: Some(3),
        remaining_time: Some(ms(89_740)),
        action: Action::Accept,
        terminal_outcome: Some(TerminalOutcome::Succeeded),
        ..retried.clone()
    };
    assert_eq!(driver.records, [retried, accepted]);
}

#[test]
fn every_kind_of_end_is_recorded_once() {
    for (class, situation, terminal) in [
        (Class::Auth, "stopped", TerminalOutcome::Stopped),
        (Class::Transient, "refused by the budget", TerminalOutcome::GaveUpBudget),
    ] {
        let mut driver = Driver::start_with(spec(), Request::default(), SpyBudget::refusing());
        assert_eq!(driver.fail(class).action(), Action::Stop, "{situation}");
        assert_eq!(driver.records.len(), 1, "{situation}");
        assert_eq!(driver.last().terminal_outcome, Some(terminal), "{situation}");
        assert_eq!(driver.last().delay, None, "{situation}");
    }
}

/// Decides once on an outcome with all that a response can carry, and hands the record on.
fn with_full_record(check: impl Fn(&DecisionRecord<'_>)) {
    let policy = Policy::new(spec()).unwrap();
    let now = at_ms(0);
    let (mut call, _) =
        Call::start(&policy, Request::default(), CallKey::new(0xAB), &mut Unlimited, now);
    let mut outcome = Outcome::response(400).with_code("invalid_request").with_request_id("req_7");
    outcome.rejected_param = Some("max_tokens");
    outcome.model = Some("some-model");
    let mut seen = 0;
    let mut observer = |record: &DecisionRecord<'_>| {
        seen += 1;
        check(record);
    };
    let classify = always(Class::InvalidRequest);
    let decision =
        call.on_outcome(&policy, &classify, &outcome, at_ms(1_500), &mut Unlimited, &mut observer);
    assert_eq!(decision.action(), Action::Stop);
    assert_eq!(seen, 1);
}

#[test]
fn a_stop_is_explained_in_one_line() {
    with_full_record(|record| {
        assert_eq!(
            record.stop_message().expect("it stopped").to_string(),
            "invalid_request (not_retryable) on route primary, status 400, code invalid_request, \
             rejected parameter max_tokens, request id req_7; 1 attempt in 1.5s; caller: fix the \
             request; repeating or re-routing it won't help"
        );
    });
}

#[test]
fn only_a_stop_has_a_stop_message() {
    let policy = Policy::new(spec()).unwrap();
    let now = at_ms(0);
    let (mut call, _) = Call::start(&policy, Request::default(), key(0), &mut Unlimited, now);
    let mut messages = Vec::new();
    let mut observer = |record: &DecisionRecord<'_>| {
        messages.push(record.stop_message().map(|message| message.to_string()));
    };
    for (status, class) in [(429, Class::Throttled), (200, Class::Ok)] {
        let outcome = Outcome::response(status);
        let classify = always(class);
        let decision =
            call.on_outcome(&policy, &classify, &outcome, now, &mut Unlimited, &mut observer);
        assert_eq!(decision.terminal_outcome().is_some(), class == Class::Ok);
    }
    assert_eq!(messages, [None, None]);
}

#[test]
fn a_stop_that_names_numbers_shows_both() {
    let mut driver = Driver::start(spec());
    let decision = driver.fail_with_hint(Class::Throttled, secs(3_600));
    let Decision::Stop(stop) = decision else { panic!("{decision:?}") };
    assert_eq!(
        stop.to_string(),
        "throttled (hint_over_cap): asked to wait 3600s, accepting at most 60s"
    );
}

/// The names and the order of the fields are a promise to whoever reads the logs.
#[cfg(feature = "serde")]
#[test]
fn the_serialised_record_has_the_stable_field_names() {
    with_full_record(|record| {
        assert_eq!(
            serde_json::to_string(record).expect("a record is plain data"),
            concat!(
                r#"{"logical_request_id":"00000000000000ab","attempt":1,"branch":"first_try","#,
                r#""route":"primary","model":"some-model","class":"invalid_request","#,
                r#""reason":"not_retryable","status":400,"code":"invalid_request","#,
                r#""request_id":"req_7","rejected_param":"max_tokens","delay_ms":null,"#,
                r#""delay_source":"none","fallback_reason":null,"remaining_attempts":4,"#,
                r#""remaining_time_ms":88500.0,"action":"stop","terminal_outcome":"stopped"}"#,
            )
        );
    });
}
