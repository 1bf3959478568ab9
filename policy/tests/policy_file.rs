//! The policy file: what it says is what is loaded, and what it can't say is refused at the right
//! place, with what would be right.
#![cfg(feature = "toml")]

mod support;

use proptest::prelude::*;
use retrial_policy::config::PolicyFile;
use retrial_policy::*;
use support::{load, ms, ratio, refused, secs};

const EXAMPLE: &str = include_str!("data/policy.toml");

/// The rest of a file whose `[backoff]` is the matter.
const LIMITS: &str = "[limits]\ndeadline = '90s'\n";
/// The rest of a file whose other sections are the matter.
const MINIMAL: &str = "[backoff]\nkind = 'none'\n[limits]\ndeadline = '90s'\n";

fn backoff(keys: &str) -> Backoff {
    load(&format!("[backoff]\n{keys}\n{LIMITS}")).backoff().clone()
}

#[track_caller]
fn backoff_refused(keys: &str, message: &str) {
    refused(&format!("[backoff]\n{keys}\n{LIMITS}"), message);
}

#[track_caller]
fn section_refused(section: &str, message: &str) {
    refused(&format!("{MINIMAL}{section}\n"), message);
}

fn example() -> PolicySpec {
    let bucket = |capacity, cost, refund| {
        BudgetKind::TokenBucket(TokenBucketSpec {
            capacity: ratio(capacity),
            retry_cost: ratio(cost),
            success_refund: ratio(refund),
        })
    };
    PolicySpec {
        backoff: Backoff {
            cap_order: CapOrder::JitterThenCap,
            first: Some(ms(300)),
            throttled_base: Some(secs(1)),
            round: ms(1),
            floor: Nanos::new(500_000),
            ..Backoff::exponential(ms(200)).cap(secs(20)).jitter(Jitter::Proportional(ratio(0.25)))
        },
        limits: Limits {
            max_attempts: 5.try_into().ok(),
            deadline: Some(secs(90)),
            attempt_timeout: Some(secs(20)),
        },
        retry_after: RetryAfter {
            mode: RetryAfterMode::Clamp(secs(5)),
            cap: secs(60),
            over_cap: OverCap::Fallback,
            jitter_ratio: ratio(0.1),
            add: ms(250),
        },
        budgets: vec![
            BudgetSpec { scope: Scope::Client, kind: bucket(10.0, 1.0, 0.1) },
            BudgetSpec { scope: Scope::Group, kind: bucket(500.0, 5.0, 1.0) },
        ],
        fallback: Fallback {
            routes: vec!["secondary".into(), "tertiary".into()],
            content: vec!["tertiary".into(), "lenient".into()],
            exhausted: vec!["other-account".into()],
            after_attempts: 2.try_into().ok(),
        },
        replay: Replay { safe: false, idempotency_key: true },
        retry_on: None,
        inner: None,
    }
}

#[test]
fn the_documented_example_loads_as_it_reads() {
    assert_eq!(load(EXAMPLE), Policy::new(example()).unwrap());
}

#[test]
fn json_carries_the_same_file() {
    let text = r#"{
        "backoff": { "kind": "exponential", "base": "200ms", "factor": 3, "jitter": "full" },
        "limits": { "max_attempts": 3, "deadline": "unlimited" },
        "retry_after": { "jitter_ratio": 0 }
    }"#;
    let file: PolicyFile = serde_json::from_str(text).expect("it has the form of a policy");
    let policy = file.into_policy().expect("a valid policy");
    let growth = Growth::Exponential { base: ms(200), factor: ratio(3.0) };
    assert_eq!(*policy.backoff(), Backoff::growing(growth).jitter(Jitter::Full));
    assert_eq!(policy.limits().max_attempts, 3.try_into().ok());
    assert_eq!(policy.retry_after().jitter_ratio, Ratio::ZERO);
}

