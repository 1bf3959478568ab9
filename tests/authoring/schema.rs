//! `retrial schema`: it accepts what the program reads and refuses slips.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use boon::{Compiler, SchemaIndex, Schemas, ValidationError};
use retrial::experiment::schema::Rate;
use retrial_policy::Nanos;
use serde::Deserialize;
use serde::de::IntoDeserializer;
use serde::de::value::{Error, StrDeserializer};
use serde_json::{Value, json};

use super::{printed, retrial};

fn schema(args: &[&str]) -> Value {
    serde_json::from_str(&printed(args)).unwrap()
}

/// A compiled schema.
pub struct Validator(Schemas, SchemaIndex);

impl Validator {
    /// Refuses what its draft does not allow.
    fn new(schema: Value) -> Self {
        let (mut schemas, mut compiler) = (Schemas::new(), Compiler::new());
        compiler.add_resource("retrial.json", schema).unwrap();
        let index = compiler.compile("retrial.json", &mut schemas);
        let index = index.unwrap_or_else(|error| panic!("{error:#}"));
        Validator(schemas, index)
    }

    /// Of experiment files.
    pub fn of_experiments() -> Self {
        Validator::new(schema(&["schema"]))
    }

    /// Of policy files.
    fn of_policies() -> Self {
        Validator::new(schema(&["schema", "--policy"]))
    }

    fn accepts(&self, document: &Value) -> bool {
        self.0.validate(document, self.1).is_ok()
    }

    /// What is wrong with a TOML text, each with the place it speaks of.
    pub fn faults(&self, text: &str) -> Vec<String> {
        let document: Value = toml::from_str(text).unwrap();
        let mut faults = Vec::new();
        if let Err(error) = self.0.validate(&document, self.1) {
            collect(&error, &mut faults);
        }
        faults
    }
}

/// The innermost causes.
fn collect(error: &ValidationError<'_, '_>, faults: &mut Vec<String>) {
    if error.causes.is_empty() {
        faults.push(format!("{}: {}", error.instance_location, error.kind));
    }
    error.causes.iter().for_each(|cause| collect(cause, faults));
}

fn toml_files(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.filter(|path| path.extension().is_some_and(|ending| ending == "toml")).collect()
}

const SOUND: &str = r#"
    workload = { clients = 5, closed = {} }
    [[route]]
    name = "row"
    [policies.p]
    backoff = { kind = "none" }
    limits = { deadline = "unlimited" }
"#;

#[test]
fn both_name_their_draft_and_say_what_they_are() {
    for args in [&["schema"][..], &["schema", "--policy"]] {
        let schema = schema(args);
        assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
        assert!(schema["title"].is_string() && schema["description"].is_string(), "{args:?}");
    }
    retrial(&["schema", "--polcy"]).assert().code(2);
}

#[test]
fn every_experiment_and_policy_file_of_the_repository_is_valid() {
    let validator = Validator::of_experiments();
    let folders = ["experiments", "tests/data/experiments"];
    let files: Vec<_> = folders.into_iter().flat_map(toml_files).collect();
    assert!(files.len() >= 3, "{files:?}");
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        assert_eq!(validator.faults(&text), [""; 0], "{}", file.display());
    }
    let validator = Validator::of_policies();
    let policies = toml_files("policy/tests/data").into_iter().chain(toml_files("policy/presets"));
    for file in policies {
        let text = fs::read_to_string(&file).unwrap();
        assert_eq!(validator.faults(&text), [""; 0], "{}", file.display());
    }
}

