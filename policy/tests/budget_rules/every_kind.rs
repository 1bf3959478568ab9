//! What holds for every kind, in any order of events.

use proptest::prelude::*;
use retrial_policy::*;

use crate::support::{at_ms, key, ms, ratio, secs};

/// One of each, some twice.
fn kinds() -> Vec<BudgetKind> {
    vec![
        BudgetKind::TokenBucket(TokenBucketSpec {
            capacity: ratio(5.0),
            retry_cost: ratio(1.5),
            success_refund: ratio(0.1),
        }),
        BudgetKind::AwsQuota(AwsQuotaSpec { capacity: 40, ..AwsQuotaSpec::V2_1 }),
        BudgetKind::AwsQuota(AwsQuotaSpec::V2_0),
        BudgetKind::AwsAdaptive(AwsAdaptiveSpec::DEFAULT),
        BudgetKind::Grpc(GrpcThrottleSpec {
            max_tokens: 10,
            token_ratio: ratio(0.1),
            refund_answered: false,
        }),
        BudgetKind::Ratio(WindowedRatioSpec::DEFAULT),
        BudgetKind::Ratio(WindowedRatioSpec {
            ttl: ms(1),
            deposit_on: DepositOn::Success,
            ..WindowedRatioSpec::DEFAULT
        }),
        BudgetKind::Concurrent(ConcurrentSpec::DEFAULT),
        BudgetKind::Concurrent(ConcurrentSpec { count_waiting: false, ..ConcurrentSpec::DEFAULT }),
        BudgetKind::SreAdaptive(SreAdaptiveSpec::DEFAULT),
        BudgetKind::CircuitBreaker(CircuitBreakerSpec {
            trip: Trip::InARow { failures: 3 },
            open: secs(1),
            probes: 2,
        }),
        BudgetKind::CircuitBreaker(CircuitBreakerSpec {
            trip: Trip::Share { ratio: ratio(0.5), min_calls: 4, window: secs(10) },
            open: secs(1),
            probes: 1,
        }),
        BudgetKind::CooldownGate(CooldownGateSpec::DEFAULT),
        BudgetKind::Aimd(AimdSpec { max: 20, min: 1, decrease: ratio(0.5), increase: ratio(1.0) }),
    ]
}

/// What must be true of a budget at any time.
fn check(state: &BudgetState) {
    match state {
        BudgetState::TokenBucket(bucket) => assert!(bucket.balance() <= ratio(5.0)),
        BudgetState::AwsQuota(quota) => assert!(quota.balance() <= 500),
        BudgetState::AwsAdaptive(limiter) => {
            assert!(limiter.rate() >= 500_000_000);
            let most = limiter.rate().max(1_000_000_000);
            assert!(limiter.tokens() <= i128::from(most));
        }
        BudgetState::Grpc(throttle) => assert!(throttle.milli_tokens() <= 10_000),
        BudgetState::CircuitBreaker(breaker) => assert!(breaker.probing() <= 2),
        BudgetState::Aimd(aimd) => assert!((1..=20).contains(&aimd.concurrency())),
        _ => {}
    }
}

/// Nothing is under way any more.
fn check_idle(state: &BudgetState) {
    match state {
        BudgetState::Concurrent(share) => assert_eq!((share.under_way(), share.allowed()), (0, 3)),
        BudgetState::CircuitBreaker(breaker) => assert_eq!(breaker.probing(), 0),
        _ => {}
    }
}

/// A call under way.
enum Under {
    Sent(Passage),
    Waiting(Option<Permit>),
}

/// Calls at random against one stack, with what each would do next.
struct Crowd {
    client: Vec<BudgetState>,
    group: Vec<BudgetState>,
    calls: Vec<Under>,
    now: Instant,
}

impl Crowd {
    fn stack(&mut self) -> (BudgetStack<'_>, &mut Vec<Under>, Instant) {
        let Crowd { client, group, calls, now } = self;
        (BudgetStack { client, group }, calls, *now)
    }