/// The defaults that the documentation names.
#[test]
fn what_is_left_out_has_the_documented_default() {
    let policy = load("[backoff]\nkind = 'exponential'\nbase = '1s'\n[limits]\ndeadline = '90s'");
    assert_eq!(*policy.backoff(), Backoff::exponential(secs(1)));
    assert_eq!(policy.backoff().cap, Nanos::MAX);
    assert_eq!(policy.limits().max_attempts, 5.try_into().ok());
    assert_eq!(policy.limits().attempt_timeout, None);
    assert_eq!(
        *policy.retry_after(),
        RetryAfter {
            mode: RetryAfterMode::Replace,
            cap: secs(60),
            over_cap: OverCap::Stop,
            jitter_ratio: ratio(0.1),
            add: Nanos::ZERO,
        }
    );
    assert_eq!(policy.budgets(), []);
    assert_eq!(policy.replay(), Replay { safe: false, idempotency_key: false });
}

#[test]
fn every_bound_can_be_lifted_by_name() {
    let policy = load(
        "[backoff]\nkind = 'constant'\nbase = '1s'\ncap = 'unlimited'\n\
         [limits]\nmax_attempts = 'unlimited'\ndeadline = 'unlimited'\n\
         attempt_timeout = 'unlimited'\n[retry_after]\ncap = 'unlimited'\n",
    );
    let none = Limits { max_attempts: None, deadline: None, attempt_timeout: None };
    assert_eq!(*policy.limits(), none);
    assert_eq!(policy.backoff().cap, Nanos::MAX);
    assert_eq!(policy.retry_after().cap, Nanos::MAX);
}

#[test]
fn every_kind_has_its_name() {
    let base = secs(1);
    for (keys, growth) in [
        ("kind = 'none'", Growth::None),
        ("kind = 'constant'\nbase = '1s'", Growth::Constant { base }),
        ("kind = 'linear'\nbase = '1s'\nstep = '5ms'", Growth::Linear { base, step: ms(5) }),
        (
            "kind = 'exponential'\nbase = '1s'\nfactor = 1.5",
            Growth::Exponential { base, factor: ratio(1.5) },
        ),
        ("kind = 'fibonacci'\nbase = '1s'", Growth::Fibonacci { base }),
        (
            "kind = 'schedule'\nschedule = ['0s', '1s']",
            Growth::Schedule([Nanos::ZERO, secs(1)].into()),
        ),
        ("kind = 'decorrelated'\nbase = '1s'", Growth::Decorrelated { base }),
        ("kind = 'smooth_decorrelated'\nbase = '1s'", Growth::SmoothDecorrelated { base }),
    ] {
        assert_eq!(backoff(keys), Backoff::growing(growth), "{keys}");
    }
}

#[test]
fn every_jitter_has_its_name() {
    for (keys, jitter) in [
        ("'none'", Jitter::None),
        ("'full'", Jitter::Full),
        ("'equal'", Jitter::Equal),
        ("'proportional'\njitter_ratio = 0.5", Jitter::Proportional(ratio(0.5))),
        ("'shrink'\njitter_ratio = 0.5", Jitter::Shrink(ratio(0.5))),
        ("'stretch'\njitter_ratio = 2", Jitter::Stretch(ratio(2.0))),
        ("'add'\nadd = '5ms'", Jitter::Add(ms(5))),
        ("'exponential'", Jitter::Exponential),
    ] {
        let keys = format!("kind = 'constant'\nbase = '1s'\njitter = {keys}");
        let growth = Growth::Constant { base: secs(1) };
        assert_eq!(backoff(&keys), Backoff::growing(growth).jitter(jitter), "{keys}");
    }
}

