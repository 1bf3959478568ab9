//! A breaker by itself: what opens it, what passes it, what closes it.

use proptest::prelude::*;
use retrial_policy::*;

use crate::support::{at_ms, key, ms, ratio};
use crate::{FAILED, admit, settle};

const ROUTE: RouteId = RouteId::PRIMARY;

fn breaker(trip: Trip, probes: u32) -> CircuitBreaker {
    CircuitBreaker::closed(CircuitBreakerSpec { trip, open: ms(1_000), probes })
}

fn probe() -> Passage {
    Passage { probes: Probes::FIRST, ..Passage::default() }
}

const LET_OUT: Admission = Admission::Granted { hold: Nanos::ZERO, probes: Probes::FIRST };

#[test]
fn failures_in_a_row_open_it_and_a_success_between_them_does_not() {
    let mut breaker = breaker(Trip::InARow { failures: 3 }, 1);
    for how in [FAILED, FAILED, Settlement::Succeeded, FAILED, FAILED] {
        settle(&mut breaker, how, at_ms(0));
    }
    assert!(!breaker.is_tripped());
    settle(&mut breaker, FAILED, at_ms(0));
    assert!(breaker.is_tripped());
    assert!(!breaker.is_available(ROUTE, at_ms(999)));
    assert_eq!(admit(&mut breaker, at_ms(999)), Admission::Refused);
    assert!(breaker.is_available(ROUTE, at_ms(1_000)));
}

#[test]
fn failures_count_within_the_window_only() {
    let mut breaker = breaker(Trip::Count { failures: 3, window: ms(100) }, 1);
    for at in [0, 50, 100, 150, 200] {
        settle(&mut breaker, FAILED, at_ms(at));
    }
    assert!(!breaker.is_tripped(), "at most two of them are within 100 ms");
    settle(&mut breaker, FAILED, at_ms(200));
    assert!(breaker.is_tripped());
}

#[test]
fn a_share_means_something_from_its_least_number_on() {
    let trip = Trip::Share { ratio: ratio(0.5), min_calls: 4, window: ms(100) };
    let mut few = breaker(trip, 1);
    for _ in 0..3 {
        settle(&mut few, FAILED, at_ms(0));
    }
    assert!(!few.is_tripped());
    settle(&mut few, FAILED, at_ms(0));
    assert!(few.is_tripped());

    let mut many = breaker(trip, 1);
    for _ in 0..3 {
        settle(&mut many, Settlement::Succeeded, at_ms(0));
    }
    settle(&mut many, FAILED, at_ms(0));
    settle(&mut many, FAILED, at_ms(0));
    assert!(!many.is_tripped(), "two of five");
    settle(&mut many, FAILED, at_ms(0));
    assert!(many.is_tripped(), "three of six");
}

/// The rule of the design: these say nothing about availability.
#[test]
fn failures_that_do_not_concern_availability_neither_open_nor_decide() {
    let others = [
        Class::InvalidRequest,
        Class::Auth,
        Class::TooLarge,
        Class::Content,
        Class::Exhausted,
        Class::Conflict,
    ];
    let mut breaker = breaker(Trip::InARow { failures: 1 }, 1);
    for class in others {
        settle(&mut breaker, Settlement::Failed(class), at_ms(0));
    }
    settle(&mut breaker, Settlement::Cancelled, at_ms(0));
    assert!(!breaker.is_tripped());
    settle(&mut breaker, FAILED, at_ms(0));
    for class in others {
        assert_eq!(admit(&mut breaker, at_ms(1_000)), LET_OUT);
        breaker.settle(probe(), Settlement::Failed(class), at_ms(1_000));
        assert!(breaker.is_tripped() && breaker.probing() == 0, "{class} decided something");
    }
    for class in [Class::Throttled, Class::OutcomeUnknown, Class::Unknown] {
        let mut breaker = self::breaker(Trip::InARow { failures: 1 }, 1);
        settle(&mut breaker, Settlement::Failed(class), at_ms(0));
        assert!(breaker.is_tripped(), "{class}");
    }
}

