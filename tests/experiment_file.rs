//! What an experiment file and `--set` mean: places, order, policy files, sweeps, and what makes
//! two runs the same run.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use retrial::engine::distribution::Distribution;
use retrial::experiment::cell::Cell;
use retrial::experiment::load::{Change, Wanted, load};
use retrial::experiment::plan::Plan;
use retrial::model::network::Network;
use retrial_policy::{Instant, Jitter, Nanos, Policy};
use tempfile::TempDir;

const TWO_POLICIES: &str = r#"
title = "A title"
seed = 7
replications = 3

[workload]
clients = 20
closed = { requests = 1 }

[network]
delay = { normal = { mean = "10ms", sd = "2ms" } }

[[route]]
name = "row"
kind = "occ"

[policies.zebra]
backoff = { kind = "exponential", base = "10ms", cap = "2s", jitter = "full" }
limits = { max_attempts = 9, deadline = "unlimited" }

[policies.aardvark]
backoff = { kind = "constant", base = "50ms" }
limits = { deadline = "unlimited" }
"#;

const AXES: &str = r#"
[sweep]
"workload.clients" = [5, 10]
"policies.*.backoff.base" = ["20ms", "40ms", "80ms"]
"#;

/// An experiment `x.toml` in a folder of its own.
struct Experiment {
    folder: TempDir,
}

impl Experiment {
    fn new(text: &str) -> Self {
        let experiment = Experiment { folder: tempfile::tempdir().unwrap() };
        experiment.write("x.toml", text);
        experiment
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("x.toml")
    }

    /// Its plan, or the fault as people see it.
    fn try_plan(&self, sets: &[&str]) -> Result<Plan, String> {
        let changes = sets.iter().map(|text| Change { flag: "--set", text: text.to_string() });
        let wanted = Wanted {
            experiment: Some(self.path().display().to_string()),
            changes: changes.collect(),
            ..Wanted::default()
        };
        load(&wanted).and_then(|loaded| Plan::new(&loaded)).map_err(|report| report.to_string())
    }

    fn plan(&self, sets: &[&str]) -> Plan {
        self.try_plan(sets).unwrap_or_else(|fault| panic!("{sets:?}\n{fault}"))
    }

    /// `line:column` of the fault in the file with this name.
    fn place(&self, file: &str, sets: &[&str]) -> String {
        let fault = self.try_plan(sets).unwrap_err();
        let place = fault.lines().find_map(|line| line.trim().strip_prefix("--> "));
        let place = place.unwrap_or_else(|| panic!("no place in: {fault}"));
        let (name, position) = place.split_at(place.find(&format!("{file}:")).unwrap());
        assert!(name.is_empty() || name.ends_with('/'), "{place}");
        position[file.len() + 1..].to_string()
    }
}

/// The policy that everybody in the cell follows.
fn on_trial(cell: &Cell) -> &Policy {
    &cell.policies[0].policy
}

/// The plan of [`TWO_POLICIES`], changed.
fn plan(sets: &[&str]) -> Plan {
    Experiment::new(TWO_POLICIES).plan(sets)
}

fn ms(n: u64) -> Nanos {
    Nanos::from_millis(n)
}

#[test]
fn a_file_becomes_a_plan() {
    let plan = plan(&[]);
    assert_eq!((plan.name.as_str(), plan.title.as_str()), ("x", "A title"));
    assert_eq!((plan.seed, plan.replications), (7, 3));
    assert_eq!((plan.axes.len(), plan.points.len(), plan.cells.len()), (0, 1, 2));
    let scenario = &plan.cells[0].scenario;
    assert_eq!(scenario.clients(), 20);
    let normal = Distribution::Normal { mean: 10e6, sd: 2e6 };
    assert_eq!(scenario.network, Network::reliable(normal));
    assert_eq!((scenario.stop_after, scenario.bin), (Instant::MAX, ms(100)));
}