    fn leave(&mut self, permit: Option<Permit>, draw: u64) {
        let (mut stack, calls, now) = self.stack();
        let passage = Passage { permit, ..Passage::default() };
        match stack.admit(passage, Draw::new(key(draw), 1), now) {
            Admission::Granted { probes, .. } => {
                calls.push(Under::Sent(Passage { probes, ..passage }))
            }
            Admission::Refused => {
                if let Some(permit) = permit {
                    stack.restore(permit, now);
                }
                stack.on_request_end(now);
            }
        }
    }

    fn step(&mut self, step: u8, draw: u64) {
        let which = draw as usize % self.calls.len().max(1);
        let under = (step > 1 && !self.calls.is_empty()).then(|| self.calls.swap_remove(which));
        match (step, under) {
            (0, _) => self.now = self.now.saturating_add(Nanos::new(draw >> (20 + draw % 40))),
            (_, None) => {
                let (mut stack, _, now) = self.stack();
                stack.on_request(now);
                self.leave(None, draw);
            }
            (2 | 3, Some(Under::Sent(passage))) => {
                let (mut stack, calls, now) = self.stack();
                let class = Class::ALL[draw as usize % Class::ALL.len()];
                stack.on_hint(passage.route, class, Nanos::new(draw >> 30), now);
                stack.settle(passage, Settlement::Failed(class), now);
                match stack.try_withdraw(class, draw, now) {
                    Some(permit) => calls.push(Under::Waiting(Some(permit))),
                    None => stack.on_request_end(now),
                }
            }
            (4, Some(Under::Sent(passage))) => {
                let (mut stack, _, now) = self.stack();
                stack.settle(passage, Settlement::Cancelled, now);
                stack.on_request_end(now);
            }
            (_, Some(Under::Sent(passage))) => {
                let (mut stack, _, now) = self.stack();
                stack.settle(passage, Settlement::Succeeded, now);
                stack.on_request_end(now);
            }
            (2..=5, Some(Under::Waiting(permit))) => self.leave(permit, draw),
            (_, Some(Under::Waiting(permit))) => {
                let (mut stack, _, now) = self.stack();
                if let Some(permit) = permit {
                    stack.restore(permit, now);
                }
                stack.on_request_end(now);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Alone, in either scope, and any two at once: bounds hold at each step, and once all calls
    /// are over nothing is under way.
    #[test]
    fn books_balance_under_any_sequence(
        first in 0_usize..14,
        second in 0_usize..14,
        scope in any::<bool>(),
        steps in prop::collection::vec((0_u8..8, any::<u64>()), 1..200),
    ) {
        let scope = if scope { Scope::Group } else { Scope::Client };
        let specs = [
            BudgetSpec { scope: Scope::Client, kind: kinds()[first] },
            BudgetSpec { scope, kind: kinds()[second] },
        ];
        let mut crowd = Crowd {
            client: BudgetState::open_all(&specs, Scope::Client),
            group: BudgetState::open_all(&specs, Scope::Group),
            calls: Vec::new(),
            now: Instant::default(),
        };
        for (step, draw) in steps {
            crowd.step(step, draw);
            crowd.client.iter().chain(&crowd.group).for_each(check);
        }
        while !crowd.calls.is_empty() {
            crowd.step(7, 0);
        }
        crowd.client.iter().chain(&crowd.group).for_each(check_idle);
    }

    /// In any state: a permit that goes back, and an attempt that is recalled, leave no trace.
    #[test]
    fn what_comes_back_was_never_taken(
        kind in 0_usize..14,
        steps in prop::collection::vec((0_u8..8, any::<u64>()), 1..100),
        draw in any::<u64>(),
    ) {
        let specs = [BudgetSpec { scope: Scope::Client, kind: kinds()[kind] }];
        let mut crowd = Crowd {
            client: BudgetState::open_all(&specs, Scope::Client),
            group: Vec::new(),
            calls: Vec::new(),
            now: Instant::default(),
        };
        for (step, draw) in steps {
            crowd.step(step, draw);
        }
        for class in Class::ALL {
            // The first round brings the budget up to its time.
            let mut before = None;
            for _ in 0..2 {
                let (mut stack, _, now) = crowd.stack();
                if let Some(permit) = stack.try_withdraw(class, draw, now) {
                    let passage = Passage { permit: Some(permit), ..Passage::default() };
                    if let Admission::Granted { probes, .. } =
                        stack.admit(passage, Draw::new(key(draw), 2), now)
                    {
                        stack.recall(Passage { probes, ..passage }, now);
                    }
                    stack.restore(permit, now);
                }
                let after = crowd.client.clone();
                if let Some(before) = before.replace(after) {
                    prop_assert_eq!(&before, &crowd.client);
                }
            }
        }
    }
}

/// Eleven days lie between two steps, and thirty years before the first: a budget that caught up
/// slice by slice, some of which last 100 µs, would not be done today.
#[test]
fn idle_time_costs_nothing() {
    for kind in kinds() {
        let mut budget = BudgetSpec { scope: Scope::Client, kind }.open();
        budget_at(&mut budget, Instant::default());
        let mut now = Instant::from_nanos(1_000_000_000_000_000_000);
        for _ in 0..10_000 {
            budget_at(&mut budget, now);
            now = now.saturating_add(Nanos::new(1_000_000_000_000_000));
        }
        budget_at(&mut budget, Instant::MAX);
        check(&budget);
    }
}

/// A call that fails once and is not repeated.
fn budget_at(budget: &mut BudgetState, now: Instant) {
    let mut stack = BudgetStack { client: std::slice::from_mut(budget), group: &mut [] };
    stack.on_request(now);
    let admission = stack.admit(Passage::default(), Draw::new(key(0), 1), now);
    if let Admission::Granted { probes, .. } = admission {
        let passage = Passage { probes, ..Passage::default() };
        stack.settle(passage, Settlement::Failed(Class::Throttled), now);
    }
    if let Some(permit) = stack.try_withdraw(Class::Throttled, u64::MAX, now) {
        stack.restore(permit, now);
    }
    stack.on_request_end(now);
}

/// A stack of a part that holds, one that probes and one that refuses: each sees its own.
#[test]
fn a_refusal_recalls_what_the_parts_before_it_admitted() {
    let breaker = |failures| {
        let trip = Trip::InARow { failures };
        BudgetKind::CircuitBreaker(CircuitBreakerSpec { trip, open: secs(1), probes: 1 })
    };
    let part = |scope, kind| BudgetSpec { scope, kind };
    let specs = [
        part(Scope::Client, BudgetKind::AwsAdaptive(AwsAdaptiveSpec::DEFAULT)),
        part(Scope::Client, breaker(1)),
        part(Scope::Group, breaker(1)),
    ];
    let mut client = BudgetState::open_all(&specs, Scope::Client);
    let mut group = BudgetState::open_all(&specs, Scope::Group);
    let probing = |state: &BudgetState| match state {
        BudgetState::CircuitBreaker(breaker) => breaker.probing(),
        other => panic!("a breaker was opened, not {other:?}"),
    };
    let draw = Draw::new(key(0), 1);
    let mut stack = BudgetStack { client: &mut client, group: &mut group };
    // Both breakers open; the client's lets a probe out again, which the group's lets out too.
    stack.settle(Passage::default(), Settlement::Failed(Class::Throttled), at_ms(0));
    let Admission::Granted { probes, .. } = stack.admit(Passage::default(), draw, at_ms(1_000))
    else {
        panic!("both are half-open");
    };
    assert!(!probes.is_probe(), "the limiter comes first and knows no probes");
    assert_eq!((probing(&client[1]), probing(&group[0])), (1, 1));
    let mut stack = BudgetStack { client: &mut client, group: &mut group };
    let probe = Passage { probes, ..Passage::default() };
    stack.settle(probe, Settlement::Failed(Class::Auth), at_ms(1_000));
    assert_eq!((probing(&client[1]), probing(&group[0])), (0, 0));
    // Another client of the group takes its only probe: this client's breaker gets its own back.
    let mut other = BudgetState::open_all(&specs, Scope::Client);
    let mut stack = BudgetStack { client: &mut other, group: &mut group };
    assert_ne!(stack.admit(Passage::default(), draw, at_ms(1_000)), Admission::Refused);
    let before = client.clone();
    let mut stack = BudgetStack { client: &mut client, group: &mut group };
    assert_eq!(stack.admit(Passage::default(), draw, at_ms(1_000)), Admission::Refused);
    assert_eq!(client, before);
}
