//! `retrial run --confirm`: the best of a screening, on replications that took no part in it.

use std::path::Path;
use std::process::Command;

fn run(out: &Path, flags: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_retrial"))
        .args(["run", "aws-occ", "--no-charts", "--quiet", "--out"])
        .arg(out)
        .args(["--set", "sweep.\"workload.clients\"=[10, 20]"])
        .args(flags)
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// Replications 10 to 19, whose mean the runs of a study of 20 give.
#[test]
fn the_best_are_run_again_on_replications_that_nothing_has_had() {
    let folder = tempfile::tempdir().unwrap();
    let screened = ["--replications", "10", "--confirm", "attempts:2"];
    let (code, out, _) = run(&folder.path().join("ten"), &screened);
    assert_eq!(code, Some(0));
    let lines: Vec<_> = out.lines().filter(|line| line.starts_with("confirmed")).collect();
    assert_eq!(lines.len(), 2, "{out}");
    let (_, rest) = lines[0].split_once("confirmed on 10 fresh replications: `").unwrap();
    let (policy, rest) = rest.split_once("` at workload.clients = 10: attempts ").unwrap();
    let confirmed: f64 = rest.split(' ').next().unwrap().parse().unwrap();

    run(&folder.path().join("twenty"), &["--replications", "20"]);
    let mut runs = csv::Reader::from_path(folder.path().join("twenty/runs.csv")).unwrap();
    let rows = runs.deserialize::<std::collections::BTreeMap<String, String>>();
    let fresh: Vec<f64> = rows
        .map(|row| row.unwrap())
        .filter(|row| row["policy"] == policy && row["workload.clients"] == "10")
        .filter(|row| row["replication"].parse::<u32>().unwrap() >= 10)
        .map(|row| row["attempts"].parse().unwrap())
        .collect();
    assert_eq!(fresh.len(), 10);
    let mean = fresh.iter().sum::<f64>() / 10.0;
    assert!((mean - confirmed).abs() <= 0.5, "{} against {mean}", lines[0]);
}

#[test]
fn numbers_for_programs_stay_alone_and_bad_names_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let flags = ["--replications", "10", "--format", "csv", "--confirm", "makespan_ms:1"];
    let (_, out, error) = run(folder.path(), &flags);
    assert!(!out.contains("confirmed") && error.starts_with("confirmed on 10 fresh"), "{error}");
    let (code, _, error) = run(folder.path(), &["--confirm", "attemps"]);
    assert_eq!(code, Some(2));
    assert!(error.contains("no metric is called `attemps`; did you mean `attempts`?"), "{error}");
    let (_, _, error) = run(folder.path(), &["--confirm", "attempts:0"]);
    assert!(error.contains("a whole number from 1"), "{error}");
}
