//! Sweeps from the file and from the command line: which points they span, what a dry run says of
//! them, and the percentile files of their cells.

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use retrial::experiment::load::{Wanted, load};
use retrial::experiment::plan::Plan;
use retrial::experiment::sweep::SweepFlag;
use serde_json::Value;
use tempfile::TempDir;

const EXPERIMENT: &str = r#"
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

[policies.full-one]
backoff = { kind = "exponential", base = "10ms", cap = "2s", jitter = "full" }
limits = { deadline = "unlimited" }

[policies.full-two]
backoff = { kind = "exponential", base = "10ms", cap = "4s", jitter = "full" }
limits = { deadline = "unlimited" }

[policies.none]
backoff = { kind = "none" }
limits = { deadline = "unlimited" }
"#;

fn folder(more: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("x.toml"), format!("{EXPERIMENT}{more}\n")).unwrap();
    folder
}

fn plan_of(more: &str, sweep: Vec<SweepFlag>) -> Plan {
    let folder = folder(more);
    let experiment = Some(folder.path().join("x.toml").display().to_string());
    let wanted = Wanted { experiment, sweep, ..Wanted::default() };
    let plan = load(&wanted).and_then(|loaded| Plan::new(&loaded));
    plan.unwrap_or_else(|report| panic!("{report}"))
}

fn param(text: &str) -> SweepFlag {
    SweepFlag::Param(text.to_string())
}

/// The values at each point, in words.
fn points(plan: &Plan) -> Vec<String> {
    let text = |values: &[_]| -> Vec<String> {
        values.iter().map(|v: &retrial::experiment::sweep::AxisValue| v.text.clone()).collect()
    };
    plan.points.iter().map(|point| text(&point.values).join(" ")).collect()
}

#[test]
fn the_command_line_says_what_the_file_would() {
    let base = "\"policies.full-*.backoff.base\"";
    for (flag, file) in [
        ("workload.clients=50,100,200", "\"workload.clients\" = [50, 100, 200]"),
        ("workload.clients=[50, 100]", "\"workload.clients\" = [50, 100]"),
        ("workload.clients=50", "\"workload.clients\" = [50]"),
        ("workload.clients=50:200:4", "\"workload.clients\" = [50, 100, 150, 200]"),
        (
            "policies.full-*.backoff.base=50ms:800ms:log5",
            &format!("{base} = [\"50ms\", \"100ms\", \"200ms\", \"400ms\", \"800ms\"]"),
        ),
        (
            "policies.full-*.backoff.base = 50ms : 800ms : lin4",
            &format!("{base} = {{ from = \"50ms\", to = \"800ms\", steps = 4 }}"),
        ),
    ] {
        let given = plan_of("", vec![param(flag)]);
        let written = plan_of(&format!("[sweep]\n{file}"), vec![]);
        assert_eq!(given.axes, written.axes, "{flag}");
        assert_eq!(points(&given), points(&written), "{flag}");
        let identities = |plan: &Plan| -> Vec<String> {
            plan.cells.iter().map(|cell| cell.identity.clone()).collect()
        };
        assert_eq!(identities(&given), identities(&written), "{flag}");
    }
}

#[test]
fn a_flag_replaces_the_axis_of_its_key_and_adds_others() {
    let file = "[sweep]\n\"workload . clients\" = [5, 10]";
    let plan = plan_of(file, vec![param("workload.clients=7,8"), param("route.row.name=a")]);
    assert_eq!(plan.axes, ["workload . clients", "route.row.name"]);
    assert_eq!(points(&plan), ["7 a", "8 a"]);
    let clients: Vec<_> = plan.cells[..2].iter().map(|cell| cell.scenario.clients()).collect();
    assert_eq!(clients, [7, 8]);
}

