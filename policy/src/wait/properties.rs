//! What holds for every reply, however odd.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::duration::{self, MILLISECOND, SECOND};
use super::*;

/// The value of a header, a field or a text: anything, and near misses.
fn anything() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        "[-+]?[0-9]{0,30}(\\.[0-9]{0,30})?(e[0-9]{1,4})?( ?[a-zµ]{1,4})?",
        "([0-9]{1,3}(\\.[0-9]{1,12})?(h|m|s|ms|us|µs|ns|d| seconds| minute)[, ]{0,2}){1,4}",
        "(Sun|Sunday), [0-9]{2}[ -]Nov[ -]([0-9]{2}){1,2} [0-9]{2}:[0-9]{2}:[0-9]{2}( GMT)?",
        "Sun Nov [ 0-9][0-9] [0-9]{2}:[0-9]{2}:[0-9]{2} [0-9]{4}",
        "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]{0,12})?(Z|\\+00:00)",
        "\\PC{0,20}(try again in|retry after|reset after|wait) \\PC{0,20}",
        "(wait |retry in |[0-9]|s|\\.| ){0,40}",
    ]
}

fn header_name() -> impl Strategy<Value = &'static str> {
    prop::sample::select(
        &[
            "retry-after-ms",
            "x-ms-retry-after-ms",
            "X-Amz-Retry-After",
            "Retry-After",
            "Date",
            "x-ratelimit-reset",
            "RateLimit-Reset",
            "x-ratelimit-remaining",
            "x-ratelimit-reset-tokens",
            "x-ratelimit-remaining-tokens",
            "anthropic-ratelimit-unified-5h-reset",
            "anthropic-ratelimit-unified-5h-status",
            "x-codex-primary-reset-after-seconds",
            "x-codex-primary-used-percent",
        ][..],
    )
}

fn field() -> impl Strategy<Value = Value> {
    let value = prop_oneof![
        anything().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (any::<i64>(), anything()).prop_map(|(s, n)| json!({"seconds": s, "nanos": n})),
        any::<bool>().prop_map(Value::from),
    ];
    let name = prop::sample::select(
        &["retryDelay", "quotaResetDelay", "retry_after_ms", "retry_after", "resets_at"][..],
    );
    (name, value).prop_map(|(name, value)| json!({ name: value }))
}

/// A point in time as Go's `Duration` prints it.
fn go_prints(nanos: u64) -> String {
    let with_fraction = |n: u64, unit: u64, name: &str| {
        let digits = format!("{:0width$}", n % unit, width = unit.ilog10() as usize);
        let fraction = digits.trim_end_matches('0');
        let point = if fraction.is_empty() || unit == 1 { "" } else { "." };
        let fraction = if unit == 1 { "" } else { fraction };
        format!("{}{point}{fraction}{name}", n / unit)
    };
    match nanos {
        0..1_000 => with_fraction(nanos, 1, "ns"),
        1_000..MILLISECOND => with_fraction(nanos, 1_000, "µs"),
        MILLISECOND..SECOND => with_fraction(nanos, MILLISECOND, "ms"),
        _ => {
            let minutes = nanos / SECOND / 60;
            let seconds = with_fraction(nanos - minutes * 60 * SECOND, SECOND, "s");
            match (minutes / 60, minutes % 60) {
                (0, 0) => seconds,
                (0, minutes) => format!("{minutes}m{seconds}"),
                (hours, minutes) => format!("{hours}h{minutes}m{seconds}"),
            }
        }
    }
}

/// By hand, from the documentation of Go's package `time`.
#[test]
fn the_printer_of_these_tests_prints_as_go_does() {
    for (nanos, text) in [
        (1, "1ns"),
        (1_100, "1.1µs"),
        (2_200_000, "2.2ms"),
        (3_300_000_000, "3.3s"),
        (245_000_000_000, "4m5s"),
        (245_001_000_000, "4m5.001s"),
        (18_367_001_000_000, "5h6m7.001s"),
        (3_600_000_000_000, "1h0m0s"),
    ] {
        assert_eq!(go_prints(nanos), text);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn no_reply_makes_it_panic_or_gives_no_wait_at_all(
        headers in prop::collection::vec((header_name(), anything()), 0..6),
        fields in prop::collection::vec(field(), 0..4),
        texts in prop::collection::vec(anything(), 0..4),
        received in prop::option::of(any::<u128>()),
    ) {
        let headers: Vec<_> = headers.iter().map(|(name, value)| (*name, &**value)).collect();
        let texts: Vec<_> = texts.iter().map(|text| &**text).collect();
        let body = json!({"error": {"details": fields}});
        let received = received.map(UnixTime::from_nanos);
        let waits =
            waits(&Said { headers: &headers, bodies: &[&body], texts: &texts, received });
        for found in &waits.found {
            prop_assert!(found.hint.0 > Nanos::ZERO, "{found:?}");
            prop_assert!(found.value.chars().count() <= 80);
        }
        let first_place = |place| waits.found.iter().position(|found| found.place == place);
        let last_place = |place| waits.found.iter().rposition(|found| found.place == place);
        let order = [Place::Header, Place::Body, Place::Message, Place::Reset];
        for (earlier, later) in order.into_iter().zip(order.into_iter().skip(1)) {
            if let (Some(last), Some(first)) = (last_place(earlier), first_place(later)) {
                prop_assert!(last < first);
            }
        }
    }

    /// Compared in units of 10⁻²⁷ s, in which both sides are whole.
    #[test]
    fn a_number_gives_the_least_wait_that_is_not_shorter(
        whole in any::<u32>(),
        fraction in "[0-9]{1,18}",
        in_millis in any::<bool>(),
    ) {
        let (name, unit) =
            if in_millis { ("retry-after-ms", MILLISECOND) } else { ("retry-after", SECOND) };
        let value = format!("{whole}.{fraction}");
        let scale = 10_u128.pow(fraction.len() as u32);
        let asked = (u128::from(whole) * scale + fraction.parse::<u128>().unwrap()) * u128::from(unit);
        let waits = waits(&Said { headers: &[(name, &value)], ..Said::default() });
        match waits.found.first() {
            None => prop_assert_eq!(asked, 0),
            Some(found) => {
                let wait = u128::from(found.hint.0.get()) * scale;
                prop_assert!(wait >= asked && wait - asked < scale, "{} for {}", found.hint.0, value);
            }
        }
    }

    #[test]
    fn what_go_prints_is_read_as_the_same(shift in 0_u32..64, bits in 1_u64..) {
        let nanos = (bits >> shift).max(1);
        let text = go_prints(nanos);
        prop_assert_eq!(duration::go(&text), Ok(Nanos::new(nanos)), "{}", text);
        let sentence = format!("Please try again in {text}. Visit");
        let waits = waits(&Said { texts: &[&sentence], ..Said::default() });
        prop_assert_eq!(waits.found[0].hint.0, Nanos::new(nanos), "{}", sentence);
    }
}
