//! Disturbances of every kind.

use super::*;

fn with_fault(fault: &str) -> impl Fn(Id) -> f64 + use<> {
    agreed(&format!(
        "{POISSON}[[route]]\nname = \"a\"\nworkers = 3\nqueue = 20\n\
         service = {{ exponential = {{ mean = \"20ms\" }} }}\n\
         [[route.fault]]\nfrom = \"3s\"\nuntil = \"6s\"\n{fault}\n{PATIENT}"
    ))
}

#[test]
fn error_replies_with_latency_to_a_share_of_attempts() {
    for share in [0.3, 1.0] {
        let value = with_fault(&format!(
            "share = {share:?}\nreply = \"anthropic-529-overloaded\"\n\
             latency = {{ exponential = {{ mean = \"10ms\" }} }}"
        ));
        assert!(value(Id::BlockingRatio) > 0.03);
    }
}

#[test]
fn a_reply_given_in_place_with_a_hint() {
    let value = with_fault(
        "share = 0.5\nreply = { status = 503, headers = { retry-after = \"1\" }, body = \"\" }",
    );
    assert!(value(Id::Retries) > 0.0);
}

/// Errors that no retry mends.
#[test]
fn errors_that_stop() {
    assert!(with_fault("share = 0.5\nreply = \"generic-400\"")(Id::Stopped) > 0.0);
}

#[test]
fn slow_service() {
    assert!(with_fault("slow = 10.0")(Id::BacklogPeak) > 5.0);
    assert!(with_fault("slow = 30.0\nshare = 0.2")(Id::Retries) > 0.0);
}

#[test]
fn lost_workers() {
    assert!(with_fault("workers = 1")(Id::BacklogPeak) > 0.0);
    assert_eq!(with_fault("workers = 0")(Id::BacklogPeak), 20.0);
}

#[test]
fn silence() {
    assert!(with_fault("silent = true")(Id::Retries) > 10.0);
    assert!(with_fault("silent = true\nshare = 0.1")(Id::Retries) > 0.0);
}

/// What has streamed in part is not repeated, and without content it is like a 5xx.
#[test]
fn streams_that_break() {
    assert!(with_fault("stream = \"error_after_3\"")(Id::Succeeded) > 0.0);
    assert!(with_fault("stream = \"error_after_0\"")(Id::Retries) > 10.0);
    assert!(with_fault("stream = \"truncated\"\nshare = 0.5")(Id::Succeeded) > 0.0);
}

/// Overlapping ones, one of them without end.
#[test]
fn several_at_once() {
    let value = with_fault(
        "workers = 1\n[[route.fault]]\nfrom = \"4s\"\nshare = 0.2\nsilent = true\n\
         [[route.fault]]\nslow = 2.0\n[[route.fault]]\nfrom = \"4s\"\nuntil = \"6s\"\nworkers = 2",
    );
    assert!(value(Id::Retries) > 10.0);
}
