//! Real replies of real providers, each with the class and the one action that are right.
//!
//! Sources: `data/error_cases.jsonl`, 153 replies posted in public issue threads or documented by
//! the providers, each with its address; and `data/further_cases.jsonl`, replies in the providers'
//! forms for what their pages say beyond these, and for contradictions. The labels follow the
//! providers' documentation.

use retrial_policy::providers::{Provider, UnknownCodes};
use retrial_policy::replies::{Label, Reading, Recorded};
use retrial_policy::*;

const FILES: [&str; 2] =
    [include_str!("data/error_cases.jsonl"), include_str!("data/further_cases.jsonl")];

/// Cases that come out differently: class and action that they have instead, and why that is right.
const EXCEPTIONS: [(&str, &str, &str, &str); 2] = [
    // Sume's submits are paid for: its documentation repeats them with the same key only, and the
    // cases say nothing of one. With a key both come out as labelled (see `sume.rs`).
    ("sume-429-queue-full", "throttled", "stop", "an unkeyed submit is not repeated"),
    ("sume-503-no-hint", "transient", "stop", "an unkeyed submit is not repeated"),
];

fn cases() -> Vec<(Recorded, Label)> {
    let read = |line| {
        let case = Recorded::from_json(line).expect("the file is well-formed");
        let label = case.label.clone().expect("every case is labelled");
        (case, label)
    };
    FILES.into_iter().flat_map(str::lines).map(read).collect()
}

fn provider(case: &Recorded) -> Provider {
    Provider::find(&case.provider)
        .unwrap_or_else(|| panic!("{}: no table for {}", case.id, case.provider))
}

/// A fallback route for refused content and for hints that are too long, none for a spent account;
/// no key unless the case says so; waits up to 300 s.
fn policy(case: &Recorded) -> Policy {
    Policy::new(PolicySpec {
        backoff: Backoff::exponential(Nanos::from_millis(500))
            .cap(Nanos::from_secs(20))
            .jitter(Jitter::Full),
        retry_after: RetryAfter {
            cap: Nanos::from_secs(300),
            over_cap: OverCap::Fallback,
            ..RetryAfter::default()
        },
        fallback: Fallback {
            routes: vec!["other".into()],
            content: vec!["other".into()],
            ..Fallback::default()
        },
        replay: Replay { safe: case.replay_safe, idempotency_key: case.idempotency_key },
        ..PolicySpec::default()
    })
    .unwrap()
}

fn action(case: &Recorded, reading: &Reading) -> Action {
    let (policy, now) = (policy(case), Instant::from_nanos(0));
    let request = Request { reducible: true, ..Request::default() };
    let (mut call, _) = Call::start(&policy, request, CallKey::new(7), &mut Unlimited, now);
    call.on_outcome(&policy, reading, &reading.outcome(), now, &mut Unlimited, &mut ()).action()
}

#[test]
fn classes_actions_and_waits_are_right() {
    let mut wrong = Vec::new();
    let mut hard = Vec::new();
    let mut exceptions = Vec::new();
    for (case, label) in cases() {
        let reading = provider(&case).read(&case.reply);
        let class = reading.classification.class.as_str();
        let action = action(&case, &reading).as_str();
        let class_right = class == label.class || label.also_class.iter().any(|also| also == class);
        let action_right =
            action == label.action || label.also_action.iter().any(|also| also == action);
        let wait = reading.hint.map(|hint| hint.0.as_millis_f64() / 1000.0);
        let wait_right = match (label.retry_after_s, wait) {
            (Some(right), Some(wait)) => (wait - right).abs() <= (0.01 * right).max(0.01),
            (Some(_), None) => action != label.action,
            (None, Some(_)) => action != "retry_same_route",
            (None, None) => true,
        };
        let retries = action.starts_with("retry");
        let dead = ["exhausted", "auth", "invalid_request"].contains(&label.class.as_str());
        if dead && retries || action == "accept" && label.action != "accept" {
            hard.push(case.id.clone());
        }
        if class_right && action_right && wait_right {
            continue;
        }
        let excepted = EXCEPTIONS.iter().find(|(id, ..)| *id == case.id);
        if excepted.is_some_and(|(_, its_class, its_action, _)| {
            *its_class == class && *its_action == action
        }) {
            exceptions.push(case.id.clone());
        } else {
            let by = format!("{}/{}", reading.decided_by.table, reading.decided_by.row);
            wrong.push(format!(
                "{}: {class} {action} {wait:?}, right is {} {} {:?} (row {by})",
                case.id, label.class, label.action, label.retry_after_s
            ));
        }
    }
    assert!(hard.is_empty() && wrong.is_empty(), "never to be done: {hard:#?}, wrong: {wrong:#?}");
    exceptions.sort();
    assert_eq!(exceptions, EXCEPTIONS.map(|(id, ..)| id), "an exception that is none any more");
}

/// The rule of the budget: a spent account is called once and never again.
#[test]
fn an_exhausted_account_is_called_exactly_once() {
    let mut seen = 0;
    for (case, _) in cases().into_iter().filter(|(_, label)| label.class == "exhausted") {
        let reading = provider(&case).read(&case.reply);
        let (policy, mut now) = (policy(&case), Instant::from_nanos(0));
        let request = Request { reducible: true, ..Request::default() };
        let (mut call, _) = Call::start(&policy, request, CallKey::new(7), &mut Unlimited, now);
        let mut upstream_calls = 1;
        while let Some(wait) = call
            .on_outcome(&policy, &reading, &reading.outcome(), now, &mut Unlimited, &mut ())
            .wait()
        {
            now = wait.until;
            upstream_calls += 1;
            call.next_attempt(&policy, now, &mut Unlimited, &mut ()).unwrap();
        }
        assert_eq!(upstream_calls, 1, "{}", case.id);
        seen += 1;
    }
    assert!(seen >= 20, "the cases hold {seen} of these");
}

#[test]
fn the_tables_know_every_code_of_the_real_replies() {
    let mut unknown = UnknownCodes::default();
    for (case, _) in cases().into_iter().filter(|(_, label)| label.class != "unknown") {
        unknown.note(&case.provider, &provider(&case).read(&case.reply));
    }
    // Put into cases as codes that nobody lists; beside one that decides, or to stand for any.
    const UNLISTED: [&str; 4] =
        ["PLACEHOLDER", "DependencyFailedException", "browser_signature_banned", "1000"];
    let is_code = |(_, code, _): &(&str, &str, u64)| !UNLISTED.contains(code);
    let codes: Vec<_> = unknown.iter().filter(is_code).collect();
    assert!(codes.is_empty(), "{codes:?}");
}
