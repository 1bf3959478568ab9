//! What a merge writes and prints is what one machine writes and prints.

use std::fs;
use std::path::PathBuf;
use std::process::{Command as Process, Stdio};
use std::time::{Duration, Instant};

use super::{Folder, UNITS, assert_same_results, results, text};

const PARTS: [&str; 4] = ["part-1", "part-2", "part-3", "part-4"];

/// Kills a shard when it has made some of its units, and lets it go on.
fn kill_and_resume(folder: &Folder, shard: &str, out: &str) {
    let mut command = Process::new(env!("CARGO_BIN_EXE_retrial"));
    command.current_dir(folder.0.path()).args(["run", "x.toml", "--threads", "1"]);
    command.args(["--shard", shard, "--out", out]).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let limit = Instant::now() + Duration::from_secs(60);
    let units = folder.path(out).join("units");
    let made = || fs::read_dir(&units).map_or(0, Iterator::count);
    while made() < 2 {
        assert!(Instant::now() < limit, "no unit was finished");
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let resumed = text(&folder.shard(shard, out).stderr);
    let kept = resumed.split_once(" runs, ").unwrap().1.split_once(" of them kept").unwrap().0;
    // At least a whole unit, and not all seven or eight.
    assert!((10..70).contains(&kept.parse().unwrap()), "{resumed}");
}

#[test]
fn four_shards_one_of_them_killed_are_as_one_run() {
    let folder = Folder::new();
    // One threshold fails, for one machine and for the merge.
    let one = folder.run(3, &["--threads", "1", "--out", "one"]);
    let two = folder.run(3, &["--threads", "2", "--out", "two"]);
    assert_same_results(&folder.path("two"), &folder.path("one"));
    assert_eq!(two.stdout, one.stdout);
    assert_eq!(folder.units("one").len(), UNITS);

    for (part, number) in PARTS.into_iter().zip(1..) {
        match number {
            3 => kill_and_resume(&folder, "3/4", part),
            _ => drop(folder.shard(&format!("{number}/4"), part)),
        }
        let files: Vec<_> = results(&folder.path(part)).into_keys().collect();
        assert_eq!(files, [PathBuf::from("plan.json")]);
        // 30 units are 8, 8, 7 and 7.
        assert!((7..=8).contains(&folder.units(part).len()));
    }
    // Whoever merges has neither the experiment nor what it names.
    for name in ["x.toml", "jitter.toml", "layers.toml", "calls.csv"] {
        fs::remove_file(folder.path(name)).unwrap();
    }
    let merge = |format: &str, out: &str, parts: &[&str]| {
        let merged =
            folder.output(&[&["merge", "--out", out, "--format", format][..], parts].concat());
        assert_eq!(merged.status.code(), Some(3), "{}", text(&merged.stderr));
        merged
    };
    let merged = merge("table", "merged", &PARTS);
    assert_same_results(&folder.path("merged"), &folder.path("one"));
    assert_eq!(text(&merged.stdout), text(&one.stdout));
    assert!(text(&merged.stdout).contains("FAILED  never: success_ratio >= 0.999"));
    let end = "450 runs from 4 parts; results, charts and report.html in merged\n";
    assert!(text(&merged.stderr).ends_with(end), "{}", text(&merged.stderr));
    let files: Vec<_> = results(&folder.path("merged")).into_keys().collect();
    for name in ["runs.csv", "summary.csv", "arrivals.csv", "telemetry.csv", "layers.csv"] {
        assert!(files.contains(&PathBuf::from(name)), "{name} among {files:?}");
    }
    for name in ["manifest.json", "charts/arrivals.svg", "charts/arrivals.png"] {
        assert!(files.contains(&PathBuf::from(name)), "{name} among {files:?}");
    }

    // In any order and twice; for programs, thresholds are told on stderr.
    let json = merge("json", "again", &["part-4", "part-2", "part-1", "part-2", "part-3"]);
    assert_same_results(&folder.path("again"), &folder.path("one"));
    let printed: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!(printed["rows"].as_array().unwrap().len(), 3 * 6);
    assert!(text(&json.stderr).starts_with("FAILED  never"), "{}", text(&json.stderr));
    let csv = merge("csv", "again", &PARTS);
    assert_eq!(csv.stdout, fs::read(folder.path("one/summary.csv")).unwrap());
    // No charts, and no remarks.
    let quiet = folder.output(&[
        "merge",
        "part-1",
        "part-2",
        "part-3",
        "part-4",
        "--out",
        "again",
        "--no-charts",
        "--quiet",
    ]);
    assert_eq!((quiet.status.code(), text(&quiet.stderr)), (Some(3), String::new()));
    assert_eq!(fs::read_dir(folder.path("again/charts")).unwrap().count(), 0);
}

/// Shards of any number of machines join, in folders of their own or in one.
#[test]
fn shards_of_two_numbers_overlap_and_share_a_folder() {
    let folder = Folder::new();
    let few = ["--replications", "3", "--against", "never"];
    let run = |more: &[&str]| {
        let output = folder.output(&[&["run", "x.toml"], &few[..], more].concat());
        assert!(matches!(output.status.code(), Some(0 | 3)), "{}", text(&output.stderr));
        output
    };
    let one = run(&["--out", "one"]);
    assert!(text(&one.stdout).contains("`jitter` against `never`: success_ratio +"));
    run(&["--shard", "1/2", "--out", "shared"]);
    run(&["--shard", "2/3", "--out", "shared"]);
    run(&["--shard", "1/3", "--out", "other"]);
    run(&["--shard", "3/3", "--out", "other"]);
    let merged = folder.output(&["merge", "shared", "other", "--out", "merged"]);
    assert_eq!(text(&merged.stdout), text(&one.stdout));
    assert_same_results(&folder.path("merged"), &folder.path("one"));
    // The folder of a shard may become that of the results, and then goes on as one.
    run(&["--shard", "2/2", "--out", "shared"]);
    let merged = folder.output(&["merge", "shared", "--out", "shared"]);
    assert_eq!(text(&merged.stdout), text(&one.stdout));
    fs::remove_file(folder.path("shared/plan.json")).unwrap();
    assert_same_results(&folder.path("shared"), &folder.path("one"));
}

/// A folder with more replications than are wanted now, or with units of another experiment.
#[test]
fn what_else_a_folder_holds_does_not_matter() {
    let folder = Folder::new();
    let run = |replications: &str, shard: &str, out: &str| {
        folder.run(0, &["--replications", replications, "--shard", shard, "--out", out]);
    };
    run("13", "1/1", "part");
    run("3", "1/2", "part");
    run("3", "2/2", "other");
    folder.run(0, &["--replications", "3", "--set", "seed=2", "--shard", "1/2", "--out", "other"]);
    run("3", "2/2", "other");
    let merged = folder.output(&["merge", "part", "other", "--out", "merged", "--quiet"]);
    assert_eq!(merged.status.code(), Some(3), "{}", text(&merged.stderr));
    folder.run(3, &["--replications", "3", "--out", "one"]);
    assert_same_results(&folder.path("merged"), &folder.path("one"));
}