#[test]
fn every_hint_rule_has_its_name() {
    let rule = |keys: &str| *load(&format!("{MINIMAL}[retry_after]\n{keys}\n")).retry_after();
    for (keys, mode) in [
        ("mode = 'replace'", RetryAfterMode::Replace),
        ("mode = 'floor'", RetryAfterMode::Floor),
        ("mode = 'clamp'\nabove = '5s'", RetryAfterMode::Clamp(secs(5))),
        ("mode = 'ignore'", RetryAfterMode::Ignore),
    ] {
        assert_eq!(rule(keys), RetryAfter { mode, ..RetryAfter::default() });
    }
    for (name, over_cap) in [
        ("stop", OverCap::Stop),
        ("fallback", OverCap::Fallback),
        ("clip", OverCap::Clip),
        ("own_backoff", OverCap::OwnBackoff),
    ] {
        let keys = format!("over_cap = '{name}'");
        assert_eq!(rule(&keys), RetryAfter { over_cap, ..RetryAfter::default() });
    }
}

#[test]
fn an_unknown_key_is_refused_with_the_known_ones() {
    refused(
        &format!("§backof = 1\n{MINIMAL}"),
        "unknown field `backof`, expected one of `preset`, `backoff`, `limits`, `retry_after`, \
         `budget`, `retry_on`, `fallback`, `replay`, `inner`",
    );
    backoff_refused(
        "kind = 'none'\n§bas = '1s'",
        "unknown field `bas`, expected one of `kind`, `base`, `factor`, `step`, `schedule`, `cap`, \
         `jitter`, `jitter_ratio`, `add`, `first`, `throttled_base`, `cap_order`, `floor`, `round`",
    );
    refused(
        &format!("{MINIMAL}§attempts = 3\n"),
        "unknown field `attempts`, expected one of `max_attempts`, `deadline`, `attempt_timeout`",
    );
    section_refused(
        "[retry_after]\n§max = '5s'",
        "unknown field `max`, expected one of `mode`, `cap`, `over_cap`, `jitter_ratio`, `add`, `above`",
    );
    section_refused(
        "[[budget]]\nkind = 'token_bucket'\nsize = §5",
        "budget.0.size: unknown key `size`; a token bucket has kind, scope, capacity, retry_cost \
         and success_refund",
    );
    section_refused(
        "[[budget]]\nkind = 'token_bucket'\ncapacity = 5\nmax = §5",
        "budget.0.max: unknown key `max`; a token bucket has kind, scope, capacity, retry_cost \
         and success_refund",
    );
    section_refused(
        "[[budget]]\nkind = 'aimd'\nmax = 5\nmin = 1\ncapacity = §5",
        "budget.0.capacity: unknown key `capacity`; aimd has kind, scope, max, min, decrease and \
         increase",
    );
    section_refused(
        "[fallback]\n§route = 'b'",
        "unknown field `route`, expected one of `routes`, `content`, `exhausted`, `after_attempts`",
    );
    section_refused(
        "[replay]\n§key = true",
        "unknown field `key`, expected `safe` or `idempotency_key`",
    );
}

#[test]
fn an_unknown_name_is_refused_with_the_known_ones() {
    backoff_refused(
        "kind = §'expo'",
        "unknown variant `expo`, expected one of `none`, `constant`, `linear`, `exponential`, \
         `fibonacci`, `schedule`, `decorrelated`, `smooth_decorrelated`",
    );
    backoff_refused(
        "kind = 'none'\njitter = §'half'",
        "unknown variant `half`, expected one of `none`, `full`, `equal`, `proportional`, \
         `shrink`, `stretch`, `add`, `exponential`",
    );
    section_refused(
        "[retry_after]\nover_cap = §'wait'",
        "unknown variant `wait`, expected one of `stop`, `fallback`, `clip`, `own_backoff`",
    );
}

