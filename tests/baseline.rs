//! The committed reference results of `aws-occ` are what the program gives today, byte for byte.
//!
//! A change that alters results on purpose renews them with
//! `cargo run --release -- run aws-occ --out results/baselines/aws-occ`.

use std::fs;
use std::path::Path;

use assert_cmd::Command;

/// Enough points to see every policy contend, few enough to run at every build.
const CLIENTS: [&str; 2] = ["10", "40"];

#[test]
fn a_part_of_the_baseline_is_regenerated_byte_for_byte() {
    let out = tempfile::tempdir().unwrap();
    Command::cargo_bin("retrial")
        .unwrap()
        .args(["run", "aws-occ", "--quiet", "--no-charts", "--out"])
        .arg(out.path())
        .args(["--set", &format!("sweep.\"workload.clients\"=[{}]", CLIENTS.join(", "))])
        .assert()
        .success();
    let baseline = Path::new(env!("CARGO_MANIFEST_DIR")).join("results/baselines/aws-occ");
    for file in ["runs.csv", "summary.csv", "arrivals.csv"] {
        let committed = fs::read_to_string(baseline.join(file)).unwrap();
        let kept = |line: &&str| {
            let clients = line.split(',').nth(1).unwrap_or_default();
            CLIENTS.contains(&clients) || clients == "workload.clients"
        };
        let expected: Vec<_> = committed.lines().filter(kept).collect();
        let regenerated = fs::read_to_string(out.path().join(file)).unwrap();
        let regenerated: Vec<_> = regenerated.lines().collect();
        assert!(expected.len() > 100, "{file}: the baseline has lost its rows");
        assert_eq!(regenerated, expected, "{file}");
    }
}
