//! `[[budget]]` in a policy file: every kind with its keys, its defaults, and what it refuses.
#![cfg(feature = "toml")]

mod support;

use retrial_policy::*;
use support::{ms, ratio, secs};

fn read(keys: &str) -> Result<Policy, String> {
    let rest = "[backoff]\nkind = 'none'\n[limits]\ndeadline = '90s'\n[[budget]]\n";
    Policy::from_toml(&format!("{rest}{keys}\n")).map_err(|error| error.message)
}

#[track_caller]
fn loads(keys: &str, kind: BudgetKind) {
    let policy = read(keys).unwrap_or_else(|error| panic!("{keys}: {error}"));
    assert_eq!(policy.budgets(), [BudgetSpec { scope: Scope::Client, kind }], "{keys}");
}

#[track_caller]
fn refused(keys: &str, message: &str) {
    assert_eq!(read(keys).err().as_deref(), Some(message), "{keys}");
}

#[test]
fn every_kind_loads_with_the_values_of_its_source() {
    loads("kind = 'aws_quota'", BudgetKind::AwsQuota(AwsQuotaSpec::V2_1));
    loads("kind = 'aws_quota'\nversion = '2.0'", BudgetKind::AwsQuota(AwsQuotaSpec::V2_0));
    loads("kind = 'aws_adaptive'", BudgetKind::AwsAdaptive(AwsAdaptiveSpec::DEFAULT));
    loads("kind = 'ratio'", BudgetKind::Ratio(WindowedRatioSpec::DEFAULT));
    loads("kind = 'concurrent'", BudgetKind::Concurrent(ConcurrentSpec::DEFAULT));
    loads("kind = 'sre_adaptive'", BudgetKind::SreAdaptive(SreAdaptiveSpec::DEFAULT));
    loads("kind = 'cooldown_gate'", BudgetKind::CooldownGate(CooldownGateSpec::DEFAULT));
    let grpc = GrpcThrottleSpec { max_tokens: 10, token_ratio: ratio(0.1), refund_answered: false };
    loads("kind = 'grpc'\nmax_tokens = 10\ntoken_ratio = 0.1", BudgetKind::Grpc(grpc));
    let breaker =
        |trip| BudgetKind::CircuitBreaker(CircuitBreakerSpec { trip, open: secs(30), probes: 1 });
    loads(
        "kind = 'circuit_breaker'\nfailures = 5\nopen = '30s'",
        breaker(Trip::InARow { failures: 5 }),
    );
    let share = Trip::Share { ratio: ratio(0.5), min_calls: 20, window: secs(60) };
    let keys = "kind = 'circuit_breaker'\nfailure_ratio = 0.5\nwindow = '1m'\nopen = '30s'";
    loads(keys, breaker(share));
}

#[test]
fn every_key_is_read() {
    loads(
        "kind = 'aws_quota'\ncapacity = 1\nretry_cost = 1\nthrottling_cost = 1\n\
         timeout_cost = 1\nfirst_try_refund = 0",
        BudgetKind::AwsQuota(AwsQuotaSpec {
            capacity: 1,
            retry_cost: 1,
            throttling_cost: 1,
            timeout_cost: 1,
            first_try_refund: 0,
        }),
    );
    loads(
        "kind = 'aws_adaptive'\nbeta = 0.5\nscale = 1\nsmooth = 1\nmin_rate = 2\n\
         interval = '1s'",
        BudgetKind::AwsAdaptive(AwsAdaptiveSpec {
            beta: ratio(0.5),
            scale: Ratio::ONE,
            smooth: Ratio::ONE,
            min_rate: ratio(2.0),
            interval: secs(1),
        }),
    );
    loads(
        "kind = 'grpc'\nmax_tokens = 1000\ntoken_ratio = 1\nrefund_answered = true",
        BudgetKind::Grpc(GrpcThrottleSpec {
            max_tokens: 1_000,
            token_ratio: Ratio::ONE,
            refund_answered: true,
        }),
    );
    loads(
        "kind = 'ratio'\nratio = 0.333\nttl = '1m'\nmin_per_sec = 0\ndeposit_on = 'success'",
        BudgetKind::Ratio(WindowedRatioSpec {
            ratio: ratio(0.333),
            ttl: secs(60),
            min_per_sec: Ratio::ZERO,
            deposit_on: DepositOn::Success,
        }),
    );
    loads(
        "kind = 'concurrent'\nbudget_percent = 12.5\nmin_retry_concurrency = 1\n\
         count_waiting = false",
        BudgetKind::Concurrent(ConcurrentSpec {
            budget_percent: ratio(12.5),
            min_retry_concurrency: 1,
            count_waiting: false,
        }),
    );
    loads(
        "kind = 'sre_adaptive'\nk = 1.5\nwindow = '30s'\npadding = 8",
        BudgetKind::SreAdaptive(SreAdaptiveSpec {
            k: ratio(1.5),
            window: secs(30),
            padding: ratio(8.0),
        }),
    );
    loads(
        "kind = 'circuit_breaker'\nfailures = 5\nwindow = '10s'\nopen = '1s'\nprobes = 3",
        BudgetKind::CircuitBreaker(CircuitBreakerSpec {
            trip: Trip::Count { failures: 5, window: secs(10) },
            open: secs(1),
            probes: 3,
        }),
    );
    loads(
        "kind = 'circuit_breaker'\nfailure_ratio = 1\nwindow = '10s'\nmin_calls = 1\nopen = '1s'",
        BudgetKind::CircuitBreaker(CircuitBreakerSpec {
            trip: Trip::Share { ratio: Ratio::ONE, min_calls: 1, window: secs(10) },
            open: secs(1),
            probes: 1,
        }),
    );
    loads(
        "kind = 'cooldown_gate'\nspread = 0\ncap = '5ms'",
        BudgetKind::CooldownGate(CooldownGateSpec { spread: Ratio::ZERO, cap: ms(5) }),
    );
}