/// The documented defaults: seed 1, 30 replications, 100 ms bins, a network that takes no time,
/// and the file's name for a title.
#[test]
fn what_is_left_out_has_the_documented_default() {
    let text = "[workload]\nclients = 1\nclosed = {}\n[[route]]\nname = \"row\"\nkind = \"occ\"\n\
                [policies.p]\nbackoff = { kind = \"none\" }\nlimits = { deadline = \"unlimited\" }";
    let plan = Experiment::new(text).plan(&[]);
    assert_eq!((plan.title.as_str(), plan.seed, plan.replications), ("x", 1, 30));
    let scenario = &plan.cells[0].scenario;
    assert_eq!(scenario.network, Network::reliable(Distribution::ZERO));
    assert_eq!(scenario.warmup, Instant::from_nanos(0));
    assert_eq!((scenario.stop_after, scenario.bin), (Instant::MAX, ms(100)));
    assert_eq!(on_trial(&plan.cells[0]).limits().max_attempts.map(u32::from), Some(5));
}

#[test]
fn policies_keep_the_order_of_the_file() {
    assert_eq!(plan(&[]).policies, ["zebra", "aardvark"]);
    // One that is added comes last.
    let added =
        "policies.bear={ backoff = { kind = \"none\" }, limits = { deadline = \"unlimited\" } }";
    assert_eq!(plan(&[added]).policies, ["zebra", "aardvark", "bear"]);
}

/// Columns count characters, as editors do, and lines end as they may.
#[test]
fn places_are_counted_as_editors_count() {
    let with = |from: &str, to: &str| Experiment::new(&TWO_POLICIES.replace(from, to));
    assert_eq!(with("clients = 20", "clients = -1").place("x.toml", &[]), "7:11");
    // TOML wants quotes around a key with such a letter.
    let umlauts = "closed = { requests = 1 }, tokens = { input = \"äöü\", output = 1, naïve = 2 }";
    let inline = format!("workload = {{ clients = 20, {umlauts} }}");
    let table = "[workload]\nclients = 20\nclosed = { requests = 1 }\n";
    let text = TWO_POLICIES.replace(table, "").replace("seed = 7", &inline);
    let column = inline.chars().position(|c| c == 'ï').unwrap() + 1;
    assert_eq!(Experiment::new(&text).place("x.toml", &[]), format!("3:{column}"));
    let windows = TWO_POLICIES.replace("clients = 20", "clients = -1").replace('\n', "\r\n");
    assert_eq!(Experiment::new(&windows).place("x.toml", &[]), "7:11");
    let marked = format!("\u{feff}{}", TWO_POLICIES.replace("clients = 20", "clients = -1"));
    assert_eq!(Experiment::new(&marked).place("x.toml", &[]), "7:11");
}

/// A value has the place where it was given last: in the policy file, beside it, or in a flag.
#[test]
fn a_value_keeps_its_place_through_files_and_changes() {
    let table =
        "backoff = { kind = \"constant\", base = \"50ms\" }\nlimits = { deadline = \"unlimited\" }";
    let text = TWO_POLICIES.replace(table, "file = \"policies/a.toml\"\nbackoff.cap = \"1s\"");
    let experiment = Experiment::new(&text);
    let policy = |base: &str| {
        format!(
            "\n[limits]\ndeadline = \"unlimited\"\n[backoff]\nkind = \"constant\"\nbase = {base}\n"
        )
    };
    experiment.write("policies/a.toml", &policy("50"));
    assert_eq!(experiment.place("policies/a.toml", &[]), "6:8");
    experiment.write("policies/a.toml", &policy("\"50ms\""));
    assert_eq!(on_trial(&experiment.plan(&[]).cells[1]).backoff().cap, ms(1000));
    // The cap beside the file is the one that is below the base.
    experiment.write("policies/a.toml", &policy("\"2s\""));
    assert_eq!(experiment.place("x.toml", &[]), "23:15");
    let set = "policies.aardvark.backoff.cap=1999ms";
    assert_eq!(experiment.place("--set", &[set]), "1:31");
    assert_eq!(experiment.place("--set", &["seed=2", "  policies.*.backoff.cap =  x"]), "1:29");
    // Of several flags the one that is wrong is shown.
    let fault = experiment.try_plan(&["seed=2", set, "title=t"]).unwrap_err();
    assert!(fault.contains(&format!("1 | {set}")), "{fault}");
}

