//! The share of retries in flight.

use proptest::prelude::*;
use retrial_policy::*;

use crate::settle;
use crate::support::{at_ms, key, ratio};

fn share(budget_percent: f64, min: u32, count_waiting: bool) -> Concurrent {
    Concurrent::open(ConcurrentSpec {
        budget_percent: ratio(budget_percent),
        min_retry_concurrency: min,
        count_waiting,
    })
}

fn withdraw(share: &mut Concurrent) -> Option<Permit> {
    share.try_withdraw(Class::Transient, 0, at_ms(0))
}

/// Envoy's formula: ⌊20 % of 49⌋ = 9, and never below three.
#[test]
fn it_is_the_larger_of_a_percentage_and_a_number() {
    for (requests, allowed) in [(0, 3), (1, 3), (19, 3), (20, 4), (49, 9), (50, 10)] {
        let mut share = share(20.0, 3, true);
        for _ in 0..requests {
            share.on_request(at_ms(0));
        }
        assert_eq!(share.allowed(), allowed, "of {requests}");
    }
}

/// All in flight fail at once and turn into retries: the share stays that of the requests.
#[test]
fn requests_that_turn_into_retries_still_count() {
    let mut share = share(20.0, 0, true);
    for _ in 0..100 {
        share.on_request(at_ms(0));
    }
    assert_eq!((0..100).filter(|_| withdraw(&mut share).is_some()).count(), 20);
}

#[test]
fn whether_a_waiting_retry_counts_is_a_matter_of_the_key() {
    let leave = |share: &mut Concurrent, permit| {
        let passage = Passage { permit: Some(permit), ..Passage::default() };
        share.admit(passage, Draw::new(key(0), 2), at_ms(0));
        passage
    };
    let mut counted = share(0.0, 1, true);
    let permit = withdraw(&mut counted).expect("one is allowed");
    assert!(withdraw(&mut counted).is_none());
    let passage = leave(&mut counted, permit);
    assert!(withdraw(&mut counted).is_none());
    counted.settle(passage, Settlement::Failed(Class::Transient), at_ms(0));
    assert!(withdraw(&mut counted).is_some());

    let mut uncounted = share(0.0, 1, false);
    let permit = withdraw(&mut uncounted).expect("one is allowed");
    withdraw(&mut uncounted).expect("the first has not left");
    leave(&mut uncounted, permit);
    assert!(withdraw(&mut uncounted).is_none());
}

proptest! {
    /// Permits balance under any sequence of begins, grants, sends and ends.
    #[test]
    fn what_is_under_way_is_what_was_granted_and_is_not_over(
        count_waiting in any::<bool>(),
        steps in prop::collection::vec(0_u8..8, 1..300),
    ) {
        let mut share = share(25.0, 2, count_waiting);
        let (mut requests, mut waiting, mut sent) = (0_u32, Vec::new(), Vec::new());
        let now = at_ms(0);
        for step in steps {
            match step {
                0 => { share.on_request(now); requests += 1; }
                1 => if requests > 0 { share.on_request_end(now); requests -= 1; },
                2 | 3 => if let Some(permit) = withdraw(&mut share) { waiting.push(permit); },
                4 => if let Some(permit) = waiting.pop() { share.restore(permit, now); },
                5 => if let Some(permit) = waiting.pop() {
                    let passage = Passage { permit: Some(permit), ..Passage::default() };
                    share.admit(passage, Draw::new(key(0), 1), now);
                    sent.push(passage);
                },
                6 => if let Some(passage) = sent.pop() {
                    share.recall(passage, now);
                    waiting.extend(passage.permit);
                },
                _ => match sent.pop() {
                    Some(passage) => share.settle(passage, Settlement::Cancelled, now),
                    None => settle(&mut share, Settlement::Succeeded, now),
                },
            }
            let under_way = sent.len() + if count_waiting { waiting.len() } else { 0 };
            prop_assert_eq!(share.under_way() as usize, under_way);
            prop_assert_eq!(share.allowed(), (requests / 4).max(2));
        }
    }
}