#[test]
fn a_value_of_the_wrong_type_is_refused_with_the_right_one() {
    let duration = |got| format!("invalid type: {got}, expected a duration such as \"200ms\"");
    backoff_refused("kind = 'constant'\nbase = §200", &duration("integer `200`"));
    backoff_refused("kind = 'constant'\nbase = §true", &duration("boolean `true`"));
    backoff_refused(
        "kind = 'constant'\nbase = '1s'\ncap = §20",
        "invalid type: integer `20`, expected a duration such as \"200ms\", or \"unlimited\"",
    );
    backoff_refused(
        "kind = 'exponential'\nbase = '1s'\nfactor = §'2'",
        "invalid type: string \"2\", expected a number from 0 to 1,000,000,000",
    );
    let attempts = "expected a whole number of at least 1, or \"unlimited\"";
    let message = format!("invalid type: floating point `2.5`, {attempts}");
    refused(&format!("{MINIMAL}max_attempts = §2.5\n"), &message);
    let message = "`5` is not a whole number of at least 1, or \"unlimited\"";
    refused(&format!("{MINIMAL}max_attempts = §'5'\n"), message);
    section_refused("[replay]\nsafe = §1", "invalid type: integer `1`, expected a boolean");
}

#[test]
fn a_text_that_is_no_duration_is_refused_with_one_that_is() {
    let right = "write a number with a unit, such as \"200ms\" or \"1m30s\"";
    for text in ["200", "fast", "", "1.5.5s", "5 parsecs", "unlimited", "é"] {
        backoff_refused(
            &format!("kind = 'constant'\nbase = §'{text}'"),
            &format!("`{text}` is not a duration: {right}"),
        );
    }
    backoff_refused(
        "kind = 'constant'\nbase = §'-200ms'",
        &format!("`-200ms` is negative: a duration can't be; {right}"),
    );
    // The place is counted in characters, also behind a comment that is not ASCII.
    backoff_refused(
        "kind = 'schedule' # ä€𝄞\nschedule = ['1s', §'x'] # ä€𝄞",
        &format!("`x` is not a duration: {right}"),
    );
}

/// The sums overflow 64 bits of seconds by nothing, by one and by far.
#[test]
fn a_duration_beyond_the_clock_is_too_long() {
    for text in [
        "600y",
        "18446744073709551615ns",
        "18446744073709551615s",
        "18446744073709551615s 1000000000ns",
        "18446744073709551614s 999ms 1000001us",
        "9223372036854775807s 9223372036854775808s 1000000000ns",
        "300y 300y",
    ] {
        refused(
            &format!("[backoff]\nkind = 'none'\n[limits]\ndeadline = §'{text}'\n"),
            &format!("`{text}` is too long: at most 584 years, or \"unlimited\""),
        );
    }
    let longest = load("[backoff]\nkind = 'none'\n[limits]\ndeadline = '18446744073709551614ns'");
    assert_eq!(longest.limits().deadline, Some(Nanos::new(u64::MAX - 1)));
}

#[test]
fn durations_are_read_to_the_nanosecond() {
    for (text, nanos) in [
        ("0s", 0),
        ("1ns", 1),
        ("1.5s", 1_500_000_000),
        ("1m30s", 90_000_000_000),
        ("1h 2m 3s 4ms 5us 6ns", 3_723_004_005_006),
    ] {
        let backoff = backoff(&format!("kind = 'schedule'\nschedule = ['{text}']"));
        assert_eq!(backoff.growth, Growth::Schedule([Nanos::new(nanos)].into()), "{text}");
    }
}

#[test]
fn a_number_out_of_range_is_refused_with_the_range() {
    for (text, got) in [
        ("nan", "floating point `NaN`"),
        ("inf", "floating point `inf`"),
        ("-0.5", "floating point `-0.5`"),
        ("-1", "integer `-1`"),
        ("1_000_000_001", "integer `1000000001`"),
    ] {
        backoff_refused(
            &format!("kind = 'exponential'\nbase = '1s'\nfactor = §{text}"),
            &format!("invalid value: {got}, expected a number from 0 to 1,000,000,000"),
        );
    }
    let attempts = "a whole number of at least 1, or \"unlimited\"";
    for (text, message) in [
        ("0", format!("`0` is not {attempts}")),
        ("4294967296", format!("`4294967296` is not {attempts}")),
        ("-1", format!("invalid value: integer `-1`, expected {attempts}")),
    ] {
        refused(&format!("{MINIMAL}max_attempts = §{text}\n"), &message);
    }
}