#[test]
fn so_many_probes_pass_at_a_time_and_as_many_successes_close_it() {
    let mut breaker = breaker(Trip::InARow { failures: 1 }, 2);
    settle(&mut breaker, FAILED, at_ms(0));
    assert_eq!(admit(&mut breaker, at_ms(1_000)), LET_OUT);
    assert_eq!(admit(&mut breaker, at_ms(1_000)), LET_OUT);
    assert_eq!(admit(&mut breaker, at_ms(1_000)), Admission::Refused);
    breaker.settle(probe(), Settlement::Succeeded, at_ms(1_001));
    assert!(breaker.is_tripped());
    assert_eq!(admit(&mut breaker, at_ms(1_001)), LET_OUT);
    breaker.settle(probe(), Settlement::Succeeded, at_ms(1_002));
    assert!(!breaker.is_tripped());
    assert_eq!(admit(&mut breaker, at_ms(1_002)), Admission::AT_ONCE);
    // The third probe comes home to a closed breaker and counts as any attempt.
    breaker.settle(probe(), FAILED, at_ms(1_003));
    assert!(breaker.is_tripped());
    assert_eq!(breaker.probing(), 0);
}

#[test]
fn one_failed_probe_opens_it_for_the_whole_time_again() {
    let mut breaker = breaker(Trip::InARow { failures: 1 }, 1);
    settle(&mut breaker, FAILED, at_ms(0));
    assert_eq!(admit(&mut breaker, at_ms(1_500)), LET_OUT);
    breaker.settle(probe(), FAILED, at_ms(1_600));
    assert_eq!(admit(&mut breaker, at_ms(2_599)), Admission::Refused);
    assert_eq!(admit(&mut breaker, at_ms(2_600)), LET_OUT);
}

#[test]
fn what_was_sent_before_it_opened_decides_nothing() {
    let mut breaker = breaker(Trip::InARow { failures: 1 }, 1);
    settle(&mut breaker, FAILED, at_ms(0));
    settle(&mut breaker, Settlement::Succeeded, at_ms(1));
    assert!(breaker.is_tripped());
    assert_eq!(admit(&mut breaker, at_ms(1_000)), LET_OUT);
    for how in [FAILED, Settlement::Succeeded] {
        settle(&mut breaker, how, at_ms(1_001));
    }
    assert_eq!(breaker.probing(), 1);
    assert_eq!(admit(&mut breaker, at_ms(1_001)), Admission::Refused);
}

#[test]
fn other_routes_are_none_of_its_business() {
    let other = Passage { route: RouteId(1), ..Passage::default() };
    let mut breaker = breaker(Trip::InARow { failures: 1 }, 1);
    breaker.settle(other, FAILED, at_ms(0));
    assert!(!breaker.is_tripped());
    settle(&mut breaker, FAILED, at_ms(0));
    assert!(breaker.is_available(other.route, at_ms(1)));
    let draw = Draw::new(key(0), 1);
    assert_eq!(breaker.admit(other, draw, at_ms(1)), Admission::AT_ONCE);
}

proptest! {
    /// Whatever comes home when: never more probes under way than allowed, and nothing but probes
    /// passes a breaker that is not closed.
    #[test]
    fn never_more_probes_than_allowed(
        probes in 1_u32..4,
        steps in prop::collection::vec((0_u8..6, 0_u64..700), 1..200),
    ) {
        let mut breaker = breaker(Trip::InARow { failures: 2 }, probes);
        let (mut now, mut out) = (0, Vec::new());
        for (step, pause) in steps {
            now += pause;
            match step {
                0..3 => {
                    let was_tripped = breaker.is_tripped();
                    if let Admission::Granted { probes, .. } = admit(&mut breaker, at_ms(now)) {
                        prop_assert_eq!(probes.is_probe(), was_tripped);
                        out.push(Passage { probes, ..Passage::default() });
                    }
                }
                home => if let Some(passage) = out.pop() {
                    let how = [FAILED, Settlement::Succeeded, Settlement::Cancelled];
                    breaker.settle(passage, how[usize::from(home) - 3], at_ms(now));
                }
            }
            let probing = out.iter().filter(|passage| passage.probes.is_probe()).count();
            prop_assert_eq!(breaker.probing() as usize, probing);
            prop_assert!(breaker.probing() <= probes);
        }
        for passage in out {
            breaker.settle(passage, Settlement::Cancelled, at_ms(now));
        }
        prop_assert_eq!(breaker.probing(), 0);
    }
}