/// Sound experiments with one key changed, and the place that must be blamed; "" for none.
#[test]
fn slips_are_refused_where_they_are() {
    let validator = Validator::of_experiments();
    for (change, blamed) in [
        ("", ""),
        ("sede = 1", "sede"),
        ("seed = -1", "/seed"),
        ("seed = \"1\"", "/seed"),
        ("title = 5", "/title"),
        ("replications = 0", "/replications"),
        ("bin = \"100\"", "/bin"),
        ("bin = 100", "/bin"),
        ("warmup = \"unlimited\"", "/warmup"),
        ("stop_after = \"unlimited\"", ""),
        ("stop_after = \"unlimitd\"", "/stop_after"),
        ("network.delay = \"10ms\"", ""),
        ("network.delay = { exponential = { mean = \"10ms\" } }", ""),
        ("network.delay = { exponential = { maen = \"10ms\" } }", "/network/delay"),
        ("network.delay = { exponential = { mean = \"10 parsecs\" } }", "/network/delay"),
        (
            "network.delay = { exponential = { mean = \"1s\" }, uniform = { min = \"1s\", max = \"2s\" } }",
            "/network/delay",
        ),
        ("network.delay = {}", "/network/delay"),
        ("network.lost = \"none\"", "/network/lost"),
        ("group = [{ name = \"g\", clients = 0 }]", "/group/0/clients"),
        (
            "group = [{ name = \"g\", clients = 5, open = { arrivals = { poisson = \"80/fortnight\" } } }]",
            "/group/0/open/arrivals",
        ),
        ("group = [{ name = \"g\", clients = 5, closed = { start = { over = \"10s\" } } }]", ""),
        (
            "group = [{ name = \"g\", clients = 5, closed = { start = \"apart\" } }]",
            "/group/0/closed/start",
        ),
        ("group = [{ name = \"g\", clients = 5, concurrency = 0 }]", "/group/0/concurrency"),
        ("thresholds.p = [\"amplification <= 1.5\"]", ""),
        ("thresholds.p = \"amplification <= 1.5\"", "/thresholds/p"),
        ("thresholds.p = [\"amplification is small\"]", "/thresholds/p/0"),
        ("thresholds.p = [\"warn: amplification <= 1.5\"]", ""),
        ("thresholds.p = [\"wrn: amplification <= 1.5\"]", "/thresholds/p/0"),
        ("stop = { half_width = \"5%\", max = 400 }", ""),
        ("stop = { half_width = \"5\" }", "/stop/half_width"),
        ("stop = { half_width = \"5%\", metrics = [\"attemps\"] }", "/stop/metrics/0"),
        ("stop = { half_width = { attempts = \"5%\", blocking_ratio = 0.01 } }", ""),
        ("stop = { half_width = { attemps = 1 } }", "/stop/half_width"),
        ("stop = { half_width = \"5%\", max = 9 }", "/stop/max"),
        ("sweep.\"workload.clients\" = [1, 2]", ""),
        ("sweep.\"workload.clients\" = []", "/sweep/workload.clients"),
        ("sweep.\"workload.clients\" = 5", "/sweep/workload.clients"),
        ("sweep.\"workload.clients\" = { from = 1, to = 9, steps = 3, scale = \"log\" }", ""),
        ("sweep.\"workload.clients\" = { from = 1, to = 9, steps = 1 }", "/sweep/workload.clients"),
        (
            "sweep = { \"workload.clients\" = { from = 1, to = 9 }, max_runs = 5000, sample = { design = \"sobol\", points = 8 } }",
            "",
        ),
        ("sweep.max_runs = \"many\"", "/sweep/max_runs"),
        ("sweep.sample = { design = \"halton\", points = 8 }", "/sweep/sample/design"),
        ("tune = { policy = \"p\", minimise = \"latency_p99_ms\" }", ""),
        ("tune = { policy = \"p\", minimise = \"latency\" }", "/tune/minimise"),
        (
            "tune = { policy = \"p\", minimise = \"attempts\", space = { \"limits.deadline\" = { from = \"1s\", to = \"9s\", scale = \"log\" } } }",
            "",
        ),
        (
            "tune = { policy = \"p\", minimise = \"attempts\", space = { budget = [[], [{ kind = \"grpc\" }]] } }",
            "",
        ),
        (
            "tune = { policy = \"p\", minimise = \"attempts\", space = { budget = [] } }",
            "/tune/space/budget",
        ),
        ("policies.q = { file = \"q.toml\", backoff = { jitter = \"full\" } }", ""),
        (
            "policies.q = { file = \"q.toml\", backoff = { jitter = \"ful\" } }",
            "/policies/q/backoff/jitter",
        ),
        ("policies.q = { preset = \"openai-python\" }", ""),
        ("policies.q = { preset = \"openai-python\", limits = { max_attempts = 4 } }", ""),
        (
            "policies.q = { preset = \"openai-python\", retry_on = { statuses = [\"501-599\"] } }",
            "",
        ),
        ("policies.q = { preset = 5 }", "/policies/q/preset"),
        ("policies.q = { backoff = { kind = \"none\" } }", "/policies/q"),
        ("policies.q = { backoff = { kind = \"none\" }, limits = {} }", "/policies/q"),
        ("policies.q = { fil = \"q.toml\" }", "/policies/q"),
        ("policies.q = { file = \"q.toml\", inner = { file = \"sdk.toml\" } }", ""),
        ("policies.q = { file = \"q.toml\", inner = { preset = \"openai-python\" } }", ""),
        ("policies.q = { file = \"q.toml\", inner = { file = \"sdk.toml\", limits = {} } }", ""),
        (
            "policies.q = { file = \"q.toml\", inner = { backoff = { kind = \"none\" } } }",
            "/policies/q/inner",
        ),
        ("policies.q = { file = \"q.toml\", inner = { fil = \"sdk.toml\" } }", "/policies/q/inner"),
    ] {
        let found = validator.faults(&format!("{change}\n{SOUND}"));
        match blamed {
            "" => assert_eq!(found, [""; 0], "{change}"),
            blamed => {
                assert!(found.iter().any(|fault| fault.contains(blamed)), "{change}: {found:?}");
            }
        }
    }
}