/// What an axis does not touch is one and the same at all points.
#[test]
fn a_pattern_changes_the_policies_that_fit_and_no_others() {
    let plan = plan_of("", vec![param("policies.full-*.backoff.base=1ms,2ms")]);
    let identity = |policy: usize, point: usize| &plan.cells[policy * 2 + point].identity;
    assert_eq!(plan.policies, ["full-one", "full-two", "none"]);
    for policy in [0, 1] {
        assert_ne!(identity(policy, 0), identity(policy, 1));
    }
    assert_eq!(identity(2, 0), identity(2, 1));
    let scenario = |cell: usize| &plan.cells[cell].scenario;
    assert!(plan.cells.iter().all(|cell| std::sync::Arc::ptr_eq(&cell.scenario, scenario(0))));
}

#[test]
fn samples_fill_the_ranges_and_depend_on_the_seed_alone() {
    let file = |seed: u64, design: &str| {
        plan_of(
            &format!(
                "[sweep]\nsample = {{ design = \"{design}\", points = 32 }}\n\
                 \"policies.full-one.backoff.base\" = {{ from = \"10ms\", to = \"1s\", scale = \"log\" }}\n\
                 \"workload.clients\" = {{ from = {seed}, to = 40 }}\n\
                 \"route.row.name\" = [\"a\", \"b\"]"
            ),
            vec![],
        )
    };
    for design in ["sobol", "lhs", "latin_hypercube", "random"] {
        let plan = file(1, design);
        assert_eq!(plan.axes.len(), 3);
        assert_eq!((plan.points.len(), plan.cells.len()), (32, 96), "{design}");
        assert_eq!(points(&plan), points(&file(1, design)), "{design}");
        for point in &plan.points {
            let [base, clients, name] = &point.values[..] else { panic!("{point:?}") };
            let (base, clients) = (base.number.unwrap(), clients.number.unwrap());
            assert!(
                (10.0..=1000.0).contains(&base) && (1.0..=40.0).contains(&clients),
                "{point:?}"
            );
            assert!(["a", "b"].contains(&name.text.as_str()));
        }
    }
    // Of 32 stratified points half lie below the middle of each axis: 100 ms on the log scale.
    for design in ["sobol", "lhs"] {
        let plan = file(1, design);
        let below = |axis: usize, middle: f64| {
            let number = |point: &retrial::experiment::sweep::Point| point.values[axis].number;
            plan.points.iter().filter(|point| number(point).unwrap() < middle).count()
        };
        assert_eq!((below(0, 100.0), below(1, 20.5)), (16, 16), "{design}");
        let first = plan.points.iter().filter(|point| point.values[2].text == "a").count();
        assert_eq!(first, 16, "{design}");
    }
}

/// 64 draws of 3 values have at most 3 different points.
#[test]
fn points_that_are_drawn_again_are_run_once() {
    let sample = SweepFlag::Sample("random:64".into());
    let plan = plan_of("", vec![param("workload.clients=5,6,7"), sample]);
    let mut found = points(&plan);
    found.sort();
    assert_eq!(found, ["5", "6", "7"]);
    assert_eq!(plan.notes, ["of 64 points drawn 3 are different: each is run once"]);
}

fn run(folder: &Path, arguments: &[&str]) -> String {
    let mut command = Command::cargo_bin("retrial").unwrap();
    let out = ["run", "x.toml", "--out", "out", "--no-charts", "--quiet"];
    let output = command.current_dir(folder).args(out).args(arguments).assert().success();
    String::from_utf8(output.get_output().stdout.clone()).unwrap()
}

