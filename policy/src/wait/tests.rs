//! Whole replies: what they say together.

use alloc::vec;

use serde_json::json;

use super::*;

/// What there is to obey: the wait, where it stands, and its name.
fn best(said: &Said<'_>) -> Option<(Nanos, Place, String)> {
    waits(said).found.into_iter().next().map(|found| (found.hint.0, found.place, found.name))
}

fn places(waits: &Waits) -> Vec<Place> {
    waits.found.iter().map(|found| found.place).collect()
}

/// Sent by OpenAI. The last is the time to a full bucket.
#[test]
fn three_headers_of_openai_ask_for_494_milliseconds() {
    let waits = waits(&Said {
        headers: &[
            ("x-ratelimit-remaining-tokens", "0"),
            ("x-ratelimit-reset-tokens", "1m0.052s"),
            ("retry-after", "1"),
            ("retry-after-ms", "494"),
        ],
        ..Said::default()
    });
    let found: Vec<_> = waits.found.iter().map(|found| (&*found.name, found.hint.0)).collect();
    let expected =
        [("retry-after-ms", Nanos::from_millis(494)), ("retry-after", Nanos::from_secs(1))];
    assert_eq!(found, expected);
    let ignored: Vec<_> =
        waits.ignored.iter().map(|ignored| (&*ignored.name, ignored.why)).collect();
    assert_eq!(ignored, [("x-ratelimit-reset-tokens", why::RETRY_AFTER)]);
}

/// Sent by Groq: the `requests` bucket is per day, and not empty.
#[test]
fn the_headers_of_groq_ask_for_two_seconds() {
    let headers = [
        ("retry-after", "2"),
        ("x-ratelimit-limit-requests", "14400"),
        ("x-ratelimit-remaining-requests", "14370"),
        ("x-ratelimit-reset-requests", "2m59.56s"),
        ("x-ratelimit-remaining-tokens", "0"),
        ("x-ratelimit-reset-tokens", "7.66s"),
    ];
    let two_seconds = Some((Nanos::from_secs(2), Place::Header, "retry-after".into()));
    assert_eq!(best(&Said { headers: &headers, ..Said::default() }), two_seconds);
    let waits = waits(&Said { headers: &headers[1..], ..Said::default() });
    let found: Vec<_> = waits.found.iter().map(|found| (found.place, &*found.value)).collect();
    assert_eq!(found, [(Place::Reset, "7.66s")], "without retry-after");
    assert_eq!(waits.ignored[0].why, why::NOT_EMPTY);
}

#[test]
fn places_come_in_order_of_precedence() {
    let body = json!({"error": {"retry_after": 1}});
    let (headers, bodies) = ([("ratelimit-reset", "1")], [&body]);
    let said = Said { headers: &headers, bodies: &bodies, texts: &["retry in 1s"], received: None };
    assert_eq!(places(&waits(&said)), [Place::Body, Place::Message, Place::Reset]);
    let headers = [("ratelimit-reset", "1"), ("retry-after", "9"), ("x-amz-retry-after", "9000")];
    let waits = waits(&Said { headers: &headers, ..said });
    assert_eq!(places(&waits), [Place::Header, Place::Header, Place::Body, Place::Message]);
    assert_eq!(waits.found[0].name, "x-amz-retry-after");
}

#[test]
fn a_retry_after_that_is_no_wait_counts_as_absent() {
    for value in ["0", "-1", "NaN", "Wed, 21 Oct 2015 07:28:00 GMT"] {
        let headers = [("retry-after", value), ("ratelimit-reset", "6")];
        let received = Some(UnixTime::from_secs(1_787_824_800));
        let best = best(&Said { headers: &headers, received, ..Said::default() });
        assert_eq!(
            best,
            Some((Nanos::from_secs(6), Place::Reset, "ratelimit-reset".into())),
            "{value}"
        );
    }
}

#[test]
fn the_date_of_the_response_goes_before_the_clock_of_the_driver() {
    let at = ("retry-after", "Thu, 13 Aug 2026 15:37:13 GMT");
    // 15:36:43, by `date -d`.
    let received = Some(UnixTime::from_secs(1_786_635_403));
    let said = Said { headers: &[at], received, ..Said::default() };
    assert_eq!(best(&said).map(|best| best.0), Some(Nanos::from_secs(30)));
    let headers = [at, ("date", "Thu, 13 Aug 2026 15:37:03 GMT")];
    let said = Said { headers: &headers, ..said };
    assert_eq!(best(&said).map(|best| best.0), Some(Nanos::from_secs(10)));
    let headers = [at, ("date", "today")];
    let said = Said { headers: &headers, ..said };
    assert_eq!(best(&said).map(|best| best.0), Some(Nanos::from_secs(30)), "no date at all");
}

#[test]
fn no_more_details_are_read_than_any_error_has() {
    let details = |before: usize| {
        let mut details = vec![json!({}); before];
        details.push(json!({"retryDelay": "7s"}));
        let body = json!({"error": {"details": details}});
        best(&Said { bodies: &[&body], ..Said::default() }).map(|best| best.0)
    };
    assert_eq!(details(63), Some(Nanos::from_secs(7)));
    assert_eq!(details(64), None);
}

#[test]
fn values_are_cut_and_names_of_places_are_those_of_tables() {
    let long = "é".repeat(100);
    let waits = waits(&Said { headers: &[("retry-after", &long)], ..Said::default() });
    assert_eq!(waits.ignored[0].value.chars().count(), 80);
    let names = [Place::Header, Place::Body, Place::Message, Place::Reset].map(Place::as_str);
    assert_eq!(names, ["header", "body", "message", "reset"]);
}
