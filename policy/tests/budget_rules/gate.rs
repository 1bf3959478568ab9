//! The cooldown gate: nobody leaves before the hint is over, and nobody leaves in step.

use proptest::prelude::*;
use retrial_policy::*;

use crate::support::{at_ms, key, ms, ratio, secs};

fn gate(spread: f64, cap: Nanos) -> CooldownGate {
    CooldownGate::open(CooldownGateSpec { spread: ratio(spread), cap })
}

fn hold(gate: &mut CooldownGate, route: RouteId, call: u64, now: Instant) -> Nanos {
    let passage = Passage { route, ..Passage::default() };
    match gate.admit(passage, Draw::new(key(call), 1), now) {
        Admission::Granted { hold, .. } => hold,
        Admission::Refused => panic!("a gate refuses nothing"),
    }
}

const ROUTE: RouteId = RouteId::PRIMARY;

#[test]
fn it_is_closed_until_the_hint_is_over() {
    let mut gate = gate(0.0, secs(60));
    assert_eq!(hold(&mut gate, ROUTE, 0, at_ms(0)), Nanos::ZERO);
    gate.on_hint(ROUTE, Class::Throttled, secs(2), at_ms(100));
    assert_eq!(gate.until(), at_ms(2_100));
    assert_eq!(hold(&mut gate, ROUTE, 0, at_ms(600)), ms(1_500));
    assert_eq!(hold(&mut gate, ROUTE, 0, at_ms(2_100)), Nanos::ZERO);
}

#[test]
fn a_shorter_hint_does_not_open_it_and_a_longer_one_keeps_it_closed() {
    let mut gate = gate(0.0, secs(60));
    gate.on_hint(ROUTE, Class::Throttled, secs(2), at_ms(0));
    gate.on_hint(ROUTE, Class::Throttled, secs(1), at_ms(0));
    assert_eq!(gate.until(), at_ms(2_000));
    gate.on_hint(ROUTE, Class::Transient, secs(2), at_ms(1_000));
    assert_eq!(gate.until(), at_ms(3_000));
}

#[test]
fn no_hint_closes_it_for_longer_than_its_cap() {
    let mut gate = gate(0.1, secs(60));
    gate.on_hint(ROUTE, Class::Throttled, Nanos::MAX, at_ms(0));
    assert_eq!(gate.until(), at_ms(60_000));
    assert!(hold(&mut gate, ROUTE, 0, at_ms(0)) <= secs(66));
}

#[test]
fn one_routes_hint_does_not_bind_another() {
    let mut gate = gate(0.0, secs(60));
    gate.on_hint(RouteId(1), Class::Throttled, secs(2), at_ms(0));
    assert_eq!(hold(&mut gate, ROUTE, 0, at_ms(0)), Nanos::ZERO);
    gate.on_hint(ROUTE, Class::Throttled, secs(2), at_ms(0));
    assert_eq!(hold(&mut gate, RouteId(1), 0, at_ms(0)), Nanos::ZERO);
}

#[test]
fn hints_on_other_classes_are_the_calls_own_business() {
    let mut gate = gate(0.0, secs(60));
    for class in Class::ALL {
        if class != Class::Throttled && class != Class::Transient {
            gate.on_hint(ROUTE, class, secs(2), at_ms(0));
        }
    }
    assert_eq!(gate.until(), Instant::default());
}

#[test]
fn the_policy_core_tells_it_what_the_server_said() {
    let spec = CooldownGateSpec { spread: Ratio::ZERO, cap: secs(60) };
    let part = BudgetSpec { scope: Scope::Group, kind: BudgetKind::CooldownGate(spec) };
    let policy = Policy::new(PolicySpec {
        limits: Limits { attempt_timeout: Some(secs(20)), ..Limits::default() },
        budgets: vec![part],
        ..PolicySpec::default()
    })
    .unwrap();
    let mut group = BudgetState::open_all(policy.budgets(), Scope::Group);
    let mut stack = BudgetStack { client: &mut [], group: &mut group };
    let start = |stack: &mut BudgetStack<'_>, now| {
        Call::start(&policy, Request::default(), key(1), stack, now)
    };
    let (mut call, _) = start(&mut stack, at_ms(0));
    let outcome = Outcome::response(429).with_hint(Hint(secs(5)));
    let _ =
        call.on_outcome(&policy, &StatusTable::generic(), &outcome, at_ms(10), &mut stack, &mut ());
    let (_, neighbour) = start(&mut stack, at_ms(1_010));
    assert_eq!(neighbour.hold, secs(4));
    assert_eq!(neighbour.timeout, Some(secs(20)), "it counts from when the attempt leaves");
}

/// Its turn would come when its time is over: it ends at once, and not by trying again and again.
#[test]
fn an_attempt_held_past_its_deadline_ends_the_call() {
    let spec = CooldownGateSpec { spread: Ratio::ZERO, cap: secs(60) };
    let policy = Policy::new(PolicySpec {
        backoff: Backoff::growing(Growth::None),
        limits: Limits { max_attempts: None, deadline: Some(secs(3)), attempt_timeout: None },
        budgets: vec![BudgetSpec { scope: Scope::Client, kind: BudgetKind::CooldownGate(spec) }],
        ..PolicySpec::default()
    })
    .unwrap();
    let mut client = BudgetState::open_all(policy.budgets(), Scope::Client);
    let mut stack = BudgetStack { client: &mut client, group: &mut [] };
    stack.on_hint(ROUTE, Class::Throttled, secs(5), at_ms(0));
    let (mut call, attempt) =
        Call::start(&policy, Request::default(), key(1), &mut stack, at_ms(1_000));
    assert_eq!((attempt.hold, attempt.timeout), (secs(4), Some(Nanos::ZERO)));
    let outcome = Outcome::new(Signal::AttemptTimeout).with_progress(Progress::NotSent);
    let table = StatusTable::generic();
    let decision = call.on_outcome(&policy, &table, &outcome, at_ms(1_000), &mut stack, &mut ());
    let Decision::Stop(stop) = decision else { panic!("{decision:?}") };
    assert_eq!(stop.terminal_outcome(), TerminalOutcome::GaveUpDeadline);
}

proptest! {
    #[test]
    fn nobody_leaves_early_or_later_than_the_spread(
        spread in 0.0..2.0_f64,
        hint in 1_u64..100_000,
        call in any::<u64>(),
        late in 0_u64..100_000,
    ) {
        let mut gate = gate(spread, secs(60));
        gate.on_hint(ROUTE, Class::Throttled, ms(hint), at_ms(0));
        let now = at_ms(late);
        let leaves = now.saturating_add(hold(&mut gate, ROUTE, call, now));
        let hint = ms(hint).min(secs(60));
        let over = Instant::default().saturating_add(hint);
        prop_assert!(leaves >= over.max(now));
        prop_assert!(leaves <= over.saturating_add(ratio(spread).of(hint)).max(now));
    }
}

#[test]
fn a_fleet_is_spread_over_the_whole_width() {
    let mut gate = gate(0.5, secs(60));
    gate.on_hint(ROUTE, Class::Throttled, secs(10), at_ms(0));
    let holds: Vec<_> = (0..1_000).map(|call| hold(&mut gate, ROUTE, call, at_ms(0))).collect();
    let tenths = |from: u64| {
        let within = |hold: &&Nanos| (from..from + 500).contains(&(hold.get() / 1_000_000));
        holds.iter().filter(within).count()
    };
    for tenth in 0..10 {
        let many = tenths(10_000 + tenth * 500);
        assert!((60..140).contains(&many), "{many} of 1,000 in tenth {tenth}");
    }
}