#[test]
fn keys_beside_a_policy_file_override_what_is_in_it() {
    let text = TWO_POLICIES.replace(
        "backoff = { kind = \"constant\", base = \"50ms\" }\nlimits = { deadline = \"unlimited\" }",
        "file = \"p.toml\"\nbackoff = { base = \"60ms\" }\nreplay.safe = true",
    );
    let experiment = Experiment::new(&text);
    let file = "[backoff]\nkind = \"constant\"\nbase = \"50ms\"\njitter = \"full\"\n\
                [limits]\nmax_attempts = 4\ndeadline = \"unlimited\"\n";
    experiment.write("p.toml", file);
    let expected = file.replace("50ms", "60ms") + "[replay]\nsafe = true\n";
    assert_eq!(*on_trial(&experiment.plan(&[]).cells[1]), Policy::from_toml(&expected).unwrap());
    // A change goes over both, and can name another file.
    let plan = experiment.plan(&["policies.aardvark.backoff.jitter=none"]);
    assert_eq!(on_trial(&plan.cells[1]).backoff().jitter, Jitter::None);
    experiment.write("q.toml", &file.replace("max_attempts = 4", "max_attempts = 6"));
    let plan = experiment.plan(&["policies.aardvark.file=q.toml"]);
    assert_eq!(on_trial(&plan.cells[1]).limits().max_attempts.map(u32::from), Some(6));
}

/// Wherever the command is started.
/// One law, exactly: a second one would be ignored.
#[test]
fn a_distribution_is_one_law() {
    let experiment = Experiment::new(TWO_POLICIES);
    for (law, message) in [
        (
            "{ normal = { mean = '1ms', sd = '1ms' }, uniform = { min = '0s', max = '1s' } }",
            "a distribution has one law, not two",
        ),
        ("{}", "expected a duration such as \"10ms\", or a law such as"),
    ] {
        let fault = experiment.try_plan(&[&format!("network.delay={law}")]).unwrap_err();
        assert!(fault.contains(message), "{fault}");
        assert!(fault.contains("--> --set:1:15"), "{fault}");
    }
}

/// Whatever replaced a value is what a fault in it is shown in.
#[test]
fn a_fault_in_a_replaced_table_is_shown_where_it_was_given() {
    let experiment = Experiment::new(TWO_POLICIES);
    let set = "network.delay={ uniform = { min = '2ms', max = '1ms' } }";
    let fault = experiment.try_plan(&[set]).unwrap_err();
    assert!(fault.contains("the upper end (1ms) is below the lower end (2ms)"), "{fault}");
    assert!(fault.contains("--> --set:1:48"), "{fault}");
}

/// Keys that are not built yet are checked all the same.
#[test]
fn what_is_not_built_is_still_checked() {
    let experiment = Experiment::new(TWO_POLICIES);
    let tune = |body: &str| format!("tune={{ policy = 'zebra', {body} }}");
    for (set, message) in [
        (tune("minimise = 'latency_p99'"), "no metric is called `latency_p99`"),
        (
            tune("minimise = 'latency_p99_ms', subject_to = ['amplification < x']"),
            "`x` is not a number",
        ),
        ("tune={ policy = 'zebr', minimise = 'requests' }".into(), "there is no policy `zebr`"),
        (
            "route.row={ name = 'row', fault = [{ slow = -3.0 }] }".into(),
            "`slow` must be above zero",
        ),
        ("route.row={ name = 'row', fault = [{}] }".into(), "the fault has no effect"),
        (
            "route.row={ name = 'row', limit = [{ requests = 1.0, per = '1s', burst = -1.0 }] }"
                .into(),
            "`burst` must be above zero",
        ),
        (
            "workload={ clients = 1, open = { arrivals = { poisson = '1/s' }, from = '2s', \
             until = '1s' } }"
                .into(),
            "the arrivals end (1s) before they start (2s)",
        ),
        ("network.delay=\"2years\"".into(), "nothing takes longer than 31536000s here"),
    ] {
        let fault = experiment.try_plan(&[&set]).unwrap_err();
        assert!(fault.contains(message), "{set}\n{fault}");
    }
}

