//! The presets: what each repeats and how often, how it takes hints, and how files build on one.
#![cfg(feature = "toml")]

#[path = "../support/mod.rs"]
mod support;

use retrial_policy::presets::Preset;
use retrial_policy::*;
use support::{SpyBudget, always, key, load, ms, refused, secs};

const STATUSES: [u16; 15] =
    [400, 401, 404, 408, 409, 413, 429, 499, 500, 501, 502, 503, 504, 509, 529];
const TRANSPORT: [(char, Signal); 3] =
    [('C', Signal::ConnectError), ('R', Signal::ConnectionReset), ('T', Signal::AttemptTimeout)];

fn preset(name: &str) -> Policy {
    let preset = Preset::find(name).unwrap_or_else(|| panic!("{name}"));
    preset.policy().unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// What the outermost layer of `policy` makes of the first attempt's `outcome`.
fn decide(policy: &Policy, class: Class, outcome: &Outcome<'_>) -> Decision {
    let now = Instant::default();
    let mut budget = SpyBudget::default();
    let (mut call, _) = Call::start(policy, Request::default(), key(0), &mut budget, now);
    call.on_outcome(policy, &always(class), outcome, now, &mut budget, &mut ())
}

/// The first wait after a 503 with a hint.
fn wait(name: &str, hint: Nanos) -> Option<Nanos> {
    let outcome = Outcome::response(503).with_hint(Hint(hint));
    decide(&preset(name), Class::Throttled, &outcome).wait().map(|wait| wait.delay)
}

#[test]
fn each_repeats_what_its_library_repeats_and_as_often() {
    let mut listed = Vec::new();
    for line in include_str!("decisions.txt").lines().filter(|line| !line.starts_with('#')) {
        let mut words = line.split_whitespace();
        let (name, attempts) = (words.next().unwrap(), words.next().unwrap());
        let rest: Vec<&str> = words.collect();
        let policy = preset(name);
        assert_eq!(policy.max_wire_attempts(), attempts.parse().ok(), "{name}");
        for status in STATUSES {
            let repeated = rest.contains(&"all") || rest.contains(&status.to_string().as_str());
            // Whatever the status may mean.
            for class in [Class::Transient, Class::InvalidRequest] {
                let decision = decide(&policy, class, &Outcome::response(status));
                assert_eq!(decision.wait().is_some(), repeated, "{name}: {status} {class:?}");
            }
        }
        for (letter, signal) in TRANSPORT {
            let repeated = rest.last().is_some_and(|letters| letters.contains(letter));
            // No key is needed, though a timed-out request may have taken effect.
            let decision = decide(&policy, Class::OutcomeUnknown, &Outcome::new(signal));
            assert_eq!(decision.wait().is_some(), repeated, "{name}: {signal:?}");
        }
        listed.push(name);
    }
    let by_status = Preset::all().iter().filter(|p| preset(p.name).retry_on().is_some());
    assert_eq!(listed, Vec::from_iter(by_status.map(|preset| preset.name)));
}

#[test]
fn those_without_a_list_go_by_class() {
    let by_class = Preset::all().iter().filter(|p| preset(p.name).retry_on().is_none());
    let names: Vec<_> = by_class.map(|preset| preset.name).collect();
    let article = ["aws-2015-decorrelated", "aws-2015-equal", "aws-2015-full"];
    assert_eq!(names, [&article[..], &["recommended", "sume"]].concat());
    for (name, unknown) in [("recommended", Action::Reconcile), ("sume", Action::RetrySameRoute)] {
        let timeout = Outcome::new(Signal::AttemptTimeout);
        let decision = decide(&preset(name), Class::OutcomeUnknown, &timeout);
        assert_eq!(decision.action(), unknown, "{name}");
        let auth = decide(&preset(name), Class::Auth, &Outcome::response(401));
        assert_eq!(auth.action(), Action::Stop, "{name}");
    }
    assert_eq!(preset("sume").limits().max_attempts, 7.try_into().ok());
    assert_eq!(preset("recommended").limits().max_attempts, 3.try_into().ok());
}

/// Section by section of each client's source: obeyed exactly up to the cap, then what it does.
#[test]
fn hints_are_taken_as_each_library_takes_them() {
    const HOUR: Nanos = secs(3_600);
    let just = |nanos: Nanos| Nanos::new(nanos.get() + 1);
    for (name, hint, waited) in [
        ("openai-python", secs(120), Some(secs(120))),
        ("openai-python", secs(121), None),
        ("cometapi-python", secs(121), None),
        ("openai-node", secs(1_000_000), Some(secs(1_000_000))),
        ("anthropic-python", secs(4_294_967), Some(secs(4_294_967))),
        ("anthropic-python", secs(4_294_968), Some(secs(4_294_967))),
        ("anthropic-ts", ms(2_147_483_647), Some(ms(2_147_483_647))),
        ("groq", secs(60), Some(secs(60))),
        ("cohere", secs(61), Some(secs(60))),
        ("aws-rust-2.0", secs(21), Some(secs(20))),
        ("undici", secs(31), Some(secs(30))),
        ("urllib3", just(HOUR), Some(just(HOUR))),
        ("urllib3", secs(6 * 3_600 + 1), Some(secs(6 * 3_600))),
        ("gemini-cli", secs(300), Some(secs(300))),
        ("gemini-cli", secs(301), None),
        ("got", HOUR, Some(HOUR)),
        ("grpc-a6", HOUR, Some(HOUR)),
        ("mistral-ts", secs(61), Some(secs(60))),
        ("llamaindex-openai", secs(30), Some(secs(30))),
        ("vercel-ai", secs(59), Some(secs(59))),
        // Its own backoff has no jitter.
        ("vercel-ai", secs(60), Some(secs(2))),
    ] {
        assert_eq!(wait(name, hint), waited, "{name}: {hint}");
    }
    // Their own backoff instead of a hint that is too long, or of any.
    for (name, least, most) in [
        ("anthropic-ts", ms(375), ms(500)),
        ("groq", ms(375), ms(500)),
        ("google-genai", secs(1), secs(2)),
        ("stripe", ms(500), ms(500)),
    ] {
        let waited = wait(name, secs(3_000_000)).expect("it waits");
        assert!((least..=most).contains(&waited), "{name}: {waited}");
    }
    // Fixed spread on top of the hint, a clamp to 5 s above a throttled backoff of at most 1 s, and
    // a stretch by a quarter.
    for (name, hint, least, most) in [
        ("litellm-router", secs(60), secs(60), ms(60_750)),
        ("botocore-standard", secs(60), secs(5), secs(6)),
        ("recommended", secs(60), secs(60), secs(75)),
        ("axios-retry", secs(10), secs(10), secs(12)),
    ] {
        let waited = wait(name, hint).expect("it waits");
        assert!((least..=most).contains(&waited) && waited > least, "{name}: {waited}");
    }
    assert_eq!(wait("recommended", secs(61)), None);
}

#[test]
fn a_server_may_ask_for_a_retry_or_forbid_one() {
    for (name, obeys) in [
        ("openai-python", true),
        ("anthropic-ts", true),
        ("stripe", true),
        ("vercel-ai", false),
        ("litellm-router", false),
    ] {
        let policy = preset(name);
        let asked = Outcome::response(404).with_grant();
        assert_eq!(
            decide(&policy, Class::InvalidRequest, &asked).wait().is_some(),
            obeys,
            "{name}"
        );
        let forbidden = Outcome::response(503).with_veto();
        let retried = decide(&policy, Class::Transient, &forbidden).wait().is_some();
        assert_eq!(retried, !obeys, "{name}");
        let both = Outcome::response(404).with_grant().with_veto();
        assert!(decide(&policy, Class::InvalidRequest, &both).wait().is_none(), "{name}");
    }
}

#[test]
fn a_hint_makes_some_statuses_repeatable() {
    let hint = Hint(secs(1));
    for (name, status) in [("azure-core", 400), ("urllib3", 429), ("urllib3", 503), ("got", 413)] {
        let plain = Outcome::response(status);
        assert!(decide(&preset(name), Class::Transient, &plain).wait().is_none(), "{name}");
        let hinted = plain.with_hint(hint);
        assert!(decide(&preset(name), Class::Transient, &hinted).wait().is_some(), "{name}");
    }
    let other = Outcome::response(500).with_hint(hint);
    assert!(decide(&preset("urllib3"), Class::Transient, &other).wait().is_none());
}

/// `cometapi` is OpenAI's client with its defaults.
#[test]
fn one_client_under_two_names_is_one_policy() {
    assert_eq!(preset("cometapi-python"), preset("openai-python"));
    assert_eq!(Preset::find("groq-node").map(|preset| preset.name), Some("openai-node"));
    assert_eq!(Preset::find("openai_python").map(|preset| preset.name), Some("openai-python"));
}

/// min(500 · n^1.5, 60000) ms, n from 0, as lib/retries.js computes it.
#[test]
fn the_listed_delays_of_mistral_ts_are_its_formula() {
    let policy = preset("mistral-ts");
    for n in 0..40 {
        let (least, _) = policy.backoff().range(n, Nanos::ZERO, Class::Transient);
        let formula = (500e6 * libm::pow(f64::from(n), 1.5)).min(60e9);
        assert!((least.get() as f64 - formula).abs() <= 1.0, "{n}: {least}, not {formula} ns");
    }
}

#[test]
fn a_file_builds_on_a_preset() {
    let policy =
        load("preset = 'openai-python'\n[limits]\nmax_attempts = 6\n[retry_after]\ncap = '5s'");
    let sdk = preset("openai-python");
    assert_eq!(policy.limits().max_attempts, 6.try_into().ok());
    assert_eq!(policy.limits().attempt_timeout, Some(secs(600)));
    assert_eq!(policy.retry_after().cap, secs(5));
    assert_eq!(policy.retry_after().jitter_ratio, Ratio::ZERO);
    assert_eq!((policy.backoff(), policy.retry_on()), (sdk.backoff(), sdk.retry_on()));

    let whole = "backoff = { kind = 'none' }\nlimits = { max_attempts = 2, deadline = '90s' }\n";
    let inner = "inner = { preset = 'openai-python', limits = { max_attempts = 4 } }";
    let stacked = load(&format!("{whole}{inner}"));
    assert_eq!(stacked.max_wire_attempts(), Some(8));
    assert_eq!(stacked.inner().map(Policy::backoff), Some(sdk.backoff()));
    // Another preset takes the place of the one inside, and keys alone change it.
    let other = load("preset = 'llamaindex-openai'\ninner = { preset = 'vercel-ai' }");
    assert_eq!(other.inner(), Some(&preset("vercel-ai")));
    let changed = load("preset = 'llamaindex-openai'\ninner.limits.max_attempts = 1");
    assert_eq!(changed.max_wire_attempts(), Some(3));
    assert_eq!(changed.inner().map(Policy::backoff), Some(sdk.backoff()));
}

#[test]
fn faults_show_where_the_user_wrote() {
    let error = Policy::from_toml("[inner]\npreset = 'openai-pyton'").expect_err("no such preset");
    assert_eq!((error.line, error.column), (2, 10));
    let start = "there is no preset `openai-pyton`; did you mean `openai-python`? there are \
                 anthropic-python, anthropic-ts, ";
    assert!(error.message.starts_with(start), "{error}");
    assert!(error.message.ends_with(", undici, urllib3, vercel-ai"), "{error}");
    refused(
        // The cap is the preset's own: the nearest place is the table beside it.
        "preset = 'openai-python'\n§[backoff]\nbase = '9s'",
        "backoff.cap: the cap (8s) is below the base (9s)",
    );
    refused(
        "preset = 'openai-python'\n[limits]\nmax_attempts = §0",
        "`0` is not a whole number of at least 1, or \"unlimited\"",
    );
    refused(
        "preset = §5\n",
        "invalid type: integer `5`, expected the name of a preset, or a table that says what this \
         policy is",
    );
    let json =
        r#"{ "preset": "stripe", "backoff": { "kind": "none" }, "limits": { "deadline": "9s" } }"#;
    let file: config::PolicyFile = serde_json::from_str(json).expect("its form is right");
    let error = file.into_policy().expect_err("nobody has resolved it");
    assert_eq!(error.to_string(), "preset: works in TOML files only");
}

#[test]
fn every_preset_says_whose_it_is() {
    for Preset { name, about, .. } in Preset::all() {
        for text in [&about.library, &about.version, &about.source, &about.about] {
            assert!(!text.is_empty() && !text.contains('\n'), "{name}");
        }
        assert!(about.about.len() <= 120, "{name}: one line");
    }
}