#[test]
fn what_is_missing_is_named() {
    for (keys, missing) in [
        ("kind = 'grpc'", "`max_tokens`"),
        ("kind = 'grpc'\nmax_tokens = 10", "`token_ratio`"),
        ("kind = 'circuit_breaker'\nopen = '1s'", "`failures` or `failure_ratio`"),
        ("kind = 'circuit_breaker'\nfailures = 5", "`open`"),
        ("kind = 'circuit_breaker'\nfailure_ratio = 0.5\nopen = '1s'", "`window`"),
    ] {
        refused(keys, &format!("budget.0.kind: needs {missing}"));
    }
}

#[test]
fn keys_of_another_kind_are_refused_with_its_own() {
    for (keys, message) in [
        (
            "kind = 'aws_quota'\nttl = '1s'",
            "budget.0.ttl: unknown key `ttl`; aws_quota has kind, scope, version, capacity, \
             retry_cost, throttling_cost, timeout_cost and first_try_refund",
        ),
        (
            "kind = 'aws_adaptive'\nk = 2",
            "budget.0.k: unknown key `k`; aws_adaptive has kind, scope, beta, scale, smooth, \
             min_rate and interval",
        ),
        (
            "kind = 'grpc'\nmax = 2",
            "budget.0.max: unknown key `max`; grpc has kind, scope, max_tokens, token_ratio and \
             refund_answered",
        ),
        (
            "kind = 'ratio'\nwindow = '1s'",
            "budget.0.window: unknown key `window`; ratio has kind, scope, ratio, ttl, \
             min_per_sec and deposit_on",
        ),
        (
            "kind = 'concurrent'\nratio = 1",
            "budget.0.ratio: unknown key `ratio`; concurrent has kind, scope, budget_percent, \
             min_retry_concurrency and count_waiting",
        ),
        (
            "kind = 'sre_adaptive'\nkay = 1",
            "budget.0.kay: unknown key `kay`; sre_adaptive has kind, scope, k, window and padding",
        ),
        (
            "kind = 'circuit_breaker'\ncap = '1s'",
            "budget.0.cap: unknown key `cap`; a circuit breaker has kind, scope, failures, \
             failure_ratio, min_calls, window, open and probes",
        ),
        (
            "kind = 'cooldown_gate'\nopen = '1s'",
            "budget.0.open: unknown key `open`; a cooldown gate has kind, scope, spread and cap",
        ),
    ] {
        refused(keys, message);
    }
}

