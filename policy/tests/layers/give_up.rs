//! The outer layer sees what the inner one gives up on, and nothing else.

use super::*;

/// A careful application over an SDK that looks at statuses.
fn application_over_sdk() -> Policy {
    load(
        "[backoff]\nkind = 'constant'\nbase = '1s'\n[limits]\nmax_attempts = 4\n\
         deadline = 'unlimited'\n[replay]\nidempotency_key = true\n\
         [inner.backoff]\nkind = 'constant'\nbase = '500ms'\n[inner.limits]\nmax_attempts = 3\n\
         deadline = 'unlimited'\n[inner.retry_on]\nmode = 'statuses'\n\
         statuses = [408, 409, 429, '5xx']\ntransport = ['connect', 'reset', 'timeout']\n",
    )
}

/// Reads the code, as a provider's table does.
fn by_code(outcome: &Outcome<'_>) -> Classification {
    match outcome.code {
        Some("insufficient_quota") => Classification::of(Class::Exhausted),
        _ => StatusTable::generic().classify(outcome),
    }
}

/// What each decision was: depth, attempt of the layer, action.
fn actions(log: &Log) -> Vec<(usize, u32, Action)> {
    log.0.iter().map(|heard| (heard.depth, heard.attempt, heard.action)).collect()
}

#[test]
fn the_outer_layer_hears_of_the_last_failure_of_each_inner_call() {
    use Action::{Accept, RetrySameRoute, Stop};
    let mut statuses = [503, 500, 503, 502, 429, 200].into_iter();
    let driven = drive(&nested(&[4, 3]), |_| {
        (Outcome::response(statuses.next().expect("no attempt after the success")), ms(10))
    });
    assert_eq!(
        actions(&driven.log),
        [
            (1, 1, RetrySameRoute),
            // A plain 500 is repeated once.
            (1, 2, RetrySameRoute),
            (1, 3, Stop),
            (0, 1, RetrySameRoute),
            (1, 1, RetrySameRoute),
            (1, 2, RetrySameRoute),
            (1, 3, Accept),
            (0, 2, Accept),
        ]
    );
    assert_eq!(driven.end, Decision::Accept);
    assert!(driven.log.0.iter().all(|heard| heard.id == KEY), "one id for one logical request");
}

#[test]
fn a_success_ends_all_layers() {
    let driven = drive(&nested(&[4, 4, 4]), status(200));
    assert_eq!(driven.sent.len(), 1);
    let decided: Vec<_> = [2, 1, 0].map(|depth| (depth, 1, Action::Accept)).into();
    assert_eq!(actions(&driven.log), decided);
}

#[test]
fn a_bad_request_is_repeated_by_neither() {
    let driven = drive(&application_over_sdk(), status(400));
    assert_eq!(driven.sent.len(), 1);
    assert_eq!(actions(&driven.log), [(1, 1, Action::Stop), (0, 1, Action::Stop)]);
}

/// The SDK sees a 429 and repeats it; the application sees a spent account and stops.
#[test]
fn a_spent_account_is_repeated_by_the_sdk_and_stopped_by_the_application() {
    let policy = application_over_sdk();
    let mut log = Log::default();
    let budgets = &mut [Unlimited; 2][..];
    let outcome = Outcome::response(429).with_code("insufficient_quota");
    let (mut call, _) = LayeredCall::start(&policy, Request::default(), KEY, budgets, at_ms(0));
    let mut now = at_ms(10);
    let mut decision = call.on_outcome(&policy, &by_code, &outcome, now, budgets, &mut log);
    while let Some(wait) = decision.wait() {
        now = wait.until;
        call.next_attempt(&policy, now, budgets, &mut log).expect("in time");
        decision = call.on_outcome(&policy, &by_code, &outcome, now, budgets, &mut log);
    }
    assert_eq!(
        actions(&log),
        [
            (1, 1, Action::RetrySameRoute),
            (1, 2, Action::RetrySameRoute),
            (1, 3, Action::Stop),
            (0, 1, Action::Stop),
        ]
    );
    let Decision::Stop(stop) = decision else { panic!("{decision:?}") };
    assert_eq!((stop.class, stop.reason), (Class::Exhausted, StopReason::NotRetryable));
}

/// A layer may repeat what may have taken effect if its own policy says so.
#[test]
fn each_layer_repeats_an_unknown_outcome_by_its_own_word() {
    let layer = |replay: &str, max: u32, inner: &str| {
        format!(
            "backoff = {{ kind = 'none' }}\nreplay = {{ {replay} }}\n\
             limits = {{ max_attempts = {max}, deadline = 'unlimited' }}\n{inner}"
        )
    };
    let stacked = |outer: &str, inner: &str| {
        let inner = layer(inner, 3, "").replace('\n', ", ");
        load(&layer(outer, 2, &format!("inner = {{ {} }}", inner.trim_end_matches(", "))))
    };
    let lost = |_: &Attempt| (Outcome::new(Signal::ConnectionReset), ms(10));
    for (outer, inner, attempts, key) in [
        ("safe = true", "safe = true", 6, false),
        ("safe = true", "safe = false", 2, false),
        ("safe = false", "idempotency_key = true", 3, true),
        ("safe = false", "safe = false", 1, false),
        ("idempotency_key = true", "safe = false", 2, true),
    ] {
        let policy = stacked(outer, inner);
        let driven = drive(&policy, lost);
        assert_eq!(driven.sent.len(), attempts, "{outer} over {inner}");
        assert_eq!(policy.sends_key(), key, "{outer} over {inner}");
        let reconciled = matches!(driven.end, Decision::Reconcile(_));
        assert_eq!(reconciled, outer == "safe = false", "{outer} over {inner}");
    }
}

/// The layer inside had its request reduced: what comes back too large then stays so.
#[test]
fn a_request_is_reduced_once_by_all_layers_together() {
    let request = Request { reducible: true, ..Request::default() };
    let driven = drive_with(&nested(&[3, 3]), request, &mut [Unlimited; 2][..], status(413));
    assert_eq!(driven.sent.len(), 2);
    let reductions = driven.decisions.iter();
    let reductions = reductions.filter(|d| matches!(d, Decision::ReduceAndRetryOnce(_)));
    assert_eq!(reductions.count(), 1);
    // Nor is it by a call that starts anew after another failure.
    let mut statuses = [413, 503, 503, 413].into_iter();
    let server = |_: &Attempt| (Outcome::response(statuses.next().expect("the end")), ms(10));
    let driven = drive_with(&nested(&[3, 3]), request, &mut [Unlimited; 2][..], server);
    assert_eq!(driven.sent.len(), 4);
    assert!(matches!(driven.end, Decision::Stop(_)));
}