#[test]
fn values_that_contradict_each_other_are_refused_with_both() {
    backoff_refused(
        "kind = 'exponential'\nbase = '1s'\ncap = §'200ms'",
        "backoff.cap: the cap (200ms) is below the base (1s)",
    );
    backoff_refused(
        "kind = 'constant'\nbase = '1s'\ncap = §'20s'\nthrottled_base = '30s'",
        "backoff.cap: the cap (20s) is below the throttled_base (30s)",
    );
    backoff_refused(
        "kind = 'constant'\nbase = '1s'\ncap = '20s'\nfloor = §'30s'",
        "backoff.floor: the floor (30s) is above the cap (20s)",
    );
    backoff_refused(
        "kind = 'exponential'\nbase = '1s'\nfactor = §0.5",
        "backoff.factor: must be at least 1: delays may not shrink",
    );
    backoff_refused(
        "kind = 'constant'\nbase = '1s'\njitter = 'shrink'\njitter_ratio = §1.5",
        "backoff.jitter_ratio: must be at most 1: a delay can't be negative",
    );
    backoff_refused(
        "kind = 'decorrelated'\nbase = '1s'\njitter = §'full'",
        "backoff.jitter: decorrelated delays are random by themselves; leave the jitter out",
    );
    section_refused(
        "[retry_after]\njitter_ratio = §11",
        "retry_after.jitter_ratio: must be at most 10",
    );
    section_refused(
        "[[budget]]\nkind = 'token_bucket'\ncapacity = §1\nretry_cost = 2\nsuccess_refund = 0",
        "budget.0.capacity: the capacity (1) is below the cost of one retry (2): no retry could \
         ever happen",
    );
    section_refused(
        "[[budget]]\nkind = 'token_bucket'\ncapacity = 1\nretry_cost = 1\nsuccess_refund = 0\n\
         [[budget]]\nkind = 'token_bucket'\ncapacity = 1\nretry_cost = §0\nsuccess_refund = 0",
        "budget.1.retry_cost: must be above zero: a free retry is no budget",
    );
    backoff_refused(
        "kind = 'constant'\nbase = '1s'\ncap = '2s'\nfirst = §'3s'",
        "backoff.first: must be at most the cap (2s), not 3s",
    );
    section_refused(
        "[fallback]\nroutes = §['b', 'b']",
        "fallback.routes: names the route `b` twice",
    );
    section_refused(
        "[fallback]\nroutes = ['b']\ncontent = ['b', 'c']\nexhausted = §['c', 'b', 'c']",
        "fallback.exhausted: names the route `c` twice",
    );
    section_refused(
        "[fallback]\ncontent = §['primary']",
        "fallback.content: `primary` is the first route, not one to fall back to",
    );
    section_refused(
        "[fallback]\ncontent = ['b']\nafter_attempts = §2",
        "fallback.after_attempts: needs fallback.routes",
    );
    section_refused(
        "[fallback]\nexhausted = §['b']\n[retry_on]\nmode = 'statuses'\nstatuses = [503]",
        "fallback.exhausted: needs classes, which a policy with `retry_on` does not look at",
    );
    section_refused(
        "[fallback]\nafter_attempts = §2",
        "fallback.after_attempts: needs fallback.routes",
    );
}

#[test]
fn zero_where_it_would_mean_nothing_is_refused() {
    let none = "must be above zero; for no delay at all use kind = \"none\"";
    backoff_refused("kind = 'constant'\nbase = §'0s'", &format!("backoff.base: {none}"));
    backoff_refused("kind = 'constant'\nbase = '1s'\ncap = §'0s'", &format!("backoff.cap: {none}"));
    let bound = "must be above zero, or \"unlimited\"";
    refused(
        "[backoff]\nkind = 'none'\n[limits]\ndeadline = §'0s'\n",
        &format!("limits.deadline: {bound}"),
    );
    refused(
        &format!("{MINIMAL}attempt_timeout = §'0s'\n"),
        &format!("limits.attempt_timeout: {bound}"),
    );
    backoff_refused(
        "kind = 'schedule'\nschedule = §[]",
        "backoff.schedule: needs at least one delay",
    );
}

