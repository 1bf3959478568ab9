use proptest::prelude::*;
use retrial_policy::telemetry::{Alert, AlertSpec, Alerts, Label, RisingFallbacks, Window};
use retrial_policy::*;

use super::support::{at_ms, ms};
use super::{BUSY, OK, Reply, SPENT, policy, request};

/// Windows of one second.
fn spec() -> AlertSpec {
    AlertSpec { window: ms(1_000), ..AlertSpec::default() }
}

/// So many requests with `replies` at a time.
fn requests(alerts: &mut Alerts, n: u64, replies: &[Reply], at: u64) {
    let policy = policy();
    for _ in 0..n {
        request(&policy, replies, at_ms(at), &mut alerts.at(at_ms(at)));
    }
}

fn told(alerts: &mut Alerts) -> Vec<Alert> {
    std::iter::from_fn(|| alerts.next_alert()).collect()
}

#[test]
fn the_same_stop_is_an_alert_once_in_a_window_and_as_soon_as_it_came_often_enough() {
    let mut alerts = Alerts::new(spec());
    requests(&mut alerts, 9, &[SPENT], 0);
    assert_eq!(told(&mut alerts), [], "nine are fewer than ten");
    requests(&mut alerts, 1, &[SPENT], 999);
    let [Alert::RepeatedStop { ending, window }] = told(&mut alerts)[..] else {
        panic!("no alert")
    };
    assert_eq!((ending.route, ending.code), (Label::new("primary"), SPENT.2.map(Label::new)));
    assert_eq!((ending.class, ending.status, ending.count), (Class::Exhausted, Some(429), 10));
    assert_eq!((ending.stop.owner(), window), (Owner::Account, ms(1_000)));
    requests(&mut alerts, 100, &[SPENT], 999);
    assert_eq!(told(&mut alerts), [], "once a window");
    // Nine more in the next window are nine, not ten of two windows.
    requests(&mut alerts, 9, &[SPENT], 1_000);
    assert_eq!(told(&mut alerts), []);
    requests(&mut alerts, 1, &[SPENT], 1_001);
    assert_eq!(told(&mut alerts).len(), 1);
}

#[test]
fn different_stops_are_not_added_and_giving_up_is_no_stop() {
    let mut alerts = Alerts::new(spec());
    requests(&mut alerts, 9, &[SPENT], 0);
    requests(&mut alerts, 9, &[(Class::Exhausted, 429, Some("spend_limit"))], 0);
    requests(&mut alerts, 9, &[(Class::Exhausted, 429, None)], 0);
    requests(&mut alerts, 9, &[(Class::Auth, 401, None)], 0);
    // An outage, however long, is a matter of availability.
    requests(&mut alerts, 100, &[BUSY, BUSY, BUSY], 0);
    assert_eq!(told(&mut alerts), []);
}

/// Shares of 0 in 50, then 5 in 50 (10 per cent), then 10 in 50.
#[test]
fn a_share_of_fallbacks_is_an_alert_if_it_doubles() {
    let mut alerts = Alerts::new(spec());
    let falls_back = [BUSY, BUSY, OK];
    let mut window = |n: u64, fallbacks: u64| {
        requests(&mut alerts, 50 - fallbacks, &[OK], n * 1_000);
        requests(&mut alerts, fallbacks, &falls_back, n * 1_000 + 1);
        told(&mut alerts)
    };
    let rising = |fallbacks, usual_fallbacks, usual_requests| {
        let requests = 50;
        [Alert::RisingFallbacks(RisingFallbacks {
            fallbacks,
            requests,
            usual_fallbacks,
            usual_requests,
        })]
    };
    // A first record after a window tells of it, so each line is about the one before.
    assert_eq!(window(0, 20), []);
    assert_eq!(window(1, 0), [], "there was nothing before the first");
    assert_eq!(window(2, 20), []);
    assert_eq!(window(3, 19), rising(20, 20, 100), "twice 20 in 100");
    assert_eq!(window(4, 5), [], "19 in 50 is less than twice 40 in 150");
    // Ten windows later those are forgotten.
    (5..15).for_each(|n| assert_eq!(window(n, 0), []));
    assert_eq!(window(15, 4), []);
    assert_eq!(window(16, 5), [], "4 in 50 is below the floor of a tenth");
    assert_eq!(window(17, 0), rising(5, 4, 500), "5 in 50 is not");
}

#[test]
fn few_requests_tell_nothing_about_a_share() {
    let mut alerts = Alerts::new(spec());
    requests(&mut alerts, 100, &[OK], 0);
    requests(&mut alerts, 49, &[BUSY, BUSY, OK], 1_000);
    requests(&mut alerts, 1, &[OK], 2_000);
    assert_eq!(told(&mut alerts), []);
}

#[test]
fn an_alert_says_what_to_change() {
    let alert = Alert::RisingFallbacks(RisingFallbacks {
        fallbacks: 20,
        requests: 50,
        usual_fallbacks: 4,
        usual_requests: 500,
    });
    assert_eq!(
        alert.to_string(),
        "20 fallbacks in 50 requests against 4 in 500 before; route: check it, and the table that \
         reads its replies"
    );
}

/// Codes that nobody has seen before can't grow the memory, nor hide a stop that repeats.
#[test]
fn many_rare_stops_leave_room_for_a_frequent_one() {
    let (policy, mut window) = (policy(), Window::default());
    let codes: Vec<&'static str> =
        (0..1_000).map(|n| &*Box::leak(format!("code_{n}").into_boxed_str())).collect();
    for code in codes {
        for code in [code, "insufficient_quota"] {
            let replies = [(Class::Exhausted, 429, Some(code))];
            let mut count = |record: &DecisionRecord<'_>| {
                window.count(record);
            };
            request(&policy, &replies, at_ms(0), &mut count);
        }
    }
    assert_eq!(window.endings.iter().count(), 16);
    let most = window.most_frequent(TerminalOutcome::Stopped).expect("there are stops");
    assert_eq!((most.code, most.count), (SPENT.2.map(Label::new), 1_000));
    let kept: u64 = window.endings.iter().map(|kind| kind.count).sum();
    assert_eq!(kept + window.endings.others, 2_000);
}

proptest! {
    /// Windows add up: however records are dealt to two of them, the sum counts them all.
    #[test]
    fn two_windows_count_as_one(kinds in prop::collection::vec((0_usize..4, any::<bool>()), 0..60)) {
        let policy = policy();
        let mut windows = [Window::default(), Window::default(), Window::default()];
        for (kind, first) in kinds {
            let replies: &[Reply] = [&[OK][..], &[SPENT], &[BUSY, BUSY, BUSY], &[BUSY, BUSY, OK]][kind];
            let mut both = |record: &DecisionRecord<'_>| {
                windows[usize::from(first)].count(record);
                windows[2].count(record);
            };
            request(&policy, replies, at_ms(0), &mut both);
        }
        let [mut sum, second, whole] = windows;
        sum.add(&second);
        let counts = |window: &Window| {
            let Window { requests, succeeded, at_cap, stopped, fallbacks, attempts, first_tries, .. } = *window;
            [requests, succeeded, at_cap, stopped, fallbacks, attempts, first_tries]
        };
        prop_assert_eq!(counts(&sum), counts(&whole));
        for outcome in [TerminalOutcome::Stopped, TerminalOutcome::GaveUpAttempts] {
            let most = |window: &Window| window.most_frequent(outcome).map(|kind| kind.count);
            prop_assert_eq!(most(&sum), most(&whole));
        }
    }
}