#[test]
fn routes_have_replies_limits_and_faults_of_their_forms() {
    let validator = Validator::of_experiments();
    for (keys, valid) in [
        ("kind = \"occ\"", true),
        ("kind = \"ooc\"", false),
        ("workers = 5\nqueue = \"unlimited\"\nabandoned = \"dropped\"", true),
        ("workers = 0", false),
        ("queue = \"long\"", false),
        ("full = { reply = \"generic-503\", latency = \"1ms\" }", true),
        ("full = { reply = { status = 503, headers = { retry-after = \"2\" } } }", true),
        ("full = { reply = { headers = {} } }", false),
        ("full = \"generic-503\"", false),
        ("limit = [{ requests = 10, per = \"1m\" }]", true),
        ("limit = [{ requests = 10 }]", false),
        (
            "limit = [{ requests = 10, per = \"1m\", over = { reply = \"a\", retry_after = \"exact\" } }]",
            true,
        ),
        (
            "limit = [{ requests = 10, per = \"1m\", over = { reply = \"a\", retry_after = \"30s\" } }]",
            true,
        ),
        (
            "limit = [{ requests = 10, per = \"1m\", over = { reply = \"a\", retry_after = \"soon\" } }]",
            false,
        ),
        ("fault = [{ from = \"0s\", until = \"1s\", reply = \"generic-503\" }]", true),
        ("fault = [{ form = \"0s\" }]", false),
        ("fault = { slow = 2.0 }", false),
    ] {
        let text = SOUND.replace("name = \"row\"", &format!("name = \"row\"\n{keys}"));
        let found = validator.faults(&text);
        assert_eq!(found.is_empty(), valid, "{keys}: {found:?}");
    }
}

#[test]
fn a_policy_file_needs_more_than_a_policy_with_a_file() {
    let validator = Validator::of_policies();
    let sound = "backoff.kind = \"none\"\nlimits.deadline = \"90s\"";
    assert_eq!(validator.faults(sound), [""; 0]);
    let inside = "inner.backoff.kind = \"none\"\ninner.limits.deadline = \"90s\"";
    assert_eq!(validator.faults(&format!("{sound}\n{inside}")), [""; 0]);
    let deeper = inside.replace("inner", "inner.inner");
    assert_eq!(validator.faults(&format!("{sound}\n{inside}\n{deeper}")), [""; 0]);
    for bad in [
        &format!("{sound}\ninner.backoff.kind = \"none\""),
        &format!("{sound}\n{inside}\ninner.backof.kind = \"none\""),
        &format!("{sound}\n{inside}\ninner.inner.limits.deadline = \"90s\""),
        "backoff.kind = \"none\"",
        "backoff.kind = \"none\"\nlimits = {}",
        "backoff.kind = \"none\"\nlimits.deadline = \"90\"",
        "backoff.kind = \"none\"\nlimits.deadline = \"90s\"\nlimits.max_attempts = 0",
        "backoff.kind = \"none\"\nlimits.deadline = \"90s\"\nfile = \"other.toml\"",
        "backoff = { kind = \"none\", factor = -1.0 }\nlimits.deadline = \"90s\"",
        "backoff.kind = \"none\"\nlimits.deadline = \"90s\"\nbudget = [{ kind = \"leaky\" }]",
        "backoff.kind = \"none\"\nlimits.deadline = \"90s\"\nbudget = [{ kind = \"token_bucket\", capcity = 1 }]",
    ] {
        assert_ne!(validator.faults(bad), [""; 0], "{bad}");
    }
}