#[test]
fn impossible_values_are_refused_with_what_would_be_right() {
    for (keys, message) in [
        (
            "kind = 'aws_quota'\nretry_cost = 0",
            "retry_cost: must be at least 1: a free retry is no budget",
        ),
        (
            "kind = 'aws_quota'\ncapacity = 13",
            "capacity: the capacity (13) is below retry_cost (14): no such retry could ever happen",
        ),
        ("kind = 'aws_quota'\ncapacity = 0.5", "capacity: must be a whole number"),
        ("kind = 'aws_adaptive'\nbeta = 1", "beta: must be above 0 and below 1"),
        ("kind = 'aws_adaptive'\nscale = 2", "scale: must be above 0 and at most 1"),
        ("kind = 'aws_adaptive'\nsmooth = 0", "smooth: must be above 0 and at most 1"),
        (
            "kind = 'aws_adaptive'\nmin_rate = 0",
            "min_rate: must be above zero: nothing would ever be sent again",
        ),
        ("kind = 'aws_adaptive'\ninterval = '1us'", "interval: must be at least 1ms"),
        (
            "kind = 'grpc'\nmax_tokens = 1001\ntoken_ratio = 0.1",
            "max_tokens: must be from 1 to 1000, as gRPC has it",
        ),
        (
            "kind = 'grpc'\nmax_tokens = 10\ntoken_ratio = 0.0009",
            "token_ratio: must be at least 0.001: the tokens could never recover",
        ),
        ("kind = 'ratio'\nratio = 10.5", "ratio: must be from 0 to 10 retries for each request"),
        ("kind = 'ratio'\nttl = '1us'", "ttl: must be at least 1ms"),
        (
            "kind = 'ratio'\nratio = 0\nmin_per_sec = 0.09",
            "ratio: is 0 and `min_per_sec` times `ttl` is below 1: no retry could ever happen",
        ),
        ("kind = 'concurrent'\nbudget_percent = 101", "budget_percent: must be from 0 to 100"),
        (
            "kind = 'concurrent'\nbudget_percent = 0\nmin_retry_concurrency = 0",
            "min_retry_concurrency: must be at least 1 where `budget_percent` is 0: no retry \
             could ever happen",
        ),
        (
            "kind = 'sre_adaptive'\nk = 0.9",
            "k: must be at least 1: below it a healthy route is refused retries",
        ),
        ("kind = 'sre_adaptive'\nwindow = '1us'", "window: must be at least 1ms"),
        (
            "kind = 'sre_adaptive'\npadding = 0",
            "padding: must be above 0: a route that is down could never be tried",
        ),
        (
            "kind = 'circuit_breaker'\nfailures = 1\nfailure_ratio = 1\nopen = '1s'",
            "failures: goes without `failure_ratio`: one of both",
        ),
        (
            "kind = 'circuit_breaker'\nfailures = 1\nmin_calls = 1\nopen = '1s'",
            "min_calls: goes with `failure_ratio` only",
        ),
        ("kind = 'circuit_breaker'\nfailures = 0\nopen = '1s'", "failures: must be at least 1"),
        (
            "kind = 'circuit_breaker'\nfailures = 1\nopen = '0s'",
            "open: must be above zero: the breaker would never be open",
        ),
        (
            "kind = 'circuit_breaker'\nfailures = 1\nopen = '1s'\nprobes = 0",
            "probes: must be at least 1: the breaker could never close",
        ),
        (
            "kind = 'circuit_breaker'\nfailure_ratio = 1.5\nwindow = '1s'\nopen = '1s'",
            "failure_ratio: must be above 0 and at most 1",
        ),
        (
            "kind = 'cooldown_gate'\ncap = '0s'",
            "cap: must be above zero: the gate would never close",
        ),
    ] {
        refused(keys, &format!("budget.0.{message}"));
    }
    let nine = "kind = 'concurrent'\n[[budget]]\n".repeat(8) + "kind = 'concurrent'";
    refused(&nine, "budget.8: has more than 8 parts");
}

#[test]
fn a_part_says_whether_it_ends_a_call_that_fails_for_ever() {
    let bounds = |keys: &str| {
        let policy = read(keys).unwrap_or_else(|error| panic!("{keys}: {error}"));
        policy.budgets().iter().any(BudgetSpec::bounds_retries)
    };
    for keys in [
        "kind = 'token_bucket'\ncapacity = 1\nretry_cost = 1\nsuccess_refund = 1",
        "kind = 'aws_quota'",
        "kind = 'grpc'\nmax_tokens = 10\ntoken_ratio = 0.1",
        "kind = 'ratio'\nmin_per_sec = 0",
        "kind = 'circuit_breaker'\nfailures = 5\nopen = '1s'",
    ] {
        assert!(bounds(keys), "{keys}");
    }
    for keys in [
        "kind = 'ratio'",
        "kind = 'circuit_breaker'\nfailures = 5\nwindow = '1s'\nopen = '1s'",
        "kind = 'concurrent'",
        "kind = 'sre_adaptive'",
        "kind = 'aws_adaptive'",
        "kind = 'cooldown_gate'",
        "kind = 'aimd'\nmax = 2\nmin = 1",
    ] {
        assert!(!bounds(keys), "{keys}");
    }
}