/// The command line has the last word over a policy file too: it replaces whole values and can
/// name what only the file has.
#[test]
fn changes_come_after_policy_files() {
    let file = "[backoff]\nkind = 'exponential'\nbase = '10ms'\njitter = 'full'\n\
                [limits]\ndeadline = 'unlimited'\n\
                [[budget]]\nkind = 'token_bucket'\ncapacity = 10\nretry_cost = 1\n\
                success_refund = 0.1\n";
    let policies = TWO_POLICIES.find("[policies.zebra]").unwrap();
    let text = format!("{}[policies.a]\nfile = 'p.toml'\n", &TWO_POLICIES[..policies]);
    let experiment = Experiment::new(&text);
    experiment.write("p.toml", file);
    let plan = experiment.plan(&[
        "policies.a.backoff={ kind = 'constant', base = '7ms' }",
        "policies.a.budget.0.capacity=5",
    ]);
    let by_hand = file
        .replace(
            "kind = 'exponential'\nbase = '10ms'\njitter = 'full'",
            "kind = 'constant'\nbase = '7ms'",
        )
        .replace("capacity = 10", "capacity = 5");
    assert_eq!(*on_trial(&plan.cells[0]), Policy::from_toml(&by_hand).unwrap());

    experiment.write("q.toml", &by_hand);
    let other = experiment.plan(&["policies.a.limits.max_attempts=3", "policies.a.file=q.toml"]);
    let by_hand = by_hand.replace("[limits]", "[limits]\nmax_attempts = 3");
    assert_eq!(*on_trial(&other.cells[0]), Policy::from_toml(&by_hand).unwrap());
}

#[test]
fn policy_files_are_found_beside_the_experiment() {
    let text = TWO_POLICIES.replace(
        "backoff = { kind = \"constant\", base = \"50ms\" }\nlimits = { deadline = \"unlimited\" }",
        "file = \"../policies/p.toml\"",
    );
    let folder = Experiment::new("");
    folder.write("experiments/y.toml", &text);
    folder.write(
        "policies/p.toml",
        "backoff = { kind = \"none\" }\nlimits = { deadline = \"unlimited\" }",
    );
    folder.write("elsewhere/note", "");
    for (start, experiment) in [
        ("", "experiments/y.toml"),
        ("experiments", "y.toml"),
        ("elsewhere", "../experiments/y.toml"),
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_retrial"))
            .args(["run", experiment, "--quiet", "--no-charts", "--format", "csv"])
            .current_dir(folder.folder.path().join(start))
            .output()
            .unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), stderr.as_str()), (Some(0), ""), "{start}");
        // Results go where the command was started, under the experiment's name.
        assert!(folder.folder.path().join(start).join("results/y/runs.csv").is_file(), "{start}");
    }
}

#[test]
fn a_change_is_a_toml_value_or_a_bare_string() {
    assert_eq!(plan(&["workload.clients=0x10"]).cells[0].scenario.clients(), 16);
    assert_eq!(plan(&["workload.clients = 5_0 "]).cells[0].scenario.clients(), 50);
    assert_eq!(plan(&["title=bare words = fine"]).title, "bare words = fine");
    assert_eq!(plan(&["title='quoted'"]).title, "quoted");
    assert_eq!(plan(&["title="]).title, "");
    for five in ["network.delay=5ms", "network.delay=\"5ms\""] {
        let network = Network::reliable(Distribution::Constant(ms(5)));
        assert_eq!(plan(&[five]).cells[0].scenario.network, network);
    }
    // The last one wins, and the flags' order is theirs.
    assert_eq!(plan(&["seed=3", "seed=4"]).seed, 4);
}

#[test]
fn a_key_leads_through_tables_quotes_names_and_numbers() {
    for key in
        ["workload.clients", " workload . clients ", "\"workload\".clients", "'workload'.'clients'"]
    {
        assert_eq!(plan(&[&format!("{key}=9")]).cells[0].scenario.clients(), 9, "{key}");
    }
    let dotted = "policies.\"a.b\"={ backoff.kind = \"none\", limits.deadline = \"unlimited\" }";
    assert_eq!(plan(&[dotted]).policies, ["zebra", "aardvark", "a.b"]);
    let capped = plan(&[dotted, "policies.\"a.b\".limits.max_attempts=3"]);
    assert_eq!(on_trial(&capped.cells[2]).limits().max_attempts.map(u32::from), Some(3));
    for key in ["route.row.name", "route.0.name", "route.*.name"] {
        let plan = plan(&[&format!("{key}=other")]);
        assert!(plan.effective.contains("\"name\" = \"other\""), "{key}: {}", plan.effective);
    }
    // Tables on the way are made.
    assert!(on_trial(&plan(&["policies.zebra.replay.safe=true"]).cells[0]).replay().safe);
    // `*` stands for every policy.
    let plan = plan(&["policies.*.backoff.cap=70ms"]);
    assert!(plan.cells.iter().all(|cell| on_trial(cell).backoff().cap == ms(70)));
}