#[test]
fn what_is_missing_is_named_where_it_belongs() {
    refused("§", "missing field `backoff`");
    refused("§[backoff]\nkind = 'none'\n", "missing field `limits`");
    refused("[backoff]\nkind = 'none'\n§[limits]\nmax_attempts = 5\n", "missing field `deadline`");
    refused("§[backoff]\n[limits]\ndeadline = '90s'\n", "missing field `kind`");
    for kind in ["constant", "exponential", "fibonacci", "decorrelated", "smooth_decorrelated"] {
        backoff_refused(
            &format!("kind = §'{kind}'"),
            "backoff.kind: needs `base`, the first delay",
        );
    }
    backoff_refused(
        "kind = §'linear'\nbase = '1s'",
        "backoff.kind: needs `step`, what each further retry adds",
    );
    backoff_refused("kind = §'schedule'", "backoff.kind: needs `schedule`, the list of delays");
    for jitter in ["proportional", "shrink", "stretch"] {
        backoff_refused(
            &format!("kind = 'constant'\nbase = '1s'\njitter = §'{jitter}'"),
            "backoff.jitter: needs `jitter_ratio`",
        );
    }
    backoff_refused(
        "kind = 'constant'\nbase = '1s'\njitter = §'add'",
        "backoff.jitter: needs `add`",
    );
    section_refused(
        "[retry_after]\nmode = §'clamp'",
        "retry_after.mode: clamp needs `above`, the most above the own backoff",
    );
    section_refused(
        "[[budget]]\nkind = §'token_bucket'\ncapacity = 1",
        "budget.0.kind: needs `retry_cost`",
    );
}

#[test]
fn a_key_that_would_be_ignored_is_refused_with_its_owner() {
    let kind = "kind = 'constant'\nbase = '1s'\n";
    for (keys, message) in [
        ("factor = §2", "backoff.factor: goes with kind = \"exponential\" only"),
        ("step = §'1s'", "backoff.step: goes with kind = \"linear\" only"),
        ("schedule = §['1s']", "backoff.schedule: goes with kind = \"schedule\" only"),
        ("add = §'1s'", "backoff.add: goes with jitter = \"add\" only"),
        (
            "jitter = 'full'\njitter_ratio = §0.5",
            "backoff.jitter_ratio: goes with jitter = \"proportional\", \"shrink\" or \"stretch\" \
             only",
        ),
    ] {
        backoff_refused(&format!("{kind}{keys}"), message);
    }
    backoff_refused(
        "kind = 'none'\nbase = §'1s'",
        "backoff.base: goes with a kind that grows from it only",
    );
    backoff_refused(
        "kind = 'none'\nthrottled_base = §'1s'",
        "backoff.throttled_base: needs a kind that grows from a base",
    );
    section_refused(
        "[retry_after]\nabove = §'5s'",
        "retry_after.above: goes with mode = \"clamp\" only",
    );
}

#[test]
fn a_concurrency_budget_loads_as_it_reads() {
    let budgets = |keys: &str| load(&format!("{MINIMAL}[[budget]]\nkind = 'aimd'\n{keys}\n"));
    let all = "scope = 'group'\nmax = 64\nmin = 2\ndecrease = 0.9\nincrease = 0.25";
    let given = AimdSpec { max: 64, min: 2, decrease: ratio(0.9), increase: ratio(0.25) };
    let part = BudgetSpec { scope: Scope::Group, kind: BudgetKind::Aimd(given) };
    assert_eq!(budgets(all).budgets(), [part]);
    let default = AimdSpec { max: 64, min: 1, decrease: ratio(0.5), increase: ratio(1.0) };
    let part = BudgetSpec { scope: Scope::Client, kind: BudgetKind::Aimd(default) };
    assert_eq!(budgets("max = 64.0\nmin = 1").budgets(), [part]);
}

