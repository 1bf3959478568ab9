//! The committed reference results of the packaged experiments are what the program gives today,
//! byte for byte.
//!
//! A change that alters results on purpose renews them with
//! `cargo run --release -- check NAME --bless --note "why"`.

mod support;

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use retrial::experiment::packaged;
use retrial::study::baseline::decisions::{FILE, first_decisions};

/// Of the study of 20 client counts, enough to see every policy contend.
const CLIENTS: [&str; 2] = ["10", "40"];

fn baseline(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("results/baselines").join(name)
}

/// Runs an experiment again by `command` and compares what `kept` says of each data file.
fn compare(command: &[&str], name: &str, kept: impl Fn(&&str) -> bool) {
    let out = tempfile::tempdir().unwrap();
    Command::cargo_bin("retrial")
        .unwrap()
        .args(command)
        .args([name, "--quiet", "--out"])
        .arg(out.path())
        .assert()
        .success();
    for file in ["runs.csv", "summary.csv", "arrivals.csv"] {
        let committed = fs::read_to_string(baseline(name).join(file)).unwrap();
        let expected: Vec<_> = committed.lines().filter(&kept).collect();
        let regenerated = fs::read_to_string(out.path().join(file)).unwrap();
        let regenerated: Vec<_> = regenerated.lines().collect();
        assert!(expected.len() > 10, "{name}/{file}: the baseline has lost its rows");
        assert!(regenerated == expected, "{name}/{file} differs");
    }
}

#[test]
fn a_part_of_the_study_is_regenerated_byte_for_byte() {
    let sweep = format!("sweep.\"workload.clients\"=[{}]", CLIENTS.join(", "));
    compare(&["run", "--no-charts", "--set", &sweep], "aws-occ", |line| {
        let clients = line.split(',').nth(1).unwrap_or_default();
        CLIENTS.contains(&clients) || clients == "workload.clients"
    });
}

#[test]
fn the_other_experiments_are_regenerated_byte_for_byte_and_keep_their_thresholds() {
    for packaged in packaged::ALL.iter().filter(|packaged| packaged.name != "aws-occ") {
        compare(&["check"], packaged.name, |_| true);
    }
}

#[test]
fn the_kept_decisions_are_those_of_today_and_few() {
    for packaged in packaged::ALL {
        let kept = fs::read(baseline(packaged.name).join(FILE)).unwrap();
        assert!(kept.len() < 60_000, "{}: {} bytes", packaged.name, kept.len());
        let plan = support::packaged(packaged.name, &[]);
        assert!(first_decisions(&plan).unwrap() == kept, "{} differs", packaged.name);
    }
}

#[test]
fn every_baseline_has_its_charts_and_its_text() {
    for packaged in packaged::ALL {
        let manifest = fs::read(baseline(packaged.name).join("manifest.json")).unwrap();
        let manifest: serde_json::Value = serde_json::from_slice(&manifest).unwrap();
        assert_eq!(manifest["experiment_text"], packaged.text, "{}", packaged.name);
        for chart in ["arrivals.svg", "arrivals.png"] {
            assert!(baseline(packaged.name).join("charts").join(chart).is_file(), "{chart}");
        }
    }
}