#[test]
fn a_dry_run_counts_and_estimates_and_writes_nothing() {
    let folder = folder("");
    let sweep = ["-P", "policies.full-*.backoff.base=10ms:80ms:log4", "--replications", "25"];
    let dry = |more: &[&str]| run(folder.path(), &[&sweep[..], &["--dry-run"], more].concat());
    let json = || -> Value { serde_json::from_str(&dry(&["--format", "json"])).unwrap() };
    // 3 policies at 4 points; the one that the axis leaves alone is the same at all of them.
    let text = dry(&[]);
    let study = "x: 3 policies × 4 points × 25 replications = 300 runs in 27 units\n\
                 kept: 0 units; missing: 27 units with 225 runs\nestimate: ";
    assert!(text.starts_with(study), "{text}");
    assert!(!folder.path().join("out").exists());
    let before = json();
    let counts = |json: &Value| {
        ["runs", "units", "units_kept", "units_missing", "runs_missing"]
            .map(|key| json[key].as_u64().unwrap())
    };
    assert_eq!(counts(&before), [300, 27, 0, 27, 225]);
    assert!(before["estimate"]["cpu_s"].as_f64().unwrap() > 0.0);

    run(folder.path(), &sweep);
    assert_eq!(counts(&json()), [300, 27, 27, 0, 0]);
    assert!(dry(&[]).ends_with("\nnothing is left to run\n"));
    let mut command = Command::cargo_bin("retrial").unwrap();
    let csv = ["run", "x.toml", "--dry-run", "--format", "csv"];
    command.current_dir(folder.path()).args(csv).assert().code(2);
}

/// A percentile file read back: (value in ms, percentile, count) of each row.
fn rows_of(hgrm: &str) -> Vec<(f64, f64, u64)> {
    let rows = hgrm.lines().skip(1).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let row = |line: &str| {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let (value, percentile) = (fields[0].parse().unwrap(), fields[1].parse::<f64>().unwrap());
        match fields.get(3) {
            Some(inverse) => {
                let inverse: f64 = inverse.parse().unwrap();
                assert!((inverse * (1.0 - percentile) - 1.0).abs() < 0.01, "{line}");
            }
            None => assert_eq!(percentile, 1.0, "{line}"),
        }
        (value, percentile, fields[2].parse().unwrap())
    };
    rows.map(row).collect()
}

/// The percentile files say of replication 0 what runs.csv says of it.
#[test]
fn percentile_files_agree_with_the_metrics() {
    let folder = folder("");
    let sweep = ["-P", "policies.full-*.backoff.base=10ms,20ms", "--hgrm"];
    run(folder.path(), &sweep);
    let percentiles = folder.path().join("out/percentiles");
    let names = || -> Vec<String> {
        let entries = fs::read_dir(&percentiles).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    };
    let name =
        |policy: &str, base: &str| format!("{policy},policies.full-%2A.backoff.base={base}.hgrm");
    let expected: Vec<_> = ["full-one", "full-two", "none"]
        .into_iter()
        .flat_map(|policy| [name(policy, "10ms"), name(policy, "20ms")])
        .collect();
    assert_eq!(names(), expected);

    let mut csv = csv::Reader::from_path(folder.path().join("out/runs.csv")).unwrap();
    let mut checked = 0;
    for row in csv.deserialize() {
        let row: std::collections::BTreeMap<String, String> = row.unwrap();
        if row["replication"] != "0" {
            continue;
        }
        let file = name(&row["policy"], &row["policies.full-*.backoff.base"]);
        let hgrm = fs::read_to_string(percentiles.join(&file)).unwrap();
        let rows = rows_of(&hgrm);
        let number = |column: &str| row[column].parse::<f64>().unwrap();
        let (max, _, count) = rows[rows.len() - 1];
        assert_eq!(count as f64, number("succeeded"), "{file}");
        let near = |found: f64, exact: f64| (found / exact - 1.0).abs() < 1e-3;
        assert!(near(max, number("latency_max_ms")), "{file}: {max}");
        let (median, ..) = rows.iter().find(|(_, percentile, _)| *percentile == 0.5).unwrap();
        assert!(near(*median, number("latency_p50_ms")), "{file}: {median}");
        assert!(hgrm.contains(&format!("Total count    = {count:>12}]")), "{hgrm}");
        checked += 1;
    }
    assert_eq!(checked, 6);

    // Without the flag none is left from before; nor of another sweep.
    run(folder.path(), &["--hgrm"]);
    assert_eq!(names(), ["full-one.hgrm", "full-two.hgrm", "none.hgrm"]);
    run(folder.path(), &[]);
    assert!(!percentiles.exists());
}