#[test]
fn an_impossible_concurrency_budget_is_refused_where_it_is_wrong() {
    for (keys, problem) in [
        ("max = 8\nmin = §0", "min: must be at least 1: with none in flight nothing is learnt"),
        ("max = §8\nmin = 9", "max: the max (8) is below the min (9)"),
        ("max = §8.5\nmin = 1", "max: must be a whole number"),
        ("max = 8\nmin = §1.5", "min: must be a whole number"),
        ("max = 8\nmin = 1\ndecrease = §1", "decrease: must be above 0 and below 1"),
        ("max = 8\nmin = 1\ndecrease = §0", "decrease: must be above 0 and below 1"),
        (
            "max = 8\nmin = 1\nincrease = §0",
            "increase: must be above zero: the limit could never recover",
        ),
    ] {
        let section = format!("[[budget]]\nkind = 'aimd'\n{keys}");
        section_refused(&section, &format!("budget.0.{problem}"));
    }
    section_refused("[[budget]]\nkind = §'aimd'\nmax = 8", "budget.0.kind: needs `min`");
    section_refused("[[budget]]\nkind = §'aimd'\nmin = 8", "budget.0.kind: needs `max`");
}

#[test]
fn text_that_is_not_toml_is_refused_where_it_breaks_off() {
    for (text, line) in [("[backoff", 1), ("[backoff]\nkind = 'none\n", 2), ("a\nb\n", 1)] {
        let error = Policy::from_toml(text).expect_err(text);
        assert_eq!(error.line, line, "{error}");
        assert!(!error.message.is_empty());
    }
}

/// A refusal must point into the text, and say something.
fn check_place(text: &str) {
    if let Err(error) = Policy::from_toml(text) {
        assert!(error.line >= 1 && error.line <= text.matches('\n').count() + 1, "{error}");
        let line = text.split('\n').nth(error.line - 1).unwrap_or_default();
        assert!(error.column >= 1 && error.column <= line.chars().count() + 1, "{error}");
        assert!(!error.message.is_empty());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn no_text_makes_the_loader_panic(text in any::<String>()) {
        check_place(&text);
    }

    #[test]
    fn no_damage_to_a_file_makes_the_loader_panic(
        at in 0..EXAMPLE.len(),
        length in 0_usize..40,
        inserted in prop_oneof![
            any::<String>(),
            "[\\[\\]{}='\"#.,0-9a-z_ \n-]{0,12}",
            Just("nan".to_string()),
            Just("-1".to_string()),
            Just("[]".to_string()),
            Just("18446744073709551616".to_string()),
        ],
    ) {
        let at = EXAMPLE.floor_char_boundary(at);
        let end = EXAMPLE.floor_char_boundary((at + length).min(EXAMPLE.len()));
        check_place(&format!("{}{inserted}{}", &EXAMPLE[..at], &EXAMPLE[end..]));
    }

    #[test]
    fn no_value_of_any_key_makes_the_loader_panic(
        line in 0..EXAMPLE.lines().count(),
        value in prop_oneof![
            "'[0-9]{1,20}(\\.[0-9]{1,20})?(ns|us|ms|s|m|h|d|w|M|y)'",
            "'([0-9]{1,20}(ns|ms|s|w|y) ?){1,4}'",
            "-?[0-9]{1,19}",
            "-?[0-9]{1,5}\\.[0-9]{1,5}(e-?[0-9]{1,3})?",
            "(true|nan|-inf|\\[\\]|\\{\\}|1979-05-27|\\['a', 1\\])",
        ],
    ) {
        let text: Vec<String> = EXAMPLE
            .lines()
            .enumerate()
            .map(|(i, old)| match old.split_once(" = ") {
                Some((key, _)) if i == line => format!("{key} = {value}"),
                _ => old.to_string(),
            })
            .collect();
        check_place(&text.join("\n"));
    }
}
