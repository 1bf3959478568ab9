//! What a call makes of a qualification, for each of the three lists.

use retrial_policy::*;

use crate::support::{always, at_ms, key};

const ROUTES: [&str; 3] = ["first", "second", "third"];

/// A policy whose three lists all name the same routes.
fn policy(inner: Option<Policy>) -> Policy {
    let names = || ROUTES.map(String::from).to_vec();
    let spec = PolicySpec {
        fallback: Fallback {
            routes: names(),
            content: names(),
            exhausted: names(),
            after_attempts: 1.try_into().ok(),
        },
        inner: inner.map(Box::new),
        ..PolicySpec::default()
    };
    Policy::new(spec).expect("a valid policy")
}

fn tested(context: u64, max_output: u64, streaming: bool) -> Capabilities {
    Capabilities { context, max_output, streaming, ..Capabilities::default() }
}

/// The names of the routes of a set.
fn names(set: RouteSet) -> Vec<&'static str> {
    let routes = ROUTES.iter().zip(1..);
    routes.filter(|(_, number)| set.contains(RouteId(*number))).map(|(name, _)| *name).collect()
}

/// Where a call goes that fails with `class` at each attempt.
fn path(policy: &Policy, class: Class, unqualified: RouteSet) -> Vec<String> {
    let request = Request { unqualified, ..Request::default() };
    let mut now = at_ms(0);
    let budgets = &mut [Unlimited; 2][..];
    let (mut call, mut attempt) = LayeredCall::start(policy, request, key(1), budgets, now);
    let mut path = Vec::new();
    loop {
        path.push(policy.routing_layer().route_name(attempt.route).to_string());
        let outcome = Outcome::response(500);
        let decision = call.on_outcome(policy, &always(class), &outcome, now, budgets, &mut ());
        let Some(wait) = decision.wait() else { return path };
        now = wait.until;
        attempt = call.next_attempt(policy, now, budgets, &mut ()).expect("it fired in time");
    }
}

#[test]
fn no_list_leads_to_an_unqualified_route() {
    let unqualified = RouteSet::EMPTY.with(RouteId(1)).with(RouteId(3));
    for class in [Class::Transient, Class::Content, Class::Exhausted] {
        let all = path(&policy(None), class, RouteSet::EMPTY);
        assert_eq!(all[..4], ["primary", "first", "second", "third"], "{class:?}");
        let qualified = path(&policy(None), class, unqualified);
        assert_eq!(qualified[..2], ["primary", "second"], "{class:?}");
        assert!(qualified[2..].iter().all(|route| route == "second"), "{class:?}: {qualified:?}");
    }
}

/// Refused content and a spent account are not tried again where no route is qualified.
#[test]
fn without_a_qualified_route_there_is_no_fallback() {
    let none = (1..=3).fold(RouteSet::EMPTY, |set, number| set.with(RouteId(number)));
    for class in [Class::Content, Class::Exhausted] {
        assert_eq!(path(&policy(None), class, none), ["primary"], "{class:?}");
    }
    assert_eq!(path(&policy(None), Class::Transient, none), ["primary"; 5]);
}

/// Whichever layer names the routes, it is the one that obeys.
#[test]
fn an_inner_layer_obeys_too() {
    let outer = PolicySpec {
        limits: Limits { max_attempts: 1.try_into().ok(), ..Limits::default() },
        inner: Some(Box::new(policy(None))),
        ..PolicySpec::default()
    };
    let outer = Policy::new(outer).expect("a valid policy");
    let unqualified = RouteSet::EMPTY.with(RouteId(1));
    assert_eq!(path(&outer, Class::Content, unqualified), ["primary", "second", "third"]);
}

#[test]
fn a_route_without_a_contract_serves_whoever_needs_nothing() {
    let nothing = Capabilities::default();
    let qualification = Qualification::new(&policy(None), &nothing, |_| None);
    assert_eq!(names(qualification.unqualified(u64::MAX, u64::MAX)), [""; 0]);
    let needs = tested(0, 0, true);
    let qualification = Qualification::new(&policy(None), &needs, |_| None);
    assert_eq!(names(qualification.unqualified(0, 0)), ROUTES);
}

/// What all requests need is compared once, the length of each when it is sent.
#[test]
fn a_request_must_fit_in_what_a_route_states() {
    let contracts = [tested(1_000, 100, true), tested(10_000, 0, true), tested(0, 50, false)];
    let contract = |name: &str| {
        ROUTES.iter().position(|route| *route == name).and_then(|index| contracts.get(index))
    };
    let all = Qualification::new(&policy(None), &Capabilities::default(), contract);
    let streams = Qualification::new(&policy(None), &tested(0, 0, true), contract);
    for (input, output, too_small) in [
        (900, 50, &[][..]),
        (950, 50, &[]),
        (951, 50, &["first"]),
        (800, 51, &["third"]),
        (800, 101, &["first", "third"]),
        (9_900, 100, &["first", "third"]),
        (9_901, 100, &["first", "second", "third"]),
        (u64::MAX, u64::MAX, &["first", "second", "third"]),
    ] {
        assert_eq!(names(all.unqualified(input, output)), too_small, "{input} + {output}");
        // The third never streams, whatever the length.
        let mut expected = too_small.to_vec();
        if !expected.contains(&"third") {
            expected.push("third");
        }
        assert_eq!(names(streams.unqualified(input, output)), expected, "{input} + {output}");
    }
}