/// A change does not merge: what it does not mention is gone.
#[test]
fn a_change_replaces_the_whole_value() {
    let plan = plan(&["policies.zebra.limits={ deadline = \"unlimited\" }"]);
    // Nine attempts were given, five are the default.
    assert_eq!(on_trial(&plan.cells[0]).limits().max_attempts.map(u32::from), Some(5));
    let fault = Experiment::new(TWO_POLICIES).try_plan(&["workload={ clients = 5 }"]).unwrap_err();
    assert!(fault.starts_with("error: the workload says who calls, but not when\n"), "{fault}");
}

#[test]
fn the_last_axis_changes_fastest_and_every_policy_meets_every_point() {
    let plan = Experiment::new(&format!("{TWO_POLICIES}{AXES}")).plan(&[]);
    assert_eq!(plan.axes, ["workload.clients", "policies.*.backoff.base"]);
    let points: Vec<Vec<_>> = plan
        .points
        .iter()
        .map(|point| point.values.iter().map(|v| v.text.as_str()).collect())
        .collect();
    let expected = [
        ["5", "20ms"],
        ["5", "40ms"],
        ["5", "80ms"],
        ["10", "20ms"],
        ["10", "40ms"],
        ["10", "80ms"],
    ];
    assert_eq!(points, expected);
    let cells: Vec<_> = plan.cells.iter().map(|c| (c.policy_index, c.point_index)).collect();
    let all: Vec<_> = (0..2).flat_map(|policy| (0..6).map(move |point| (policy, point))).collect();
    assert_eq!(cells, all);
    for cell in &plan.cells {
        let [clients, base] = expected[cell.point_index];
        assert_eq!(cell.scenario.clients().to_string(), clients);
        let text =
            Experiment::new(TWO_POLICIES).plan(&[&format!("policies.*.backoff.base={base}")]);
        assert_eq!(on_trial(cell), on_trial(&text.cells[cell.policy_index]));
    }
}

/// Charts need numbers: durations in milliseconds, rates per second.
#[test]
fn axis_values_carry_number_unit_and_json() {
    let value_of = |values: &str| {
        let plan = plan(&[&format!("sweep.\"route.row.name\"=[{values}]")]);
        let value = plan.points[0].values[0].clone();
        (value.text, value.number, value.unit.to_string(), value.json)
    };
    for (text, number, unit) in [
        ("1m30s", Some(90_000.0), "ms"),
        ("250us", Some(0.25), "ms"),
        ("50/s", Some(50.0), "1/s"),
        ("300/min", Some(5.0), "1/s"),
        ("fast", None, ""),
        // Sums that leave 64 bits by a second make the duration parser itself panic.
        ("18446744073709551615s 1000000000ns", None, ""),
    ] {
        let expected = (text.to_string(), number, unit.to_string(), serde_json::json!(text));
        assert_eq!(value_of(&format!("\"{text}\"")), expected);
    }
    let plan = plan(&["sweep.\"workload.clients\"=[40]"]);
    let value = &plan.points[0].values[0];
    assert_eq!((value.number, value.unit, &value.json), (Some(40.0), "", &serde_json::json!(40)));
}

/// Whoever names a value on the command line means this value; results keep the axis's column.
#[test]
fn a_change_of_a_swept_key_pins_its_axis() {
    let experiment = Experiment::new(&format!("{TWO_POLICIES}{AXES}"));
    for set in ["workload.clients=7", "\"workload\" . clients = 7"] {
        let plan = experiment.plan(&[set]);
        assert_eq!(plan.axes, ["workload.clients", "policies.*.backoff.base"]);
        let clients: Vec<_> =
            plan.points.iter().map(|point| point.values[0].text.as_str()).collect();
        assert_eq!(clients, ["7"; 3], "{set}");
        assert!(plan.cells.iter().all(|cell| cell.scenario.clients() == 7));
    }
    let plan = experiment.plan(&["policies.*.backoff.base=30ms", "workload.clients=7"]);
    assert_eq!(plan.points.len(), 1);
    assert_eq!(plan.points[0].values[1].text, "30ms");
    // The axis itself can be changed too.
    let plan = experiment.plan(&["sweep.\"workload.clients\"=[1, 2, 3, 4]"]);
    assert_eq!(plan.points.len(), 12);
    let plan = experiment.plan(&["sweep={}"]);
    assert_eq!((plan.axes.len(), plan.points.len()), (0, 1));
}