/// The schema and the program agree on which texts are durations and rates.
#[test]
fn patterns_and_parsers_agree() {
    let schema = schema(&["schema"]);
    let matches = |name: &str| {
        let form = json!({ "$schema": schema["$schema"], "$ref": format!("#/$defs/{name}"), "$defs": schema["$defs"] });
        Validator::new(form)
    };
    let duration = matches("Duration");
    let units = "nanos nsec ns usec us µs millis msec ms seconds second secs sec s minutes minute \
                 min mins m hours hour hr hrs h days day d weeks week wk wks w months month M \
                 years year yr yrs y";
    let with_unit = units.split_whitespace().map(|unit| format!("3{unit}"));
    let others = [
        "200ms",
        "1m30s",
        "1m 30s",
        " 5s ",
        "1.5s",
        "0",
        "0s",
        "5 s",
        "",
        " ",
        "5",
        "00",
        "s",
        "-5s",
        "+5s",
        "1,5s",
        "1.s",
        ".5s",
        "5micros",
        "5S",
        "5parsecs",
        "5s3",
        "five seconds",
        "1e3ms",
        "unlimited",
    ];
    for text in with_unit.chain(others.map(String::from)) {
        let value: StrDeserializer<'_, Error> = text.as_str().into_deserializer();
        let read = Nanos::deserialize(value).is_ok();
        assert_eq!(duration.accepts(&json!(text)), read, "{text:?} as a duration");
    }
    let rate = matches("Rate");
    for text in [
        "50/s",
        "300/min",
        "0.5 / min",
        "1e3/hour",
        ".5/d",
        "5./day",
        "+5/m",
        "50",
        "50/",
        "/s",
        "50/fortnight",
        "x/s",
        "-1/s",
        "nan/s",
        "50/s/s",
        "50 per s",
        "50/S",
    ] {
        assert_eq!(rate.accepts(&json!(text)), text.parse::<Rate>().is_ok(), "{text:?} as a rate");
    }
}

/// What editors show while a file is written.
#[test]
fn tables_refuse_strange_keys_and_keys_are_described() {
    for args in [&["schema"][..], &["schema", "--policy"]] {
        let schema = schema(args);
        let definitions = schema["$defs"].as_object().unwrap();
        // The parameters of distributions have the names that statistics gives them.
        let forms = definitions.iter().filter(|(name, _)| name.starts_with("DistributionOf"));
        let laws: BTreeSet<_> = forms
            .flat_map(|(_, form)| form["anyOf"].as_array().unwrap())
            .filter_map(|law| law["properties"].as_object())
            .flat_map(|law| law.values())
            .filter_map(|law| law["$ref"].as_str()?.strip_prefix("#/$defs/"))
            .collect();
        let root = [("the file", &schema)];
        let tables = definitions.iter().map(|(name, table)| (name.as_str(), table)).chain(root);
        for (name, table) in tables {
            let Some(keys) = table.get("properties").and_then(Value::as_object) else { continue };
            assert_eq!(table["additionalProperties"], false, "{name}");
            for (key, form) in keys {
                let described = form["description"].is_string();
                assert!(described || laws.contains(name), "{name}.{key}");
            }
        }
        let text = schema.to_string();
        assert!(!text.contains("\"null\"") && !text.contains("\"format\""), "{args:?}");
    }
}

#[test]
fn defaults_are_those_of_the_documentation() {
    let schema = schema(&["schema"]);
    for (place, default) in [
        ("/properties/seed", json!(1)),
        ("/properties/replications", json!(30)),
        ("/$defs/StopForm/properties/max", json!(400)),
        ("/properties/bin", json!("100ms")),
        ("/$defs/BackoffSection/properties/factor", json!(2.0)),
        ("/$defs/BackoffSection/properties/cap", json!("unlimited")),
        ("/$defs/BackoffSection/properties/jitter", json!("none")),
        ("/$defs/LimitsSection/properties/max_attempts", json!(5)),
        ("/$defs/LimitsSection/properties/attempt_timeout", json!("unlimited")),
        ("/$defs/RetryAfterSection/properties/mode", json!("replace")),
        ("/$defs/RetryAfterSection/properties/cap", json!("60s")),
        ("/$defs/RetryAfterSection/properties/over_cap", json!("stop")),
        ("/$defs/RetryAfterSection/properties/jitter_ratio", json!(0.1)),
        ("/$defs/ReplaySection/properties/safe", json!(false)),
        ("/$defs/Route/properties/workers", json!("unlimited")),
        ("/$defs/Route/properties/queue", json!("unlimited")),
        ("/$defs/Fault/properties/from", json!("0s")),
        ("/$defs/Fault/properties/share", json!(1.0)),
    ] {
        let form = schema.pointer(place).unwrap_or_else(|| panic!("{place} is missing"));
        assert_eq!(form["default"], default, "{place}");
    }
}