/// Runs are kept under their identity: what does not matter to a run may change without making it
/// again, and what matters may not.
#[test]
fn the_identity_of_a_run_is_all_that_matters_to_it_and_nothing_else() {
    let identities =
        |plan: Plan| -> Vec<String> { plan.cells.into_iter().map(|cell| cell.identity).collect() };
    let original = identities(plan(&[]));
    assert_ne!(original[0], original[1]);

    for irrelevant in ["title=other", "replications=77"] {
        assert_eq!(identities(plan(&[irrelevant])), original, "{irrelevant}");
    }
    let reordered = TWO_POLICIES
        .replace("base = \"10ms\", cap = \"2s\"", "cap = \"2s\", base = \"10ms\"")
        .replace("[network]", "# A comment.\n[network]")
        .replace("zebra", "renamed");
    assert_eq!(identities(Experiment::new(&reordered).plan(&[])), original);
    // Neither other policies nor other points change a run.
    let extra = "policies.more={ backoff.kind = \"none\", limits.deadline = \"unlimited\" }";
    assert_eq!(identities(plan(&[extra]))[..2], original);
    let swept = identities(plan(&["sweep.\"workload.clients\"=[10, 20]"]));
    assert_eq!([&swept[1], &swept[3]], [&original[0], &original[1]]);

    for relevant in [
        "seed=8",
        "stop_after=100s",
        "bin=1s",
        "workload.clients=21",
        "network.delay=10ms",
        "network.delay.normal.sd=3ms",
        "route.0.name=other",
    ] {
        let changed = identities(plan(&[relevant]));
        assert_ne!(changed[0], original[0], "{relevant}");
        assert_ne!(changed[1], original[1], "{relevant}");
    }
    for relevant in [
        "policies.zebra.backoff.base=11ms",
        "policies.zebra.backoff.jitter=equal",
        "policies.zebra.limits.max_attempts=8",
        "policies.zebra.retry_after.mode=ignore",
        "policies.zebra.replay.safe=true",
    ] {
        let changed = identities(plan(&[relevant]));
        assert_ne!(changed[0], original[0], "{relevant}");
        assert_eq!(changed[1], original[1], "{relevant}");
    }
}

/// A policy means the same in an experiment as in the production service that reads its file.
#[test]
fn a_policy_on_trial_is_the_policy_that_ships() {
    let file = r#"
[backoff]
kind = "exponential"
base = "200ms"
factor = 2.0
cap = "20s"
jitter = "full"

[limits]
max_attempts = 5
deadline = "unlimited"

[retry_after]
mode = "replace"
cap = "60s"
over_cap = "stop"
jitter_ratio = 0.1

[[budget]]
kind = "token_bucket"
scope = "client"
capacity = 10.0
retry_cost = 1.0
success_refund = 0.1

[replay]
safe = false
idempotency_key = true
"#;
    let inline = file
        .replace("[[", "[[policies.x.")
        .replace("\n[b", "\n[policies.x.b")
        .replace("\n[l", "\n[policies.x.l")
        .replace("\n[r", "\n[policies.x.r");
    let plan = Experiment::new(&format!("{TWO_POLICIES}{inline}")).plan(&[]);
    assert_eq!(*on_trial(&plan.cells[2]), Policy::from_toml(file).unwrap());
}

/// The documented example uses nearly every key. None of them may be unknown or of another form.
#[test]
fn the_documented_example_is_understood_as_far_as_it_is_built() {
    let policy = "[backoff]\nkind = \"exponential\"\nbase = \"1ms\"\n\
                  [limits]\ndeadline = \"unlimited\"\n";
    let text = include_str!("data/experiments/documented.toml");
    let example = Experiment::new(text);
    example.write("policies/no-jitter.toml", policy);
    let plan = example.plan(&[]);
    assert_eq!(plan.policies, ["no-jitter", "capped-budget"]);
    assert_eq!(plan.axes, ["policies.*.backoff.base", "workload.clients"]);
    assert_eq!(plan.cells.len(), 2 * 4 * 3);
    assert_eq!(on_trial(&plan.cells[23]).backoff().jitter, Jitter::Full);
}
